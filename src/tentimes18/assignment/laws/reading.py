"""A law of whatever describes a value: dice, a frozen distribution of SciPy, samples, a number, a law of one's own.

SciPy is not imported: a distribution is known by its name and its parameters, and those that are not in `families` or
`lattice` are tabulated from their own chances.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite, sqrt
from typing import Any, Final, TypeAlias

import numpy as np

from tentimes18.assignment.laws.families import family_law
from tentimes18.assignment.laws.finite import FiniteLaw, constant, dice_law, sample_law
from tentimes18.assignment.laws.lattice import MOST_VALUES, lattice_law
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.assignment.laws.mixtures import MixtureLaw
from tentimes18.assignment.laws.tabulated import ChanceLaw, PhiLaw
from tentimes18.assignment.laws.uniform import UniformLaw
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error

__all__ = ["LawLike", "as_law", "is_number", "mixture"]

LawLike: TypeAlias = Any
"""What `as_law` takes."""

ACCEPTED: Final = "dice, a frozen SciPy distribution, samples, a number, or an object with mean and phi"
FAR: Final = 1e-24

# Names in SciPy, and the families that they are; the others stand in _special.
_FAMILIES: Final = {
    "beta": "beta",
    "expon": "exponential",
    "gamma": "gamma",
    "erlang": "gamma",
    "halfnorm": "halfnormal",
    "laplace": "laplace",
    "logistic": "logistic",
    "lognorm": "lognormal",
    "lomax": "lomax",
    "norm": "normal",
    "pareto": "pareto",
    "triang": "triangular",
    "weibull_min": "weibull",
}
_LATTICES: Final = {
    "binom": "binomial",
    "geom": "geometric",
    "nbinom": "negative_binomial",
    "poisson": "poisson",
    "randint": "integers",
}


def as_law(given: LawLike) -> ValueLaw:
    """The law of a value that is described by dice, a frozen SciPy distribution, samples, a number, mean and phi.

    >>> from scipy import stats
    >>> as_law(stats.gamma(2, scale=50)).mean, as_law(Dice.parse("3d6")).mean, as_law([1, 2, 6]).mean, as_law(4).mean
    (100.0, 10.5, 3.0, 4.0)
    >>> as_law(stats.cauchy())
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: law 'cauchy': has no mean; accepted: laws whose mean is finite
    """
    if isinstance(given, ValueLaw):
        return given
    if isinstance(given, Dice):
        return dice_law(given)
    if is_number(given):
        return constant(given.item() if isinstance(given, np.generic) else given)
    if hasattr(given, "dist") and hasattr(given, "args"):
        return _frozen(given)
    if hasattr(given, "ccdf") and hasattr(given, "support"):  # the newer distributions of SciPy
        return _continuous(type(given).__name__, given.ccdf, float(given.mean()), given.support())
    if hasattr(given, "phi") and hasattr(given, "mean"):
        return PhiLaw(given)
    if hasattr(given, "to_numpy"):  # a column of pandas or polars
        return sample_law(given.to_numpy())
    if isinstance(given, np.ndarray | Sequence) and not isinstance(given, str | bytes):
        return sample_law(given)
    raise Ten18Error(f"is no law; accepted: {ACCEPTED}", "law", given)


def mixture(chances: Sequence[float | Fraction], laws: Sequence[LawLike]) -> MixtureLaw:
    """With these chances, one of these laws.

    >>> mixture([0.25, 0.75], [Dice.parse("1d6"), 0]).mean
    0.875
    """
    return MixtureLaw(chances, [as_law(law) for law in laws])


def is_number(given: object) -> bool:
    """Whether this is one number, of Python or NumPy.

    >>> is_number(3), is_number(Fraction(1, 2)), is_number(True), is_number([3])
    (True, True, False, False)
    """
    return isinstance(given, int | float | Fraction | np.integer | np.floating) and not isinstance(given, bool)


def _frozen(given: Any) -> ValueLaw:
    """A frozen distribution, by its name."""
    name = str(getattr(given.dist, "name", type(given.dist).__name__))
    is_discrete = hasattr(given.dist, "pmf") or hasattr(given.dist, "_pmf")
    parameters = _parameters(given, is_discrete)
    loc, scale = parameters.pop("loc"), parameters.pop("scale", 1.0)
    shapes = list(parameters.values())
    if not all(np.ndim(value) == 0 for value in (loc, scale, *shapes)):
        raise Ten18Error("has arrays for parameters; accepted: one law, or a list of laws", "law", name)
    if name == "uniform":
        return UniformLaw(float(loc), float(loc + scale))
    if name in _FAMILIES:
        return family_law(_FAMILIES[name], *shapes, loc=float(loc), scale=float(scale))
    if name == "chi2":
        return family_law("gamma", shapes[0] / 2, loc=float(loc), scale=2.0 * float(scale))
    if name == "rayleigh":
        return family_law("weibull", 2.0, loc=float(loc), scale=sqrt(2.0) * float(scale))
    if name in _LATTICES and loc == int(loc):
        return lattice_law(_LATTICES[name], *shapes, loc=int(loc))
    if name == "bernoulli" and loc == int(loc):
        return lattice_law("binomial", 1, *shapes, loc=int(loc))
    if is_discrete:
        return _discrete(name, given)
    with np.errstate(all="ignore"):
        mean = float(given.mean())
    return _continuous(name, given.sf, mean, given.support())


def _parameters(given: Any, is_discrete: bool) -> dict[str, Any]:
    """The shapes by name, then loc and scale, as they were given or by default."""
    shapes = [name.strip() for name in (given.dist.shapes or "").split(",") if name.strip()]
    names = [*shapes, "loc"] if is_discrete else [*shapes, "loc", "scale"]
    found = {"loc": 0, "scale": 1.0, **dict(zip(names, given.args, strict=False)), **given.kwds}
    return {name: found[name] for name in names}


def _continuous(name: str, above: Any, mean: float, support: Any) -> ValueLaw:
    if not isfinite(mean):
        raise Ten18Error("has no mean; accepted: laws whose mean is finite", "law", name)

    def chances(bounds: Any) -> Any:
        with np.errstate(all="ignore"):
            return above(bounds)

    low, high = (float(end) for end in support)
    return ChanceLaw(chances, mean, (low, high), name)


def _discrete(name: str, given: Any) -> FiniteLaw:
    """Any discrete distribution, from its chances, as far as they matter."""
    with np.errstate(all="ignore"):
        mean, (low, high) = float(given.mean()), given.support()
        if not isfinite(mean):
            raise Ten18Error("has no mean; accepted: laws whose mean is finite", "law", name)
        low = given.ppf(FAR) if low == -np.inf else low
        size = 64.0
        while high == np.inf and given.sf(low + size) > FAR and size <= MOST_VALUES:
            size *= 2.0
        size = size if high == np.inf else high - low
        if size > MOST_VALUES:
            raise Ten18Error(f"spreads over more than {MOST_VALUES} integers", "law", name)
        values = low + np.arange(size + 1.0)
        chances = np.asarray(given.pmf(values), dtype=np.float64)
    if np.isnan(chances).any() or abs(chances.sum() - 1.0) > 1e-9:
        raise Ten18Error("its chances do not add up to 1", "law", name)
    kept = chances > 0
    return FiniteLaw(values[kept], chances[kept] / chances.sum(), None, name)
