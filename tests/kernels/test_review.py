"""Played games measured at once, against the exact values of each move."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.game import Game
from tentimes18.kernels.review import review_games
from tentimes18.kernels.types import MeasuredMoves, Multipliers, PlayedMoves, RankedRolls
from tentimes18.solve.thresholds import exact_thresholds
from tentimes18.solve.values import move_values, value_of
from tests.support.games import games


@given(games(max_slots=4, max_rolls=4), st.integers(0, 2**32 - 1))
@settings(max_examples=50)
def test_every_move(game: Game, seed: int) -> None:
    generator = np.random.default_rng(seed)
    n, count, support = game.size, 3, game.dice.support
    rows = np.zeros((n + 1, n))
    low, high = np.zeros((n + 1, len(support)), dtype=np.int64), np.zeros((n + 1, len(support)), dtype=np.int64)
    for k, row in enumerate(exact_thresholds(game.dice, n), start=1):
        rows[k, :k] = row.floats()
        low[k] = [row.rank(x) - 1 for x in support]
        high[k] = [row.highest_rank(x) - 1 for x in support]
    base = game.multipliers[0]
    lam = np.array([float(multiplier - base) for multiplier in game.multipliers])
    group = np.array([game.multipliers.index(multiplier) for multiplier in game.multipliers])
    rounds = generator.integers(0, n + 1, count)
    places = generator.integers(0, len(support), (count, n))
    slots = np.array([generator.permutation(n) for _ in range(count)])
    shape = (count, n)
    measured = MeasuredMoves(
        np.zeros(shape, dtype=np.int64), np.zeros(shape), np.zeros(shape), np.zeros(shape, bool), np.zeros(shape, bool)
    )
    review_games(
        RankedRolls(rows, low, high),
        Multipliers(lam, group, float(base), float(game.dice.mean)),
        PlayedMoves(rounds, np.array(support)[places], places, slots),
        measured,
    )
    for g in range(count):
        free = game.all_free
        for r in range(rounds[g]):
            values = move_values(game, free, support[places[g, r]])
            most, slot = max(values.values()), int(slots[g, r]) + 1
            assert measured.losses[g, r] == pytest.approx(float(most - values[slot]), abs=1e-10)
            assert measured.lucks[g, r] == pytest.approx(float(most - value_of(game, free)), abs=1e-10)
            assert measured.best[g, r] + 1 == min(one for one, value in values.items() if value == most)
            assert measured.is_best[g, r] == (values[slot] == most)
            assert measured.is_choice[g, r] == (len(set(values.values())) > 1)
            free ^= 1 << slots[g, r]
