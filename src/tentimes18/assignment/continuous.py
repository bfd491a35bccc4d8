"""Distributions that are not exact: each is tabulated from P(X > t), or from a φ of somebody's own, with a bound.

The excess comes from P(X > t) by integration, to a relative error that is stated (`excess.smooth_cells`). Where only
mean and φ are known the excess is E[X] - φ(t), to the absolute error of that φ; kinks are found by halving. The usual
families are P(Z > z) of a standard Z, with X = place + scale Z; the incomplete gamma and beta functions are SciPy's.
"""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from math import comb, exp, gamma, inf, isfinite, pi, sqrt
from typing import Any, NamedTuple

import numpy as np

from tentimes18.arrays import Floats
from tentimes18.assignment.distributions import (
    FiniteDistribution,
    ValueDistribution,
    distribution_error,
    finite_distribution,
)
from tentimes18.assignment.excess import DEGREE, ROUNDING, Cells, polynomials, smooth_cells
from tentimes18.errors import Ten18Error

FAR = 1e-24  # chances beyond this are left out on the integers
FAR_TAIL = 1e-45  # and of a continuous distribution
MAX_VALUES = 1 << 22  # of a distribution on the integers
MAX_TRIALS = 200  # of a binomial distribution that is exact
MAX_PHI_ERROR = 1e-3  # of a φ that is tabulated, in parts of the mean

Tails = Callable[[Floats], Floats]


class Standard(NamedTuple):
    """A standard distribution: its mean, P(Z > z), its support, and where P(Z > z) has kinks."""

    mean: float
    above: Tails
    low: float = 0.0
    high: float = inf
    kinks: tuple[float, ...] = ()


class ContinuousDistribution(ValueDistribution):
    """X = place + scale Z, from the mean, the probabilities P(Z > z) and the support of Z.

    >>> dist = ContinuousDistribution(Standard(1.0, lambda z: np.exp(-z)), "a dist of mine")
    >>> dist.phi(1.0), dist.error < 1e-12
    (0.6321205588285577, True)
    """

    def __init__(self, standard: Standard, name: str, place: float = 0.0, scale: float = 1.0) -> None:
        if not (isfinite(place) and isfinite(scale) and scale > 0):
            raise distribution_error("the scale must be positive, and all parameters finite", name)
        if not isfinite(standard.mean):
            raise distribution_error("has no mean; accepted: distributions whose mean is finite", name)
        self._standard, self._name, self._place, self._scale = standard, name, float(place), float(scale)
        self.mean, low, high = (self._place + self._scale * z for z in (standard.mean, standard.low, standard.high))
        self.support = low, high

    def _above(self, bounds: Floats) -> Floats:
        return _clean(self._standard, (bounds - self._place) / self._scale)

    def _cells(self) -> Cells:
        try:
            cells = _standard_cells(self._standard)
        except Ten18Error as error:
            raise error.about("distribution", self._name) from None
        return Cells(
            self._place + self._scale * cells.left,
            self._place + self._scale * cells.mid,
            cells.inverse / self._scale,
            cells.coefficients * self._scale,
            cells.error,
            cells.floor * self._scale,
        )


def _clean(standard: Standard, z: Floats) -> Floats:
    with np.errstate(all="ignore"):
        chances = np.asarray(standard.above(np.clip(z, standard.low, min(standard.high, 1e300))), dtype=np.float64)
    if np.isnan(chances).any():
        raise distribution_error("P(X > t) is not a number for some t")
    return np.where(z >= standard.high, 0.0, np.where(z < standard.low, 1.0, np.clip(chances, 0.0, 1.0)))


@lru_cache(maxsize=256)  # about 30 kB each; the rounds often have one family at many places and scales
def _standard_cells(standard: Standard) -> Cells:
    mean, _, low, high, kinks = standard
    support_end = high

    def at(z: float) -> float:
        return float(_clean(standard, np.array([z]))[0])

    scale = max(1e-12, abs(mean)) if low == -inf else max(1e-12, mean - low)
    if low == -inf:
        low = mean - scale
        while 1.0 - at(low) > 1e-17 and low > mean - 1e30 * scale:
            low = mean - 2.0 * (mean - low)
    if high == inf:
        high = mean + scale
        while at(high) > FAR_TAIL and high < mean + 1e30 * scale:
            high = mean + 2.0 * (high - mean)
    breaks = sorted({low, high, *(point for point in (mean, *kinks) if low < point < high)})
    cells = _as_smooth_as_it_is(standard, breaks)
    whole = float(cells.coefficients[1] @ (-1.0) ** np.arange(DEGREE + 2))  # at the first break, without the tail
    missing = (mean - low) - whole
    rounding = 1e-14 * max(abs(mean), abs(low), whole)
    if missing < -1e-6 * whole or (missing > 1e-6 * whole and high == support_end):
        raise distribution_error("its mean and its chances P(X > t) do not fit together")
    beyond = 0.0 if high == support_end else _tail_bound(at, high, mean)
    is_tail = missing <= beyond or (high < support_end and at(high) == 0.0)
    if missing > rounding and is_tail:  # a heavy tail beyond the last cell, or one that the chances are too small for
        cells.coefficients[1:, 0] += missing
        return cells._replace(floor=4 * rounding + (missing if missing > beyond else 0.0))
    differ = abs(missing) if abs(missing) > rounding else 0.0  # a mean that is not as good as the chances
    return cells._replace(floor=cells.floor + beyond + differ)


