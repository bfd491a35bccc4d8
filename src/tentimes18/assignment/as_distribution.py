"""A distribution of whatever describes a value: an object, or a text such as `gamma(2, 50)`.

The parameters of a continuous family are its shapes, then its scale (where it has one), then its place:

| text | distribution |
| --- | --- |
| uniform(a, b) | from a to b, exact |
| exponential(mean, place) | |
| normal(mean, sd), lognormal(s, scale, place), halfnormal(scale, place) | |
| gamma(shape, scale, place), weibull(shape, scale, place), pareto(shape, scale, place), lomax(shape, scale, place) | |
| beta(a, b, scale, place), triangular(mode, scale, place), logistic(place, scale), laplace(place, scale) | |
| poisson(rate), binomial(n, p), geometric(p), negative_binomial(r, p), integers(a, b) | on the integers |
| samples:FILE | the numbers of a file, for callers who read files |
| 0.3*3d6 + 0.7*gamma(2, 5) | a mixture |
| anything else | dice, or a number |

A text is data: nothing of it is run, and a file is read only by the function that the caller gives.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isfinite, sqrt
from typing import Any, TypeAlias

import numpy as np

from tentimes18.assignment.continuous import (
    FAMILIES,
    FAR,
    LATTICES,
    MAX_VALUES,
    ContinuousDistribution,
    PhiDistribution,
    Standard,
    family_distribution,
    lattice_distribution,
)
from tentimes18.assignment.distributions import (
    FiniteDistribution,
    UniformDistribution,
    ValueDistribution,
    constant,
    dice_distribution,
    distribution_error,
    finite_distribution,
    is_number,
    mixed,
    sample_distribution,
    verified_chances,
)
from tentimes18.dice import Dice
from tentimes18.errors import InvalidDice, Ten18Error

DistributionLike: TypeAlias = Any
"""What `as_distribution` takes."""

ACCEPTED = "dice, a frozen SciPy distribution, samples, a number, or an object with mean and phi"
ACCEPTED_TEXT = (
    "gamma(2, 50), uniform(0, 1), normal(100, 15), poisson(3), 3d6, d{1,2,3}, 0.3*3d6+0.7*gamma(2, 5), a number"
)
MAX_TEXT = 2000

# Names in SciPy, and the families that they are; the others are tabulated from SciPy's own probabilities.
_SCIPY = {name: name for name in ("beta", "gamma", "laplace", "logistic", "lomax", "pareto", "poisson")} | {
    "binom": "binomial",
    "erlang": "gamma",
    "expon": "exponential",
    "geom": "geometric",
    "halfnorm": "halfnormal",
    "lognorm": "lognormal",
    "nbinom": "negative_binomial",
    "norm": "normal",
    "randint": "integers",
    "triang": "triangular",
    "weibull_min": "weibull",
}
_PLACE_FIRST = {"laplace", "logistic", "normal"}

_NUMBER = r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?(?:/[0-9]{1,40})?"
_CALL = re.compile(rf"([a-z_]+) ?\( ?((?:{_NUMBER}(?: ?, ?{_NUMBER}){{0,5}})?) ?\)")
_ONE_NUMBER = re.compile(_NUMBER)
_PART = re.compile(rf"({_NUMBER}) ?\* ?(.+)")


def as_distribution(description: DistributionLike) -> ValueDistribution:
    """The distribution of a value, from dice, a frozen SciPy distribution, samples, a number, a text, mean and phi.

    >>> from scipy import stats
    >>> [as_distribution(of).mean for of in (stats.gamma(2, scale=50), Dice.parse("3d6"), [1, 2, 6], 4)]
    [100.0, 10.5, 3.0, 4.0]
    >>> as_distribution({0: Fraction(1, 4), 8: Fraction(3, 4)}).mean, as_distribution("gamma(2, 50)").mean
    (6.0, 100.0)
    >>> as_distribution(stats.cauchy())
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: distribution 'cauchy': has no mean; accepted: distributions whose mean is finite
    """
    if isinstance(description, ValueDistribution):
        return description
    if isinstance(description, str):
        return read_distribution(description)
    if isinstance(description, Dice):
        return dice_distribution(description)
    if is_number(description):
        return constant(description.item() if isinstance(description, np.generic) else description)
    if isinstance(description, Mapping):
        return _weighted(description)
    if hasattr(description, "dist") and hasattr(description, "args"):
        return _frozen(description)
    if hasattr(description, "ccdf") and hasattr(description, "support"):  # the newer distributions of SciPy
        return _tabulated(type(description).__name__, description.ccdf, description.mean(), description.support())
    if hasattr(description, "phi") and hasattr(description, "mean"):
        return PhiDistribution(description)
    if hasattr(description, "to_numpy"):  # a column of pandas or polars
        return sample_distribution(description.to_numpy())
    if isinstance(description, np.ndarray | Sequence) and not isinstance(description, bytes):
        return sample_distribution(description)
    raise distribution_error(f"is not a distribution; accepted: {ACCEPTED}", description)


def mixture(chances: Sequence[float | Fraction], dists: Sequence[DistributionLike]) -> ValueDistribution:
    """With these probabilities, one of these distributions.

    >>> mixture([0.25, 0.75], [Dice.parse("1d6"), 0]).mean
    0.875
    """
    if not all(isinstance(side, Sequence | np.ndarray) for side in (chances, dists)):
        raise distribution_error("accepted: a list of chances, and one of distributions")
    return mixed(chances, [as_distribution(dist) for dist in dists])


def _weighted(chances: Mapping[Any, Any]) -> FiniteDistribution:
    if not chances or not all(is_number(value) and isfinite(value) for value in chances):
        raise distribution_error("values with probabilities are finite numbers")
    verified_chances(chances.values(), "distribution")
    pairs = sorted(chances.items())
    name = f"{len(pairs)} values"
    if all(isinstance(chance, int | Fraction) for _, chance in pairs):
        return finite_distribution([(Fraction(value), Fraction(chance)) for value, chance in pairs if chance], name)
    values, weights = (np.array([float(pair[side]) for pair in pairs if pair[1]]) for side in (0, 1))
    return FiniteDistribution(values, weights / weights.sum(), None, name)


def _frozen(frozen: Any) -> ValueDistribution:
    name = str(getattr(frozen.dist, "name", type(frozen.dist).__name__))
    is_discrete = hasattr(frozen.dist, "pmf") or hasattr(frozen.dist, "_pmf")
    names = [shape.strip() for shape in (frozen.dist.shapes or "").split(",") if shape.strip()]
    names += ["loc"] if is_discrete else ["loc", "scale"]
    parameters = {"loc": 0, "scale": 1.0, **dict(zip(names, frozen.args, strict=False)), **frozen.kwds}
    if not all(np.ndim(value) == 0 for value in parameters.values()):
        accepted = "one distribution, or a list of distributions"
        raise distribution_error(f"has arrays for parameters; accepted: {accepted}", name)
    shapes = [parameters[shape] for shape in names if shape not in ("loc", "scale")]
    loc, scale = parameters["loc"], float(parameters["scale"])
    if name == "uniform":
        return UniformDistribution(float(loc), float(loc + scale))
    if name == "chi2":
        return family_distribution("gamma", shapes[0] / 2, place=loc, scale=2.0 * scale)
    if name == "rayleigh":
        return family_distribution("weibull", 2.0, place=loc, scale=sqrt(2.0) * scale)
    if name == "bernoulli" and loc == int(loc):
        return lattice_distribution("binomial", 1, *shapes, place=int(loc))
    family = _SCIPY.get(name, "")
    if family in FAMILIES:
        return family_distribution(family, *shapes, place=loc, scale=scale)
    if family in LATTICES and loc == int(loc):
        return lattice_distribution(family, *shapes, place=int(loc))
    if is_discrete:
        return _discrete(name, frozen)
    with np.errstate(all="ignore"):
        return _tabulated(name, frozen.sf, frozen.mean(), frozen.support())


def _tabulated(name: str, above: Any, mean: Any, support: Any) -> ContinuousDistribution:
    low, high = (float(end) for end in support)
    return ContinuousDistribution(Standard(float(mean), above, low, high), name)


def _discrete(name: str, frozen: Any) -> FiniteDistribution:
    """Any discrete distribution, from its probabilities, as far as they matter."""
    with np.errstate(all="ignore"):
        mean, (low, high) = float(frozen.mean()), frozen.support()
        if not isfinite(mean):
            raise distribution_error("has no mean; accepted: distributions whose mean is finite", name)
        low = frozen.ppf(FAR) if low == -np.inf else low
        size = 64.0
        while high == np.inf and frozen.sf(low + size) > FAR and size <= MAX_VALUES:
            size *= 2.0
        size = size if high == np.inf else high - low
        if size > MAX_VALUES:
            raise distribution_error(f"spreads over more than {MAX_VALUES} integers", name)
        values = low + np.arange(size + 1.0)
        chances = np.asarray(frozen.pmf(values), dtype=np.float64)
    if np.isnan(chances).any() or abs(chances.sum() - 1.0) > 1e-9:
        raise distribution_error("its chances do not add up to 1", name)
    kept = chances > 0
    return FiniteDistribution(values[kept], chances[kept] / chances.sum(), None, name)


# In text.


def read_distribution(text: str, samples: Callable[[str], Sequence[float]] | None = None) -> ValueDistribution:
    """The distribution with this notation; ``samples`` reads the numbers of a file, for callers who trust its name.

    >>> read_distribution("gamma(2, 50)").mean, read_distribution("uniform(0, 1/3)").exact_mean()
    (100.0, Fraction(1, 6))
    >>> read_distribution("samples:/etc/passwd")
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: distribution 'samples:/etc/passwd': files are not read here; ...
    """
    line = " ".join(text.split())
    try:
        if not line or len(line) > MAX_TEXT:
            raise distribution_error(f"cannot read it; accepted: {ACCEPTED_TEXT}")
        if line.startswith("samples:"):
            if samples is None:
                raise distribution_error(f"files are not read here; accepted: {ACCEPTED_TEXT}")
        else:
            parts = re.split(rf" ?\+ ?(?={_NUMBER} ?\*)", line)  # at the signs + in front of a weight
            matches = [_PART.fullmatch(part) for part in parts]
            weighted = [match for match in matches if match is not None]
            if len(weighted) < len(parts):
                return _one(line)
            return mixed([_read_number(match[1]) for match in weighted], [_one(match[2]) for match in weighted])
    except (InvalidDice, Ten18Error) as error:
        raise distribution_error(error.problem, text) from None
    return sample_distribution(samples(line.removeprefix("samples:").strip()))


def _one(line: str) -> ValueDistribution:
    if _ONE_NUMBER.fullmatch(line):
        return constant(_read_number(line))
    match = _CALL.fullmatch(line)
    if match is None:
        try:
            return dice_distribution(Dice.parse(line))
        except InvalidDice:
            raise distribution_error(f"cannot read it; accepted: {ACCEPTED_TEXT}") from None
    name, numbers = match[1], [_read_number(part) for part in match[2].split(",") if part.strip()]
    if name == "uniform":
        if len(numbers) not in (0, 2):
            raise distribution_error("uniform takes two ends: uniform(0, 1)")
        return UniformDistribution(*(numbers or (0, 1)))
    if name in LATTICES:
        if len(numbers) != LATTICES[name][0]:
            raise distribution_error(f"{name} takes {LATTICES[name][0]} numbers")
        return lattice_distribution(name, *numbers)
    if name not in FAMILIES:
        known = ", ".join(sorted(["uniform", *FAMILIES, *LATTICES]))
        raise distribution_error(f"{name} is not a distribution; accepted: {known}, samples:FILE, dice, a number")
    count = FAMILIES[name][0]
    if not count <= len(numbers) <= count + 2:
        raise distribution_error(f"{name} takes {count} to {count + 2} numbers")
    order = ("place", "scale") if name in _PLACE_FIRST else ("scale", "place")
    rest = dict(zip(order, map(float, numbers[count:]), strict=False))
    return family_distribution(name, *map(float, numbers[:count]), **rest)


def _read_number(text: str) -> Fraction:
    number, _, divisor = text.strip().partition("/")
    if divisor and not int(divisor):
        raise distribution_error(f"{text.strip()} divides by 0")
    return Fraction(number) / (int(divisor) if divisor else 1)
