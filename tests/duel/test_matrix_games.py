"""Matrix games: values against exact ones, moves that guarantee them, and the tiles that a duel is cut into."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tentimes18.arrays import Floats
from tentimes18.duel.matrix_games import (
    MARGIN,
    SADDLE,
    Mix,
    find_four,
    is_only,
    mixed_move,
    new_mix,
    solve_matrix,
    try_four,
)
from tests.oracle.duel import matrix_value


def are_only(M: Floats, row: Floats, column: Floats) -> bool:
    """Whether no other mixed moves than these, which are best, are as good, by a margin.

    As many moves a side, each with a share, and every other one worse.
    """
    value, mine, theirs = row @ M @ column, M @ column, row @ M
    is_sure = (row[row > 0] > MARGIN).all() and (column[column > 0] > MARGIN).all()
    is_sure &= (mine[row == 0] < value - MARGIN).all() and (theirs[column == 0] > value + MARGIN).all()
    return bool(is_sure and (row > 0).sum() == (column > 0).sum())


SQUARES = st.integers(1, 4).flatmap(
    lambda m: st.lists(st.lists(st.integers(0, 8), min_size=m, max_size=m), min_size=m, max_size=m)
)


@given(SQUARES)
def test_value_and_mixed_move(eighths: list[list[int]]) -> None:
    M = np.array(eighths) / 8
    row = np.empty(len(M))
    value = mixed_move(M, row)
    exact = matrix_value([[Fraction(entry, 8) for entry in line] for line in eighths])
    assert value == pytest.approx(float(exact), rel=0, abs=1e-12)
    assert row.min() >= 0
    assert row.sum() == pytest.approx(1, rel=0, abs=1e-14)
    assert (row @ M).min() == pytest.approx(float(exact), rel=0, abs=1e-12)


@given(SQUARES)
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


def found(M: Floats) -> tuple[float, float, Mix]:
    """Bounds and mixed moves of a game, the only one of its tile."""
    k = len(M)
    mix = new_mix(k)
    mix.four[:] = 0, k - 1, 0, k - 1
    cells, places = M.ravel(), np.arange(k * k)
    lower, upper, p, q, is_sure = try_four(cells, places, 0, k, mix.four)
    if upper - lower > SADDLE:
        lower, upper, p, q, is_sure = find_four(cells, places, 0, mix.four, mix.M, mix.turned)
    if upper - lower > SADDLE:
        lower, upper = solve_matrix(M, mix.tableau, mix.labels, mix.row, mix.column)
    else:
        mix.row[:], mix.column[:] = 0.0, 0.0
        mix.row[mix.four[:2]], mix.column[mix.four[2:]] = (p, 1 - p), (q, 1 - q)
        assert is_sure <= are_only(M, mix.row, mix.column)
    return lower, upper, mix


def has_saddle(M: Floats) -> bool:
    return bool(M.min(axis=1).max() >= M.max(axis=0).min() - SADDLE)


@given(SQUARES)
def test_value_and_moves(eighths: list[list[int]]) -> None:
    """Eighths make ties and degenerate games."""
    M = np.array(eighths) / 8
    assume(not has_saddle(M))
    lower, upper, mix = found(M)
    exact = float(matrix_value([[Fraction(entry, 8) for entry in line] for line in eighths]))
    assert lower - 1e-15 <= exact <= upper + 1e-15
    assert upper - lower < 1e-12
    for shares in (mix.row, mix.column):
        assert shares.min() >= 0
        assert shares.sum() == pytest.approx(1, rel=0, abs=1e-14)
    assert (mix.row @ M).min() == pytest.approx(lower, rel=0, abs=1e-15)
    assert (M @ mix.column).max() == pytest.approx(upper, rel=0, abs=1e-15)


@given(st.integers(2, 10), st.integers(0, 2**32 - 1), st.sampled_from([3, 20, 10**9]))
def test_like_the_simplex_method(k: int, seed: int, steps: int) -> None:
    """The same value, and where the moves are the only best ones the same moves, for either player."""
    M = np.random.default_rng(seed).integers(0, steps + 1, (k, k)) / steps
    assume(not has_saddle(M))
    lower, upper, mix = found(M)
    row, column = np.empty(k), np.empty(k)
    assert (lower + upper) / 2 == pytest.approx(mixed_move(M, row), rel=0, abs=1e-12)
    mixed_move(np.ascontiguousarray(1.0 - M.T), column)
    if are_only(M, mix.row, mix.column):
        assert mix.row == pytest.approx(row, rel=0, abs=1e-6)
        assert mix.column == pytest.approx(column, rel=0, abs=1e-6)


@pytest.mark.parametrize(
    ("third", "only"),
    [
        ([1, 1], True),
        ([0.5 + 1e-8, 0.5 + 1e-8], True),
        ([0.5 + 1e-12, 0.5 + 1e-12], False),  # as good for the other player, but for rounding
        ([1, 0], False),
    ],
)
def test_whether_these_four_are_the_only_ones(third: list[float], only: bool) -> None:
    """A third column beside two that mix, and a third row that is never taken: from either side of the game."""
    M = np.array([[1, 0, third[0]], [0, 1, third[1]], [0, 0, 0]], dtype=np.float64)
    for game in (M, 1.0 - M.T):
        cells = np.ascontiguousarray(game).ravel()
        lower, upper, _, _, is_sure = try_four(cells, np.arange(9), 0, 3, np.array([0, 1, 0, 1]))
        assert upper - lower <= SADDLE
        assert is_sure == only


def test_four_moves_that_do_not_mix() -> None:
    """Row 0 is better than row 1 in both columns: the bounds do not meet."""
    lower, upper, _, _, _ = try_four(np.array([0.6, 0.7, 0.2, 0.3]), np.arange(4), 0, 2, np.array([0, 1, 0, 1]))
    assert upper - lower > SADDLE
