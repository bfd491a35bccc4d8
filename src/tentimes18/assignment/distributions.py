"""What the solver knows of a value: its mean, and how far it exceeds a threshold on average.

    φ(t) = E[min(X, t)],   g(t) = E[max(X - t, 0)] = E[X] - φ(t),   P(X > t) = -g'(t).

Here are the base class, the distributions that are exact (finite ones and the uniform one) and mixtures; `continuous`
tabulates all others, `as_distribution` there makes a distribution of whatever describes a value.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from itertools import accumulate
from math import fsum, isfinite
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np

from tentimes18.arrays import Floats
from tentimes18.assignment import excess as kernel
from tentimes18.assignment.excess import ROUNDING, Cells, ExcessTable, finite_cells, joined, mixed_cells
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tentimes18.random_words import fill_words

Numbers = TypeVar("Numbers", float, Floats)
Real = TypeVar("Real", float, Fraction)


class ValueDistribution(ABC):
    """The distribution of a value that arrives: mean, φ, excess, probabilities, quantiles; for numbers and arrays.

    >>> from tentimes18.assignment import as_distribution
    >>> dist = as_distribution([1, 2, 3, 10])
    >>> dist.mean, dist.phi(2.5), dist.above(2.5)
    (4.0, 2.0, 0.5)
    """

    support: tuple[float, float]
    """The least and the largest value, infinite where there is none."""
    is_exact = False
    """Whether mean and excess are known as Fractions."""
    _name = "a distribution"

    def __str__(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    @cached_property
    def mean(self) -> float:
        """E[X]."""
        raise NotImplementedError

    @abstractmethod
    def _cells(self) -> Cells: ...

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

    @property
    def mean_size(self) -> float:
        """E|X| = 2 E[max(X, 0)] - E[X]."""
        return 2.0 * self.excess(0.0) - self.mean

    def _evaluated(self, bounds: Floats, as_chance: bool) -> Floats:
        out = np.empty_like(bounds)
        kernel.evaluate(self.table, 0, bounds, as_chance, out)
        return out

    def _excess(self, bounds: Floats) -> Floats:
        return self._evaluated(bounds, as_chance=False)

    def _above(self, bounds: Floats) -> Floats:
        return self._evaluated(bounds, as_chance=True)

    def excess(self, bound: Numbers) -> Numbers:
        """g(t) = E[max(X - t, 0)]."""
        return _mapped(self._excess, bound)

    def above(self, bound: Numbers) -> Numbers:
        """P(X > t)."""
        return _mapped(self._above, bound)

    def phi(self, bound: Numbers) -> Numbers:
        """φ(t) = E[min(X, t)]."""
        return self.mean - self.excess(bound)

    def exact_mean(self) -> Fraction:
        raise self._not_exact()

    def exact_excess(self, bound: Fraction) -> Fraction:  # noqa: ARG002
        raise self._not_exact()

    def exact_above(self, bound: Fraction) -> Fraction:  # noqa: ARG002
        raise self._not_exact()

    def exact_atoms(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The values and their probabilities, increasing, of a distribution that is exact and finite."""
        raise self._not_exact("exact and finite: dice, samples, a constant, or a mixture of these")

    def _not_exact(
        self, accepted: str = "exact: dice, samples, constants, uniform distributions, or a mixture of these"
    ) -> Ten18Error:
        return distribution_error(f"{self} has no exact form here; accepted: distributions that are {accepted}")

    def quantile(self, chance: Numbers) -> Numbers:
        """The least t with P(X <= t) >= chance."""
        return _mapped(lambda chances: self.upper_quantiles(1.0 - chances), chance)

    def upper_quantiles(self, chances: Floats) -> Floats:
        """The least t with P(X > t) <= chance, of a flat array."""
        out = np.empty_like(chances)
        kernel.quantiles(self.table, np.zeros(len(chances), dtype=np.int64), chances, out)
        return out

    def sample(self, count: int, seed: int = 0) -> Floats:
        """Values drawn by this seed, the same on every machine."""
        return self.upper_quantiles(fractions_of(seed, "sample", 0, 1, count)[0])

    def drawn(self, seed: int, first: int, rounds: int, games: int) -> Floats:
        """Values [round, game] of simulated games, from game number ``first`` on."""
        return self.upper_quantiles(fractions_of(seed, "values", first, rounds, games).ravel()).reshape(rounds, games)


