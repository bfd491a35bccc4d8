"""What a value is worth to a seller: its virtual value (Myerson 1981).

Who sells to a buyer of value X and gives up t by selling posts the price p with the largest (p - t) P(X >= p). That
gain is the excess of the virtual value,

    E[max(V - t, 0)] = max_p (p - t) P(X >= p),

a largest of straight lines in t, so that V is ironed by itself. With V in the place of X the best play makes the most
revenue, and the prices that it posts are those of the maximum. For a finite law V is finite, and exact as X is: the
slopes of the upper hull of the points (P(X >= p), p P(X >= p)).
"""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import inf, isfinite
from typing import Any, Final

import numpy as np

from tentimes18.assignment.laws.cells import Cells, polynomials
from tentimes18.assignment.laws.finite import FiniteLaw
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.kernels.types import Floats

__all__ = ["FiniteVirtual", "SmoothVirtual", "VirtualLaw", "virtual_law"]

PRICES: Final = 1024
REFINED: Final = 80
SMALLEST: Final = 1e-16  # chance of a sale that is looked at
TOGETHER: Final = 512  # bounds: with the grid, some megabytes


class VirtualLaw(ValueLaw):
    """The law of a virtual value, with the price that a seller posts."""

    def price(self, bound: Any) -> Any:
        """The price to post where a sale gives up this much: whoever has a virtual value above it buys."""
        raise NotImplementedError

    def prices(self, bounds: Sequence[Any]) -> list[Any]:
        """The prices for several bounds."""
        return [self.price(bound) for bound in bounds]

    def virtual(self, value: Any) -> Any:
        """The virtual value of a buyer."""
        raise NotImplementedError


def virtual_law(law: ValueLaw) -> VirtualLaw:
    """The law of the virtual value of this law.

    >>> from tentimes18.assignment.laws.uniform import UniformLaw
    >>> law = virtual_law(UniformLaw(0, 1))  # 2 x - 1
    >>> round(law.excess(0.0), 12), round(law.price(0.5), 6), round(law.virtual(0.9), 6)
    (0.25, 0.75, 0.8)
    """
    if law.is_exact:
        try:
            return FiniteVirtual(law)
        except ValueError:  # exact, and not finite
            return SmoothVirtual(law)
    return FiniteVirtual(law) if isinstance(law, FiniteLaw) else SmoothVirtual(law)


class FiniteVirtual(FiniteLaw, VirtualLaw):
    """Of a finite law.

    >>> from tentimes18.assignment.laws.finite import sample_law
    >>> law = FiniteVirtual(sample_law([1, 2]))
    >>> [str(value) for value, _ in law.exact_atoms()], str(law.price(0))
    (['0', '2'], '2')
    """

    def __init__(self, law: ValueLaw) -> None:
        exact = law.is_exact
        pairs: Any = law.exact_atoms() if exact else None
        if pairs is None:
            assert isinstance(law, FiniteLaw)
            pairs = list(zip(law.values.tolist(), law.chances.tolist(), strict=True))
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
        super().__init__(values, floats, atoms if exact else None, f"the virtual value of {law}")
        self._slopes = [value for value, _ in atoms]
        self._prices = [price for _, _, price in hull[1:]][::-1]

    def price(self, bound: Any) -> Any:
        """The price to post where a sale gives up this much."""
        place = bisect_right(self._slopes, bound)
        return self._prices[place] if place < len(self._prices) else inf

    def virtual(self, value: Any) -> Any:
        """The virtual value of a buyer; -∞ of one who never buys."""
        place = bisect_right(self._prices, value)
        return self._slopes[place - 1] if place else -inf


def _slope(a: tuple[Any, Any, Any], b: tuple[Any, Any, Any]) -> Any:
    return (b[1] - a[1]) / (b[0] - a[0]) if b[0] != a[0] else Fraction(0)


class SmoothVirtual(VirtualLaw):
    """Of a continuous law: the best price by search among quantiles, and then between two of them."""

    def __init__(self, law: ValueLaw) -> None:
        self._law = law
        chances = np.concatenate([np.linspace(1.0, 0.01, PRICES), np.geomspace(0.01, SMALLEST, PRICES)[1:]])
        points = np.asarray(law.quantile(1.0 - chances), dtype=np.float64)
        low = law.support[0]
        self._grid: Floats = np.unique(np.append(points[np.isfinite(points)], low if isfinite(low) else points[1:2]))
        self._buyers: Floats = np.array(law.above(self._grid), dtype=np.float64)
        self._buyers[0] = 1.0

    def __str__(self) -> str:
        return f"the virtual value of {self._law}"

    @property
    def mean(self) -> float:
        """E[V]: the least value, at which everybody buys."""
        return float(self._grid[0])

    @property
    def support(self) -> tuple[float, float]:
        """Up to the largest value."""
        return -inf, self._law.support[1]

    def _best(self, bounds: Floats) -> tuple[Floats, Floats]:
        """The best price and its gain, for each bound."""
        grid, above = self._grid, self._buyers
        place = np.argmax((grid[None, :] - bounds[:, None]) * above[None, :], axis=1)
        low, high = grid[np.maximum(place - 1, 0)], grid[np.minimum(place + 1, len(grid) - 1)]
        golden = (np.sqrt(5.0) - 1.0) / 2.0
        for _ in range(REFINED):
            a, b = high - golden * (high - low), low + golden * (high - low)
            better = (a - bounds) * self._law.above(a) > (b - bounds) * self._law.above(b)
            low, high = np.where(better, low, a), np.where(better, b, high)
        price = (low + high) / 2
        gain = (price - bounds) * self._law.above(price)
        corner = (grid[place] - bounds) * above[place]
        best = np.where(corner > gain, grid[place], price)
        return best, np.maximum(np.maximum(gain, corner), 0.0)

    def _excess(self, bounds: Floats) -> Floats:
        return self._best(bounds)[1]

    def _cells(self) -> Cells:
        low = float(self._grid[0]) - 1.0
        scale = max(abs(low), self._law.mean - low)
        for _ in range(200):  # as far down as some are left out
            if abs(float(self._best(np.array([low]))[1][0]) - (self.mean - low)) <= 1e-15 * scale:
                break
            low -= scale
            scale *= 2.0
        high = float(self._grid[-1])

        def excess(bounds: Floats) -> Floats:
            return self._best(bounds.ravel())[1].reshape(bounds.shape)

        return polynomials(excess, low, high, self._law.mean)._replace(floor=1e-11 * self._law.mean)

    def price(self, bound: Any) -> float:
        """The price to post where a sale gives up this much."""
        return float(self._best(np.array([float(bound)]))[0][0])

    def prices(self, bounds: Sequence[Any]) -> list[Any]:
        """All of them in one search, some at a time: each is held against the whole grid."""
        given = np.array(bounds, dtype=np.float64)
        parts = [given[first : first + TOGETHER] for first in range(0, len(given), TOGETHER)]
        return [price for part in parts for price in self._best(part)[0].tolist()]

    def virtual(self, value: Any) -> float:
        """The virtual value of a buyer: the most that a seller may give up, and still sell to him."""
        low, high = float(self.cells.left[1]), float(value)
        if self.price(low) > value:
            return -inf
        for _ in range(100):
            middle = (low + high) / 2
            if not low < middle < high:
                break
            low, high = (middle, high) if self.price(middle) <= value else (low, middle)
        return low
