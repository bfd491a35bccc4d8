"""The k-th largest of all values: integrals and sums of the same chances."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from tentimes18.assignment.courses.order_statistics import (
    Grows,
    bernoulli_growth,
    corners,
    exact_largest,
    largest_on_average,
    stepwise_largest,
)
from tentimes18.assignment.laws.finite import sample_law
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.assignment.laws.reading import as_law
from tentimes18.assignment.laws.uniform import UniformLaw
from tentimes18.kernels.types import Floats


def grows(law: ValueLaw) -> Grows:
    """Of one value."""
    one = np.ones(1)
    return bernoulli_growth(law.table, np.zeros((1, 1), dtype=np.int64), (one, one, one), 1)


def test_integrals_from_the_beginning_or_from_zero() -> None:
    """One value from -1 to 3."""
    law = UniformLaw(-1, 3)

    def tails(bounds: Floats) -> Floats:
        return law.above(bounds)[:, None]

    assert largest_on_average(tails, grows(law), [-1.0, 3.0], must_fill=True)[0] == pytest.approx([1.0], rel=1e-14)
    row, error = largest_on_average(tails, grows(law), [-1.0, 3.0], must_fill=False)
    assert row == pytest.approx([9 / 8], rel=1e-14)
    assert error < 1e-12
    assert largest_on_average(tails, grows(law), [-2.0], must_fill=False)[0].tolist() == [0.0]


def test_a_chance_that_jumps_is_found_by_halving() -> None:
    law = sample_law([1 / 3])

    def tails(bounds: Floats) -> Floats:
        return (bounds < 1 / 3).astype(np.float64)[:, None]

    row, error = largest_on_average(tails, grows(law), [0.0, 1.0], must_fill=False)
    assert abs(row[0] - 1 / 3) <= error < 1e-12


def test_corners_are_all_jumps_and_the_ends_of_smooth_laws() -> None:
    found = corners([(sample_law([1, 3]), np.array([1.0, 0.5, 0.5])), (as_law(stats.gamma(2)), np.full(3, 2.0))])
    assert {0.5, 1.0, 1.5, 3.0} <= set(found)
    cells = 2 * as_law(stats.gamma(2)).cells.left
    assert (found[0], found[-1]) == (cells[1], cells[-1])
    many = corners([(as_law(stats.gamma(2 + i)), np.ones(1)) for i in range(9)])
    assert len(many) < 600


def test_steps() -> None:
    def tails(bounds: Floats) -> Floats:
        return np.stack([(bounds < 2) * 0.75, (bounds < 2) * 0.25], axis=1)

    assert stepwise_largest(tails, np.array([-2.0, 2.0]), must_fill=False).tolist() == [1.5, 0.5]
    assert stepwise_largest(tails, np.array([-2.0, 2.0]), must_fill=True).tolist() == [1.0, -1.0]
    assert stepwise_largest(tails, np.array([5.0]), must_fill=True).tolist() == [5.0, 5.0]


def test_exactly() -> None:
    law = sample_law([0, 1])
    rounds = [(law, Fraction(1), Fraction(1)), (law, Fraction(1), Fraction(1, 2))]
    assert exact_largest(rounds, [Fraction(0), Fraction(1)], 2, must_fill=True) == [Fraction(5, 8), Fraction(1, 8)]
    assert exact_largest(rounds[:1], [Fraction(1)], 2, must_fill=False) == [Fraction(1, 2), 0]
