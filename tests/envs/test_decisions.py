"""Decisions: tables and sums against the coach's advice in exact numbers, for every set of slots and every roll."""

from fractions import Fraction
from math import isnan

import numpy as np
import pytest

from tentimes18.coach.advice import advise
from tentimes18.coach.aims import aim_named
from tentimes18.envs.arguments import Reward
from tentimes18.envs.decisions import (
    Decisions,
    MeanDecisions,
    decisions_of,
)
from tentimes18.envs.ten18_vector import Ten18VectorEnv
from tentimes18.game import Board, Game, Number, Position
from tentimes18.solve.lattice import lattice_of


def compare(decisions: Decisions, board: Board, aim: str) -> int:
    """Compare all decisions from this board on, and count them."""
    game, count = board.game, 0
    lattice = lattice_of(game)
    filled = game.all_free ^ board.free
    made = int((board.score - lattice.low(filled)) / lattice.unit)
    for place, roll in enumerate(game.dice.support):
        decision = decisions.decision(board.free, made, place)
        advice = advise(board, roll, aim_named(game, aim))
        assert decision.best + 1 == advice.best
        for slot, loss in enumerate(decision.losses, start=1):
            if slot not in board.free_slots:
                assert isnan(loss)
                continue
            exact = advice.move(slot).loss
            assert loss == float(exact) if aim == "mean" else abs(loss - exact) <= 2.0**-49  # rounded once, or thrice
            assert (loss == 0) == (slot in advice.best_slots)
        count += 1
        if board.rounds + 1 < game.size:
            count += sum(compare(decisions, board.place(roll, slot), aim) for slot in board.free_slots)
    return count


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
    decisions = decisions_of(game, target)
    assert decisions is decisions_of(game, target)
    assert compare(decisions, Board(game), aim) >= 2 + 2 * 4 * 2 + 2 * 12 * 2
    assert decisions.optimal == pytest.approx(float(aim_named(game, aim).worth(Position(Board(game)))), abs=1e-14)


def test_a_target_that_is_sure_or_out_of_reach() -> None:
    game = Game.parse("1d2", "1,2")
    assert decisions_of(game, 3).optimal == 1.0
    assert decisions_of(game, -5).decision(3, 0, 0).losses == (0.0, 0.0)
    assert decisions_of(game, 7).optimal == 0.0
    assert decisions_of(game, 7).decision(3, 0, 0).luck == 0.0


@pytest.mark.parametrize("reward", ["aim", "regret"])
def test_a_step_is_the_same_with_tables_and_without(reward: Reward, monkeypatch: pytest.MonkeyPatch) -> None:
    small = Ten18VectorEnv(40, "1d6-2", "-1,1/3,1/3,2", reward=reward)
    monkeypatch.setattr("tentimes18.envs.decisions.fits_table", lambda _: False)
    monkeypatch.setattr("tentimes18.envs.ten18.decisions_of", lambda game, _: MeanDecisions(game))
    summed = Ten18VectorEnv(40, "1d6-2", "-1,1/3,1/3,2", reward=reward)
    verify_equal(small.reset(seed=18), summed.reset(seed=18))
    generator, illegal = np.random.default_rng(18), 0
    for _ in range(20):
        actions = generator.integers(-1, 5, size=40)  # many of them are not allowed
        mine, theirs = small.step(actions), summed.step(actions)
        verify_equal((mine[0], mine[-1]), (theirs[0], theirs[-1]))
        assert mine[1] == pytest.approx(theirs[1], abs=1e-14)
        assert mine[2].tolist() == theirs[2].tolist()
        assert (small.action_masks() == summed.action_masks()).all()
        illegal += int(mine[-1]["illegal"].sum())
    assert 0 < illegal < 20 * 40


def verify_equal(mine: tuple[object, dict[str, object]], theirs: tuple[object, dict[str, object]]) -> None:
    assert np.array_equal(mine[0], theirs[0])  # type: ignore[arg-type]
    assert mine[1].keys() == theirs[1].keys()
    for key, found in mine[1].items():
        if key in ("luck", "regret"):  # rounded once, or in each term of a sum
            assert found == pytest.approx(theirs[1][key], abs=1e-14), key
            assert np.array_equal(found == 0.0, theirs[1][key] == 0.0), key
        else:
            assert np.array_equal(found, theirs[1][key]), key  # type: ignore[arg-type]
