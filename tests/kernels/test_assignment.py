"""The recurrence, counts of exceedances, and play by rows, each against plain Python."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from tentimes18.assignment.laws.cells import finite_cells, joined
from tentimes18.kernels.assignment import count_tails, equal_count_tails, play_rows, run_rounds
from tentimes18.kernels.types import Exceedances, Rounds

VALUES = np.array([1.0, 4.0])
CHANCES = np.array([0.75, 0.25])
TABLE = joined([finite_cells(VALUES, CHANCES)])


def test_a_row_is_the_mean_of_a_sorted_one() -> None:
    rounds = Rounds(
        np.zeros(3, dtype=np.int64), np.ones(3), np.array([1.0, 1.0, 0.5]), *np.array([[1.75], [0.0], [0.0]])
    )
    kept = np.empty((4, 2))
    row = np.zeros((2, 2))
    bound = run_rounds(TABLE, rounds, 0, 3, row, kept, 1)
    expected = np.zeros(2)
    for factor in (1.0, 1.0, 0.5):
        merged = [np.sort([*(factor * expected), x])[::-1][:2] for x in VALUES]
        expected = CHANCES @ np.array(merged)
    assert row[0] == pytest.approx(expected, rel=1e-15)
    assert kept[3].tolist() == row[0].tolist()
    assert 0 < bound < 1e-14


def test_counts_against_all_outcomes() -> None:
    laws = np.zeros(3, dtype=np.int64)
    ends, scales, chances = np.array([0.25, 0.0, 0.75]), np.array([1.0, 0.5, 1.0]), np.array([1.0, 0.5, 1.0])
    out = np.empty((3, 2))
    bounds = np.array([0.75, 1.5, 3.0])
    count_tails(TABLE, Exceedances(laws, chances, scales, ends), bounds, out)
    for m, bound in enumerate(bounds):
        for k in (1, 2):
            total = 0.0
            for xs in product(range(2), repeat=3):
                for comes in product((0, 1), repeat=3):
                    p = np.prod(CHANCES[list(xs)]) * np.prod(np.where(comes, chances, 1 - chances))
                    above = np.array(comes) * scales * VALUES[list(xs)] > bound
                    total += p * (0.25 * (above[:1].sum() >= k) + 0.75 * (above.sum() >= k))
            assert out[m, k - 1] == pytest.approx(total, abs=1e-15)


@pytest.mark.parametrize("rounds", [3.0, 1000.0, np.inf])
def test_counts_of_equal_values(rounds: float) -> None:
    shares = np.array([0.0, 1e-20, 1e-4, 0.3, 0.9999, 1.0])
    out = np.empty((6, 4))
    equal_count_tails(shares, rounds, out)
    for m, share in enumerate(shares):
        known = stats.poisson(share) if rounds == np.inf else stats.binom(int(rounds), share)
        assert out[m] == pytest.approx(known.sf(np.arange(4)), rel=1e-12, abs=1e-300)  # small chances, too


def test_play_by_rows() -> None:
    rows = np.array([[3.0, 2.0], [1.0, 0.5]])
    values = np.array([[2.5, 5.0, -np.inf], [4.0, 0.7, 0.7]])
    free = np.tile([0, 1, 2], (3, 1))
    scores = np.zeros(3)
    play_rows(rows, np.array([1.0, 0.5]), values, np.array([10.0, 1.0]), free, scores)
    assert scores.tolist() == [2.5 + 0.5 * 40, 50.0, 0.5 * 0.7]
    assert free[:, 2].tolist() == [0, 1, 1]
