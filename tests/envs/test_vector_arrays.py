"""The arrays behind many games: what they say of a game, and that every kernel finds all of its own."""

from fractions import Fraction

import numpy as np
import pytest

from tentimes18.envs.vector_arrays import dealer_of, new_games, new_results, no_chances, no_means, rules_of
from tentimes18.game import Game
from tentimes18.kernels.environment import deal
from tentimes18.simulate.drawing import key_of


def test_rules_are_those_of_the_game() -> None:
    game = Game.parse("1d6-3", "-2,1/3,5")
    rules = rules_of(game, by_chance=True, by_regret=False)
    for multiplier, row, low in zip(game.multipliers, rules.points, rules.lows, strict=True):
        exact = [Fraction(multiplier) * roll for roll in game.dice.support]
        assert row.tolist() == [float(points) for points in exact]
        assert low == float(min(exact))
    assert rules.support.tolist() == list(game.dice.support)
    assert (rules.scaled[0], rules.scaled[-1]) == (0.0, 1.0)
    most = sum(max(m * -2, m * 3) - min(m * -2, m * 3) for m in map(Fraction, game.multipliers))
    assert rules.width * Fraction(1, 3) == float(most)  # in units of the lattice


def test_a_law_of_one_roll_is_scaled_to_zero() -> None:
    assert rules_of(Game.parse("d{7}", "1-3"), by_chance=False, by_regret=False).scaled.tolist() == [0.0]


@pytest.mark.parametrize("notation", ["3d6", "1d2:2=5000000000"])
def test_rolls_come_by_their_law(notation: str) -> None:
    game = Game.parse(notation, "1-10")
    dealer, places = dealer_of(game), new_games(1, 10).places
    counts = np.zeros(len(game.dice.support))
    for number in range(2000):
        deal(dealer, np.uint64(key_of(18, "rolls")), number, 0, places)
        np.add.at(counts, places[0], 1)
    chances = np.array([float(game.dice.probability(roll)) for roll in game.dice.support])
    errors = np.sqrt(20_000 * chances * (1 - chances))
    assert (np.abs(counts - 20_000 * chances) <= 4.5 * errors + 1e-9).all()


def test_new_games_are_over_and_new_results_have_their_shapes() -> None:
    assert new_games(4, 3).over.all()
    results = new_results(4, 3, has_target=True, new=np.zeros)
    assert results.observations.shape == (4, 5)
    assert results.masks.shape == (4, 3)
    assert not any(array.any() for array in results)


def test_tables_that_an_aim_does_not_have_are_empty() -> None:
    assert sum(table.size for table in no_means()) == 0
    assert sum(np.size(table) for table in no_chances()[1:]) == 0
