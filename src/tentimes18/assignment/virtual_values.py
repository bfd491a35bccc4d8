"""What a value is worth to a seller: its virtual value (Myerson 1981).

A seller who gives up t by selling to a buyer of value X posts the price p with the largest (p - t) P(X >= p). That
gain is the excess of the virtual value,

    E[max(V - t, 0)] = max_p (p - t) P(X >= p),

a largest of straight lines in t, so that V is ironed automatically. With V in place of X the best play makes the most
revenue, and the prices that it posts are those of the maximum. For a finite distribution V is finite, and exact as X
is: the slopes of the upper hull of the points (P(X >= p), p P(X >= p)).
"""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import inf, isfinite, sqrt
from typing import Any, TypeAlias

import numpy as np

from tentimes18.arrays import Floats
from tentimes18.assignment.distributions import FiniteDistribution, ValueDistribution
from tentimes18.assignment.excess import ROUNDING, Cells, finite_cells, polynomials

PRICES = 1024
PEAKS = 3  # of the gain on the grid between whose neighbours the best price is searched
REFINED = 75
GOLDEN = (sqrt(5.0) - 1.0) / 2.0
SMALLEST = 1e-16  # probability of a sale at the last quantile
CUT = 1e-15  # prices that earn less than this part of the best are left out
FARTHEST = 600  # doublings beyond the last quantile
TOGETHER = 512  # thresholds per search
TOLERANCE = 1e-12  # of the table, in parts of the mean


def virtual_distribution(dist: ValueDistribution) -> "VirtualDistribution":
    return FiniteVirtual(dist) if isinstance(dist, FiniteDistribution) else SmoothVirtual(dist)


class FiniteVirtual(FiniteDistribution):
    def __init__(self, dist: FiniteDistribution) -> None:
        exact = dist.is_exact
        pairs: Any = dist.exact_atoms() if exact else [*zip(dist.values.tolist(), dist.chances.tolist(), strict=True)]
        # The hull from a sale to nobody on: chance of a sale, revenue, price.
        hull: list[tuple[Any, Any, Any]] = [(0, 0, inf)]
        sold: Any = 0
        for value, chance in reversed(pairs):
            sold = sold + chance
            point = (sold, sold * value, value)
            while len(hull) > 1 and _slope(hull[-2], hull[-1]) <= _slope(hull[-1], point):
                hull.pop()
            hull.append(point)
        slopes = [_slope(a, b) for a, b in pairwise(hull)]
        chances = [b[0] - a[0] for a, b in pairwise(hull)]
        atoms = list(zip(slopes, chances, strict=True))[::-1]
        values, floats = (np.array([float(pair[side]) for pair in atoms]) for side in (0, 1))
        super().__init__(values, floats, atoms if exact else None, f"the virtual value of {dist}")
        self._slopes = [value for value, _ in atoms]
        self._prices = [price for _, _, price in hull[1:]][::-1]

    def price(self, bound: Any) -> Any:
        """The price to post where a sale gives up this much: a buyer with a virtual value above it buys."""
        place = bisect_right(self._slopes, bound)
        return self._prices[place] if place < len(self._prices) else inf

    def prices(self, bounds: Sequence[Any]) -> list[Any]:
        return [self.price(bound) for bound in bounds]

    def virtual(self, value: Any) -> Any:
        """The virtual value of a buyer; -∞ of one who never buys."""
        place = bisect_right(self._prices, value)
        return self._slopes[place - 1] if place else -inf


def _slope(a: tuple[Any, Any, Any], b: tuple[Any, Any, Any]) -> Any:
    return (b[1] - a[1]) / (b[0] - a[0]) if b[0] != a[0] else Fraction(0)