def fractions_of(
    seed: int, purpose: str, first: int, rounds: int, games: int, part: tuple[int, int] | None = None
) -> Floats:
    """Numbers from 0 to below 1, [round, game], that depend on seed, purpose and the number of the game alone.

    ``part`` has the first of the rounds to draw for, and the one after the last.
    """
    digest = blake2b(f"assignment {purpose} {seed}".encode(), digest_size=8).digest()
    key = np.uint64(int.from_bytes(digest, "little"))
    begin, end = part or (0, rounds)
    words = np.empty((end - begin, games), dtype=np.uint64)
    for which in range(begin, end):
        fill_words(key, rounds, which, first, np.uint64(1), words[which - begin])
    return (words >> np.uint64(11)) * np.float64(2.0**-53)


def _mapped(function: Callable[[Floats], Floats], argument: Numbers) -> Numbers:
    """A function of flat arrays, for a number or an array of any shape."""
    array = np.asarray(argument, dtype=np.float64)
    flat = function(np.ascontiguousarray(array.ravel()))
    return float(flat[0]) if array.ndim == 0 else flat.reshape(array.shape)  # type: ignore[return-value]


def is_number(value: object) -> bool:
    """Whether this is one number, of Python or NumPy."""
    return isinstance(value, int | float | Fraction | np.integer | np.floating) and not isinstance(value, bool)


def distribution_error(problem: str, value: object = None) -> Ten18Error:
    return Ten18Error(problem, "distribution", value)


def verify_count(number: object, field: str) -> None:
    if not isinstance(number, int | np.integer) or isinstance(number, bool) or number < 1:
        raise Ten18Error("must be a whole number, at least 1", field, number)


ExactAtoms: TypeAlias = Sequence[tuple[Fraction, Fraction]] | Callable[[], Sequence[tuple[Fraction, Fraction]]] | None


class FiniteDistribution(ValueDistribution):
    """Values, increasing, and their probabilities; in float64, and as Fractions where ``exact`` has them.

    ``exact`` is a list, or makes it where it is needed. Floats are taken for the numbers that they are: samples are
    exact.
    """

    def __init__(self, values: Floats, chances: Floats, exact: ExactAtoms, name: str, size: int | None = None) -> None:
        self.values = values
        self.chances = chances
        self.size = size  # of the sample that it is, if it is one
        self.support = float(values[0]), float(values[-1])
        self.is_exact = exact is not None
        self._exact = exact
        self._name = name

    def resampled(self, random: np.random.Generator) -> "FiniteDistribution":
        """A sample of the same size, drawn from this one."""
        counts = random.multinomial(self.size or 0, self.chances / self.chances.sum())
        return FiniteDistribution(self.values[counts > 0], counts[counts > 0] / counts.sum(), None, self._name)

    @cached_property
    def mean(self) -> float:
        is_known = self._exact is not None and not callable(self._exact)
        return float(self.exact_mean()) if is_known else float(self.chances @ self.values)

    def _cells(self) -> Cells:
        return finite_cells(self.values, self.chances)

    def exact_atoms(self) -> tuple[tuple[Fraction, Fraction], ...]:
        if self._exact is None:
            raise self._not_exact()
        if callable(self._exact):
            self._exact = self._exact()
        return tuple(self._exact)

    @cached_property
    def _sums(self) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
        """The values; probability and mean of all that lie before each of them, from none to all."""
        atoms = self.exact_atoms()
        chances = list(accumulate((chance for _, chance in atoms), initial=Fraction(0)))
        sums = list(accumulate((value * chance for value, chance in atoms), initial=Fraction(0)))
        return [value for value, _ in atoms], chances, sums

    def exact_mean(self) -> Fraction:
        return self._sums[2][-1]

    def exact_excess(self, bound: Fraction) -> Fraction:
        values, chances, sums = self._sums
        position = bisect_right(values, bound)
        return sums[-1] - sums[position] - (1 - chances[position]) * bound

    def exact_above(self, bound: Fraction) -> Fraction:
        values, chances, _ = self._sums
        return 1 - chances[bisect_right(values, bound)]


def finite_distribution(atoms: Sequence[tuple[Fraction, Fraction]], name: str) -> FiniteDistribution:
    try:
        values = np.array([float(value) for value, _ in atoms])
        chances = np.array([float(chance) for _, chance in atoms])
    except OverflowError:
        raise distribution_error("a value does not fit into float64", name) from None
    values, place = np.unique(values, return_inverse=True)  # two that float64 cannot tell apart
    return FiniteDistribution(values, np.bincount(place, weights=chances).astype(np.float64), atoms, name)


