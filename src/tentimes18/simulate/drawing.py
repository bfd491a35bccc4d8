"""The random numbers of a run, by the number of the game: its rolls, and whatever else is left to chance.

The words of the random stream are those of `random_words`. Arrays are [round, game]: each step runs over all games of
a block, so that their memory latencies overlap.

A game's numbers depend on the seed, the purpose, and the number of the game alone. `simulate.run` has the rolls of a
single game without a kernel.
"""

from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Words
from tentimes18.compiled import compiled
from tentimes18.game import Game
from tentimes18.random_words import ONE, Word, fill_words, next_numbers, wide_place
from tentimes18.simulate.run import MAX_TOTAL, WIDE_LIMBS, Run, key_bits, per_word, verify_number

Rolls = NDArray[np.uint8] | NDArray[np.uint16]


class RollSource(NamedTuple):
    """The source of the rolls of a run: ``per_word`` numbers below ``total`` from a word.

    A word is drawn again if its product with ``product`` = total^per_word is below ``rejected``. ``position`` has the
    place in the support for each number. For a larger total, which is 0 here, ``bounds`` hold the distribution.
    """

    key: np.uint64
    total: np.uint64
    per_word: int
    product: np.uint64
    rejected: np.uint64
    position: NDArray[np.uint16]
    bounds: NDArray[np.uint64]


def drawn_rolls(run: Run, first: int, games: int) -> list[list[int]]:
    support = run.game.dice.support
    return [[support[position] for position in game] for game in draw(run, first, games).T.tolist()]


def draw(run: Run, first: int, games: int) -> NDArray[Any]:
    """The positions of the rolls in the support of the dice, [round, game]."""
    verify_number(first)
    kind = np.uint8 if len(run.game.dice.support) <= 256 else np.uint16
    rolls = np.empty((run.rounds, games), dtype=kind)
    source = roll_source(run)
    if source.total:
        draw_rolls(source, first, rolls)
    else:
        draw_wide_rolls(source.key, source.bounds, first, rolls)
    return rolls


def roll_source(run: Run) -> RollSource:
    total, key = run.game.dice.total, key_of(run.seed, "rolls")
    none = np.zeros(0, dtype=np.uint16)
    if total > MAX_TOTAL:
        return RollSource(key, np.uint64(0), 1, ONE, np.uint64(0), none, _bounds(run.game))
    count = per_word(total, run.rounds)
    product = np.uint64(total**count), np.uint64(2**64 % total**count)
    return RollSource(key, np.uint64(total), count, *product, _outcomes(run.game), np.zeros((0, 0), dtype=np.uint64))


def drawn_fractions(key: np.uint64, first: int, rounds: int, games: int) -> NDArray[np.float64]:
    """Numbers from 0 to below 1, [round, game], by the number of the game."""
    words = np.empty((rounds, games), dtype=np.uint64)
    for which in range(rounds):
        fill_words(key, rounds, which, first, np.uint64(1), words[which])
    fractions: NDArray[np.float64] = (words >> np.uint64(11)) * np.float64(2.0**-53)
    return fractions


def key_of(seed: int, purpose: str) -> np.uint64:
    return np.uint64(key_bits(seed, purpose))


@lru_cache(maxsize=8)  # at most 128 kB each
def _outcomes(game: Game) -> NDArray[np.uint16]:
    return np.repeat(np.arange(len(game.dice.support), dtype=np.uint16), game.dice.counts)


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
def draw_rolls(source: RollSource, first: int, rolls: Rolls) -> None:
    """rolls[r, g]: the place in the support of the roll of round r in game first + g."""
    key, total, per_word, product, _, position, _ = source
    rounds, games = rolls.shape
    words = np.empty(games, dtype=np.uint64)
    numbers = np.empty(games, dtype=np.uint32)
    per_game = (rounds + per_word - 1) // per_word
    for r in range(rounds):
        if r % per_word == 0:
            fill_words(key, per_game, r // per_word, first, product, words)
        next_numbers(total, words, numbers)
        row = rolls[r]
        for g in range(games):
            row[g] = position[numbers[g]]


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
