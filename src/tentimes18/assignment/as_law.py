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
    ContinuousLaw,
    PhiLaw,
    Standard,
    family_law,
    lattice_law,
)
from tentimes18.assignment.distributions import (
    FiniteLaw,
    UniformLaw,
    ValueLaw,
    constant,
    dice_law,
    finite_law,
    is_number,
    mixed,
    sample_law,
    verified_chances,
)
from tentimes18.dice import Dice
from tentimes18.errors import InvalidDice, Ten18Error

LawLike: TypeAlias = Any
"""What `as_law` takes."""

ACCEPTED = "dice, a frozen SciPy distribution, samples, a number, or an object with mean and phi"
ACCEPTED_TEXT = "gamma(2, 50), uniform(0, 1), normal(100, 15), poisson(3), 3d6, 0.3*3d6+0.7*gamma(2, 5), a number"
MAX_TEXT = 2000

# Names in SciPy, and the families that they are; the others are tabulated from SciPy's own probabilities.
_SCIPY = {
    "beta": "beta",
    "binom": "binomial",
    "erlang": "gamma",
    "expon": "exponential",
    "gamma": "gamma",
    "geom": "geometric",
    "halfnorm": "halfnormal",
    "laplace": "laplace",
    "logistic": "logistic",
    "lognorm": "lognormal",
    "lomax": "lomax",
    "nbinom": "negative_binomial",
    "norm": "normal",
    "pareto": "pareto",
    "poisson": "poisson",
    "randint": "integers",
    "triang": "triangular",
    "weibull_min": "weibull",
}
_PLACE_FIRST = {"laplace", "logistic", "normal"}

_NUMBER = r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?(?:/[0-9]{1,40})?"
_CALL = re.compile(rf"([a-z_]+) ?\( ?((?:{_NUMBER}(?: ?, ?{_NUMBER}){{0,5}})?) ?\)")
_ONE_NUMBER = re.compile(_NUMBER)
_PART = re.compile(rf"({_NUMBER}) ?\* ?(.+)")


def as_law(description: LawLike) -> ValueLaw:
    """The distribution of a value, from dice, a frozen SciPy distribution, samples, a number, a text, mean and phi.

    >>> from scipy import stats
    >>> as_law(stats.gamma(2, scale=50)).mean, as_law(Dice.parse("3d6")).mean, as_law([1, 2, 6]).mean, as_law(4).mean
    (100.0, 10.5, 3.0, 4.0)
    >>> as_law({0: Fraction(1, 4), 8: Fraction(3, 4)}).mean, as_law("gamma(2, 50)").mean
    (6.0, 100.0)
    >>> as_law(stats.cauchy())
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: law 'cauchy': has no mean; accepted: laws whose mean is finite
    """
    if isinstance(description, ValueLaw):
        return description
    if isinstance(description, str):
        return read_law(description)
    if isinstance(description, Dice):
        return dice_law(description)
    if is_number(description):
        return constant(description.item() if isinstance(description, np.generic) else description)
    if isinstance(description, Mapping):
        return _weighted(description)
    if hasattr(description, "dist") and hasattr(description, "args"):
        return _frozen(description)
    if hasattr(description, "ccdf") and hasattr(description, "support"):  # the newer distributions of SciPy
        return _tabulated(type(description).__name__, description.ccdf, description.mean(), description.support())
    if hasattr(description, "phi") and hasattr(description, "mean"):
        return PhiLaw(description)
    if hasattr(description, "to_numpy"):  # a column of pandas or polars
        return sample_law(description.to_numpy())
    if isinstance(description, np.ndarray | Sequence) and not isinstance(description, bytes):
        return sample_law(description)
    raise Ten18Error(f"is no law; accepted: {ACCEPTED}", "law", description)


def mixture(chances: Sequence[float | Fraction], laws: Sequence[LawLike]) -> ValueLaw:
    """With these probabilities, one of these distributions.

    >>> mixture([0.25, 0.75], [Dice.parse("1d6"), 0]).mean
    0.875
    """
    return mixed(chances, [as_law(law) for law in laws])


def _weighted(chances: Mapping[Any, Any]) -> FiniteLaw:
    """Values with their probabilities."""
    if not chances or not all(is_number(value) and isfinite(value) for value in chances):
        raise Ten18Error("values with probabilities are finite numbers", "law")
    verified_chances(chances.values(), "law")
    pairs = sorted(chances.items())
    name = f"{len(pairs)} values"
    if all(isinstance(chance, int | Fraction) for _, chance in pairs):
        return finite_law([(Fraction(value), Fraction(chance)) for value, chance in pairs if chance], name)
    values, weights = (np.array([float(pair[side]) for pair in pairs if pair[1]]) for side in (0, 1))
    return FiniteLaw(values, weights / weights.sum(), None, name)


