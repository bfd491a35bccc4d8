"""The price of not knowing the future, by other ways: exact thresholds, a general problem, one row in float64."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tentimes18.assignment import Problem
from tentimes18.dice import Dice
from tentimes18.queries import QUERIES
from tentimes18.queries.solutions import GapAnswer, RulesAnswer
from tentimes18.solve.float_thresholds import last_row, order_statistics
from tentimes18.solve.hindsight import exact_order_statistics
from tentimes18.solve.thresholds import exact_thresholds


def gap(distribution: str, most: int) -> GapAnswer:
    answer: GapAnswer = QUERIES["gap"](distribution=distribution, most=most)
    return answer


@pytest.mark.parametrize("dice", ["3d6", "1d6", "d{-2,5}", "d{4}"])
def test_dice_exactly(dice: str) -> None:
    answer, law = gap(dice, 60), Dice.parse(dice)
    for size in answer.sizes:
        orders, row = exact_order_statistics(law, size.slots), exact_thresholds(law, size.slots)[-1]
        wanted = sum(i * (order - row[i - 1]) for i, order in enumerate(orders, start=1))
        assert size.gap == pytest.approx(float(wanted), rel=1e-9, abs=1e-9)
    pairs = [abs(x - y) * law.probability(x) * law.probability(y) for x in law.support for y in law.support]
    assert answer.quarter == pytest.approx(float(sum(pairs) / Fraction(4)), abs=1e-12)


@pytest.mark.parametrize(
    ("text", "law", "quarter"),
    [("uniform(0, 1)", stats.uniform(), 1 / 12), ("normal(0, 1)", stats.norm(), 1 / (2 * np.pi**0.5))],
)
def test_densities_as_a_general_problem(text: str, law: Any, quarter: float) -> None:
    answer = gap(text, 300)
    assert answer.quarter == pytest.approx(quarter, rel=1e-9)
    for size in answer.sizes:
        plan = Problem(law, slots=range(1, size.slots + 1), arrivals=size.slots, must_fill=True).solve()
        assert size.gap == pytest.approx(float(plan.regret), rel=1e-8)


def test_many_slots() -> None:
    """For dice a constant per slot, by the last row of thresholds; for a density E|X - X'| / 4 per slot and ln n."""
    n = 30_000
    law = Dice.parse("3d6")
    wanted = float(np.arange(1, n + 1) @ (order_statistics(law, n) - last_row(law, n)))
    answer = gap("3d6", n)
    assert answer.sizes[-1].gap == pytest.approx(wanted, rel=1e-6)
    assert round(answer.sizes[-1].per_slot, 3) == 3.25
    uniform = gap("uniform(0, 1)", n)
    assert uniform.sizes[-1].growth == pytest.approx(uniform.quarter, rel=0.004)


def test_rules_with_fewer_rolls_than_numbers() -> None:
    """Up to as many numbers as the dice have rolls, less one: then nothing is lost by not seeing them."""
    answer: RulesAnswer = QUERIES["rules"](dice="1d3", slots="1-3")
    assert [rule.cuts for rule in answer.rules] == [[2], [2, 3]]
    assert answer.rules[-1].least_loss == 0
