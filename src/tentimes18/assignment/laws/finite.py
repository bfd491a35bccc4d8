"""Laws with finitely many values: dice, samples, constants, and laws on the integers whose far ends are left out.

The excess is a straight line between two values; exact where values and chances are integers or Fractions, or floats
that are taken for the numbers that they are.
"""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

import numpy as np

from tentimes18.assignment.laws.cells import Cells, finite_cells
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tentimes18.kernels.types import Floats, Ints

__all__ = ["FiniteLaw", "constant", "dice_law", "finite_law", "sample_law"]


class FiniteLaw(ValueLaw):
    """Values, increasing, and their chances; in float64, and as Fractions where ``exact`` gives them.

    >>> law = sample_law([3, 1, 1])
    >>> law.mean, law.exact_mean(), law.exact_excess(Fraction(2))
    (1.6666666666666667, Fraction(5, 3), Fraction(1, 3))
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
        """Whether values and chances are known as Fractions."""
        return self._exact is not None

    def exact_atoms(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The values and their chances."""
        if self._exact is None:
            raise self._not_exact()
        return self._exact

    @cached_property
    def _sums(self) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
        """The values; chance and mean of all that lie before each of them, from none to all."""
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


def constant(value: int | float | Fraction) -> FiniteLaw:
    """The law of a value that is known.

    >>> constant(Fraction(1, 3)).exact_mean()
    Fraction(1, 3)
    """
    try:
        number = float(value)
    except OverflowError:
        number = np.inf
    if not np.isfinite(number):
        raise Ten18Error("not a finite number of float64", "law", value)
    return FiniteLaw(np.array([number]), np.ones(1), [(Fraction(value), Fraction(1))], f"the constant {value}")


def dice_law(dice: Dice) -> FiniteLaw:
    """The law of a roll.

    >>> dice_law(Dice.parse("1d6")).exact_mean()
    Fraction(7, 2)
    """
    atoms = [(Fraction(x), Fraction(count, dice.total)) for x, count in zip(dice.support, dice.counts, strict=True)]
    return finite_law(atoms, str(dice))


def sample_law(samples: Sequence[int | float | Fraction] | Floats) -> FiniteLaw:
    """The law of one of these samples, each with the same chance.

    >>> sample_law(np.array([0.5, 2.0, 0.5])).values.tolist()
    [0.5, 2.0]
    """
    if isinstance(samples, np.ma.MaskedArray) and np.any(samples.mask):
        raise Ten18Error("some samples are masked; accepted: those that are there", "law", f"{samples.size} samples")
    given = np.asarray(samples)
    if given.ndim == 2 and given.shape[1] == 1:
        given = given[:, 0]
    if given.ndim != 1 or given.size == 0:
        raise Ten18Error("samples are a list or a column of at least one number", "law", given.shape)
    name = f"{given.size} samples"
    if given.dtype == object:
        exact = [_fraction(value) for value in given]
        share = Fraction(1, len(exact))
        counted: dict[Fraction, int] = {}
        for value in exact:
            counted[value] = counted.get(value, 0) + 1
        return finite_law([(value, count * share) for value, count in sorted(counted.items())], name)
    if given.dtype.kind not in "iufb":
        raise Ten18Error("samples are numbers", "law", str(given.dtype))
    values = given.astype(np.float64)
    if not np.isfinite(values).all():
        raise Ten18Error("samples are finite numbers, without NaN or infinity", "law", f"{given.size} samples")
    values, counts = np.unique(values, return_counts=True)
    return _Samples(values, counts, name)


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


def finite_law(atoms: Sequence[tuple[Fraction, Fraction]], name: str) -> FiniteLaw:
    """The law with these values, increasing, and chances.

    >>> finite_law([(Fraction(1), Fraction(1, 4)), (Fraction(3), Fraction(3, 4))], "mine").mean
    2.5
    """
    try:
        values = np.array([float(value) for value, _ in atoms])
        chances = np.array([float(chance) for _, chance in atoms])
    except OverflowError:
        raise Ten18Error("a value does not fit into float64", "law", name) from None
    values, place = np.unique(values, return_inverse=True)  # two that float64 cannot tell apart
    return FiniteLaw(values, np.bincount(place, weights=chances).astype(np.float64), atoms, name)


def _fraction(value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | np.integer | np.floating):
        raise Ten18Error("a sample is a number", "law", value)
    if isinstance(value, float | np.floating) and not np.isfinite(value):
        raise Ten18Error("samples are finite numbers, without NaN or infinity", "law", value)
    return Fraction(value if isinstance(value, Fraction) else value.item() if isinstance(value, np.generic) else value)
