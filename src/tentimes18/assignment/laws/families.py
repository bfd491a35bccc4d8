"""The usual continuous families, in closed form: X = loc + scale Z with Z of a standard law.

    g(z) = E[max(Z - z, 0)] = ∫_z^∞ P(Z > s) ds

| family | P(Z > z) | g(z) |
| --- | --- | --- |
| exponential | e^-z | e^-z |
| normal | Φ(-z) | φ(z) - z Φ(-z) |
| half normal | 2 Φ(-z) | 2 (φ(z) - z Φ(-z)) |
| lognormal s | Φ(-ln z / s) | e^{s²/2} Φ(s - ln z / s) - z Φ(-ln z / s) |
| gamma a | Q(a, z) | (a - z) Q(a, z) + z^a e^-z / Γ(a) |
| beta a, b | 1 - I_z(a, b) | a/(a+b) (1 - I_z(a+1, b)) - z (1 - I_z(a, b)) |
| Weibull c | e^{-z^c} | Γ(1+1/c) Q(1+1/c, z^c) - z e^{-z^c} |
| Pareto b | z^-b | z^{1-b} / (b-1) |
| logistic | 1/(1+e^z) | ln(1 + e^-z) |
| Laplace | e^-z / 2 | e^-z / 2 |
| triangular c | (1-z)²/(1-c) from c on, 1 - z²/c before | (1-z)³/(3(1-c)), mean - z + z³/(3c) |

Q and I are the incomplete gamma and beta functions (`kernels.incomplete`), φ and Φ here those of the normal law.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import erfc, exp, gamma, inf, isfinite, pi, sqrt
from typing import Final

import numpy as np

from tentimes18.assignment.laws.cells import Cells, smooth_cells
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.errors import Ten18Error
from tentimes18.kernels import incomplete
from tentimes18.kernels.types import Floats

__all__ = ["FAMILIES", "FamilyLaw", "Standard", "family_law"]

FAR: Final = 1e-24  # chances beyond this are left out of the table
ERROR: Final = 4e-15  # relative, of the chances

_erfc: Final = np.frompyfunc(erfc, 1, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Standard:
    """A standard law: its mean, chances and excess on its support, and where these are not smooth."""

    mean: float
    above: Callable[[Floats], Floats]
    excess: Callable[[Floats], Floats]
    low: float = 0.0
    high: float = inf
    breaks: tuple[float, ...] = ()


class FamilyLaw(ValueLaw):
    """X = loc + scale Z, with Z of a standard law.

    >>> law = family_law("gamma", 2.0, scale=50.0)
    >>> law.mean, round(law.phi(60.0), 6)
    (100.0, 51.808926)
    """

    def __init__(self, standard: Standard, loc: float, scale: float, name: str) -> None:
        if not (isfinite(loc) and isfinite(scale) and scale > 0):
            raise Ten18Error("the scale must be positive, and all parameters finite", "law", name)
        self._standard = standard
        self._loc, self._scale = float(loc), float(scale)
        self._name = name

    def __str__(self) -> str:
        return self._name

    @property
    def mean(self) -> float:
        """E[X]."""
        return self._loc + self._scale * self._standard.mean

    @property
    def support(self) -> tuple[float, float]:
        """The least and the largest value."""
        return self._loc + self._scale * self._standard.low, self._loc + self._scale * self._standard.high

    def _excess(self, bounds: Floats) -> Floats:
        standard = self._standard
        z = (bounds - self._loc) / self._scale
        inside = np.clip(z, max(standard.low, -1e300), min(standard.high, 1e300))
        found = np.where(z < standard.low, standard.mean - z, standard.excess(inside))
        return self._scale * np.where(z >= standard.high, 0.0, np.maximum(found, 0.0))

    def _above(self, bounds: Floats) -> Floats:
        standard = self._standard
        z = (bounds - self._loc) / self._scale
        inside = np.clip(z, max(standard.low, -1e300), min(standard.high, 1e300))
        return np.where(z < standard.low, 1.0, np.where(z >= standard.high, 0.0, standard.above(inside)))

    def _cells(self) -> Cells:
        cells = _standard_cells(self._standard)
        return Cells(
            self._loc + self._scale * cells.left,
            self._loc + self._scale * cells.mid,
            cells.inverse / self._scale,
            cells.coefficients * self._scale,
            cells.error,
        )


@lru_cache(maxsize=256)  # about 30 kB each: a law a round is often one law at many places and scales
def _standard_cells(standard: Standard) -> Cells:
    low, high = standard.low, standard.high
    if low == -inf:  # what lies below adds less than the rounding of the mean
        low = standard.mean - 1.0
        while _at(standard.excess, low) - (standard.mean - low) > 1e-18 * (standard.mean - low):
            low = standard.mean - 2.0 * (standard.mean - low)
    if high == inf:
        high = max(low + 1.0, standard.mean)
        while _at(standard.above, high) > FAR and high < 1e30:
            high = low + 2.0 * (high - low)
    breaks = sorted({low, high, *(point for point in standard.breaks if low < point < high)})
    tail = 0.0 if high == standard.high else _at(standard.excess, high)
    return smooth_cells(standard.above, breaks, standard.mean, tail, ERROR)


@lru_cache(maxsize=256)
def _standard(family: str, shapes: tuple[float, ...]) -> Standard:
    return FAMILIES[family](*shapes)


def _at(function: Callable[[Floats], Floats], point: float) -> float:
    return float(function(np.array([point]))[0])


def family_law(family: str, *shapes: float, loc: float = 0.0, scale: float = 1.0) -> FamilyLaw:
    """The law of a family by its name, with its shapes.

    >>> family_law("pareto", 3.0).mean
    1.5
    >>> family_law("pareto", 1.0)
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: law 'pareto(1)': has no mean; accepted: shapes above 1
    """
    told = f"{family}({', '.join(f'{shape:g}' for shape in shapes)})"
    if not all(isfinite(shape) for shape in shapes):
        raise Ten18Error("the shapes must be finite numbers", "law", told)
    try:
        standard = _standard(family, tuple(map(float, shapes)))
    except Ten18Error as error:
        raise error.about("law", told) from None
    return FamilyLaw(standard, loc, scale, told if (loc, scale) == (0.0, 1.0) else f"{told} at {loc:g} by {scale:g}")


def _positive(*shapes: float) -> None:
    if min(shapes) <= 0:
        raise Ten18Error("the shapes must be positive", "law")


def _normal_tail(z: Floats) -> Floats:
    """Φ(-z)."""
    return 0.5 * np.asarray(_erfc(z / sqrt(2.0)), dtype=np.float64)


def _normal_excess(z: Floats) -> Floats:
    return np.exp(-0.5 * z * z) / sqrt(2.0 * pi) - z * _normal_tail(z)


def _gamma_tail(a: float, z: Floats) -> Floats:
    flat = np.ascontiguousarray(z.ravel())
    out = np.empty_like(flat)
    incomplete.gamma_tails(a, flat, out)
    return out.reshape(z.shape)


def _beta_tail(a: float, b: float, z: Floats) -> Floats:
    flat = np.ascontiguousarray(z.ravel())
    out = np.empty_like(flat)
    incomplete.beta_tails(a, b, flat, out)
    return out.reshape(z.shape)


def _exponential() -> Standard:
    return Standard(1.0, lambda z: np.exp(-z), lambda z: np.exp(-z))


def _normal() -> Standard:
    return Standard(0.0, _normal_tail, _normal_excess, low=-inf)


def _half_normal() -> Standard:
    return Standard(sqrt(2.0 / pi), lambda z: 2.0 * _normal_tail(z), lambda z: 2.0 * _normal_excess(z))


def _lognormal(s: float) -> Standard:
    _positive(s)
    mean = exp(0.5 * s * s) if s < 37.0 else inf
    if mean == inf:
        raise Ten18Error("its mean does not fit into float64; accepted: shapes below 37", "law")

    def logs(z: Floats) -> Floats:
        return np.log(np.maximum(z, 1e-300)) / s

    return Standard(
        mean,
        lambda z: _normal_tail(logs(z)),
        lambda z: mean * _normal_tail(logs(z) - s) - z * _normal_tail(logs(z)),
    )


def _gamma(a: float) -> Standard:
    _positive(a)

    def excess(z: Floats) -> Floats:
        return a * _gamma_tail(a + 1.0, z) - z * _gamma_tail(a, z)

    return Standard(a, lambda z: _gamma_tail(a, z), excess)


def _beta(a: float, b: float) -> Standard:
    _positive(a, b)
    mean = a / (a + b)

    def excess(z: Floats) -> Floats:
        return mean * _beta_tail(a + 1.0, b, z) - z * _beta_tail(a, b, z)

    return Standard(mean, lambda z: _beta_tail(a, b, z), excess, high=1.0)


def _weibull(c: float) -> Standard:
    _positive(c)
    if c < 0.01:
        raise Ten18Error("its mean does not fit into float64; accepted: shapes of 0.01 or more", "law")
    mean = gamma(1.0 + 1.0 / c)
    return Standard(
        mean,
        lambda z: np.exp(-(z**c)),
        lambda z: mean * _gamma_tail(1.0 + 1.0 / c, z**c) - z * np.exp(-(z**c)),
    )


def _pareto(b: float) -> Standard:
    if not b > 1:
        raise Ten18Error("has no mean; accepted: shapes above 1", "law")
    return Standard(b / (b - 1.0), lambda z: z**-b, lambda z: z ** (1.0 - b) / (b - 1.0), low=1.0)


def _lomax(b: float) -> Standard:
    standard = _pareto(b)
    return Standard(standard.mean - 1.0, lambda z: standard.above(1.0 + z), lambda z: standard.excess(1.0 + z))


def _logistic() -> Standard:
    def above(z: Floats) -> Floats:
        return np.exp(-np.logaddexp(0.0, z))

    return Standard(0.0, above, lambda z: np.logaddexp(0.0, -z), low=-inf)


def _laplace() -> Standard:
    def above(z: Floats) -> Floats:
        half = 0.5 * np.exp(-np.abs(z))
        return np.where(z >= 0, half, 1.0 - half)

    def excess(z: Floats) -> Floats:
        return 0.5 * np.exp(-np.abs(z)) + np.maximum(-z, 0.0)

    return Standard(0.0, above, excess, low=-inf, breaks=(0.0,))


def _triangular(c: float) -> Standard:
    if not 0.0 <= c <= 1.0:
        raise Ten18Error("the shape must be from 0 to 1", "law")
    mean = (1.0 + c) / 3.0

    def above(z: Floats) -> Floats:
        rising = 1.0 - (z * z / c if c > 0 else 0.0 * z)
        return np.where(z < c, rising, (1.0 - z) ** 2 / (1.0 - c) if c < 1 else 0.0)

    def excess(z: Floats) -> Floats:
        rising = mean - z + (z**3 / (3.0 * c) if c > 0 else 0.0 * z)
        return np.where(z < c, rising, (1.0 - z) ** 3 / (3.0 * (1.0 - c)) if c < 1 else 0.0)

    return Standard(mean, above, excess, high=1.0, breaks=(c,))


FAMILIES: Final[dict[str, Callable[..., Standard]]] = {
    "beta": _beta,
    "exponential": _exponential,
    "gamma": _gamma,
    "halfnormal": _half_normal,
    "laplace": _laplace,
    "logistic": _logistic,
    "lognormal": _lognormal,
    "lomax": _lomax,
    "normal": _normal,
    "pareto": _pareto,
    "triangular": _triangular,
    "weibull": _weibull,
}
"""The standard laws by name: functions of their shapes."""
