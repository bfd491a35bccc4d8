"""The usual laws on the integers, as finite laws: what is left out at their far ends has a chance below 10^-24.

The chances are products of ratios, from the most likely number on, divided by their sum. A binomial law of a rational
chance is exact as long as it is short.
"""

from collections.abc import Callable
from fractions import Fraction
from math import comb, isfinite, sqrt
from typing import Final

import numpy as np

from tentimes18.assignment.laws.finite import FiniteLaw
from tentimes18.errors import Ten18Error
from tentimes18.kernels.types import Floats

__all__ = ["LATTICES", "lattice_law"]

FAR: Final = 1e-24
MOST_VALUES: Final = 1 << 22
MOST_EXACT: Final = 200  # trials of a binomial law


def lattice_law(family: str, *parameters: float | Fraction, loc: int = 0) -> FiniteLaw:
    """The law of a family on the integers, by its name and parameters.

    >>> law = lattice_law("binomial", 10, Fraction(1, 2))
    >>> law.mean, law.exact_mean(), lattice_law("poisson", 2.5).mean
    (5.0, Fraction(5, 1), 2.5)
    """
    told = f"{family}({', '.join(f'{parameter}' for parameter in parameters)})"
    try:
        if not all(isfinite(parameter) for parameter in parameters):
            raise Ten18Error("the parameters must be finite numbers", "law")
        return LATTICES[family](told, loc, *parameters)
    except Ten18Error as error:
        raise error.about("law", told) from None


def _from_mode(
    name: str, loc: int, mode: int, ends: tuple[int, int | None], ratio: Callable[[Floats], Floats]
) -> FiniteLaw:
    """A law whose chances p(k + 1) = ratio(k) p(k) fall on both sides of the mode, from the first end to the last."""

    def side(step: int, end: int | None) -> Floats:
        found: list[Floats] = []
        last, at = 1.0, mode
        while last > FAR and at != end:
            size = 4096 if end is None else min(4096, abs(end - at))
            k = at + step * np.arange(size, dtype=np.float64)
            factors = ratio(k) if step > 0 else 1.0 / ratio(k - 1)
            chances: Floats = np.multiply(last, np.cumprod(factors), dtype=np.float64)
            found.append(chances)
            last, at = float(chances[-1]), at + step * size
            if sum(map(len, found)) > MOST_VALUES:
                raise Ten18Error(f"spreads over more than {MOST_VALUES} integers", "law")
        every: Floats = np.concatenate(found) if found else np.empty(0)
        return every[every > FAR]

    up, down = side(1, ends[1]), side(-1, ends[0])
    chances = np.concatenate([down[::-1], [1.0], up])
    values = loc + np.arange(mode - len(down), mode + len(up) + 1, dtype=np.float64)
    return FiniteLaw(values, chances / chances.sum(), None, name)


def _poisson(name: str, loc: int, rate: float) -> FiniteLaw:
    if rate <= 0:
        raise Ten18Error("the rate must be positive", "law")
    return _from_mode(name, loc, int(rate), (0, None), lambda k: float(rate) / (k + 1.0))


def _binomial(name: str, loc: int, trials: float, chance: float | Fraction) -> FiniteLaw:
    if trials != int(trials) or trials < 0 or not 0 <= chance <= 1:
        raise Ten18Error("takes a number of trials, 0 or more, and a chance from 0 to 1", "law")
    n = int(trials)
    if chance in (0, 1) or n == 0 or (n <= MOST_EXACT and isinstance(chance, int | Fraction)):
        p = Fraction(chance)
        atoms = [(Fraction(loc + k), comb(n, k) * p**k * (1 - p) ** (n - k)) for k in range(n + 1)]
        kept = [(value, chance) for value, chance in atoms if chance]
        values, chances = (np.array([float(pair[side]) for pair in kept]) for side in (0, 1))
        return FiniteLaw(values, chances, kept, name)
    odds = float(chance) / (1.0 - float(chance))
    mode = min(n, int((n + 1) * chance))
    return _from_mode(name, loc, mode, (0, n), lambda k: (n - k) / (k + 1.0) * odds)


def _geometric(name: str, loc: int, chance: float | Fraction) -> FiniteLaw:
    if not 0 < chance <= 1:
        raise Ten18Error("takes a chance above 0, at most 1", "law")
    if chance == 1:
        return FiniteLaw(np.array([loc + 1.0]), np.ones(1), [(Fraction(loc + 1), Fraction(1))], name)
    return _from_mode(name, loc, 1, (1, None), lambda k: (1.0 - float(chance)) + 0.0 * k)


def _negative_binomial(name: str, loc: int, successes: float, chance: float | Fraction) -> FiniteLaw:
    r, p = float(successes), float(chance)
    if not (r > 0 and 0 < p <= 1):
        raise Ten18Error("takes a positive number of successes and a chance above 0, at most 1", "law")
    mode = max(0, int((r - 1.0) * (1.0 - p) / p))
    if sqrt(r * (1 - p)) / p > MOST_VALUES:
        raise Ten18Error(f"spreads over more than {MOST_VALUES} integers", "law")
    return _from_mode(name, loc, mode, (0, None), lambda k: (k + r) / (k + 1.0) * (1.0 - p))


def _integers(name: str, loc: int, low: float, high: float) -> FiniteLaw:
    if low != int(low) or high != int(high) or not low < high:
        raise Ten18Error("takes two integers, the second above the first", "law")
    values = range(loc + int(low), loc + int(high))
    if len(values) > MOST_VALUES:
        raise Ten18Error(f"spreads over more than {MOST_VALUES} integers", "law")
    share = Fraction(1, len(values))
    exact = [(Fraction(value), share) for value in values]
    return FiniteLaw(np.array(values, dtype=np.float64), np.full(len(values), 1.0 / len(values)), exact, name)


LATTICES: Final[dict[str, Callable[..., FiniteLaw]]] = {
    "binomial": _binomial,
    "geometric": _geometric,
    "integers": _integers,
    "negative_binomial": _negative_binomial,
    "poisson": _poisson,
}
"""Laws on the integers by name: functions of their parameters; `integers(a, b)` are a, ..., b - 1."""
