"""The random numbers of a run, by the number of the game: its rolls, and whatever else is left to chance.

The words of the random stream are those of `random_words`. Arrays are [round, game]: each step runs over all games of
a block, so that their memory latencies overlap.

A game's numbers depend on the seed, the purpose, and the number of the game alone. `simulate.run` has the rolls of a
single game without a kernel.
"""

from functools import lru_cache
from itertools import accumulate
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Words
from tentimes18.compiled import compiled
from tentimes18.game import Game
from tentimes18.random_words import ONE, Word, fill_words, next_numbers, wide_place
from tentimes18.simulate.run import MAX_TOTAL, WIDE_LIMBS, WORD_PRODUCT, Run, key_bits, per_word, verify_number

Rolls = NDArray[np.uint8] | NDArray[np.uint16]


class RollSource(NamedTuple):
    """What the rolls of a run are drawn from, ``per_word`` numbers below ``total`` from a word.

    ``position`` of each outcome in the support; a larger total is 0 here, and ``bounds`` hold the distribution.
    """

    key: np.uint64
    total: int
    per_word: int
    position: NDArray[Any]
    bounds: NDArray[np.uint64]


def drawn_rolls(run: Run, first: int, games: int) -> list[list[int]]:
    """The rolls of these games of a run."""
    support = run.game.dice.support
    return [[support[position] for position in game] for game in draw(run, first, games).T.tolist()]


def draw(run: Run, first: int, games: int) -> NDArray[Any]:
    """The positions of the rolls in the support of the dice, [round, game]."""
    verify_number(first)
    kind = np.uint8 if len(run.game.dice.support) <= 256 else np.uint16
    rolls = np.empty((run.rounds, games), dtype=kind)
    source = roll_source(run)
    if source.total:
        draw_rolls(source.key, np.uint64(source.total), source.per_word, source.position, first, rolls)
    else:
        draw_wide_rolls(source.key, source.bounds, first, rolls)
    return rolls


def roll_source(run: Run) -> RollSource:
    """What the rolls of a run are drawn from."""
    total, key = run.game.dice.total, key_of(run.seed, "rolls")
    if total > MAX_TOTAL:
        return RollSource(key, 0, 1, np.empty(0, dtype=np.uint16), _bounds(run.game))
    count = per_word(total, run.rounds)
    return RollSource(key, total, count, _outcomes(run.game), np.empty((0, 0), dtype=np.uint64))


def drawn_fractions(key: np.uint64, first: int, rounds: int, games: int) -> NDArray[np.float64]:
    """Numbers from 0 to below 1, [round, game], by the number of the game."""
    words = np.empty((rounds, games), dtype=np.uint64)
    for which in range(rounds):
        fill_words(key, rounds, which, first, np.uint64(1), words[which])
    fractions: NDArray[np.float64] = (words >> np.uint64(11)) * np.float64(2.0**-53)
    return fractions


def words_for(bounds: list[int]) -> list[list[int]]:
    """Numbers below these bounds, in their order, shared out to as few words as hold them."""
    words: list[list[int]] = [[]]
    for bound in bounds:
        if prod(words[-1]) * bound > WORD_PRODUCT:
            words.append([])
        words[-1].append(bound)
    return words


def key_of(seed: int, purpose: str) -> np.uint64:
    """What makes the words of a seed and a purpose; those of two purposes have nothing to do with each other."""
    return np.uint64(key_bits(seed, purpose))


@lru_cache(maxsize=8)  # at most 128 kB each
def _outcomes(game: Game) -> NDArray[Any]:
    kind = np.uint8 if len(game.dice.support) <= 256 else np.uint16
    return np.repeat(np.arange(len(game.dice.support), dtype=kind), game.dice.counts)


@lru_cache(maxsize=8)  # at most 320 kB each
def _bounds(game: Game) -> NDArray[np.uint64]:
    """The words of the binary expansions of P(X <= x), for all rolls but the last."""
    total = game.dice.total
    rests = list(accumulate(game.dice.counts))[:-1]
    words = []
    for _ in range(WIDE_LIMBS):
        words.append([(rest << 64) // total for rest in rests])
        rests = [(rest << 64) % total for rest in rests]
    return np.array(words, dtype=np.uint64).reshape(WIDE_LIMBS, -1)


@compiled()
def draw_rolls(key: Word, T: Word, per_word: int, position_of: Rolls, first: int, rolls: Rolls) -> None:
    """rolls[r, g]: the position of the roll of round r in game first + g; position_of[o] for T equal outcomes o."""
    rounds, games = rolls.shape
    words = np.empty(games, dtype=np.uint64)
    numbers = np.empty(games, dtype=np.uint32)
    product = ONE
    for _ in range(per_word):
        product *= T
    per_game = (rounds + per_word - 1) // per_word
    for r in range(rounds):
        if r % per_word == 0:
            fill_words(key, per_game, r // per_word, first, product, words)
        next_numbers(T, words, numbers)
        row = rolls[r]
        for g in range(games):
            row[g] = position_of[numbers[g]]


@compiled()
def draw_wide_rolls(key: Word, bounds: Words, first: int, rolls: Rolls) -> None:
    """Rolls of dice with any total: the number of bounds[:, k] = P(X <= x_k) that a fraction of many words reaches.

    bounds[l, k] is word l of the binary expansion; the next word of the fraction is drawn only where one is equal.
    """
    rounds, games = rolls.shape
    words = np.empty(games, dtype=np.uint64)
    for r in range(rounds):
        fill_words(key, rounds, r, first, ONE, words)
        for g in range(games):
            rolls[r, g] = wide_place(bounds, words[g])
