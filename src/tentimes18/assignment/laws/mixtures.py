"""Mixtures: with some chance one law, with some chance another."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from math import fsum, isfinite
from typing import Any

import numpy as np

from tentimes18.assignment.laws.cells import Cells, mixed_cells
from tentimes18.assignment.laws.finite import FiniteLaw, finite_law
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.errors import Ten18Error
from tentimes18.kernels.types import Floats

__all__ = ["MixtureLaw", "finite_mixture", "verified_chances"]


def verified_chances(chances: Sequence[float | Fraction], field: str) -> tuple[float | Fraction, ...]:
    """Chances that add up to 1: exactly where they are Fractions, else within 10^-9.

    >>> verified_chances([0.1, 0.2, 0.6], "arrivals")
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: arrivals: the chances add up to 0.9; accepted: chances that add up to 1
    """
    given = tuple(chances) if isinstance(chances, Iterable) else ()
    if not given or not all(_is_share(chance) for chance in given):
        raise Ten18Error("chances must be numbers from 0 to 1, at least one of them", field)
    if all(isinstance(chance, int | Fraction) for chance in given):
        total: float | Fraction = sum((Fraction(chance) for chance in given), Fraction(0))
        wrong = total != 1
    else:
        total = fsum(map(float, given))
        wrong = abs(total - 1.0) > 1e-9
    if wrong:
        raise Ten18Error(f"the chances add up to {float(total):.10g}; accepted: chances that add up to 1", field)
    return given


def _is_share(given: Any) -> bool:
    is_number = isinstance(given, int | float | Fraction | np.integer | np.floating) and not isinstance(given, bool)
    return is_number and isfinite(given) and bool(given >= 0)


class MixtureLaw(ValueLaw):
    """With the chances of these laws, one of them.

    >>> from tentimes18.assignment.laws.finite import constant
    >>> law = MixtureLaw([Fraction(1, 3), Fraction(2, 3)], [constant(0), constant(3)])
    >>> law.mean, law.exact_excess(Fraction(1))
    (2.0, Fraction(4, 3))
    """

    def __init__(self, chances: Sequence[float | Fraction], laws: Sequence[ValueLaw]) -> None:
        if len(chances) != len(laws):
            raise Ten18Error(f"{len(laws)} laws and {len(chances)} chances; accepted: a chance a law", "law")
        self._chances = verified_chances(chances, "law")
        self._laws = tuple(laws)

    def __str__(self) -> str:
        return f"a mixture of {len(self._laws)} laws"

    @cached_property
    def mean(self) -> float:
        """E[X]."""
        return fsum(float(chance) * law.mean for chance, law in zip(self._chances, self._laws, strict=True))

    @property
    def support(self) -> tuple[float, float]:
        """The least and the largest value."""
        ends = [law.support for chance, law in zip(self._chances, self._laws, strict=True) if chance]
        return min(low for low, _ in ends), max(high for _, high in ends)

    def _cells(self) -> Cells:
        parts = [(float(chance), law.cells) for chance, law in zip(self._chances, self._laws, strict=True) if chance]
        return mixed_cells(parts)

    def _above(self, bounds: Floats) -> Floats:
        return sum((float(chance) * law.above(bounds) for chance, law in self._pairs), np.zeros(len(bounds)))

    @property
    def above_error(self) -> float:
        """The largest of the parts."""
        return max(law.above_error for _, law in self._pairs)

    @property
    def _pairs(self) -> list[tuple[float | Fraction, ValueLaw]]:
        return [(chance, law) for chance, law in zip(self._chances, self._laws, strict=True) if chance]

    @property
    def is_exact(self) -> bool:
        """Whether all of them are, and the chances add up to 1."""
        return all(law.is_exact for law in self._laws) and sum(Fraction(chance) for chance in self._chances) == 1

    def exact_mean(self) -> Fraction:
        """E[X] as a Fraction."""
        self._verify_exact()
        means = (Fraction(chance) * law.exact_mean() for chance, law in zip(self._chances, self._laws, strict=True))
        return sum(means, Fraction(0))

    def exact_excess(self, bound: Fraction) -> Fraction:
        """g(t) as a Fraction."""
        self._verify_exact()
        pairs = zip(self._chances, self._laws, strict=True)
        return sum((Fraction(chance) * law.exact_excess(bound) for chance, law in pairs), Fraction(0))

    def exact_above(self, bound: Fraction) -> Fraction:
        """P(X > t) as a Fraction."""
        self._verify_exact()
        pairs = zip(self._chances, self._laws, strict=True)
        return sum((Fraction(chance) * law.exact_above(bound) for chance, law in pairs), Fraction(0))

    def exact_atoms(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The values and their chances."""
        self._verify_exact()
        found: dict[Fraction, Fraction] = {}
        for weight, law in zip(self._chances, self._laws, strict=True):
            for value, chance in law.exact_atoms():
                found[value] = found.get(value, Fraction(0)) + Fraction(weight) * chance
        return tuple(sorted((value, chance) for value, chance in found.items() if chance))

    def _verify_exact(self) -> None:
        if not self.is_exact:
            raise self._not_exact()


def finite_mixture(chances: Sequence[float | Fraction], laws: Sequence[ValueLaw]) -> ValueLaw:
    """The mixture of these laws, as a finite law where all of them are.

    >>> from tentimes18.assignment.laws.finite import constant
    >>> finite_mixture([0.25, 0.75], [constant(4), constant(0)]).values.tolist()
    [0.0, 4.0]
    """
    mixed = MixtureLaw(chances, laws)
    if mixed.is_exact:
        with suppress(Ten18Error):
            return finite_law(mixed.exact_atoms(), str(mixed))
    finite = [law for law in laws if isinstance(law, FiniteLaw)]
    if len(finite) < len(laws):
        return mixed
    values, place = np.unique(np.concatenate([law.values for law in finite]), return_inverse=True)
    weights = np.concatenate([float(chance) * law.chances for chance, law in zip(chances, finite, strict=True)])
    return FiniteLaw(values, np.bincount(place, weights=weights).astype(np.float64), None, str(mixed))
