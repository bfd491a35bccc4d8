"""The rows in float64 against the exact ones."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Dice, exact_thresholds
from tentimes18.solve.float_thresholds import last_row, thresholds
from tests.support.games import dice
from tests.support.solved import MANY_DICE

EPSILON = Fraction(1, 2**52)


@pytest.mark.parametrize("notation", MANY_DICE)
def test_float_rows(notation: str) -> None:
    """Row j is within j units of 2^-52 times the largest roll; the worst seen is 0.23 j."""
    one = Dice.parse(notation)
    n = 200
    unit = EPSILON * max(map(abs, one.support))
    rows = thresholds(one, n)
    exact = exact_thresholds(one, n)
    for j in [*range(1, 21), 37, 64, 100, 151, 200]:
        errors = [abs(Fraction(float(a)) - b) for a, b in zip(rows[j - 1], exact[j - 1], strict=True)]
        assert max(errors) <= j * unit
    assert np.array_equal(last_row(one, n), rows[-1])


@given(dice(max_rolls=7), st.integers(1, 30))
def test_float_rows_of_random_dice(one: Dice, n: int) -> None:
    unit = EPSILON * max(map(abs, one.support))
    for j, (row, exact) in enumerate(zip(thresholds(one, n), exact_thresholds(one, n), strict=True), start=1):
        assert max(abs(Fraction(float(a)) - b) for a, b in zip(row, exact, strict=True)) <= j * unit
    assert np.array_equal(last_row(one, n), thresholds(one, n)[-1])


def test_last_row_in_several_calls() -> None:
    """More rows than one call of the kernel does, with a report after each."""
    seen: list[tuple[int, int]] = []
    row = last_row(Dice.parse("3d6"), 2_500, lambda done, total: seen.append((done, total)))
    assert seen == [(1_000**2, 2_500**2), (2_000**2, 2_500**2), (2_500**2, 2_500**2)]
    assert np.array_equal(row, thresholds(Dice.parse("3d6"), 2_500)[-1])
    assert np.all(np.diff(row) >= 0)
    assert abs(row.sum() - 2_500 * 10.5) < 1e-7
