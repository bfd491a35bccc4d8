"""The excess as polynomials: relative errors, rough laws, mixtures."""

import numpy as np
import pytest

from tentimes18.assignment.laws.cells import finite_cells, joined, mixed_cells, polynomials, smooth_cells
from tentimes18.errors import Ten18Error
from tentimes18.kernels.excess import excesses
from tentimes18.kernels.types import Floats


def at(cells: object, bounds: list[float]) -> Floats:
    out = np.empty(len(bounds))
    excesses(joined([cells]), 0, np.array(bounds), out)  # type: ignore[list-item]
    return out


def test_the_error_is_relative_far_out_too() -> None:
    cells = smooth_cells(lambda t: np.exp(-t), [0.0, 60.0], 1.0, tail=np.exp(-60.0))
    bounds = np.linspace(0, 50, 301)
    assert np.abs(at(cells, bounds.tolist()) / np.exp(-bounds) - 1).max() <= cells.error < 1e-13
    assert at(cells, [-3.0, 70.0]).tolist() == [4.0, np.exp(-60.0)]


def test_corners_are_found_by_halving() -> None:
    def above(t: Floats) -> Floats:
        return np.where(t < 1 / 3, 1.0, np.where(t < 2 / 3, 0.25, 0.0))

    cells = smooth_cells(above, [0.0, 1.0], 1 / 3 + 1 / 12)
    assert at(cells, [0.0, 1 / 3, 0.5]) == pytest.approx([1 / 3 + 1 / 12, 1 / 12, 1 / 24], abs=1e-14)


def test_what_is_too_rough_is_refused() -> None:
    generator = np.random.default_rng(18)
    with pytest.raises(Ten18Error, match="too rough"):
        smooth_cells(lambda t: generator.random(t.shape), [0.0, 1.0], 0.5)
    with pytest.raises(Ten18Error, match="too rough"):
        polynomials(lambda t: generator.random(t.shape), np.array([0.0, 1.0]), 0.5, 1e-12)


def test_the_excess_itself_may_be_interpolated() -> None:
    cells = polynomials(lambda t: np.maximum(1.0 - t, 0.0) ** 2 / 2, np.array([0.0, 2.0]), 0.5, 1e-14)
    assert at(cells, [0.25, 0.9, 1.5]) == pytest.approx([0.75**2 / 2, 0.005, 0.0], abs=cells.floor)


def test_a_mixture_is_the_sum() -> None:
    smooth = smooth_cells(lambda t: np.exp(-t), [0.0, 60.0], 1.0)
    finite = finite_cells(np.array([1.0, 5.0]), np.array([0.5, 0.5]))
    mixed = mixed_cells([(0.25, smooth), (0.75, finite)])
    bounds = [-10.0, 0.0, 0.5, 1.0, 2.0, 5.0, 20.0, 100.0]
    assert at(mixed, bounds) == pytest.approx(0.25 * at(smooth, bounds) + 0.75 * at(finite, bounds), rel=4e-15)


def test_laws_one_after_the_other() -> None:
    table = joined([finite_cells(np.array([1.0]), np.ones(1)), finite_cells(np.array([1.0, 5.0]), np.full(2, 0.5))])
    out = np.empty(1)
    excesses(table, 1, np.array([2.0]), out)
    assert out[0] == 1.5
    assert table.starts.tolist() == [0, 2, 5]
