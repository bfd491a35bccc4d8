"""What the solver knows of a value: its mean, and how far it exceeds a bound on average.

    φ(t) = E[min(X, t)],   g(t) = E[max(X - t, 0)] = E[X] - φ(t),   P(X > t) = -g'(t).

`as_law` (in `laws.reading`) makes one of these of whatever describes a value.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from typing import overload

import numpy as np

from tentimes18.arrays import Floats
from tentimes18.assignment.laws.cells import ROUNDING, Cells, joined
from tentimes18.errors import Ten18Error
from tentimes18.kernels import excess as kernel
from tentimes18.kernels.types import ExcessTable
from tentimes18.random_words import fill_words

__all__ = ["ValueLaw", "fractions_of"]


class ValueLaw(ABC):
    """The law of a value that arrives: mean, φ, excess, chances and quantiles; the same for numbers and for arrays.

    >>> from tentimes18.assignment import as_law
    >>> law = as_law([1, 2, 3, 10])
    >>> law.mean, law.phi(2.5), law.above(2.5)
    (4.0, 2.0, 0.5)
    """

    @property
    @abstractmethod
    def mean(self) -> float:
        """E[X]."""

    @property
    @abstractmethod
    def support(self) -> tuple[float, float]:
        """The least and the largest value, infinite where there is none."""

    @abstractmethod
    def _cells(self) -> Cells:
        """The excess as polynomials."""

    @cached_property
    def cells(self) -> Cells:
        """The excess as polynomials, and a bound of its relative error."""
        return self._cells()

    @cached_property
    def table(self) -> ExcessTable:
        """The same for kernels, alone."""
        return joined([self.cells])

    @property
    def error(self) -> float:
        """A bound of the relative error of the excess in float64."""
        return self.cells.error

    @property
    def above_error(self) -> float:
        """A bound of the relative error of P(X > t)."""
        return max(self.error, ROUNDING)

    def _excess(self, bounds: Floats) -> Floats:
        out = np.empty_like(bounds)
        kernel.excesses(self.table, 0, bounds, out)
        return out

    def _above(self, bounds: Floats) -> Floats:
        out = np.empty_like(bounds)
        kernel.tails(self.table, 0, bounds, out)
        return out

    @overload
    def excess(self, bound: float) -> float: ...
    @overload
    def excess(self, bound: Floats) -> Floats: ...
    def excess(self, bound: float | Floats) -> float | Floats:
        """g(t) = E[max(X - t, 0)]."""
        return _mapped(self._excess, bound)

    @overload
    def above(self, bound: float) -> float: ...
    @overload
    def above(self, bound: Floats) -> Floats: ...
    def above(self, bound: float | Floats) -> float | Floats:
        """P(X > t)."""
        return _mapped(self._above, bound)

    @overload
    def phi(self, bound: float) -> float: ...
    @overload
    def phi(self, bound: Floats) -> Floats: ...
    def phi(self, bound: float | Floats) -> float | Floats:
        """φ(t) = E[min(X, t)]."""
        return self.mean - self.excess(bound)

    @property
    def is_exact(self) -> bool:
        """Whether mean and excess are known as Fractions."""
        return False

    def exact_mean(self) -> Fraction:
        """E[X] as a Fraction, of a law that is exact."""
        raise self._not_exact()

    def exact_excess(self, bound: Fraction) -> Fraction:  # noqa: ARG002
        """g(t) as a Fraction, of a law that is exact."""
        raise self._not_exact()

    def exact_above(self, bound: Fraction) -> Fraction:  # noqa: ARG002
        """P(X > t) as a Fraction, of a law that is exact."""
        raise self._not_exact()

    def exact_atoms(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The values and their chances, increasing, of a law that is exact and finite."""
        raise self._not_exact("exact and finite: dice, samples, a constant, or a mixture of these")

    def _not_exact(
        self, accepted: str = "exact: dice, samples, constants, uniform laws, or a mixture of these"
    ) -> Ten18Error:
        return Ten18Error(f"{self} has no exact form here; accepted: laws that are {accepted}", "law")

    def quantile(self, chance: float | Floats) -> float | Floats:
        """The least t with P(X <= t) >= chance.

        >>> from tentimes18.assignment import as_law
        >>> as_law([1, 2, 3, 10]).quantile(0.5)
        2.0
        """

        def quantiles(chances: Floats) -> Floats:
            out = np.empty_like(chances)
            kernel.quantiles(self.table, np.zeros(len(chances), dtype=np.int64), 1.0 - chances, out)
            return out

        return _mapped(quantiles, chance)

    def sample(self, count: int, seed: int = 0) -> Floats:
        """Values drawn by this seed, the same on every machine.

        >>> from tentimes18.assignment import as_law
        >>> as_law([1, 2, 3, 10]).sample(5, seed=18).tolist() == as_law([1, 2, 3, 10]).sample(9, seed=18)[:5].tolist()
        True
        """
        out = np.empty(count)
        kernel.quantiles(self.table, np.zeros(count, dtype=np.int64), fractions_of(seed, "sample", 0, 1, count)[0], out)
        return out


def fractions_of(
    seed: int, purpose: str, first: int, rounds: int, games: int, part: tuple[int, int] | None = None
) -> Floats:
    """Numbers from 0 to below 1, [round, game], that depend on seed, purpose and the number of the game alone.

    ``part`` are the first of the rounds that are wanted, and the one after the last.
    """
    digest = blake2b(f"assignment {purpose} {seed}".encode(), digest_size=8).digest()
    key = np.uint64(int.from_bytes(digest, "little"))
    begin, end = part or (0, rounds)
    words = np.empty((end - begin, games), dtype=np.uint64)
    for which in range(begin, end):
        fill_words(key, rounds, which, first, np.uint64(1), words[which - begin])
    fractions: Floats = (words >> np.uint64(11)) * np.float64(2.0**-53)
    return fractions


def _mapped(function: Callable[[Floats], Floats], given: float | Floats) -> float | Floats:
    """A function of flat arrays, for a number or an array of any shape."""
    array = np.asarray(given, dtype=np.float64)
    found = function(np.ascontiguousarray(array.ravel()))
    return float(found[0]) if array.ndim == 0 else found.reshape(array.shape)