def constant(value: int | float | Fraction) -> FiniteDistribution:
    try:
        number = float(value)
    except OverflowError:
        number = np.inf
    if not np.isfinite(number):
        raise distribution_error("not a finite number of float64", value)
    return FiniteDistribution(np.array([number]), np.ones(1), [(Fraction(value), Fraction(1))], f"the constant {value}")


def dice_distribution(dice: Dice) -> FiniteDistribution:
    atoms = [(Fraction(x), Fraction(count, dice.total)) for x, count in zip(dice.support, dice.counts, strict=True)]
    return finite_distribution(atoms, str(dice))


def sample_distribution(samples: Sequence[int | float | Fraction] | Floats) -> FiniteDistribution:
    """The distribution of one of these samples, each with the same probability."""
    if isinstance(samples, np.ma.MaskedArray) and np.any(samples.mask):
        raise distribution_error("some samples are masked; accepted: unmasked samples", f"{samples.size} samples")
    array = np.asarray(samples)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1 or array.size == 0:
        raise distribution_error("samples are a list or a column of at least one number", array.shape)
    name = f"{array.size} samples"
    if array.dtype == object:
        counts = sorted(Counter(map(_fraction, array)).items())
        return finite_distribution([(value, Fraction(count, array.size)) for value, count in counts], name)
    if array.dtype.kind not in "iufb":
        raise distribution_error("samples are numbers", str(array.dtype))
    values = array.astype(np.float64)
    if not np.isfinite(values).all():
        raise distribution_error("samples are finite numbers, without NaN or infinity", name)
    values, numbers = np.unique(values, return_counts=True)

    def exact() -> list[tuple[Fraction, Fraction]]:
        pairs = zip(values.tolist(), numbers.tolist(), strict=True)
        return [(Fraction(value), Fraction(count, array.size)) for value, count in pairs]

    return FiniteDistribution(values, numbers / array.size, exact, name, array.size)


def _fraction(value: object) -> Fraction:
    if not is_number(value):
        raise distribution_error("a sample is a number", value)
    if isinstance(value, float | np.floating) and not np.isfinite(value):
        raise distribution_error("samples are finite numbers, without NaN or infinity", value)
    number: Any = value.item() if isinstance(value, np.generic) else value
    return Fraction(number)


class UniformDistribution(ValueDistribution):
    """Any number from low to high, each as likely: g(t) = (b - t)² / (2 (b - a)), exact.

    >>> dist = UniformDistribution(0, 1)
    >>> dist.phi(0.5), dist.exact_excess(Fraction(1, 2))
    (0.375, Fraction(1, 8))
    """

    is_exact = True

    def __init__(self, low: int | float | Fraction, high: int | float | Fraction) -> None:
        if not (is_number(low) and is_number(high) and isfinite(low) and isfinite(high) and low < high):
            raise distribution_error("the ends must be finite, the second above the first", f"uniform({low}, {high})")
        self._low, self._high = Fraction(low), Fraction(high)
        self._name = f"uniform({self._low}, {self._high})"
        self.mean, self.support = float(self.exact_mean()), (float(self._low), float(self._high))

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

    def exact_mean(self) -> Fraction:
        return (self._low + self._high) / 2

    def exact_excess(self, bound: Fraction) -> Fraction:
        if bound <= self._low:
            return self.exact_mean() - bound
        return max(self._high - bound, Fraction(0)) ** 2 / (2 * (self._high - self._low))

    def exact_above(self, bound: Fraction) -> Fraction:
        share = (self._high - bound) / (self._high - self._low)
        return min(max(share, Fraction(0)), Fraction(1))


def verified_chances(chances: Iterable[float | Fraction], field: str) -> tuple[float | Fraction, ...]:
    """Probabilities that add up to 1: exactly where they are Fractions, else within 10^-9."""
    shares: tuple[Any, ...] = tuple(chances) if isinstance(chances, Iterable) else ()
    if not shares or not all(is_number(share) and isfinite(share) and share >= 0 for share in shares):
        raise Ten18Error("chances must be numbers from 0 to 1, at least one of them", field)
    if all(isinstance(share, int | Fraction) for share in shares):
        total: float | Fraction = sum(map(Fraction, shares), Fraction(0))
        is_one = total == 1
    else:
        total = fsum(map(float, shares))
        is_one = abs(total - 1.0) <= 1e-9
    if not is_one:
        raise Ten18Error(f"the chances add up to {float(total):.10g}; accepted: chances that add up to 1", field)
    return shares


