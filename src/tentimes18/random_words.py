"""A stream of random words that can be entered at any place, and the numbers drawn from them.

Word i of the random stream is mix(key + (i + 1) γ), the SplitMix64 sequence (Steele, Lea and Flood 2014) entered at any
place: game g uses its own words, so any part of a run can be made anywhere and in any order.

A word is a fraction u of 2^64. The integer part of u T is a number below T, and the rest is a fraction again: several
numbers are drawn from one word, below T_1, ..., T_m. They are exactly uniform once the words whose last rest is below
2^64 mod T_1...T_m are drawn again (Brackett-Rozinsky and Lemire 2024); the product is kept so small that this is rare.
"""

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Words
from tentimes18.compiled import compiled

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
ANEW = np.uint64(0xD1B54A32D192ED03)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
ONE = np.uint64(1)
Word = np.uint64


@compiled(inline="always")
def mix_word(z: Word) -> Word:
    """The word of the stream at this place."""
    z = (z ^ (z >> np.uint64(30))) * MIX_1
    z = (z ^ (z >> np.uint64(27))) * MIX_2
    return z ^ (z >> np.uint64(31))


@compiled()
def fill_words(key: Word, per_game: int, which: int, first: int, product: Word, words: Words) -> None:
    """Word number ``which`` of the games from ``first`` on; product is T_1...T_m, below 2^63."""
    start = key + (np.uint64(first) * np.uint64(per_game) + np.uint64(which) + ONE) * GAMMA
    step = np.uint64(per_game) * GAMMA
    rejected = (np.uint64(0) - product) % product
    anew = False
    for g in range(len(words)):
        words[g] = mix_word(start + np.uint64(g) * step)
        anew |= words[g] * product < rejected
    if anew:
        for g in range(len(words)):
            while words[g] * product < rejected:
                words[g] = mix_word(words[g] ^ ANEW)


@compiled()
def next_numbers(T: Word, words: Words, numbers: NDArray[np.uint32]) -> None:
    """The next number below T from each word; T is below 2^32."""
    for g in range(len(words)):
        low = (words[g] & LOW) * T
        high = (words[g] >> HALF) * T + (low >> HALF)
        numbers[g] = high >> HALF
        words[g] = (high << HALF) | (low & LOW)


@compiled()
def wide_place(bounds: Words, word: Word) -> int:
    """How many of the bounds the fraction that begins with this word reaches."""
    limbs, size = bounds.shape
    low, high = 0, int(size)
    for limb in range(limbs):
        # Among bounds low..high, which agree with the fraction so far, find those equal in this word too.
        a, b = low, high
        while a < b:
            middle = (a + b) >> 1
            if bounds[limb, middle] < word:
                a = middle + 1
            else:
                b = middle
        low = a
        while a < high and bounds[limb, a] == word:
            a += 1
        high = a
        if low == high:
            break
        word = mix_word(word ^ ANEW)
    return high
