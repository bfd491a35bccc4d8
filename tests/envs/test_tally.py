"""Counting decisions: the costliest ones are found whatever the order and the size of the parts."""

from typing import Any

import numpy as np
import pytest

from tentimes18.coach.losses import Unit, classify
from tentimes18.envs.evaluation import MAX_COSTLIEST, TakenDecisions, Tally


def some_decisions(count: int) -> TakenDecisions:
    """Many of them equal; the regret follows from what is decided."""
    generator = np.random.default_rng(18)
    rolls, actions = generator.integers(1, 7, count), generator.integers(0, 3, count)
    masks = generator.integers(0, 2, (count, 3)).astype(np.int8)
    regrets = (rolls * (actions + 1) + masks @ [1, 2, 4]) / 8.0 - 0.5
    regrets[regrets < 1] = 0
    score = np.zeros(count)
    illegal = masks[np.arange(count), actions] == 0
    return TakenDecisions(np.arange(count), masks, rolls.astype(float), score, actions, actions * 0, regrets, illegal)


def part(made: TakenDecisions, rows: Any) -> TakenDecisions:
    return TakenDecisions(*(column[rows] for column in made))


def test_an_episode_may_come_several_times() -> None:
    made, tally = some_decisions(500), Tally(5, Unit.points, 1.0)
    tally.add(made._replace(episodes=np.arange(500) % 5))
    assert tally.regrets.tolist() == pytest.approx(made.regrets.reshape(100, 5).sum(axis=0).tolist())
    assert tally.found("a", {}, 0, 10.0).moves == 500


@pytest.mark.parametrize("unit", [Unit.points, Unit.chance])
@pytest.mark.parametrize("size", [1, 7, 500])
def test_parts_come_to_the_same(size: int, unit: Unit) -> None:
    made, tally = some_decisions(500), Tally(500, unit, 1.0)
    for first in range(0, 500, size):
        tally.add(part(made, slice(first, first + size)))
    found = tally.found("a", {}, 0, 10.0)
    legal = made.regrets[~made.illegal].tolist()
    assert found.classes == {
        name: sum(classify(regret, unit).name == name for regret in legal) for name in tally.classes
    }
    assert found.illegal == 500 - len(legal)
    plain: dict[Any, int] = {}
    for i in range(500):
        free = tuple(np.flatnonzero(made.masks[i]).tolist())
        key = (made.regrets[i], free, made.rolls[i], made.actions[i])
        plain[key] = plain.get(key, 0) + 1
    costs = sorted(plain, reverse=True)[:MAX_COSTLIEST]
    assert [decision.regret for decision in found.costliest] == [cost for cost, *_ in costs]
    for decision in found.costliest:
        assert plain[decision.regret, decision.free, decision.roll, decision.chosen] == decision.times
        assert (decision.score is None) == (unit is Unit.points)


def test_errors_are_those_of_the_mean() -> None:
    tally = Tally(4, Unit.points, 1.0)
    made = part(some_decisions(500), slice(0, 4))
    tally.add(made)
    tally.add(part(made._replace(regrets=made.regrets + 1), slice(0, 2)))
    tally.returns[:] = [9, 7, 8, 12]
    found = tally.found("a", {"dice": "3d6"}, 3, 10.0)
    sums = made.regrets + np.array([made.regrets[0] + 1, made.regrets[1] + 1, 0, 0])
    assert found.gap_from_returns == (1.0, float(np.std([9, 7, 8, 12], ddof=1)) / 2)
    assert found.gap_from_regrets == (float(sums.mean()), float(sums.std(ddof=1)) / 2)
    assert found.variance_ratio == np.var([9, 7, 8, 12]) / sums.var()
    assert (found.moves, found.regret_a_move.value) == (6, sums.sum() / 6)
