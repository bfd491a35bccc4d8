"""The rolls of one game of a run, with Python's integers: whoever plays a game alone need not load what draws millions.

They are those of `simulate.drawing`, which draws the same words and numbers in a kernel. `random_words` has the
mathematics.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from tentimes18.simulate.run import Run, verify_number

WORD_PRODUCT = 2**44
"""Numbers drawn from one word multiply up to this at most: one word in 10^6 is drawn anew."""
WIDE_LIMBS = 4
MAX_TOTAL = 1 << 16  # of dice whose outcomes are listed
GAMMA = 0x9E3779B97F4A7C15
ANEW = 0xD1B54A32D192ED03
BITS = 64
WORD = (1 << BITS) - 1


def rolls_of(run: Run, game: int) -> list[int]:
    """The rolls of this game of a run.

    >>> from tentimes18.game import Game
    >>> from tentimes18.simulate.drawing import drawn_rolls
    >>> run = Run(Game.classic(), ("optimal",), seed=18)
    >>> [rolls_of(run, 2)] == drawn_rolls(run, 2, 1)
    True
    """
    verify_number(game)
    dice, rounds, key = run.game.dice, run.rounds, key_bits(run.seed, "rolls")
    upto = list(accumulate(dice.counts))
    if dice.total > MAX_TOTAL:
        bounds = [(count << BITS * WIDE_LIMBS) // dice.total for count in upto[:-1]]
        return [dice.support[reached(bounds, _word(key, rounds * game + r))] for r in range(rounds)]
    count = per_word(dice.total, rounds)
    per_game = -(-rounds // count)
    words = [fair_word(key, per_game * game + which, dice.total**count) for which in range(per_game)]
    numbers = [number for word in words for number in _numbers(word, dice.total, count)]
    return [dice.support[bisect_right(upto, number)] for number in numbers[:rounds]]


def per_word(total: int, rounds: int) -> int:
    """How many numbers below ``total`` come from one word."""
    return next(m for m in range(rounds, 0, -1) if total**m <= WORD_PRODUCT)


def key_bits(seed: int, purpose: str) -> int:
    """What makes the words of a seed and a purpose; those of two purposes have nothing to do with each other."""
    return int.from_bytes(hashlib.blake2b(f"{purpose} {seed}".encode(), digest_size=8).digest(), "little")


def fair_word(key: int, number: int, product: int) -> int:
    """The word of this number, drawn anew while numbers whose bounds have this product would not be equally likely."""
    word = _word(key, number)
    while word * product & WORD < (WORD + 1) % product:
        word = _mix(word ^ ANEW)
    return word


def reached(bounds: Sequence[int], word: int) -> int:
    """How many of the bounds, of four words each, the fraction that begins with this word reaches."""
    fraction = 0
    for _ in range(WIDE_LIMBS):
        fraction = fraction << BITS | word
        word = _mix(word ^ ANEW)
    return bisect_right(bounds, fraction)


def _word(key: int, number: int) -> int:
    return _mix(key + (number + 1) * GAMMA & WORD)


def _mix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
    return z ^ (z >> 31)


def _numbers(word: int, bound: int, count: int) -> Iterator[int]:
    for _ in range(count):
        word *= bound
        yield word >> BITS
        word &= WORD
