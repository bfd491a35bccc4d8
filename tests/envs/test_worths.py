"""What decisions are worth, against the coach's advice in exact numbers, for every set of slots and every roll."""

import pickle
from fractions import Fraction
from math import isnan

import pytest

from tentimes18.coach.advice import advise
from tentimes18.coach.aims import aim_named
from tentimes18.envs.worths import Worths, worths_of, worths_plan
from tentimes18.game import Board, Game, Number, Position
from tentimes18.plan import Limits
from tentimes18.solve.lattice import lattice_of


def compare(worths: Worths, board: Board, aim: str) -> int:
    """Compare all decisions from this board on, and count them."""
    game, decisions = board.game, 0
    lattice = lattice_of(game)
    filled = game.all_free ^ board.free
    made = int((board.score - lattice.low(filled)) / lattice.unit)
    for place, roll in enumerate(game.dice.support):
        found = worths.decision(board.free, made, place)
        advice = advise(board, roll, aim_named(game, aim))
        assert found.best + 1 == advice.best
        for slot, loss in enumerate(found.losses, start=1):
            if slot not in board.free_slots:
                assert isnan(loss)
                continue
            exact = advice.move(slot).loss
            assert loss == float(exact) if aim == "mean" else abs(loss - exact) <= 2.0**-49  # rounded once, or thrice
            assert (loss == 0) == (slot in advice.best_slots)
        decisions += 1
        if board.rounds + 1 < game.size:
            decisions += sum(compare(worths, board.place(roll, slot), aim) for slot in board.free_slots)
    return decisions


@pytest.mark.parametrize(
    ("dice", "slots", "aim", "target"),
    [
        ("1d3", "1-3", "mean", None),  # a roll equals a threshold
        ("d{-4,7}", "-2,1/3,1/3,5", "mean", None),
        ("d{-2,1,3}", "-1,2,2", "target:5", 5),
        ("1d3", "1/3,1/2,2", "target:13/2", Fraction(13, 2)),
    ],
)
def test_every_decision_is_that_of_the_coach(dice: str, slots: str, aim: str, target: Number | None) -> None:
    game = Game.parse(dice, slots)
    worths = worths_of(game, target)
    assert worths is worths_of(game, target)
    assert compare(worths, Board(game), aim) >= 2 + 2 * 4 * 2 + 2 * 12 * 2
    assert worths.optimal == pytest.approx(float(aim_named(game, aim).worth(Position(Board(game)))), abs=1e-14)


def test_a_target_that_is_sure_or_out_of_reach() -> None:
    game = Game.parse("1d2", "1,2")
    assert worths_of(game, 3).optimal == 1.0
    assert worths_of(game, -5).decision(3, 0, 0).losses == (0.0, 0.0)
    assert worths_of(game, 7).optimal == 0.0
    assert worths_of(game, 7).decision(3, 0, 0).luck == 0.0


def test_the_plan_grows_with_slots_and_rolls() -> None:
    limits = Limits(memory=1e9, seconds=60)
    assert worths_plan(Game.classic()).fits(limits)
    assert worths_plan(Game.parse("1d20", "1-200")).fits(limits)
    assert not worths_plan(Game.parse("1d20", "1-5000")).fits(limits)
    assert not worths_plan(Game.parse("2d5000", "1-100")).fits(limits)


@pytest.mark.parametrize("target", [None, 20])
def test_what_is_remembered_is_found_again_and_not_carried_along(target: int | None) -> None:
    worths = worths_of(Game.parse("1d6", "1-3"), target)
    decisions = [worths.decision(7, 0, place) for place in range(6)]
    assert worths.decision(7, 0, 3) is decisions[3]
    copied = pickle.loads(pickle.dumps(worths))
    assert [copied.decision(7, 0, place) for place in range(6)] == decisions
    assert copied.decision(7, 0, 3) is not decisions[3]
    if target is not None:  # decisions by a chance depend on the points, too
        assert worths.decision(3, 0, 5).losses != worths.decision(3, 12, 5).losses