def _tail_bound(at: Callable[[float], float], high: float, mean: float) -> float:
    """A bound of the excess at the end of the table: the probabilities fall."""
    total, step = 0.0, high - mean
    while (chance := at(high)) > 0.0 and step < 1e290:
        total += chance * step
        if chance * step <= 1e-3 * total:
            break
        high, step = high + step, 2.0 * step
    return 2.0 * total


def _as_smooth_as_it_is(standard: Standard, breaks: list[float]) -> Cells:
    """Probabilities that others compute may have any errors: take the smallest that let the table be made."""

    def above(z: Floats) -> Floats:
        return _clean(standard, z)

    for error, noise in ((4e-15, 0.0), (1e-14, 0.0), (1e-12, 0.0), (1e-12, 1e-15)):
        with suppress(Ten18Error):
            return smooth_cells(above, breaks, standard.mean, error=error, noise=noise)
    return smooth_cells(above, breaks, standard.mean, error=1e-9, noise=1e-11)


# The usual families.


def _special() -> Any:
    try:
        from scipy import special
    except ImportError:
        raise distribution_error("this distribution needs SciPy: pip install 'tentimes18[assignment]'") from None
    return special


def _require(condition: bool, problem: str) -> None:
    if not condition:
        raise distribution_error(problem)


def _positive(*shapes: float) -> None:
    _require(min(shapes) > 0, "the shapes must be positive")


def _lognormal(s: float) -> Standard:
    _positive(s)
    _require(s < 37.0, "its mean does not fit into float64; accepted: shapes below 37")
    ndtr = _special().ndtr
    return Standard(exp(0.5 * s * s), lambda z: ndtr(-np.log(np.maximum(z, 1e-300)) / s))


def _gamma(a: float) -> Standard:
    _positive(a)
    gammaincc = _special().gammaincc
    return Standard(a, lambda z: gammaincc(a, z))


def _beta(a: float, b: float) -> Standard:
    _positive(a, b)
    betainc = _special().betainc  # smoother than its complement
    return Standard(a / (a + b), lambda z: np.where(z < 0.5, 1.0 - betainc(a, b, z), betainc(b, a, 1.0 - z)), high=1.0)


def _weibull(c: float) -> Standard:
    _positive(c)
    _require(c >= 0.01, "its mean does not fit into float64; accepted: shapes of 0.01 or more")
    return Standard(gamma(1.0 + 1.0 / c), lambda z: np.exp(-(z**c)))


def _pareto(b: float, low: float) -> Standard:
    """From 1 on; Lomax's is the same from 0 on."""
    _require(b > 1, "has no mean; accepted: shapes above 1")
    return Standard(low + 1.0 / (b - 1.0), lambda z: (1.0 - low + z) ** -b, low)


def _triangular(c: float) -> Standard:
    _require(0.0 <= c <= 1.0, "the shape must be from 0 to 1")

    def above(z: Floats) -> Floats:
        rising = 1.0 - (z * z / c if c > 0 else 0.0 * z)
        return np.where(z < c, rising, (1.0 - z) ** 2 / (1.0 - c) if c < 1 else 0.0)

    return Standard((1.0 + c) / 3.0, above, high=1.0, kinks=(c,))


def _laplace_above(z: Floats) -> Floats:
    half = 0.5 * np.exp(-np.abs(z))
    return np.where(z >= 0, half, 1.0 - half)


