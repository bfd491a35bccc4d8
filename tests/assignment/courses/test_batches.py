"""Batches: laws of the r-th largest value, discounts, what is refused."""

from fractions import Fraction
from itertools import permutations

import pytest
from scipy import stats

from tentimes18.assignment import Problem
from tentimes18.assignment.courses.batches import order_law
from tentimes18.assignment.laws.finite import FiniteLaw
from tentimes18.assignment.laws.reading import as_law
from tentimes18.errors import Ten18Error


def test_the_largest_of_some_values() -> None:
    law = as_law([1, 2, 3, 4, 5, 6])
    largest = order_law(law, 2, 1)
    assert isinstance(largest, FiniteLaw)
    assert largest.exact_mean() == Fraction(161, 36)
    assert largest.mean == pytest.approx(161 / 36)
    assert order_law(law, 1, 1) is law
    smooth = order_law(as_law(stats.expon()), 3, 2)
    assert smooth.mean == pytest.approx(1 / 2 + 1 / 3, rel=1e-12)
    assert smooth.above(1.0) == pytest.approx(stats.binom(3, stats.expon.sf(1.0)).sf(1), rel=1e-9)
    assert "largest but 1 of 3" in str(smooth)


def test_a_discount_is_that_of_a_batch() -> None:
    for exact in (False, True):
        plan = Problem([1, 2, 4], [1, 2], 4, batches=2, discount=Fraction(1, 2)).solve(exact=exact)
        alone = Problem([1, 2, 4], [1, 2], 2, batches=2).solve(exact=exact)
        assert [2 * e for e in plan.thresholds(1)] == alone.expected()
        found = float(plan.hindsight)
        assert found == pytest.approx(Problem([1, 2, 4], [1, 2], 4, batches=2, discount=0.5).solve().hindsight)
        assert float(plan.value) < found < 4 * 3


def test_a_chance_that_nothing_comes() -> None:
    for exact in (False, True):
        plan = Problem([1, 2, 4], [1, 2], 4, batches=2, chance=Fraction(1, 2)).solve(exact=exact)
        mixed = Problem([0, 0, 0, 1, 2, 4], [1, 2], 4, batches=2).solve(exact=exact)
        assert plan.value == pytest.approx(mixed.value, rel=1e-14)


@pytest.mark.parametrize("exact", [False, True])
def test_a_batch_placed_value_by_value_is_placed_as_at_once(exact: bool) -> None:
    """By the bounds beside the values that are still to be placed, whatever their order is."""
    for must_fill in (False, True):
        plan = Problem([-1, 1, 2, 4], [1, 2, 2, 5], 6, batches=3, must_fill=must_fill).solve(exact=exact)
        for values in permutations([4, 1, 2]):
            for left in (0, 1):
                free = [1, 2, 4] if must_fill else [1, 2, 3, 4]
                at_once = plan.assign_batch(values, free, left)
                for place, value in enumerate(values):
                    slot = plan.assign(value, free, left, known=list(values[place + 1 :]))
                    assert plan.losses(value, free, left, known=values[place + 1 :])[slot] == 0
                    multipliers = [
                        None if found is None else plan.multipliers[found - 1] for found in (slot, at_once[place])
                    ]
                    assert multipliers[0] == multipliers[1]
                    free = [other for other in free if other != slot]
    with pytest.raises(Ten18Error, match="known 4: accepted: the values of this batch that are still to be placed"):
        plan.assign(1, left=1, known=4)


def test_bad_questions() -> None:
    plan = Problem([1, 2, 4], [1, 2], 4, batches=2).solve()
    for left in (2, -1, None, 0.5):
        with pytest.raises(Ten18Error, match="batches still to come"):
            plan.assign(1, left=left)
    with pytest.raises(Ten18Error, match="exact and finite"):
        Problem(stats.uniform(), 1, 4, batches=2).solve(exact=True)
