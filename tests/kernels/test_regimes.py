"""Rows a regime, and counts along a chain, against plain Python."""

import numpy as np
import pytest

from tentimes18.assignment.laws.cells import finite_cells, joined
from tentimes18.kernels.regimes import play_regimes, regime_count_tails, regime_paths, run_regimes
from tentimes18.kernels.types import Exceedances, Rounds

VALUES = [np.array([1.0, 4.0]), np.array([2.0, 3.0])]
TABLE = joined([finite_cells(values, np.full(2, 0.5)) for values in VALUES])
CHAIN = np.array([[0.75, 0.25], [0.5, 0.5]])


def test_rows() -> None:
    means = np.array([2.5, 2.5])
    rounds = Rounds(np.zeros(3, dtype=np.int64), np.ones(3), np.array([1.0, 0.5, 0.5]), means, np.zeros(2), np.zeros(2))
    kept, after = np.zeros((4, 2, 2)), np.empty((3, 2, 2))
    bound = run_regimes(TABLE, rounds, CHAIN, kept, after)
    rows = np.zeros((2, 2))
    for factor in (1.0, 0.5, 0.5):
        then = factor * CHAIN @ rows
        rows = np.array([np.mean([np.sort([*then[s], x])[::-1][:2] for x in VALUES[s]], axis=0) for s in range(2)])
    assert kept[3] == pytest.approx(rows, rel=1e-15)
    assert after[2] == pytest.approx(0.5 * CHAIN @ kept[2], rel=1e-15)
    assert 0 < bound < 1e-14


def test_counts_along_the_chain() -> None:
    rounds = Exceedances(np.zeros(2, dtype=np.int64), np.ones(2), np.ones(2), np.array([0.0, 1.0]))
    out = np.empty((1, 2))
    regime_count_tails(TABLE, rounds, np.array([1.0, 0.0]), CHAIN, np.array([2.5]), out)
    assert out[0].tolist() == [0.75, 0.25]
    regime_count_tails(TABLE, rounds, np.array([0.0, 1.0]), CHAIN, np.array([1.5]), out)
    assert out[0].tolist() == [1.0, 0.5 * 0.5 + 0.5]


def test_games_along_the_chain() -> None:
    paths = np.empty((3, 2), dtype=np.int64)
    regime_paths(np.array([1.0, 0.0]), CHAIN, np.array([[0.9, 0.1], [0.7, 0.8], [0.2, 0.4]]), paths)
    assert paths.T.tolist() == [[0, 0, 0], [0, 1, 0]]
    after = np.array([[[3.0, 2.0], [1.0, 0.5]], [[1.0, 0.0], [2.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]])
    values = np.array([[2.5, 1.0], [0.5, 1.5], [7.0, -np.inf]])
    scores = np.zeros(2)
    play_regimes(after, np.array([1.0, 1.0, 0.5]), values, paths, np.array([10.0, 1.0]), scores)
    assert scores.tolist() == [2.5 + 0.5 * 70, 1.5]
