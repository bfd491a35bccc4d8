"""The table of a utility against the best of all strategies."""

from fractions import Fraction
from math import floor, inf, nan

import pytest
from hypothesis import given

from tentimes18.errors import InvalidGame
from tentimes18.game import Board, Game
from tentimes18.solve.objectives.expected_utility import UtilityTable
from tentimes18.solve.objectives.shortfall import best_worst_share, shortfall_table
from tentimes18.solve.objectives.utilities import Utility, exponential
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.scores.exact_laws import rule_law
from tentimes18.solve.thresholds import exact_thresholds
from tests.oracle import Score
from tests.support.games import games
from tests.support.solved import (
    TOLERANCE,
    as_oracle,
    best_after,
    boards,
    check_law,
    few,
    first_best,
    largest,
    targets_of,
)


def quadratic(score: Score) -> Fraction:
    """A utility that is neither increasing nor of one curvature with its neighbours."""
    return Fraction(score) ** 2 / 5 - 3 * abs(Fraction(score) - 2)


def float_quadratic(score: float) -> float:
    return score**2 / 5 - 3 * abs(score - 2)


@given(boards(max_slots=3, max_rolls=3, min_free=1))
@few
def test_utility(board: Board) -> None:
    table = UtilityTable(board.game, Utility(float_quadratic))
    scale = 1 + max(abs(quadratic(score)) for score in targets_of(board.game))
    assert abs(Fraction(table.expected()) - best_after(Board(board.game), quadratic)) <= TOLERANCE * scale
    value = table.expected(board.free, board.score)
    assert abs(Fraction(value) - best_after(board, quadratic)) <= TOLERANCE * scale
    law = check_law(table.best_play(), board)
    reached = sum(quadratic(score) * share for score, share in as_oracle(law).items())
    assert abs(reached - best_after(board, quadratic)) <= TOLERANCE * scale


@given(boards(max_slots=3, max_rolls=3, min_free=1))
@few
def test_utility_takes_the_best_mean_among_the_best_slots(board: Board) -> None:
    """Of utilities with ties everywhere, and of one with hardly any."""

    def cubic(score: Score) -> Fraction:
        return Fraction(score) ** 3

    def steps(score: Score) -> Fraction:
        return Fraction(floor(score / 8) % 3 - 1)

    for utility, rounded in ((cubic, lambda score: score**3), (steps, lambda score: float(floor(score / 8) % 3 - 1))):
        table = UtilityTable(board.game, Utility(rounded))
        mean, slots = first_best(board, utility)
        for roll in board.game.dice.support:
            assert table.best_play().choose(board.free, board.score, roll) == slots[roll]
        assert table.mean(0, board.free, board.score) == mean


@given(games(max_slots=4, max_rolls=4))
@few
def test_a_straight_utility_is_the_mean(game: Game) -> None:
    """u(s) = s, by any name: the value, and exactly the law's mean and the slots, are those of `optimal`."""
    wanted = exact_thresholds(game.dice, game.size)[-1].value(game.multipliers)
    scale = largest(game)
    usual = rule_law(game, optimal_rule(game))
    for utility in (Utility(lambda score: score), Utility(lambda score: 7 * score - 3), exponential(game, 0)):
        play = UtilityTable(game, utility).best_play()
        assert play.law() == usual
        assert play.mean == wanted
    assert best_worst_share(shortfall_table(game), 1).mean == wanted
    assert UtilityTable(game, exponential(game, 0)).best_play().value == pytest.approx(
        float(wanted), abs=TOLERANCE * scale
    )
    assert best_worst_share(shortfall_table(game), 1).value == pytest.approx(float(wanted), abs=TOLERANCE * scale)


@pytest.mark.parametrize("bad", [inf, -inf, nan])
def test_utility_that_is_not_finite(bad: float) -> None:
    game = Game.parse("1d6", "1-3")
    with pytest.raises(InvalidGame, match=r"^strategy: the utility is not a finite number"):
        UtilityTable(game, Utility(lambda score: bad if score == 20 else score))


def test_position_that_utility_cannot_be_in() -> None:
    table = UtilityTable(Game.parse("1d6", "1-3"), Utility(lambda score: score))
    for free, score in ((0b111, 1), (0b110, 7), (0b110, Fraction(1, 2)), (0b110, 0)):
        with pytest.raises(InvalidGame, match=r"^score: "):
            table.expected(free, score)
