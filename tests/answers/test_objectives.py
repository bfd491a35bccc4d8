"""Best play for an objective: the answer says what the strategy does."""

import pytest

from tentimes18.answers.distribution import KnownFinder
from tentimes18.answers.objectives import NextMove, ObjectiveAnswer, next_moves, objective, solve_objective
from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.game import Board, Game
from tentimes18.strategies.named import UnknownStrategy, named
from tentimes18.strategies.strategy import ObjectiveStrategy
from tentimes18.strategies.user_code import find_known
from tests.support.answers import assert_answer

SMALL = Game.parse("1d6", "1-4")


@pytest.mark.parametrize("strategy", ["target:20", "quantile:0.1", "cvar:0.25", "utility:exp:0.05"])
def test_objective(strategy: str) -> None:
    known = named(strategy)
    assert isinstance(known, ObjectiveStrategy)
    board = Board(SMALL)
    law, usual = known.law(board), named("optimal").law(board)
    answer = objective(SMALL, strategy)
    assert_answer(answer, ObjectiveAnswer)
    assert answer == {
        "strategy": strategy,
        "value": float(known.solve(SMALL).value),
        "with_optimal": known.measure(SMALL, usual),
        "gap": abs(float(known.solve(SMALL).value) - known.measure(SMALL, law)),
        "mean": float(law.mean),
        "sd": law.sd,
        "first_move": {str(roll): known.choose(board, roll) for roll in range(1, 7)},
    }
    assert answer["gap"] < 1e-9


def test_laws_for_tables() -> None:
    solved = solve_objective(SMALL, "cvar:0.25")
    assert (solved.law, solved.optimal_law) == (
        named("cvar:0.25").law(Board(SMALL)),
        named("optimal").law(Board(SMALL)),
    )
    assert solved.reached == pytest.approx(solved.answer["value"], abs=1e-9)
    usual = named("optimal")
    assert [move.other for move in solved.moves] == [usual.choose(Board(SMALL), roll) for roll in range(1, 7)]


def test_next_moves_from_a_board() -> None:
    known = named("target:20")
    assert isinstance(known, ObjectiveStrategy)
    board = Board(SMALL).place(6, 1)
    wanted = [NextMove(roll, known.choose(board, roll), named("optimal").choose(board, roll)) for roll in range(1, 7)]
    assert next_moves(board, known.solve(SMALL)) == wanted
    full = Board.replay(SMALL, [(1, 1), (2, 2), (3, 3), (4, 4)])
    assert next_moves(full, known.solve(SMALL)) == []


def test_utility_of_a_user() -> None:
    with pytest.raises(UnknownStrategy):
        objective(SMALL, "utility:math:sqrt")
    assert_answer(objective(SMALL, "utility:math:sqrt", find_known), ObjectiveAnswer)


@pytest.mark.parametrize("strategy", ["foo", "optimal", "hunter", "target", "target:", "cvar", "x" * 300])
@pytest.mark.parametrize("find", [named, find_known])
def test_what_is_offered_is_accepted(strategy: str, find: KnownFinder) -> None:
    with pytest.raises(Ten18Error, match="is not an aim; accepted: ") as refused:
        objective(SMALL, strategy, find)
    assert len(str(refused.value)) < 300
    for offered in str(refused.value).rpartition("accepted: ")[2].split(", "):
        assert objective(SMALL, offered, find)["strategy"] == offered


@pytest.mark.parametrize(("strategy", "problem"), [("optimal", "is not an aim"), ("utility:exp:50", "too extreme")])
def test_no_objective(strategy: str, problem: str) -> None:
    with pytest.raises(Ten18Error, match=problem) as refused:
        objective(SMALL, strategy)
    assert refused.value.field == "strategy"
    assert isinstance(refused.value, InvalidGame) is (strategy != "optimal")