def _frozen(frozen: Any) -> ValueLaw:
    """A frozen distribution of SciPy, by its name."""
    name = str(getattr(frozen.dist, "name", type(frozen.dist).__name__))
    is_discrete = hasattr(frozen.dist, "pmf") or hasattr(frozen.dist, "_pmf")
    names = [shape.strip() for shape in (frozen.dist.shapes or "").split(",") if shape.strip()]
    names += ["loc"] if is_discrete else ["loc", "scale"]
    parameters = {"loc": 0, "scale": 1.0, **dict(zip(names, frozen.args, strict=False)), **frozen.kwds}
    if not all(np.ndim(value) == 0 for value in parameters.values()):
        raise Ten18Error("has arrays for parameters; accepted: one law, or a list of laws", "law", name)
    shapes = [parameters[shape] for shape in names if shape not in ("loc", "scale")]
    loc, scale = parameters["loc"], float(parameters["scale"])
    if name == "uniform":
        return UniformLaw(float(loc), float(loc + scale))
    if name == "chi2":
        return family_law("gamma", shapes[0] / 2, place=loc, scale=2.0 * scale)
    if name == "rayleigh":
        return family_law("weibull", 2.0, place=loc, scale=sqrt(2.0) * scale)
    if name == "bernoulli" and loc == int(loc):
        return lattice_law("binomial", 1, *shapes, place=int(loc))
    family = _SCIPY.get(name, "")
    if family in FAMILIES:
        return family_law(family, *shapes, place=loc, scale=scale)
    if family in LATTICES and loc == int(loc):
        return lattice_law(family, *shapes, place=int(loc))
    if is_discrete:
        return _discrete(name, frozen)
    with np.errstate(all="ignore"):
        return _tabulated(name, frozen.sf, frozen.mean(), frozen.support())


def _tabulated(name: str, above: Any, mean: Any, support: Any) -> ContinuousLaw:
    low, high = (float(end) for end in support)
    return ContinuousLaw(Standard(float(mean), above, low, high), name)


def _discrete(name: str, frozen: Any) -> FiniteLaw:
    """Any discrete distribution, from its probabilities, as far as they matter."""
    with np.errstate(all="ignore"):
        mean, (low, high) = float(frozen.mean()), frozen.support()
        if not isfinite(mean):
            raise Ten18Error("has no mean; accepted: laws whose mean is finite", "law", name)
        low = frozen.ppf(FAR) if low == -np.inf else low
        size = 64.0
        while high == np.inf and frozen.sf(low + size) > FAR and size <= MAX_VALUES:
            size *= 2.0
        size = size if high == np.inf else high - low
        if size > MAX_VALUES:
            raise Ten18Error(f"spreads over more than {MAX_VALUES} integers", "law", name)
        values = low + np.arange(size + 1.0)
        chances = np.asarray(frozen.pmf(values), dtype=np.float64)
    if np.isnan(chances).any() or abs(chances.sum() - 1.0) > 1e-9:
        raise Ten18Error("its chances do not add up to 1", "law", name)
    kept = chances > 0
    return FiniteLaw(values[kept], chances[kept] / chances.sum(), None, name)


# In text.


def read_law(text: str, samples: Callable[[str], Sequence[float]] | None = None) -> ValueLaw:
    """The distribution with this notation; ``samples`` reads the numbers of a file, for callers who trust its name.

    >>> read_law("gamma(2, 50)").mean, read_law("3d6").mean, read_law("uniform(0, 1/3)").exact_mean()
    (100.0, 10.5, Fraction(1, 6))
    >>> read_law("samples:/etc/passwd")
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: law 'samples:/etc/passwd': files are not read here; accepted: gamma(2, 50), ...
    """
    line = " ".join(text.split())
    try:
        if not line or len(line) > MAX_TEXT:
            raise Ten18Error(f"cannot read it; accepted: {ACCEPTED_TEXT}", "law")
        if line.startswith("samples:"):
            if samples is None:
                raise Ten18Error(f"files are not read here; accepted: {ACCEPTED_TEXT}", "law")
        else:
            parts = re.split(rf" ?\+ ?(?={_NUMBER} ?\*)", line)  # at the signs + in front of a weight
            matches = [_PART.fullmatch(part) for part in parts]
            weighted = [match for match in matches if match is not None]
            if len(weighted) < len(parts):
                return _one(line)
            return mixed([_read_number(match[1]) for match in weighted], [_one(match[2]) for match in weighted])
    except (InvalidDice, Ten18Error) as error:
        raise Ten18Error(error.problem, "law", text) from None
    return sample_law(samples(line.removeprefix("samples:").strip()))


def _one(line: str) -> ValueLaw:
    if _ONE_NUMBER.fullmatch(line):
        return constant(_read_number(line))
    match = _CALL.fullmatch(line)
    if match is None:
        try:
            return dice_law(Dice.parse(line))
        except InvalidDice:
            raise Ten18Error(f"cannot read it; accepted: {ACCEPTED_TEXT}", "law") from None
    name, numbers = match[1], [_read_number(part) for part in match[2].split(",") if part.strip()]
    if name == "uniform":
        if len(numbers) not in (0, 2):
            raise Ten18Error("uniform takes two ends: uniform(0, 1)", "law")
        return UniformLaw(*(numbers or (0, 1)))
    if name in LATTICES:
        if len(numbers) != LATTICES[name][0]:
            raise Ten18Error(f"{name} takes {LATTICES[name][0]} numbers", "law")
        return lattice_law(name, *numbers)
    if name not in FAMILIES:
        known = ", ".join(sorted(["uniform", *FAMILIES, *LATTICES]))
        raise Ten18Error(f"{name} is no law; accepted: {known}, samples:FILE, dice, a number", "law")
    count = FAMILIES[name][0]
    if not count <= len(numbers) <= count + 2:
        raise Ten18Error(f"{name} takes {count} to {count + 2} numbers", "law")
    order = ("place", "scale") if name in _PLACE_FIRST else ("scale", "place")
    rest = dict(zip(order, map(float, numbers[count:]), strict=False))
    return family_law(name, *map(float, numbers[:count]), **rest)


def _read_number(text: str) -> Fraction:
    number, _, divisor = text.strip().partition("/")
    if divisor and not int(divisor):
        raise Ten18Error(f"{text.strip()} divides by 0", "law")
    return Fraction(number) / (int(divisor) if divisor else 1)
