"""What the solver knows of a value: its mean, and how far it exceeds a threshold on average.

    φ(t) = E[min(X, t)],   g(t) = E[max(X - t, 0)] = E[X] - φ(t),   P(X > t) = -g'(t).

Here are the base class, the distributions that are exact (finite ones and the uniform one) and mixtures; `continuous`
tabulates all others, `as_law` there makes a distribution of whatever describes a value.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from itertools import accumulate
from math import fsum, isfinite
from typing import Any, overload

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.assignment import excess as kernel
from tentimes18.assignment.excess import ROUNDING, Cells, ExcessTable, finite_cells, joined, mixed_cells
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tentimes18.random_words import fill_words


class ValueLaw(ABC):
    """The distribution of a value that arrives: mean, φ, excess, probabilities, quantiles; for numbers and arrays.

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
        """E[X] as a Fraction, of a distribution that is exact."""
        raise self._not_exact()

    def exact_excess(self, bound: Fraction) -> Fraction:  # noqa: ARG002
        """g(t) as a Fraction, of a distribution that is exact."""
        raise self._not_exact()

    def exact_above(self, bound: Fraction) -> Fraction:  # noqa: ARG002
        """P(X > t) as a Fraction, of a distribution that is exact."""
        raise self._not_exact()

    def exact_atoms(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The values and their probabilities, increasing, of a distribution that is exact and finite."""
        raise self._not_exact("exact and finite: dice, samples, a constant, or a mixture of these")

    def _not_exact(
        self, accepted: str = "exact: dice, samples, constants, uniform laws, or a mixture of these"
    ) -> Ten18Error:
        return Ten18Error(f"{self} has no exact form here; accepted: laws that are {accepted}", "law")

    def quantile(self, chance: float | Floats) -> float | Floats:
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
    fractions: Floats = (words >> np.uint64(11)) * np.float64(2.0**-53)
    return fractions


def _mapped(function: Callable[[Floats], Floats], argument: float | Floats) -> float | Floats:
    """A function of flat arrays, for a number or an array of any shape."""
    array = np.asarray(argument, dtype=np.float64)
    flat = function(np.ascontiguousarray(array.ravel()))
    return float(flat[0]) if array.ndim == 0 else flat.reshape(array.shape)


def is_number(value: object) -> bool:
    """Whether this is one number, of Python or NumPy."""
    return isinstance(value, int | float | Fraction | np.integer | np.floating) and not isinstance(value, bool)


class FiniteLaw(ValueLaw):
    """Values, increasing, and their probabilities; in float64, and as Fractions where ``exact`` gives them.

    Floats are taken for the numbers that they are: samples are exact.
    """

    def __init__(
        self, values: Floats, chances: Floats, exact: Sequence[tuple[Fraction, Fraction]] | None, name: str
    ) -> None:
        self.values = values
        self.chances = chances
        self._exact = None if exact is None else tuple(exact)
        self._name = name

    def __str__(self) -> str:
        return self._name

    @cached_property
    def mean(self) -> float:
        """E[X]."""
        return float(self.exact_mean()) if self.is_exact else float(self.chances @ self.values)

    @property
    def support(self) -> tuple[float, float]:
        """The least and the largest value."""
        return float(self.values[0]), float(self.values[-1])

    def _cells(self) -> Cells:
        return finite_cells(self.values, self.chances)

    @property
    def is_exact(self) -> bool:
        """Whether values and probabilities are known as Fractions."""
        return self._exact is not None

    def exact_atoms(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The values and their probabilities."""
        if self._exact is None:
            raise self._not_exact()
        return self._exact

    @cached_property
    def _sums(self) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
        """The values; probability and mean of all that lie before each of them, from none to all."""
        atoms = self.exact_atoms()
        chances = list(accumulate((chance for _, chance in atoms), initial=Fraction(0)))
        sums = list(accumulate((value * chance for value, chance in atoms), initial=Fraction(0)))
        return [value for value, _ in atoms], chances, sums

    def exact_mean(self) -> Fraction:
        """E[X] as a Fraction."""
        return self._sums[2][-1]

    def exact_excess(self, bound: Fraction) -> Fraction:
        """g(t) as a Fraction."""
        values, chances, sums = self._sums
        position = bisect_right(values, bound)
        return sums[-1] - sums[position] - (1 - chances[position]) * bound

    def exact_above(self, bound: Fraction) -> Fraction:
        """P(X > t) as a Fraction."""
        values, chances, _ = self._sums
        return 1 - chances[bisect_right(values, bound)]


def finite_law(atoms: Sequence[tuple[Fraction, Fraction]], name: str) -> FiniteLaw:
    """The distribution with these values, increasing, and probabilities."""
    try:
        values = np.array([float(value) for value, _ in atoms])
        chances = np.array([float(chance) for _, chance in atoms])
    except OverflowError:
        raise Ten18Error("a value does not fit into float64", "law", name) from None
    values, place = np.unique(values, return_inverse=True)  # two that float64 cannot tell apart
    return FiniteLaw(values, np.bincount(place, weights=chances).astype(np.float64), atoms, name)


def constant(value: int | float | Fraction) -> FiniteLaw:
    """The distribution of a value that is known."""
    try:
        number = float(value)
    except OverflowError:
        number = np.inf
    if not np.isfinite(number):
        raise Ten18Error("not a finite number of float64", "law", value)
    return FiniteLaw(np.array([number]), np.ones(1), [(Fraction(value), Fraction(1))], f"the constant {value}")


def dice_law(dice: Dice) -> FiniteLaw:
    """The distribution of a roll."""
    atoms = [(Fraction(x), Fraction(count, dice.total)) for x, count in zip(dice.support, dice.counts, strict=True)]
    return finite_law(atoms, str(dice))


def sample_law(samples: Sequence[int | float | Fraction] | Floats) -> FiniteLaw:
    """The distribution of one of these samples, each with the same probability."""
    if isinstance(samples, np.ma.MaskedArray) and np.any(samples.mask):
        raise Ten18Error("some samples are masked; accepted: those that are there", "law", f"{samples.size} samples")
    array = np.asarray(samples)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1 or array.size == 0:
        raise Ten18Error("samples are a list or a column of at least one number", "law", array.shape)
    name = f"{array.size} samples"
    if array.dtype == object:
        share = Fraction(1, array.size)
        counts: dict[Fraction, int] = {}
        for value in map(_fraction, array):
            counts[value] = counts.get(value, 0) + 1
        return finite_law([(value, count * share) for value, count in sorted(counts.items())], name)
    if array.dtype.kind not in "iufb":
        raise Ten18Error("samples are numbers", "law", str(array.dtype))
    values = array.astype(np.float64)
    if not np.isfinite(values).all():
        raise Ten18Error("samples are finite numbers, without NaN or infinity", "law", name)
    return _Samples(*np.unique(values, return_counts=True), name)


class _Samples(FiniteLaw):
    """Samples in float64: as Fractions only when somebody asks."""

    def __init__(self, values: Floats, counts: Ints, name: str) -> None:
        super().__init__(values, counts / counts.sum(), None, name)
        self._counts = counts

    @cached_property
    def mean(self) -> float:
        return float(self._counts @ self.values) / float(self._counts.sum())

    @property
    def is_exact(self) -> bool:
        return True

    def exact_atoms(self) -> tuple[tuple[Fraction, Fraction], ...]:
        if self._exact is None:
            total = int(self._counts.sum())
            pairs = zip(self.values.tolist(), self._counts.tolist(), strict=True)
            self._exact = tuple((Fraction(value), Fraction(count, total)) for value, count in pairs)
        return self._exact


def _fraction(value: object) -> Fraction:
    if not is_number(value):
        raise Ten18Error("a sample is a number", "law", value)
    if isinstance(value, float | np.floating) and not np.isfinite(value):
        raise Ten18Error("samples are finite numbers, without NaN or infinity", "law", value)
    number: Any = value.item() if isinstance(value, np.generic) else value
    return Fraction(number)


class UniformLaw(ValueLaw):
    """Any number from low to high, each as likely: g(t) = (b - t)² / (2 (b - a)), exact.

    >>> law = UniformLaw(0, 1)
    >>> law.phi(0.5), law.exact_excess(Fraction(1, 2))
    (0.375, Fraction(1, 8))
    """

    def __init__(self, low: int | float | Fraction, high: int | float | Fraction) -> None:
        if not (isfinite(low) and isfinite(high) and low < high):
            raise Ten18Error("the ends must be finite, the second above the first", "law", f"uniform({low}, {high})")
        self._low, self._high = Fraction(low), Fraction(high)

    def __str__(self) -> str:
        return f"uniform({self._low}, {self._high})"

    @property
    def mean(self) -> float:
        """E[X]."""
        return float(self.exact_mean())

    @property
    def support(self) -> tuple[float, float]:
        """The ends."""
        return float(self._low), float(self._high)

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

    is_exact = True

    def exact_mean(self) -> Fraction:
        """E[X] as a Fraction."""
        return (self._low + self._high) / 2

    def exact_excess(self, bound: Fraction) -> Fraction:
        """g(t) as a Fraction."""
        if bound <= self._low:
            return self.exact_mean() - bound
        return max(self._high - bound, Fraction(0)) ** 2 / (2 * (self._high - self._low))

    def exact_above(self, bound: Fraction) -> Fraction:
        """P(X > t) as a Fraction."""
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


class MixtureLaw(ValueLaw):
    """With these probabilities, one of these distributions; `mixed` makes a finite one where all of them are."""

    def __init__(self, chances: Sequence[float | Fraction], laws: Sequence[ValueLaw]) -> None:
        if len(chances) != len(laws):
            raise Ten18Error(f"{len(laws)} laws and {len(chances)} chances; accepted: a chance a law", "law")
        self._chances = verified_chances(chances, "law")
        self._laws = tuple(laws)
        self._parts = [(chance, law) for chance, law in zip(self._chances, laws, strict=True) if chance]

    def __str__(self) -> str:
        return f"a mixture of {len(self._laws)} laws"

    @cached_property
    def mean(self) -> float:
        """E[X]."""
        return fsum(float(chance) * law.mean for chance, law in self._parts)

    @property
    def support(self) -> tuple[float, float]:
        """The least and the largest value."""
        ends = [law.support for _, law in self._parts]
        return min(low for low, _ in ends), max(high for _, high in ends)

    def _cells(self) -> Cells:
        return mixed_cells([(float(chance), law.cells) for chance, law in self._parts])

    def _above(self, bounds: Floats) -> Floats:
        return sum((float(chance) * law.above(bounds) for chance, law in self._parts), np.zeros(len(bounds)))

    @property
    def above_error(self) -> float:
        """The largest of the parts."""
        return max(law.above_error for _, law in self._parts)

    @property
    def is_exact(self) -> bool:
        """Whether all of them are, and the probabilities add up to 1."""
        return all(law.is_exact for law in self._laws) and sum(Fraction(share) for share in self._chances) == 1

    def _exactly(self, of: Callable[[ValueLaw], Fraction]) -> Fraction:
        if not self.is_exact:
            raise self._not_exact()
        return sum((Fraction(chance) * of(law) for chance, law in self._parts), Fraction(0))

    def exact_mean(self) -> Fraction:
        """E[X] as a Fraction."""
        return self._exactly(lambda law: law.exact_mean())

    def exact_excess(self, bound: Fraction) -> Fraction:
        """g(t) as a Fraction."""
        return self._exactly(lambda law: law.exact_excess(bound))

    def exact_above(self, bound: Fraction) -> Fraction:
        """P(X > t) as a Fraction."""
        return self._exactly(lambda law: law.exact_above(bound))


def mixed(chances: Sequence[float | Fraction], laws: Sequence[ValueLaw]) -> ValueLaw:
    """The mixture of these distributions: a finite one where all of them are."""
    mixture = MixtureLaw(chances, laws)
    finite = [law for law in laws if isinstance(law, FiniteLaw)]
    if len(finite) < len(laws):
        return mixture
    if mixture.is_exact:
        atoms: dict[Fraction, Fraction] = {}
        for weight, law in zip(chances, finite, strict=True):
            for value, chance in law.exact_atoms():
                atoms[value] = atoms.get(value, Fraction(0)) + Fraction(weight) * chance
        return finite_law(sorted((value, chance) for value, chance in atoms.items() if chance), str(mixture))
    values, place = np.unique(np.concatenate([law.values for law in finite]), return_inverse=True)
    weights = np.concatenate([float(chance) * law.chances for chance, law in zip(chances, finite, strict=True)])
    return FiniteLaw(values, np.bincount(place, weights=weights).astype(np.float64), None, str(mixture))
