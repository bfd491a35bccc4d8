"""Played games measured at once, against the exact values of each move and the exact scores."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.coach import by_mean
from tentimes18.coach.by_mean import Thresholds, measured_moves, other_scores, scores_of
from tentimes18.game import Board, Game
from tentimes18.solve.values import move_values, value_of
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import play_game
from tests.support.games import games


@given(games(max_slots=4, max_rolls=4), st.integers(0, 2**32 - 1))
@settings(max_examples=50)
def test_every_move(game: Game, seed: int) -> None:
    generator = np.random.default_rng(seed)
    n, count = game.size, 3
    rounds = generator.integers(0, n + 1, count)
    rolls = np.array(game.dice.support)[generator.integers(0, len(game.dice.support), (count, n))]
    slots = np.array([generator.permutation(n) for _ in range(count)]) + 1
    measured = measured_moves(game, Thresholds.of(game), rounds, rolls, slots)
    for g in range(count):
        free = game.all_free
        for r in range(rounds[g]):
            values = move_values(game, free, int(rolls[g, r]))
            most, slot = max(values.values()), int(slots[g, r])
            assert measured.losses[g, r] == pytest.approx(float(most - values[slot]), abs=1e-10)
            assert measured.lucks[g, r] == pytest.approx(float(most - value_of(game, free)), abs=1e-10)
            assert measured.best[g, r] == min(one for one, value in values.items() if value == most)
            assert measured.is_best[g, r] == (values[slot] == most)
            assert measured.is_choice[g, r] == (len(set(values.values())) > 1)
            free ^= 1 << (slot - 1)
        for part in (measured.losses, measured.lucks, measured.best, measured.is_choice):
            assert not part[g, rounds[g] :].any()
        assert measured.is_best[g, rounds[g] :].all()


@given(games(max_slots=4, max_rolls=4), st.integers(0, 2**32 - 1))
@settings(max_examples=50)
def test_scores(game: Game, seed: int) -> None:
    """Those of the moves, as near as a float can tell, and those of the two strategies on the same rolls."""
    generator = np.random.default_rng(seed)
    shape = (3, game.size)
    rolls = np.array(game.dice.support)[generator.integers(0, len(game.dice.support), shape)]
    slots = np.array([generator.permutation(game.size) for _ in range(3)]) + 1
    boards = [
        Board.replay(game, zip(*moves, strict=True)) for moves in zip(rolls.tolist(), slots.tolist(), strict=True)
    ]
    assert scores_of(game, rolls, slots).tolist() == [float(board.score) for board in boards]
    for name, scores in zip(("optimal", "hindsight"), other_scores(game, Thresholds.of(game), rolls), strict=True):
        assert scores.tolist() == [float(play_game(game, named(name), row).score) for row in rolls.tolist()]


@pytest.mark.parametrize("multiplier", [10**30 + 1, Fraction(1, 3**40)])
def test_scores_that_need_more_than_64_bits(multiplier: int | Fraction) -> None:
    game = Game(Game.classic().dice, [multiplier, 7])
    rolls, slots = np.array([[18, 3], [5, 0]]), np.array([[1, 2], [2, 0]])
    boards = [Board.replay(game, [(18, 1), (3, 2)]), Board(game).place(5, 2)]
    assert scores_of(game, rolls, slots).tolist() == [float(board.score) for board in boards]


def test_in_parts_as_together(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.parse("1d6", "1-3")
    generator = np.random.default_rng(18)
    rolls = generator.integers(1, 7, (7, 3))
    slots = np.array([generator.permutation(3) for _ in range(7)]) + 1
    rounds, thresholds = np.array([3, 0, 2, 3, 1, 3, 3]), Thresholds.of(game)
    whole = measured_moves(game, thresholds, rounds, rolls, slots), other_scores(game, thresholds, rolls)
    monkeypatch.setattr(by_mean, "CELLS", 6)
    parts = measured_moves(game, thresholds, rounds, rolls, slots), other_scores(game, thresholds, rolls)
    for one, other in zip(whole, parts, strict=True):
        for column, other_column in zip(one, other, strict=True):
            assert column.tolist() == other_column.tolist()
