"""The tiles of rows, and binomial numbers, against plain loops."""

from math import comb

import numpy as np

from tentimes18.kernels.assignment_rows import advance, counts_above
from tentimes18.kernels.types import ExcessTable

# Uniform on [0, 1]: 1/2 - t, then (1 - t)²/2, then 0; written with any degree.


def uniform(degree: int) -> ExcessTable:
    coefficients = np.zeros((3, degree + 1))
    coefficients[0, :2] = 0.5, -1.0
    coefficients[1, 2] = 0.5
    return ExcessTable(
        np.array([0, 3]),
        np.array([-np.inf, 0.0, 1.0]),
        np.array([0.0, 1.0, 1.0]),
        np.ones(3),
        coefficients,
        np.array([degree]),
    )


def plain_row(arrivals: int) -> list[float]:
    row: list[float] = []
    for _ in range(arrivals):
        g = [(1 - e) ** 2 / 2 for e in row]
        better = [0.0, *g]
        row = [e + here - there for e, here, there in zip(row, g, better, strict=False)] + [0.5 - better[-1]]
    return row


def test_two_blocks_are_one_row() -> None:
    for table in (uniform(2), uniform(5), uniform(9), uniform(11)):
        first, second, passed = np.zeros(3), np.zeros(4), np.zeros(7)
        advance(table, 0.5, first, 1, 0, np.zeros(7), passed)
        advance(table, 0.5, second, 4, 0, passed, np.empty(7))
        np.testing.assert_allclose([*second, *first], plain_row(7)[::-1], rtol=1e-14)


def test_a_law_of_two_values() -> None:
    """0 or 1: the k-th best of j values is the chance that at least k of them are 1."""
    table = ExcessTable(
        np.array([0, 3]),
        np.array([-np.inf, 0.0, 1.0]),
        np.array([0.0, 0.0, 1.0]),
        np.ones(3),
        np.array([[0.5, -1.0], [0.5, -0.5], [0.0, 0.0]]),
        np.array([1]),
    )
    row = np.zeros(6)
    advance(table, 0.5, row, 1, 0, np.zeros(6), np.empty(6))
    chances = [sum(comb(6, b) for b in range(k, 7)) / 64 for k in range(6, 0, -1)]
    np.testing.assert_allclose(row, chances, rtol=1e-14)


def test_binomial_numbers() -> None:
    out = np.zeros(8)
    counts_above(np.array([0.3, 0.0, 1.0]), np.array([2.0, 0.5, 0.25]), out)
    expected = [2 * comb(7, b) * 0.3**b * 0.7 ** (7 - b) for b in range(8)]
    expected[0] += 0.5
    expected[7] += 0.25
    np.testing.assert_allclose(out, expected, rtol=1e-13)
