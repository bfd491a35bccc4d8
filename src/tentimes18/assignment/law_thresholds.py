"""The thresholds of any law: nothing of it is used but its mean and φ.

With E_j = (E_j[1] <= ... <= E_j[j]) the expected values in j free slots under the best play, E_j[0] = -∞ and
E_j[j+1] = +∞, a value x that finds j+1 slots free goes to that of rank i where E_j[i-1] <= x <= E_j[i] (Derman,
Lieberman and Ross 1972, Theorem 1), whatever the multipliers are. So

    E_{j+1}[i] = E[ clamp(X, E_j[i-1], E_j[i]) ] = φ(E_j[i]) + ψ(E_j[i-1]),
    φ(t) = E[min(X, t)],   ψ(t) = E[max(t - X, 0)] = t - φ(t),   φ(+∞) = E[X],   ψ(-∞) = 0.

`solve.thresholds` has the same for dice, faster.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Protocol, TypeVar

Real = TypeVar("Real", float, Fraction)


class Law(Protocol[Real]):
    """All that the recurrence needs to know of a value: its mean, and φ."""

    @property
    def mean(self) -> Real:
        """E[X]."""
        ...

    def phi(self, bound: Real, /) -> Real:
        """φ(t) = E[min(X, t)]."""
        ...


def law_thresholds(laws: Iterable[Law[Real]]) -> list[list[Real]]:
    """Rows E_1..E_n for any laws with a φ, continuous ones too; the j-th law is that of the value with j slots free.

    A value uniform on [0, 1] has φ(t) = t - t²/2:

    >>> class Uniform:
    ...     mean = Fraction(1, 2)
    ...     def phi(self, bound: Fraction) -> Fraction:
    ...         return bound - bound**2 / 2
    >>> [str(threshold) for threshold in law_thresholds([Uniform()] * 3)[-1]]
    ['39/128', '1/2', '89/128']
    """
    rows: list[list[Real]] = []
    E: list[Real] = []
    for law in laws:
        row = [law.phi(t) for t in E] + [law.mean]
        for i, t in enumerate(E):
            row[i + 1] += t - law.phi(t)
        rows.append(row)
        E = row
    return rows