FAMILIES: dict[str, tuple[int, Callable[..., Standard]]] = {
    "beta": (2, _beta),
    "exponential": (0, lambda: Standard(1.0, lambda z: np.exp(-z))),
    "gamma": (1, _gamma),
    "halfnormal": (0, lambda: Standard(sqrt(2.0 / pi), lambda z: 2.0 * _special().ndtr(-z))),
    "laplace": (0, lambda: Standard(0.0, _laplace_above, -inf, kinks=(0.0,))),
    "logistic": (0, lambda: Standard(0.0, lambda z: np.exp(-np.logaddexp(0.0, z)), -inf)),
    "lognormal": (1, _lognormal),
    "lomax": (1, lambda b: _pareto(b, 0.0)),
    "normal": (0, lambda: Standard(0.0, lambda z: _special().ndtr(-z), -inf)),
    "pareto": (1, lambda b: _pareto(b, 1.0)),
    "triangular": (1, _triangular),
    "weibull": (1, _weibull),
}
"""The continuous families by name: how many shapes they have, and the standard distribution of these shapes."""


def family_distribution(family: str, *shapes: float, place: float = 0.0, scale: float = 1.0) -> ContinuousDistribution:
    """The distribution of a family by its name, with its shapes."""
    name = f"{family}({', '.join(f'{shape:g}' for shape in shapes)})"
    try:
        _require(all(isfinite(shape) for shape in shapes), "the shapes must be finite numbers")
        standard = _standard(family, tuple(map(float, shapes)))
    except Ten18Error as error:
        raise error.about("distribution", name) from None
    return ContinuousDistribution(
        standard, name if (place, scale) == (0.0, 1.0) else f"{name} at {place:g} by {scale:g}", place, scale
    )


@lru_cache(maxsize=256)
def _standard(family: str, shapes: tuple[float, ...]) -> Standard:
    return FAMILIES[family][1](*shapes)


# On the integers: products of ratios from the most likely number on, divided by their sum.


def _poisson(rate: float) -> tuple[int, int, float, Tails]:
    _require(rate > 0, "the rate must be positive")
    return int(rate), 0, inf, lambda k: float(rate) / (k + 1.0)


def _binomial(trials: float, chance: float | Fraction) -> tuple[int, int, float, Tails]:
    _require(
        trials == int(trials) and trials >= 0 and 0 <= chance <= 1,
        "takes a number of trials, 0 or more, and a chance from 0 to 1",
    )
    odds = float(chance) / max(1.0 - float(chance), 1e-300)
    return min(int(trials), int((trials + 1) * chance)), 0, int(trials), lambda k: (trials - k) / (k + 1.0) * odds


def _geometric(chance: float | Fraction) -> tuple[int, int, float, Tails]:
    _require(0 < chance <= 1, "takes a chance above 0, at most 1")
    return 1, 1, inf, lambda k: (1.0 - float(chance)) + 0.0 * k


def _negative_binomial(successes: float, chance: float | Fraction) -> tuple[int, int, float, Tails]:
    r, p = float(successes), float(chance)
    _require(r > 0 and 0 < p <= 1, "takes a positive number of successes and a chance above 0, at most 1")
    _require(sqrt(r * (1 - p)) / p <= MAX_VALUES, f"spreads over more than {MAX_VALUES} integers")
    return max(0, int((r - 1.0) * (1.0 - p) / p)), 0, inf, lambda k: (k + r) / (k + 1.0) * (1.0 - p)


def _integers(low: float, high: float) -> tuple[int, int, float, Tails]:
    _require(low == int(low) and high == int(high) and low < high, "takes two integers, the second above the first")
    _require(high - low <= MAX_VALUES, f"spreads over more than {MAX_VALUES} integers")
    return int(low), int(low), int(high) - 1, np.ones_like


LATTICES: dict[str, tuple[int, Callable[..., tuple[int, int, float, Tails]]]] = {
    "binomial": (2, _binomial),
    "geometric": (1, _geometric),
    "integers": (2, _integers),
    "negative_binomial": (2, _negative_binomial),
    "poisson": (1, _poisson),
}
"""The families on the integers: how many parameters they have; their mode, ends, and p(k + 1) / p(k)."""


def lattice_distribution(family: str, *parameters: float | Fraction, place: int = 0) -> FiniteDistribution:
    """The distribution of a family on the integers; a short binomial one is exact, and so is integers(a, b)."""
    name = f"{family}({', '.join(map(str, parameters))})"
    try:
        _require(all(isfinite(parameter) for parameter in parameters), "the parameters must be finite numbers")
        mode, low, high, ratio = LATTICES[family][1](*parameters)
        exact = _exact_lattice(family, parameters)
        if exact is not None:
            return finite_distribution([(value + place, chance) for value, chance in exact if chance], name)
        up = _ratios(mode, 1, high, ratio)
        down = _ratios(mode, -1, low, lambda k: 1.0 / ratio(k - 1.0))
    except Ten18Error as error:
        raise error.about("distribution", name) from None
    every = np.concatenate([down[::-1], [1.0], up])
    values = place + np.arange(mode - len(down), mode + len(up) + 1, dtype=np.float64)
    return FiniteDistribution(values, every / every.sum(), None, name)