class SmoothVirtual(ValueDistribution):
    """The distribution of max(V, 0) for a value that is not finite: a slot may stay empty, so nothing below 0 counts.

    The gain max_p (p - t) P(X >= p) is searched among quantiles, and then between the neighbours of the best few of
    them. The error is an estimate: it is measured, and assumes one peak between two neighbouring quantiles.
    """

    def __init__(self, dist: ValueDistribution) -> None:
        self._dist, self._name = dist, f"the virtual value of {dist}"
        chances = np.concatenate([np.linspace(1.0, 0.01, PRICES), np.geomspace(0.01, SMALLEST, PRICES)[1:]])
        points = np.asarray(dist.quantile(1.0 - chances), dtype=np.float64)
        low, high = dist.support
        self.support = 0.0, high
        points = np.append(points[np.isfinite(points)], [end for end in (low, high) if isfinite(end)])
        points = np.append(points, [point for point in dist.cells.left[1:].tolist() if dist.above(point) > SMALLEST])
        grid: Floats = np.unique(points)
        if high == inf:  # a heavy tail: prices beyond the last quantile may still earn something
            most = float((grid * dist.above(grid)).max())
            far = [float(grid[-1])]
            while len(far) < FARTHEST and far[-1] * float(dist.above(far[-1])) > CUT * most:
                far.append(2.0 * far[-1])
            grid = np.append(grid, far[1:])
        self._grid: Floats = np.unique(np.append(grid, np.nextafter(grid, -inf)))  # a buyer pays a price that he equals
        self._buyers: Floats = dist.above(self._grid)

    @cached_property
    def mean(self) -> float:
        """E[max(V, 0)]: what the best price makes of one buyer."""
        return float(self._best(np.zeros(1))[1][0])

    def _best(self, thresholds: Floats) -> tuple[Floats, Floats]:
        """The best price and its gain, for each threshold."""
        parts = [self._searched(thresholds[i : i + TOGETHER]) for i in range(0, len(thresholds), TOGETHER)]
        both = np.concatenate(parts, axis=1) if parts else np.empty((2, 0))
        return both[0], both[1]

    def _searched(self, thresholds: Floats) -> Floats:
        grid, t = self._grid, thresholds[:, None]
        gains = (grid - t) * self._buyers
        beside = np.pad(gains, ((0, 0), (1, 1)), constant_values=-inf)
        peaks = np.where((gains >= beside[:, :-2]) & (gains >= beside[:, 2:]), gains, -inf)
        place = np.empty((len(t), PEAKS), dtype=np.int64)
        for rank in range(PEAKS):
            place[:, rank] = peaks.argmax(axis=1)
            np.put_along_axis(peaks, place[:, rank : rank + 1], -inf, axis=1)
        # Two places away: the grid has each price twice, once just below, and their order is a matter of rounding.
        low, high = grid[np.maximum(place - 2, 0)], grid[np.minimum(place + 2, len(grid) - 1)]
        a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        at_a, at_b = (a - t) * self._dist.above(a), (b - t) * self._dist.above(b)
        for _ in range(REFINED):
            better = at_a > at_b
            low, high = np.where(better, low, a), np.where(better, b, high)
            inner = np.where(better, high - GOLDEN * (high - low), low + GOLDEN * (high - low))
            at_inner = (inner - t) * self._dist.above(inner)
            a, b = np.where(better, inner, b), np.where(better, a, inner)
            at_a, at_b = np.where(better, at_inner, at_b), np.where(better, at_a, at_inner)
        prices = np.concatenate([a, b, grid[place]], axis=1)
        found = np.concatenate([at_a, at_b, np.take_along_axis(gains, place, axis=1)], axis=1)
        best = np.argmax(found, axis=1)[:, None]
        chosen = [np.take_along_axis(array, best, axis=1)[:, 0] for array in (prices, found)]
        worthwhile = np.where(chosen[1] > 0.0, chosen[0], np.maximum(chosen[0], thresholds))  # no sale at a loss
        return np.stack([worthwhile, np.maximum(chosen[1], 0.0)])

    def _excess(self, bounds: Floats) -> Floats:
        return self._best(bounds)[1]

    def _cells(self) -> Cells:
        if not self.mean:  # nobody pays anything, as far as the grid shows
            return finite_cells(np.zeros(1), np.ones(1))._replace(floor=self._dist.excess(0.0))
        # P(X > p) p is at most the mean of max(V, 0): its relative error is absolute in parts of that.
        noise = (8 * ROUNDING + self._dist.above_error) * self.mean
        breaks = np.unique(np.concatenate([[0.0], self._grid[self._grid > 0][:: PRICES // 32], self._grid[-1:]]))
        cells = polynomials(self.excess, breaks, self.mean, max(TOLERANCE * self.mean, 64 * noise))
        beyond = 0.0 if isfinite(self._dist.support[1]) else 2.0 * CUT * self.mean
        return cells._replace(floor=cells.floor + noise + beyond)

    def price(self, bound: Any) -> float:
        return float(self._best(np.array([float(bound)]))[0][0])

    def prices(self, bounds: Sequence[Any]) -> list[Any]:
        return self._best(np.array(bounds, dtype=np.float64))[0].tolist()  # type: ignore[no-any-return]

    def virtual(self, value: Any) -> float:
        """The virtual value of a buyer: the most that a seller may give up, and still sell to him."""
        low, high = 0.0, float(value)
        step = max(abs(high), self.mean)
        for _ in range(100):
            if self.price(low) <= value:
                break
            low, step = low - step, 2.0 * step
        else:
            return -inf
        for _ in range(100):
            middle = (low + high) / 2
            if not low < middle < high:
                break
            low, high = (middle, high) if self.price(middle) <= value else (low, middle)
        return low


VirtualDistribution: TypeAlias = FiniteVirtual | SmoothVirtual
"""The distribution of a virtual value, with the prices that a seller posts."""
