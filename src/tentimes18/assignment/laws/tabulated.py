"""Laws without a closed form here: a table of P(X > t), or of a φ of somebody's own.

The excess comes from the chances by integration, to a relative error that is stated (`laws.cells`). Of a law that
shows nothing but mean and φ the excess is E[X] - φ(t), to the absolute error of that φ; kinks are found by halving.
"""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from math import inf, isfinite
from typing import Any

import numpy as np

from tentimes18.assignment.laws.cells import DEGREE, ROUNDING, Cells, polynomials, smooth_cells
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.errors import Ten18Error
from tentimes18.kernels.types import Floats

__all__ = ["ChanceLaw", "PhiLaw"]

FAR = 1e-24


class ChanceLaw(ValueLaw):
    """A continuous law by its mean, its support and its chances P(X > t).

    >>> law = ChanceLaw(lambda t: np.exp(-t), 1.0, (0.0, np.inf), "a law of mine")
    >>> law.phi(1.0), law.error < 1e-12
    (0.6321205588285577, True)
    """

    def __init__(self, above: Callable[[Floats], Floats], mean: float, support: tuple[float, float], name: str) -> None:
        if not isfinite(mean):
            raise Ten18Error("has no mean; accepted: laws whose mean is finite", "law", name)
        self._mean, self._support, self._name = float(mean), support, name
        self._chances = above

    def __str__(self) -> str:
        return self._name

    @property
    def mean(self) -> float:
        """E[X]."""
        return self._mean

    @property
    def support(self) -> tuple[float, float]:
        """The least and the largest value."""
        return self._support

    def _clean(self, bounds: Floats) -> Floats:
        found = np.asarray(self._chances(bounds), dtype=np.float64)
        if np.isnan(found).any():
            raise Ten18Error("P(X > t) is not a number for some t", "law", self._name)
        clean: Floats = np.clip(found, 0.0, 1.0)
        return clean

    def _above(self, bounds: Floats) -> Floats:
        return self._clean(bounds)

    def _cells(self) -> Cells:
        low, high = self._support
        scale = max(1e-12, abs(self._mean) if not isfinite(low) else self._mean - low)
        if low == -inf:
            low = self._mean - scale
            while 1.0 - self._clean(np.array([low]))[0] > 1e-17 and low > self._mean - 1e30 * scale:
                low = self._mean - 2.0 * (self._mean - low)
        if high == inf:
            high = self._mean + scale
            while self._clean(np.array([high]))[0] > FAR and high < self._mean + 1e30 * scale:
                high = self._mean + 2.0 * (high - self._mean)
        breaks = [low, high] if low >= self._mean else [low, self._mean, high]
        cells = self._as_smooth_as_it_is(breaks)
        whole = float(cells.coefficients[1] @ (-1.0) ** np.arange(DEGREE + 2))  # at the first break, without the tail
        missing = (self._mean - low) - whole
        rounding = 1e-14 * max(abs(self._mean), abs(low), whole)
        if missing > rounding:  # a heavy tail beyond the last cell
            cells.coefficients[1:, 0] += missing
            cells = cells._replace(floor=4 * rounding)
        elif missing < -1e-6 * whole:
            raise Ten18Error("its mean and its chances P(X > t) do not fit together", "law", self._name)
        return cells

    def _as_smooth_as_it_is(self, breaks: list[float]) -> Cells:
        """Chances that are computed by others may have any errors: those that let the table be made are taken."""
        for error, noise in ((1e-14, 0.0), (1e-12, 0.0), (1e-12, 1e-15)):
            with suppress(Ten18Error):
                return smooth_cells(self._clean, breaks, self._mean, error=error, noise=noise)
        return smooth_cells(self._clean, breaks, self._mean, error=1e-9, noise=1e-11)


class PhiLaw(ValueLaw):
    """Whatever has a mean and a φ of its own; exact where these are Fractions.

    >>> class Uniform:
    ...     mean = Fraction(1, 2)
    ...     def phi(self, bound: Fraction) -> Fraction:
    ...         return bound if bound < 0 else min(bound, 1) - Fraction(min(bound, 1))**2 / 2
    >>> law = PhiLaw(Uniform())
    >>> law.is_exact, law.exact_excess(Fraction(1, 2)), abs(law.phi(0.3) - 0.255) < 1e-15
    (True, Fraction(1, 8), True)
    """

    def __init__(self, given: Any) -> None:
        self._given = given
        mean: Any = given.mean() if callable(given.mean) else given.mean
        if not isinstance(mean, int | float | Fraction | np.number) or not isfinite(mean):
            raise Ten18Error("has no mean; accepted: laws whose mean is finite", "law", type(given).__name__)
        if not callable(given.phi):
            raise Ten18Error("its phi is no function; accepted: φ(t) = E[min(X, t)]", "law", type(given).__name__)
        self._given_mean: Any = mean
        self._is_exact = isinstance(mean, int | Fraction) and isinstance(self._phi(Fraction(mean)), int | Fraction)

    def __str__(self) -> str:
        return type(self._given).__name__

    def _phi(self, bound: Any) -> Any:
        return self._given.phi(bound)

    @property
    def mean(self) -> float:
        """E[X]."""
        return float(self._given_mean)

    @property
    def support(self) -> tuple[float, float]:
        """Not known."""
        return -inf, inf

    @property
    def above_error(self) -> float:
        """The slope of a φ that is known to the floor is known to about the root of it."""
        return float(np.sqrt(self.cells.floor / max(self.excess(0.0), self.cells.floor)))

    def _raw_excess(self, bounds: Floats) -> Floats:
        if self._is_exact:
            found = [float(self.exact_excess(Fraction(bound))) for bound in bounds.ravel().tolist()]
        else:
            found = [self.mean - float(self._phi(bound)) for bound in bounds.ravel().tolist()]
        return np.array(found).reshape(bounds.shape)

    def _cells(self) -> Cells:
        scale = max(1e-12, abs(self.mean))
        low, high = self.mean - scale, self.mean + scale
        for _ in range(100):
            at_low, at_high = self._raw_excess(np.array([low, high]))
            if not (isfinite(at_low) and isfinite(at_high)):
                raise Ten18Error("φ is not a number for some bound", "law", str(self))
            done_low = at_low - (self.mean - low) <= 4 * ROUNDING * abs(low)
            done_high = at_high <= 4 * ROUNDING * scale
            if done_low and done_high:
                break
            low = low if done_low else self.mean - 2.0 * (self.mean - low)
            high = high if done_high else self.mean + 2.0 * (high - self.mean)
        tolerance = 16 * ROUNDING * max(abs(low), abs(high))
        return polynomials(self._raw_excess, np.array([low, self.mean, high]), self.mean, tolerance)

    @property
    def is_exact(self) -> bool:
        """Whether mean and φ are Fractions."""
        return self._is_exact

    def exact_mean(self) -> Fraction:
        """E[X] as a Fraction."""
        if not self._is_exact:
            raise self._not_exact()
        return Fraction(self._given_mean)

    def exact_excess(self, bound: Fraction) -> Fraction:
        """g(t) as a Fraction."""
        return self.exact_mean() - Fraction(self._phi(bound))