class MixtureDistribution(ValueDistribution):
    """With these probabilities, one of these distributions; `mixed` makes a finite one where all of them are."""

    def __init__(self, chances: Sequence[float | Fraction], dists: Sequence[ValueDistribution]) -> None:
        if len(chances) != len(dists):
            accepted = "accepted: one chance per distribution"
            raise distribution_error(f"{len(dists)} distributions and {len(chances)} chances; {accepted}")
        self._chances = verified_chances(chances, "distribution")
        self._name = f"a mixture of {len(dists)} distributions"
        self._parts = [(chance, dist) for chance, dist in zip(self._chances, dists, strict=True) if chance]
        lows, highs = zip(*(dist.support for _, dist in self._parts), strict=True)
        self.support = min(lows), max(highs)
        self.is_exact = all(dist.is_exact for dist in dists) and sum(Fraction(share) for share in self._chances) == 1

    @cached_property
    def mean(self) -> float:
        return fsum(float(chance) * dist.mean for chance, dist in self._parts)

    def _cells(self) -> Cells:
        return mixed_cells([(float(chance), dist.cells) for chance, dist in self._parts])

    def _above(self, bounds: Floats) -> Floats:
        return sum((float(chance) * dist.above(bounds) for chance, dist in self._parts), np.zeros(len(bounds)))

    @property
    def above_error(self) -> float:
        return max(dist.above_error for _, dist in self._parts)

    def _exactly(self, of: Callable[[ValueDistribution], Fraction]) -> Fraction:
        if not self.is_exact:
            raise self._not_exact()
        return sum((Fraction(chance) * of(dist) for chance, dist in self._parts), Fraction(0))

    def exact_mean(self) -> Fraction:
        return self._exactly(lambda dist: dist.exact_mean())

    def exact_excess(self, bound: Fraction) -> Fraction:
        return self._exactly(lambda dist: dist.exact_excess(bound))

    def exact_above(self, bound: Fraction) -> Fraction:
        return self._exactly(lambda dist: dist.exact_above(bound))


def mixed(chances: Sequence[float | Fraction], dists: Sequence[ValueDistribution]) -> ValueDistribution:
    """The mixture of these distributions: a finite one where all of them are."""
    mixture = MixtureDistribution(chances, dists)
    finite = [dist for dist in dists if isinstance(dist, FiniteDistribution)]
    if len(finite) < len(dists):
        return mixture
    if mixture.is_exact:
        atoms: dict[Fraction, Fraction] = {}
        for weight, dist in zip(chances, finite, strict=True):
            for value, chance in dist.exact_atoms():
                atoms[value] = atoms.get(value, Fraction(0)) + Fraction(weight) * chance
        return finite_distribution(sorted((value, chance) for value, chance in atoms.items() if chance), str(mixture))
    values, place = np.unique(np.concatenate([dist.values for dist in finite]), return_inverse=True)
    weights = np.concatenate([float(chance) * dist.chances for chance, dist in zip(chances, finite, strict=True)])
    return FiniteDistribution(values, np.bincount(place, weights=weights).astype(np.float64), None, str(mixture))


class Distribution(Protocol[Real]):
    """All that the recurrence needs to know of a value: its mean, and φ(t) = E[min(X, t)]."""

    @property
    def mean(self) -> Real: ...

    def phi(self, bound: Real, /) -> Real: ...


def thresholds_of(dists: Iterable[Distribution[Real]]) -> list[list[Real]]:
    """Rows E_1..E_n for any distributions with a φ, continuous ones too; the j-th is for the value with j slots free.

    E_{j+1}[i] = φ(E_j[i]) + ψ(E_j[i-1]) with ψ(t) = t - φ(t), φ(+∞) = E[X], ψ(-∞) = 0 (Derman, Lieberman and Ross
    1972). `solve.thresholds` has the same for dice, faster.

    A value uniform on [0, 1] has φ(t) = t - t²/2:

    >>> class Uniform:
    ...     mean = Fraction(1, 2)
    ...     def phi(self, bound: Fraction) -> Fraction:
    ...         return bound - bound**2 / 2
    >>> [str(threshold) for threshold in thresholds_of([Uniform()] * 3)[-1]]
    ['39/128', '1/2', '89/128']
    """
    rows: list[list[Real]] = []
    E: list[Real] = []
    for dist in dists:
        row = [dist.phi(t) for t in E] + [dist.mean]
        for i, t in enumerate(E):
            row[i + 1] += t - dist.phi(t)
        rows.append(row)
        E = row
    return rows
