"""A batch merged with what is expected, against all its outcomes."""

from itertools import product

import numpy as np
import pytest

from tentimes18.arrays import Floats
from tentimes18.assignment.courses.batches import order_law
from tentimes18.assignment.laws.cells import joined
from tentimes18.assignment.laws.finite import sample_law
from tentimes18.kernels.batches import play_batches, run_batches
from tentimes18.kernels.types import Rounds

VALUES = [-1.0, 2.0, 5.0]


@pytest.mark.parametrize("begin", [[0.0, 0.0, 0.0], [-np.inf, -np.inf, -np.inf], [1.0, 0.5, -np.inf]])
def test_two_batches(begin: list[float]) -> None:
    laws = [order_law(sample_law(VALUES), 2, r) for r in (1, 2)]
    means = np.array([law.mean for law in laws])
    rounds = Rounds(np.zeros(2, dtype=np.int64), np.ones(2), np.array([1.0, 0.5]), means, np.zeros(2), np.zeros(2))
    kept = np.empty((3, 3))
    kept[0] = begin
    bound = run_batches(joined([law.cells for law in laws]), rounds, np.array([2.0, 2.0]), kept)
    row: Floats = np.array(begin)
    for factor in (1.0, 0.5):
        merged = [np.sort([*(factor * row), *xs])[::-1][:3] for xs in product(VALUES, repeat=2)]
        row = np.mean(merged, axis=0)
    assert kept[2] == pytest.approx(row, rel=1e-14)
    assert 0 < bound < 1e-13


def test_games_of_batches() -> None:
    """Bounds 4 and 2, then none: in the first game the 3 leaves the best slot free for the 7 of the next batch."""
    rows = np.array([[4.0, 2.0], [0.0, 0.0]])
    values = np.array([[1.0, 5.0], [3.0, 6.0], [7.0, 9.0]])
    scores = np.zeros(2)
    play_batches(rows, np.array([2, 1]), np.array([1.0, 0.5]), values, np.array([10.0, 1.0]), scores)
    assert scores.tolist() == [3.0 + 0.5 * 70.0, 60.0 + 5.0]