def _exact_lattice(family: str, parameters: tuple[Any, ...]) -> list[tuple[Fraction, Fraction]] | None:
    if family == "integers":
        low, high = map(int, parameters)
        return [(Fraction(value), Fraction(1, high - low)) for value in range(low, high)]
    if family == "geometric" and parameters[0] == 1:
        return [(Fraction(1), Fraction(1))]
    if family == "binomial":
        n, chance = int(parameters[0]), parameters[1]
        if chance in (0, 1) or n == 0 or (n <= MAX_TRIALS and isinstance(chance, int | Fraction)):
            p = Fraction(chance)
            return [(Fraction(k), comb(n, k) * p**k * (1 - p) ** (n - k)) for k in range(n + 1)]
    return None


def _ratios(mode: int, step: int, end: float, ratio: Tails) -> Floats:
    """The probabilities beside the mode, in parts of that of the mode, as far as they matter."""
    parts: list[Floats] = [np.empty(0)]
    last, at, size = 1.0, mode, 0
    while last > FAR and at != end:
        count = int(min(4096.0, abs(end - at)))
        factors: Floats = np.cumprod(ratio(at + step * np.arange(count, dtype=np.float64)), dtype=np.float64)
        parts.append(last * factors)
        last, at, size = float(parts[-1][-1]), at + step * count, size + count
        _require(size <= MAX_VALUES, f"spreads over more than {MAX_VALUES} integers")
    every = np.concatenate(parts)
    return every[every > FAR]


class PhiDistribution(ValueDistribution):
    """Whatever has a mean and a φ of its own; exact where these are Fractions."""

    support = -inf, inf

    def __init__(self, source: Any) -> None:
        self._source, self._name = source, type(source).__name__
        mean: Any = source.mean() if callable(source.mean) else source.mean
        if not isinstance(mean, int | float | Fraction | np.number) or not isfinite(mean):
            raise distribution_error("has no mean; accepted: distributions whose mean is finite", self._name)
        if not callable(source.phi):
            raise distribution_error("its phi is not a function; accepted: φ(t) = E[min(X, t)]", self._name)
        self._mean: Any = mean
        self.mean = float(mean)
        self.is_exact = isinstance(mean, int | Fraction) and isinstance(source.phi(Fraction(mean)), int | Fraction)

    @property
    def above_error(self) -> float:
        """The slope of a φ that is known to the floor is known to about the root of it."""
        return float(np.sqrt(self.cells.floor / max(self.excess(0.0), self.cells.floor)))

    def _raw_excess(self, bounds: Floats) -> Floats:
        if self.is_exact:
            values = [float(self.exact_excess(Fraction(bound))) for bound in bounds.ravel().tolist()]
        else:
            values = [self.mean - float(self._source.phi(bound)) for bound in bounds.ravel().tolist()]
        return np.array(values).reshape(bounds.shape)

    def _cells(self) -> Cells:
        scale = max(1e-12, abs(self.mean))
        low, high = self.mean - scale, self.mean + scale
        for _ in range(100):
            at_low, at_high = self._raw_excess(np.array([low, high]))
            if not (isfinite(at_low) and isfinite(at_high)):
                raise distribution_error("φ is not a number for some bound", str(self))
            done_low = at_low - (self.mean - low) <= 4 * ROUNDING * abs(low)
            done_high = at_high <= 4 * ROUNDING * scale
            if done_low and done_high:
                break
            low = low if done_low else self.mean - 2.0 * (self.mean - low)
            high = high if done_high else self.mean + 2.0 * (high - self.mean)
        tolerance = 16 * ROUNDING * max(abs(low), abs(high))
        if tolerance > MAX_PHI_ERROR * scale:
            problem = "has tails too heavy to be tabulated from φ; accepted: a SciPy distribution, or samples of it"
            raise distribution_error(problem, str(self))
        return polynomials(self._raw_excess, np.array([low, self.mean, high]), self.mean, tolerance)

    def exact_mean(self) -> Fraction:
        if not self.is_exact:
            raise self._not_exact()
        return Fraction(self._mean)

    def exact_excess(self, bound: Fraction) -> Fraction:
        return self.exact_mean() - Fraction(self._source.phi(bound))
