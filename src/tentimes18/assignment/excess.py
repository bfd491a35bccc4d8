"""The excess of a distribution as polynomials: the form in which the kernels take it.

The excess g(t) = E[max(X - t, 0)] = E[X] - φ(t) falls from E[X] - t to 0, and its slope is -P(X > t). For a finite
distribution it is a straight line between two values. For a smooth one P(X > t) is interpolated in Chebyshev points, a
cell is halved until the error is a few units of the last place of its largest chance, and the integrals are added from
the right: sums of positive numbers, so that the *relative* error of g is that of the chances, far out in the tail too.
That is what keeps a million rounds exact: a round adds differences of g, not of φ.

A distribution is a row of cells with a polynomial each. A kernel that looks up thresholds that hardly move keeps the
cell of the last one as a hint.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from tentimes18.arrays import Floats, Ints
from tentimes18.compiled import compiled
from tentimes18.errors import Ten18Error

DEGREE = 8  # of the chances; the excess has one more
TOLERANCE = 6e-15
FALL = 32.0  # the most by which the chances fall in a cell, so that its error is relative to the smallest
NEGLIGIBLE = 1e-30
NARROW = 1e-60
MAX_CELLS = 1 << 15
ROUNDING = 2.0**-53
MAX_STEPS = 200
CLOSE = 4e-16


class ExcessTable(NamedTuple):
    """E[max(X - t, 0)] of some distributions: a polynomial a cell, in u = (t - mid) inverse, its constant first.

    The cells of distribution l are starts[l] to starts[l + 1], from left to right; the first begins at -∞, the last has
    no end.
    """

    starts: Ints
    left: Floats
    mid: Floats
    inverse: Floats
    coefficients: Floats
    degrees: Ints


_ANGLES = np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1)
_NODES = np.cos(_ANGLES)
_CHECKS = np.cos(np.pi * (np.arange(2 * DEGREE + 1)) / (2 * DEGREE))
_AT_CHECKS = np.vander(_CHECKS, DEGREE + 1, increasing=True)
_COSINES = np.cos(np.outer(np.arange(DEGREE + 1), _ANGLES)).T
_MEANS = np.where(np.arange(DEGREE + 1) == 0, 1.0, 2.0) / (DEGREE + 1)
_SERIES = np.array([np.pad(chebyshev.cheb2poly([0.0] * m + [1.0]), (0, DEGREE - m)) for m in range(DEGREE + 1)])


def _powers(values: Floats) -> Floats:
    """The coefficients of the polynomials that have these values in the nodes.

    By way of Chebyshev's: the large numbers in his polynomials then meet coefficients that are small.
    """
    powers: Floats = values @ _COSINES * _MEANS @ _SERIES
    return powers


class Cells(NamedTuple):
    """The cells of one distribution; bounds of the relative error of its excess, and of the error left at its end."""

    left: Floats
    mid: Floats
    inverse: Floats
    coefficients: Floats
    error: float
    floor: float = 0.0


def finite_cells(values: Floats, chances: Floats) -> Cells:
    """The excess of a distribution with these increasing values: a straight line between two of them."""
    above = np.append(np.cumsum(chances[::-1])[::-1][1:], 0.0)
    excess = np.append(np.cumsum((above[:-1] * np.diff(values))[::-1])[::-1], 0.0)
    total = float(chances.sum())
    return Cells(  # from the right end of each cell, so that only positive numbers are added
        np.concatenate([[-np.inf], values]),
        np.concatenate([values, values[-1:]]),
        np.ones(len(values) + 1),
        np.stack([np.concatenate([excess, [0.0]]), -np.concatenate([[total], above])], axis=1),
        (4.0 + 2.0 * np.sqrt(len(values))) * ROUNDING,
    )


def smooth_cells(
    above: Callable[[Floats], Floats],
    breaks: Sequence[float],
    mean: float | None = None,
    error: float = 0.0,
    noise: float = 0.0,
) -> Cells:
    """Cells from the first of the breaks to the last, from chances P(X > t) that are smooth between the breaks.

    Where the ``mean`` is not known, it is that of the table. ``error`` is the relative error of the chances themselves,
    ``noise`` an absolute one: what lies below it is not looked at closely.
    """
    measured, least = 0.0, max(NEGLIGIBLE, noise)

    def attempt(starts: Floats, ends: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        nonlocal measured
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
        measured = max(measured, float(((wrong - slack)[fine] / np.maximum(most[fine], 1e-300)).max(initial=0.0)))
        return powers, fine | narrow | (most <= 1e-300)

    rough = "the chances P(X > t) of this distribution are too rough to tabulate; give samples of it"
    lefts, rights, chances = subdivide(np.array(breaks, dtype=np.float64), attempt, rough)
    half = (rights - lefts) / 2
    integral = chances * half[:, None] / (1.0 + np.arange(DEGREE + 1))  # of u^m, up to u
    whole = integral @ (1.0 - (-1.0) ** (1 + np.arange(DEGREE + 1)))
    behind = np.append(np.cumsum(whole[::-1])[::-1][1:], 0.0)
    powers = np.column_stack([behind + integral.sum(axis=1), -integral])
    floor = noise * float(breaks[-1] - breaks[0])
    return _joined_cells(lefts, rights, powers, mean)._replace(error=error + measured + 8 * ROUNDING, floor=floor)


def _joined_cells(lefts: Floats, rights: Floats, powers: Floats, mean: float | None) -> Cells:
    """Cells with these polynomials; a line with this mean before the first one, and nothing after the last."""
    coefficients = np.pad(powers, ((1, 1), (0, 0)))
    first = powers[0] @ (-1.0) ** np.arange(powers.shape[1]) if mean is None else mean - lefts[0]
    coefficients[0, :2] = first, -1.0
    return Cells(
        np.concatenate([[-np.inf], lefts, rights[-1:]]),
        np.concatenate([lefts[:1], (lefts + rights) / 2, rights[-1:]]),
        np.concatenate([[1.0], 2.0 / (rights - lefts), [1.0]]),
        coefficients,
        0.0,
    )


def polynomials(excess: Callable[[Floats], Floats], breaks: Floats, mean: float, tolerance: float) -> Cells:
    """Tabulate an excess that is known between the first break and the last.

    Each cell is halved until the error at the check points is within the tolerance. The floor is twice the largest
    error that was measured, and at least twice the tolerance.
    """
    measured = tolerance

    def attempt(starts: Floats, ends: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        nonlocal measured
        half, mid = (ends - starts) / 2, (starts + ends) / 2
        powers = _powers(excess(mid[:, None] + half[:, None] * _NODES))
        wrong = np.abs(powers @ _AT_CHECKS.T - excess(mid[:, None] + half[:, None] * _CHECKS)).max(axis=1)
        narrow = half <= np.maximum(tolerance, 4 * ROUNDING * np.maximum(abs(starts), abs(ends)))
        taken = (wrong <= tolerance) | narrow
        measured = max(measured, float(wrong[taken].max(initial=0.0)))
        return powers, taken

    rough = "the φ of this distribution is too rough to tabulate; give samples of it"
    lefts, rights, powers = subdivide(breaks, attempt, rough)
    return _joined_cells(lefts, rights, powers, mean)._replace(floor=2 * measured)


def subdivide(
    breaks: Floats,
    attempt: Callable[[Floats, Floats], tuple[Floats, NDArray[np.bool_]]],
    problem: str,
    field: str = "distribution",
) -> tuple[Floats, Floats, Floats]:
    """Halve cells until each is taken: their left ends, right ends and polynomials, from left to right."""
    starts, ends = breaks[:-1], breaks[1:]
    done: list[tuple[Floats, Floats, Floats]] = []
    cells = 0
    while len(starts):
        powers, taken = attempt(starts, ends)
        done.append((starts[taken], ends[taken], powers[taken]))
        cells += len(starts)
        if cells > MAX_CELLS + 8 * len(breaks):
            raise Ten18Error(problem, field)
        starts, ends = starts[~taken], ends[~taken]
        middles = (starts + ends) / 2
        starts, ends = np.concatenate([starts, middles]), np.concatenate([middles, ends])
    lefts, rights, powers = (np.concatenate(parts) for parts in zip(*done, strict=True))
    order = np.argsort(lefts, kind="stable")
    return lefts[order], rights[order], powers[order]


def mixed_cells(parts: Sequence[tuple[float, Cells]]) -> Cells:
    """The excess of a mixture with these weights: on the cells of all of them, the sum of the polynomials."""
    left = np.unique(np.concatenate([cells.left for _, cells in parts]))
    right = np.append(left[1:], left[-1] + max(1.0, abs(left[-1])))
    begin = np.where(np.isfinite(left), left, left[1] - 1.0)
    half = (right - begin) / 2
    places = [np.maximum(np.searchsorted(cells.left, begin, side="right") - 1, 0) for _, cells in parts]
    is_curved = np.zeros(len(left), dtype=np.bool_)
    for (_, cells), c in zip(parts, places, strict=True):
        is_curved |= cells.coefficients[c, 3:].any(axis=1)
    # Lines and squares start from the right end of a cell, so that only positive numbers are added.
    mid = np.where(is_curved, (begin + right) / 2, right)
    powers = np.zeros((len(left), max(cells.coefficients.shape[1] for _, cells in parts)))
    for (weight, cells), c in zip(parts, places, strict=True):
        place, step = (mid - cells.mid[c]) * cells.inverse[c], half * cells.inverse[c]
        shifted = np.zeros_like(powers)
        for m in range(cells.coefficients.shape[1] - 1, -1, -1):  # Horner's rule, in place + step × u
            shifted[:, 1:] = shifted[:, 1:] * place[:, None] + shifted[:, :-1] * step[:, None]
            shifted[:, 0] = shifted[:, 0] * place + cells.coefficients[c, m]
        powers += weight * shifted
    error = max(cells.error for _, cells in parts) + 64 * ROUNDING
    return Cells(left, mid, 1.0 / half, powers, error, max(cells.floor for _, cells in parts))


def joined(dists: Sequence[Cells]) -> ExcessTable:
    widest = max(cells.coefficients.shape[1] for cells in dists)
    padded = [np.pad(cells.coefficients, ((0, 0), (0, widest - cells.coefficients.shape[1]))) for cells in dists]
    return ExcessTable(
        np.cumsum([0, *(len(cells.left) for cells in dists)]),
        np.concatenate([cells.left for cells in dists]),
        np.concatenate([cells.mid for cells in dists]),
        np.concatenate([cells.inverse for cells in dists]),
        np.ascontiguousarray(np.concatenate(padded)),
        np.array([cells.coefficients.shape[1] - 1 for cells in dists]),
    )


@compiled(inline="always")
def cell_of(left: Floats, first: int, end: int, t: float, hint: int) -> int:
    """The cell with left[cell] <= t < left[cell + 1] among those from first to end, looked for from the hint on."""
    if first <= hint < end and left[hint] <= t:
        if hint + 1 == end or t < left[hint + 1]:
            return hint
        low = hint + 1
    else:
        low = first
    high = end
    while high - low > 1:
        middle = (low + high) >> 1
        if left[middle] <= t:
            low = middle
        else:
            high = middle
    return low


@compiled(inline="always")
def excess(coefficients: Floats, c: int, degree: int, u: float) -> float:
    """The polynomial of cell c."""
    value: float = coefficients[c, degree]
    for m in range(degree - 1, -1, -1):
        value = value * u + coefficients[c, m]
    return value


@compiled(inline="always")
def above(coefficients: Floats, c: int, degree: int, u: float, inverse: float) -> float:
    """P(X > t): its slope downwards."""
    value: float = degree * coefficients[c, degree]
    for m in range(degree - 1, 0, -1):
        value = value * u + m * coefficients[c, m]
    return min(1.0, max(0.0, -value * inverse))


@compiled()
def evaluate(table: ExcessTable, dist: int, bounds: Floats, as_chance: bool, out: Floats) -> None:
    """out[m] = E[max(X - t, 0)] at t = bounds[m], or P(X > t)."""
    starts, left, mid, inverse, coefficients, degrees = table
    first, end, degree = starts[dist], starts[dist + 1], degrees[dist]
    c = first
    for m in range(len(bounds)):
        c = cell_of(left, first, end, bounds[m], c)
        u = (bounds[m] - mid[c]) * inverse[c]
        out[m] = above(coefficients, c, degree, u, inverse[c]) if as_chance else excess(coefficients, c, degree, u)


@compiled()
def _root(table: ExcessTable, c: int, degree: int, v: float) -> float:
    """Where the chance falls to v in cell c: by the rule of false position, a stale end counting half."""
    _, left, mids, inverses, coefficients, _ = table
    mid, inverse, a, b = mids[c], inverses[c], float(left[c]), float(left[c + 1])
    over = above(coefficients, c, degree, (a - mid) * inverse, inverse) - v
    under = above(coefficients, c, degree, (b - mid) * inverse, inverse) - v
    side = 0
    for _ in range(MAX_STEPS):
        t = b - under * (b - a) / (under - over) if over > under else 0.5 * (a + b)
        if not a < t < b:
            t = 0.5 * (a + b)
        if b - a <= CLOSE * max(abs(a), abs(b)) or not a < t < b:
            break
        here = above(coefficients, c, degree, (t - mid) * inverse, inverse) - v
        if here > 0.0:
            a, over = t, here
            under *= 0.5 if side > 0 else 1.0
            side = 1
        else:
            b, under = t, here
            over *= 0.5 if side < 0 else 1.0
            side = -1
            if here == 0.0:
                break
    return b


@compiled()
def quantiles(table: ExcessTable, dists: Ints, chances: Floats, out: Floats) -> None:
    """out[m]: the least t with P(X > t) <= chances[m], by distribution number distributions[m]."""
    starts, left, mid, inverse, coefficients, degrees = table
    for m in range(len(chances)):
        dist, v = dists[m], chances[m]
        low, high, degree = starts[dist], starts[dist + 1] - 1, degrees[dist]
        # The last cell whose left end is still exceeded with a larger chance; the first one begins at -∞.
        while low < high:
            c = (low + high + 1) >> 1
            if above(coefficients, c, degree, (left[c] - mid[c]) * inverse[c], inverse[c]) > v:
                low = c
            else:
                high = c - 1
        c = low
        if c == starts[dist + 1] - 1:
            out[m] = left[c]
            continue
        right = left[c + 1]
        if c == starts[dist] or above(coefficients, c, degree, (right - mid[c]) * inverse[c], inverse[c]) > v:
            out[m] = right  # the chance falls at the end of the cell, all at once
            continue
        out[m] = _root(table, c, degree, v)
