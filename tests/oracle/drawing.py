"""The rolls of a run and the slots of `random`, game by game, with Python's integers.

A word is an integer below 2^64; word number i of a key is mix(key + (i + 1) γ), the SplitMix64 sequence. Numbers below
T_1, ..., T_m come from one word: the integer part of word · T_1 / 2^64 is the first, and what is left over is the word
that the next one comes from. A word is fair unless what the last one leaves over is below 2^64 mod T_1 ... T_m.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import prod

BITS = 64
WORDS = 1 << BITS
GAMMA = 0x9E3779B97F4A7C15
ANEW = 0xD1B54A32D192ED03
LARGEST_PRODUCT = 1 << 44
LARGEST_TOTAL = 1 << 16
LIMBS = 4


def key_of(seed: int, purpose: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{purpose} {seed}".encode(), digest_size=8).digest(), "little")


def mix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORDS
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORDS
    return z ^ (z >> 31)


def word(key: int, number: int) -> int:
    return mix((key + (number + 1) * GAMMA) % WORDS)


def is_fair(value: int, product: int, words: int = WORDS) -> bool:
    return value * product % words >= words % product


def fair_word(key: int, number: int, product: int) -> int:
    """The word of this number, or the first fair one that comes of it."""
    value = word(key, number)
    while not is_fair(value, product):
        value = mix(value ^ ANEW)
    return value


def numbers(value: int, bounds: Sequence[int], words: int = WORDS) -> list[int]:
    """Numbers below each of the bounds from one word."""
    drawn = []
    for bound in bounds:
        number, value = divmod(value * bound, words)
        drawn.append(number)
    return drawn


def roll_positions(counts: Sequence[int], n: int, seed: int, game: int) -> list[int]:
    """The places of a game's n rolls in the support of the dice, which show roll k in counts[k] of all cases."""
    total, key, upto = sum(counts), key_of(seed, "rolls"), list(accumulate(counts))
    if total > LARGEST_TOTAL:
        return [_wide_position(upto, word(key, n * game + r)) for r in range(n)]
    a_word = max(m for m in range(1, n + 1) if total**m <= LARGEST_PRODUCT)
    words_a_game = -(-n // a_word)
    outcomes: list[int] = []
    for which in range(words_a_game):
        value = fair_word(key, words_a_game * game + which, total**a_word)
        outcomes += numbers(value, [total] * a_word)
    return [bisect_right(upto, outcome) for outcome in outcomes[:n]]


def _wide_position(upto: Sequence[int], value: int) -> int:
    """How many P(X <= x) a fraction reaches, all of them cut to the same number of words."""
    fraction = 0
    for _ in range(LIMBS):
        fraction = fraction * WORDS + value
        value = mix(value ^ ANEW)
    return sum(int(Fraction(count, upto[-1]) * WORDS**LIMBS) <= fraction for count in upto[:-1])


def random_slots(n: int, seed: int, game: int) -> list[int]:
    """The slots, from 1, in the order in which `random` takes them.

    Numbers below n, n - 1, ..., 1, as many of them a word as the product allows. The free slots are in a row; the
    last of them takes the place of the one that is taken.
    """
    words: list[list[int]] = [[]]
    for free in range(n, 0, -1):
        if prod(words[-1]) * free > LARGEST_PRODUCT:
            words.append([])
        words[-1].append(free)
    row, taken = list(range(1, n + 1)), []
    for which, bounds in enumerate(words):
        value = fair_word(key_of(seed, "random 0"), len(words) * game + which, prod(bounds))
        for number in numbers(value, bounds):
            taken.append(row[number])
            row[number] = row[-1]
            row.pop()
    return taken
