"""The best chance of a score or more: the table's, beside that of `optimal`."""

from fractions import Fraction

import pytest

from tentimes18.answers.numbers import plain
from tentimes18.answers.targets import TargetAnswer, solve_target, target
from tentimes18.game import Board, Game
from tentimes18.solve.objectives.chances import chance_table
from tentimes18.strategies.named import named
from tests.support.answers import assert_answer

ODD = Game.parse("d{-5,0,7}:0=3", "-2,0,1/2,3")


@pytest.mark.parametrize("score", [-100, 0, Fraction(11, 2), 20, 10**20])
@pytest.mark.parametrize("board", [Board(ODD), Board(ODD).place(7, 3)], ids=["start", "in play"])
def test_target(board: Board, score: int | Fraction) -> None:
    answer = target(board, score)
    assert_answer(answer, TargetAnswer)
    wanted: TargetAnswer = {
        "target": plain(score),
        "probability": float(chance_table(ODD).chance(score, board.free, board.score)),
        "with_optimal": float(named("optimal").law(board).at_least(score)),
        "mean": float(named(f"target:{score}").law(board).mean),
        "mean_with_optimal": float(named("optimal").law(board).mean),
        "next_move": {str(roll): named(f"target:{score}").choose(board, roll) for roll in (-5, 0, 7)},
    }
    assert answer == wanted


def test_of_a_full_board() -> None:
    """Nothing is left to decide, and the mean is the score."""
    board = Board.replay(ODD, [(7, 1), (0, 2), (-5, 3), (7, 4)])
    answer = target(board, 4)
    assert (answer["probability"], answer["mean"], answer["next_move"]) == (1.0, 4.5, {})


def test_equal_chances() -> None:
    """A target that everybody reaches is played for the mean."""
    solved = solve_target(Board(Game.classic()), 0)
    assert all(move.slot == move.other for move in solved.moves)
    assert (solved.mean, solved.chance) == (solved.mean_with_optimal, 1)


def test_moves() -> None:
    board = Board(ODD).place(7, 3)
    solved = solve_target(board, 5)
    strategy, usual = named("target:5"), named("optimal")
    assert solved.moves == [(roll, strategy.choose(board, roll), usual.choose(board, roll)) for roll in (-5, 0, 7)]


def test_progress() -> None:
    """Told while the tables are made, to their end."""
    told: list[tuple[int, int]] = []
    target(Board(Game.parse("1d7", "1-3")), 20, lambda *at: told.append(at))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == told[-1][1]
