"""The uniform law: the one of the usual families that is exact.

g(t) = (b - t)² / (2 (b - a)) from a to b
"""

from fractions import Fraction
from math import isfinite

import numpy as np

from tentimes18.assignment.laws.cells import ROUNDING, Cells
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.errors import Ten18Error

__all__ = ["UniformLaw"]


class UniformLaw(ValueLaw):
    """Any number from low to high, each as likely; floats are taken for the numbers that they are.

    >>> law = UniformLaw(0, 1)
    >>> law.phi(0.5), law.exact_excess(Fraction(1, 2))
    (0.375, Fraction(1, 8))
    """

    def __init__(self, low: int | float | Fraction, high: int | float | Fraction) -> None:
        if not (isfinite(low) and isfinite(high) and low < high):
            raise Ten18Error("the ends must be finite, the second above the first", "law", f"uniform({low}, {high})")
        self._low, self._high = Fraction(low), Fraction(high)

    def __str__(self) -> str:
        return f"uniform({self._low}, {self._high})"

    @property
    def mean(self) -> float:
        """E[X]."""
        return float(self.exact_mean())

    @property
    def support(self) -> tuple[float, float]:
        """The ends."""
        return float(self._low), float(self._high)

    def _cells(self) -> Cells:
        low, high = self.support
        width = high - low
        return Cells(
            np.array([-np.inf, low, high]),
            np.array([low, high, high]),
            np.ones(3),
            np.array([[width / 2, -1.0, 0.0], [0.0, 0.0, 0.5 / width], [0.0, 0.0, 0.0]]),
            8 * ROUNDING,
        )

    @property
    def is_exact(self) -> bool:
        """It is."""
        return True

    def exact_mean(self) -> Fraction:
        """E[X] as a Fraction."""
        return (self._low + self._high) / 2

    def exact_excess(self, bound: Fraction) -> Fraction:
        """g(t) as a Fraction."""
        if bound <= self._low:
            return self.exact_mean() - bound
        return max(self._high - bound, Fraction(0)) ** 2 / (2 * (self._high - self._low))

    def exact_above(self, bound: Fraction) -> Fraction:
        """P(X > t) as a Fraction."""
        return min(max((self._high - bound) / (self._high - self._low), Fraction(0)), Fraction(1))
