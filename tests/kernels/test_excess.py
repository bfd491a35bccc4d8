"""Cells of laws: the right one is found from any hint, and the value of a chance lies in it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.assignment.laws.cells import finite_cells, joined
from tentimes18.kernels.excess import cell_of, excesses, quantiles, tails

VALUES = np.array([-2.0, 0.0, 1.5, 7.0])
CHANCES = np.array([0.125, 0.25, 0.5, 0.125])
TABLE = joined([finite_cells(np.array([3.0]), np.ones(1)), finite_cells(VALUES, CHANCES)])


@given(st.floats(-10, 10), st.integers(0, 6))
def test_the_cell_does_not_depend_on_the_hint(bound: float, hint: int) -> None:
    found = cell_of(TABLE.left, 2, 7, bound, hint)
    assert TABLE.left[found] <= bound
    assert found == 6 or bound < TABLE.left[found + 1]


@given(st.floats(-10, 10))
def test_excess_and_chance(bound: float) -> None:
    out = np.empty(1)
    excesses(TABLE, 1, np.array([bound]), out)
    assert out[0] == pytest.approx(CHANCES @ np.maximum(VALUES - bound, 0), abs=1e-14)
    tails(TABLE, 1, np.array([bound]), out)
    assert out[0] == CHANCES[bound < VALUES].sum()


@given(st.floats(0, 1, exclude_max=True))
def test_the_value_of_a_chance(chance: float) -> None:
    out = np.empty(2)
    quantiles(TABLE, np.array([1, 0]), np.array([chance, chance]), out)
    least = min(value for value in VALUES if CHANCES[value < VALUES].sum() <= chance)
    assert out.tolist() == [least, 3.0]
