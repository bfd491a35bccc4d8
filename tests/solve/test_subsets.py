"""M[A] against the thresholds on every set of free slots, and against the oracle."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Game
from tentimes18.solve.float_subsets import subset_values
from tentimes18.solve.float_thresholds import thresholds
from tentimes18.solve.subsets import exact_subset_values
from tests.support.games import games
from tests.support.solved import by_thresholds


@given(games(max_slots=6))
@settings(max_examples=150)
def test_thresholds_give_every_entry(game: Game) -> None:
    assert exact_subset_values(game) == by_thresholds(game)


EPSILON = 2.0**-52


@given(games(max_slots=7, max_rolls=6), st.sampled_from([1, 1000, Fraction(1, 1000)]))
def test_float_table(game: Game, scale: int | Fraction) -> None:
    """Within 5 units of 2^-52 times the most points there can be; the worst seen is 1.2 units."""
    game = Game(game.dice, [multiplier * scale for multiplier in game.multipliers])
    values = subset_values(game)
    assert values.shape == (1 << game.size,)
    assert values[0] == 0
    most = max(map(abs, game.dice.support)) * sum(abs(Fraction(multiplier)) for multiplier in game.multipliers)
    for approximate, exact in zip(values, by_thresholds(game), strict=True):
        assert abs(Fraction(float(approximate)) - exact) <= 5 * Fraction(EPSILON) * most


@pytest.mark.parametrize(("dice", "slots"), [("3d6", "1-16"), ("d{-5,1,4}", "-8-7"), ("1d20", "1,1,1,1,2,2,2,2,3-10")])
def test_sixteen_slots(dice: str, slots: str) -> None:
    """Both in float64: within 7 units of 2^-52 times the most points on each of 65536 sets; the worst seen is 1.6."""
    game = Game.parse(dice, slots)
    assert game.size == 16
    rows = [np.zeros(0), *thresholds(game.dice, 16)]
    values = subset_values(game)
    multipliers = np.array([float(multiplier) for multiplier in game.multipliers])
    bits = np.arange(16)
    expected = np.array(
        [multipliers[(free >> bits & 1).astype(bool)] @ rows[free.bit_count()] for free in range(1 << 16)]
    )
    most = max(map(abs, game.dice.support)) * float(np.abs(multipliers).sum())
    assert np.max(np.abs(values - expected)) <= 7 * EPSILON * most
