"""Matrix games: values against exact ones, and moves that guarantee them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.duel.matrix_games import is_only, matrix_values, mixed_move, solve_matrix
from tests.oracle.duel import matrix_value
from tests.support.matrix_games import are_only

squares = st.integers(1, 4).flatmap(
    lambda m: st.lists(st.lists(st.integers(0, 8), min_size=m, max_size=m), min_size=m, max_size=m)
)


@given(squares)
def test_value_and_move(eighths: list[list[int]]) -> None:
    M = np.array(eighths) / 8
    row = np.empty(len(M))
    value = mixed_move(M, row)
    exact = matrix_value([[Fraction(entry, 8) for entry in line] for line in eighths])
    assert value == pytest.approx(float(exact), rel=0, abs=1e-12)
    assert row.min() >= 0
    assert row.sum() == pytest.approx(1, rel=0, abs=1e-14)
    assert (row @ M).min() == pytest.approx(float(exact), rel=0, abs=1e-12)


@given(squares)
def test_bounds_hold(eighths: list[list[int]]) -> None:
    M = np.array(eighths) / 8
    m = len(M)
    if M.min(axis=1).max() == M.max(axis=0).min():
        return  # a saddle point, which is not for this kernel
    row, column = np.empty(m), np.empty(m)
    tableau = np.empty((m + 1, m + 1))
    lower, upper = solve_matrix(M, tableau, np.empty(2 * m, dtype=np.int64), row, column)
    assert is_only(tableau) == are_only(M, row, column)
    exact = float(matrix_value([[Fraction(entry, 8) for entry in line] for line in eighths]))
    assert lower - 1e-15 <= exact <= upper + 1e-15
    assert upper - lower < 1e-12
    assert (M @ column).max() == pytest.approx(upper, rel=0, abs=1e-15)


@pytest.mark.parametrize(
    ("game", "only"),
    [
        ([[1, 0], [0, 1]], True),
        ([[1, 0, 1], [0, 1, 1], [0, 0, 0]], True),
        ([[1, 0, 1], [0, 1, 0], [0, 0, 0]], False),  # two columns are the same
        ([[1, 0, 1], [0, 1, 1], [0.5, 0.5, 0]], False),  # the third row is as good
        ([[1, 0, 0.5], [0, 1, 0.5 + 1e-12], [0, 0, 0]], False),  # the third column is, but for rounding
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], True),
    ],
)
def test_whether_other_moves_are_as_good(game: list[list[float]], only: bool) -> None:
    M = np.array(game, dtype=np.float64)
    tableau = np.empty((len(M) + 1,) * 2)
    solve_matrix(M, tableau, np.empty(2 * len(M), dtype=np.int64), np.empty(len(M)), np.empty(len(M)))
    assert is_only(tableau) == only


def test_of_equal_pure_moves_the_first() -> None:
    row = np.empty(3)
    mixed_move(np.array([[0.2, 0.9, 0.9], [0.5, 0.6, 0.7], [0.5 + 1e-15, 0.6, 0.7]]), row)
    assert row.tolist() == [0, 1, 0]


def test_many_at_once() -> None:
    games = np.random.default_rng(18).random((20, 3, 3))
    values = np.empty(20)
    matrix_values(games, values)
    assert values.tolist() == [mixed_move(game, np.empty(3)) for game in games]
