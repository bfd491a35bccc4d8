"""The excess of a law as polynomials: the form in which the kernels take it.

The excess g(t) = E[max(X - t, 0)] = E[X] - φ(t) falls from E[X] - t to 0, and its slope is -P(X > t). For a finite law
it is a straight line between two values. For a smooth one P(X > t) is interpolated in Chebyshev points, a cell is
halved until the error is a few units of the last place of its largest chance, and the integrals are added from the
right: sums of positive numbers, so that the *relative* error of g is that of the chances, far out in the tail too. That
is what keeps a million rounds exact: a round adds differences of g, not of φ.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.polynomial import chebyshev

from tentimes18.errors import Ten18Error
from tentimes18.kernels.types import ExcessTable, Floats

__all__ = ["DEGREE", "ROUNDING", "Cells", "finite_cells", "joined", "mixed_cells", "polynomials", "smooth_cells"]

DEGREE: Final = 8  # of the chances; the excess has one more
TOLERANCE: Final = 6e-15
FALL: Final = 32.0  # the most by which the chances fall in a cell, so that its error is relative to the smallest
NEGLIGIBLE: Final = 1e-30
NARROW: Final = 1e-60
MOST_CELLS: Final = 1 << 15
ROUNDING: Final = 2.0**-53


def _nodes(degree: int) -> Floats:
    nodes: Floats = np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))
    return nodes


def _powers(values: Floats) -> Floats:
    """The coefficients of the polynomials that have these values in the nodes.

    By way of Chebyshev's: the large numbers in his polynomials then meet coefficients that are small.
    """
    degree = values.shape[1] - 1
    series = values @ np.cos(np.outer(np.arange(degree + 1), np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))).T
    series *= np.where(np.arange(degree + 1) == 0, 1.0, 2.0) / (degree + 1)
    rows = np.zeros((degree + 1, degree + 1))
    for m in range(degree + 1):
        rows[m, : m + 1] = chebyshev.cheb2poly([0.0] * m + [1.0])
    powers: Floats = series @ rows
    return powers


_NODES: Final = _nodes(DEGREE)
_CHECKS: Final[Floats] = np.cos(np.pi * (np.arange(2 * DEGREE + 1)) / (2 * DEGREE))
_AT_CHECKS: Final[Floats] = np.vander(_CHECKS, DEGREE + 1, increasing=True)


class Cells(NamedTuple):
    """The cells of one law; a bound of the relative error of its excess, and of the error that is left at its end."""

    left: Floats
    mid: Floats
    inverse: Floats
    coefficients: Floats
    error: float
    floor: float = 0.0


def finite_cells(values: Floats, chances: Floats) -> Cells:
    """Of a law with these values, increasing: a straight line between two of them."""
    above = np.append(np.cumsum(chances[::-1])[::-1][1:], 0.0)
    excess = np.append(np.cumsum((above[:-1] * np.diff(values))[::-1])[::-1], 0.0)
    total = float(chances.sum())
    first = excess[0]
    return Cells(
        np.concatenate([[-np.inf], values]),
        np.concatenate([values[:1], values]),
        np.ones(len(values) + 1),
        np.stack([np.concatenate([[first], excess]), -np.concatenate([[total], above])], axis=1),
        (4.0 + 2.0 * np.sqrt(len(values))) * ROUNDING,
    )


def smooth_cells(
    above: Callable[[Floats], Floats],
    breaks: Sequence[float],
    mean: float,
    tail: float = 0.0,
    error: float = 0.0,
    noise: float = 0.0,
) -> Cells:
    """Of a law with these chances P(X > t) that are smooth between the breaks, from the first of them to the last.

    ``tail`` is the excess at the last break, ``error`` the relative error of the chances themselves, ``noise`` an
    absolute one: what lies below it is not looked at closely.
    """
    starts, ends = np.array(breaks[:-1], dtype=float), np.array(breaks[1:], dtype=float)
    done: list[tuple[Floats, Floats, Floats]] = []
    cells, measured, least = 0, 0.0, max(NEGLIGIBLE, noise)
    while len(starts):
        half, mid = (ends - starts) / 2, (starts + ends) / 2
        nodes, checks = (
            np.clip(mid[:, None] + half[:, None] * points, starts[:, None], ends[:, None])
            for points in (_NODES, _CHECKS)
        )
        powers, there = _powers(above(nodes)), above(checks)
        most, fewest = there.max(axis=1), there.min(axis=1)
        wrong = np.abs(powers @ _AT_CHECKS.T - there).max(axis=1)
        # The bounds are rounded too, and so are the exponents of small chances.
        slack = 4 * ROUNDING * np.maximum(np.abs(starts), np.abs(ends)) * (most - fewest) / half
        slack += 4 * ROUNDING * most * np.abs(np.log(np.maximum(most, 1e-300))) + noise
        fine = (wrong <= max(TOLERANCE, error) * most + slack) & ((fewest * FALL >= most) | (most <= least))
        narrow = half <= np.maximum(NARROW, 2 * ROUNDING * np.maximum(np.abs(starts), np.abs(ends)))
        taken = fine | narrow | (most <= 1e-300)
        measured = max(measured, float(((wrong - slack)[fine] / np.maximum(most[fine], 1e-300)).max(initial=0.0)))
        done.append((starts[taken], ends[taken], powers[taken]))
        cells += len(starts)
        if cells > MOST_CELLS:
            raise Ten18Error("the chances P(X > t) of this law are too rough to tabulate; give samples of it", "law")
        starts, mid, ends = starts[~taken], mid[~taken], ends[~taken]
        starts, ends = np.concatenate([starts, mid]), np.concatenate([mid, ends])
    lefts, rights, chances = (np.concatenate(parts) for parts in zip(*done, strict=True))
    order = np.argsort(lefts, kind="stable")
    lefts, rights, chances = lefts[order], rights[order], chances[order]
    half = (rights - lefts) / 2
    integral = chances * half[:, None] / (1.0 + np.arange(DEGREE + 1))  # of u^m, up to u
    whole = integral @ (1.0 - (-1.0) ** (1 + np.arange(DEGREE + 1)))
    behind = np.append(tail + np.cumsum(whole[::-1])[::-1][1:], tail)
    coefficients = np.zeros((len(lefts) + 2, DEGREE + 2))
    coefficients[0, :2] = mean - lefts[0], -1.0
    coefficients[1:-1, 0] = behind + integral.sum(axis=1)
    coefficients[1:-1, 1:] = -integral
    coefficients[-1, 0] = tail
    return Cells(
        np.concatenate([[-np.inf], lefts, rights[-1:]]),
        np.concatenate([lefts[:1], (lefts + rights) / 2, rights[-1:]]),
        np.concatenate([[1.0], 1.0 / half, [1.0]]),
        coefficients,
        error + measured + 8 * ROUNDING,
        noise * float(breaks[-1] - breaks[0]),
    )


def polynomials(excess: Callable[[Floats], Floats], breaks: Floats, mean: float, tolerance: float) -> Cells:
    """Tabulate an excess that is known between the first break and the last.

    Each cell is halved until the error at the check points is within the tolerance. The floor is twice the largest
    error that was measured, and at least twice the tolerance.
    """
    low = float(breaks[0])
    starts, ends = breaks[:-1], breaks[1:]
    done: list[tuple[Floats, Floats, Floats]] = []
    cells, measured = 0, tolerance
    while len(starts):
        half, mid = (ends - starts) / 2, (starts + ends) / 2
        powers = _powers(excess(mid[:, None] + half[:, None] * _NODES))
        wrong = np.abs(powers @ _AT_CHECKS.T - excess(mid[:, None] + half[:, None] * _CHECKS)).max(axis=1)
        narrow = half <= np.maximum(tolerance, 4 * ROUNDING * np.maximum(abs(starts), abs(ends)))
        taken = (wrong <= tolerance) | narrow
        measured = max(measured, float(wrong[taken].max(initial=0.0)))
        done.append((starts[taken], ends[taken], powers[taken]))
        cells += len(starts)
        if cells > MOST_CELLS:
            raise Ten18Error("the φ of this law is too rough to tabulate; give samples of it", "law")
        starts, mid, ends = starts[~taken], mid[~taken], ends[~taken]
        starts, ends = np.concatenate([starts, mid]), np.concatenate([mid, ends])
    lefts, rights, powers = (np.concatenate(parts) for parts in zip(*done, strict=True))
    order = np.argsort(lefts, kind="stable")
    lefts, rights, powers = lefts[order], rights[order], powers[order]
    first, last = np.zeros((1, DEGREE + 1)), np.zeros((1, DEGREE + 1))
    first[0, :2] = mean - low, -1.0
    return Cells(
        np.concatenate([[-np.inf], lefts, rights[-1:]]),
        np.concatenate([lefts[:1], (lefts + rights) / 2, rights[-1:]]),
        np.concatenate([[1.0], 2.0 / (rights - lefts), [1.0]]),
        np.concatenate([first, powers, last]),
        0.0,
        2 * measured,
    )


def mixed_cells(parts: Sequence[tuple[float, Cells]]) -> Cells:
    """Of a mixture with these weights: on the cells of all of them, the sum of the polynomials."""
    left = np.unique(np.concatenate([cells.left for _, cells in parts]))
    right = np.append(left[1:], left[-1] + max(1.0, abs(left[-1])))
    begin = np.where(np.isfinite(left), left, left[1] - 1.0)
    half, mid = (right - begin) / 2, (begin + right) / 2
    degree = max(cells.coefficients.shape[1] for _, cells in parts) - 1
    nodes = _nodes(degree)
    values = np.zeros((len(left), degree + 1))
    for weight, cells in parts:
        c = np.searchsorted(cells.left, begin, side="right") - 1
        c[0] = 0
        u = (mid[:, None] + half[:, None] * nodes - cells.mid[c][:, None]) * cells.inverse[c][:, None]
        value = np.zeros_like(u)
        for m in range(cells.coefficients.shape[1] - 1, -1, -1):
            value = value * u + cells.coefficients[c, m][:, None]
        values += weight * value
    powers = _powers(values)
    powers[0, 1:] = 0.0  # a straight line, whose slope is that of all chances together
    powers[0, 1] = -half[0] * sum(weight for weight, _ in parts)
    powers[-1, 1:] = 0.0
    error = max(cells.error for _, cells in parts) + 64 * ROUNDING
    return Cells(left, mid, 1.0 / half, powers, error, max(cells.floor for _, cells in parts))


def joined(laws: Sequence[Cells]) -> ExcessTable:
    """The table of several laws."""
    widest = max(cells.coefficients.shape[1] for cells in laws)
    padded = [np.pad(cells.coefficients, ((0, 0), (0, widest - cells.coefficients.shape[1]))) for cells in laws]
    return ExcessTable(
        np.cumsum([0, *(len(cells.left) for cells in laws)]),
        np.concatenate([cells.left for cells in laws]),
        np.concatenate([cells.mid for cells in laws]),
        np.concatenate([cells.inverse for cells in laws]),
        np.ascontiguousarray(np.concatenate(padded)),
        np.array([cells.coefficients.shape[1] - 1 for cells in laws]),
    )
