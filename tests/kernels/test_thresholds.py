"""The recurrence of the thresholds against its plain form, row by row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.assignment import law_thresholds
from tentimes18.dice import Dice
from tentimes18.kernels.thresholds import all_rows, last_row
from tests.support.arrays import roll_law
from tests.support.games import dice


@given(dice(max_rolls=6), st.integers(1, 15))
def test_rows(one: Dice, n: int) -> None:
    table = np.full(n * (n + 1) // 2, np.nan)
    all_rows(roll_law(one), n, table)
    wanted = [float(threshold) for row in law_thresholds([one] * n) for threshold in row]
    assert table.tolist() == pytest.approx(wanted, rel=0, abs=1e-12)


@given(dice(max_rolls=6), st.integers(1, 15), st.integers(0, 15))
def test_the_last_row_in_two_calls(one: Dice, n: int, stop: int) -> None:
    table = np.empty(n * (n + 1) // 2)
    all_rows(roll_law(one), n, table)
    rows = np.empty((2, n))
    last_row(roll_law(one), 0, min(stop, n), rows)
    last_row(roll_law(one), min(stop, n), n, rows)
    assert np.array_equal(rows[n & 1], table[n * (n - 1) // 2 :])
