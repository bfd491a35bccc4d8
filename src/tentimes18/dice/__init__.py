"""Dice: the exact distribution of one roll, and its notation.

`dice_notation` reads dice from text, `sums` adds them up: all of them, the highest, with explosions.

>>> Dice.parse("4d6kh3").mean
Fraction(15869, 1296)
"""

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import SupportsIndex

from tentimes18.dice.dice_notation import ALL_DICE, DiceLimits, canonical_of, read_dice
from tentimes18.dice.sums import MAX_ROLL, MAX_ROLLS, MAX_TOTAL_BITS, TOO_FAR, TOO_LONG, Weights, primitive
from tentimes18.errors import InvalidDice, quoted

__all__ = ["MAX_ROLL", "Dice", "DiceLimits"]


@dataclass(frozen=True, slots=True)
class Dice:
    """The exact distribution of one roll: integer counts over one total.

    >>> dice = Dice.parse("3d6")
    >>> dice.support[:3], dice.counts[:3], dice.total
    ((3, 4, 5), (1, 3, 6), 216)
    >>> dice.mean, dice.variance
    (Fraction(21, 2), Fraction(35, 4))

    Two dice are equal when their distributions are, whatever their notation.
    """

    support: tuple[int, ...]
    counts: tuple[int, ...]
    notation: str = field(compare=False)
    total: int = field(init=False, compare=False, repr=False)
    _count_up_to: tuple[int, ...] = field(init=False, compare=False, repr=False)
    _sum_up_to: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        count_up_to = tuple(accumulate(self.counts, initial=0))
        weighted = (roll * count for roll, count in zip(self.support, self.counts, strict=True))
        object.__setattr__(self, "total", count_up_to[-1])
        object.__setattr__(self, "_count_up_to", count_up_to)
        object.__setattr__(self, "_sum_up_to", tuple(accumulate(weighted, initial=0)))

    @classmethod
    def parse(cls, notation: str, limits: DiceLimits = ALL_DICE) -> "Dice":
        """Read dice from their notation; dice beyond the limits are rejected.

        >>> print(Dice.parse("2d20kh + 1d6!"))
        2d20kh1+1d6!x3
        >>> Dice.parse("3x6")
        Traceback (most recent call last):
        tentimes18.errors.InvalidDice: dice '3x6': cannot read '3x6'; accepted: 3d6, 2d12:12=2, ...
        """
        try:
            weights, written = read_dice(notation, limits)
        except InvalidDice as error:
            raise error.about("dice", notation) from None
        if len(weights) > limits.rolls:  # of faces far apart, whose sums could not be counted before
            raise InvalidDice(f"{len(weights)} different rolls, at most {limits.rolls} are accepted", "dice", notation)
        return cls._normalised(weights, written)

    @classmethod
    def from_mapping(cls, rolls: Mapping[int, int | Fraction]) -> "Dice":
        """Make dice from a mapping of rolls to weights, such as a die of icepool or dyce."""
        weights: dict[int, Fraction] = {}
        for roll, weight in rolls.items():
            if not isinstance(roll, SupportsIndex) or isinstance(roll, bool):
                raise InvalidDice(f"roll {quoted(roll)} is not an integer", field="dice")
            if not isinstance(weight, SupportsIndex | Fraction) or isinstance(weight, bool):
                raise InvalidDice(
                    f"weight {quoted(weight)} of roll {quoted(roll)} is not an integer or a Fraction", field="dice"
                )
            exact = Fraction(weight if isinstance(weight, Fraction) else weight.__index__())
            if exact <= 0:
                raise InvalidDice(f"weight {quoted(weight)} of roll {quoted(roll)} must be positive", field="dice")
            weights[roll.__index__()] = exact
        if not weights:
            raise InvalidDice("no faces; give at least one roll with a positive weight", field="dice")
        if len(weights) > MAX_ROLLS:
            raise InvalidDice(f"{len(weights)} different rolls, at most {MAX_ROLLS} are accepted", field="dice")
        common = math.lcm(*(weight.denominator for weight in weights.values()))
        return cls._normalised({roll: int(weight * common) for roll, weight in weights.items()}, None)

    @classmethod
    def _normalised(cls, weights: Weights, notation: str | None) -> "Dice":
        weights = primitive(dict(sorted(weights.items())))
        support, counts = tuple(weights), tuple(weights.values())
        if max(abs(support[0]), abs(support[-1])) >= MAX_ROLL:
            raise InvalidDice(TOO_FAR, field="dice")
        if sum(counts).bit_length() > MAX_TOTAL_BITS:
            raise InvalidDice(TOO_LONG, field="dice")
        return cls(support, counts, canonical_of(weights) if notation is None else notation)

    @property
    def mean(self) -> Fraction:
        """E[X], the expected roll."""
        return Fraction(self._sum_up_to[-1], self.total)

    @property
    def variance(self) -> Fraction:
        """Var[X], the variance of a roll."""
        squares = sum(roll * roll * count for roll, count in zip(self.support, self.counts, strict=True))
        return Fraction(squares, self.total) - self.mean**2

    def probability(self, roll: int) -> Fraction:
        """P(X = roll)."""
        position = bisect_right(self.support, roll) - 1
        is_possible = position >= 0 and self.support[position] == roll
        return Fraction(self.counts[position], self.total) if is_possible else Fraction(0)

    def phi(self, t: Fraction | float) -> Fraction:
        """φ(t) = E[min(X, t)]: exact, for every real t."""
        position = bisect_right(self.support, t)
        above = self.total - self._count_up_to[position]
        if above == 0:
            return self.mean
        return (self._sum_up_to[position] + above * Fraction(t)) / self.total

    def below(self, position: int) -> tuple[int, int]:
        """Count and sum of the rolls among the first ``position`` of the support, as numerators over ``total``."""
        return self._count_up_to[position], self._sum_up_to[position]

    def __str__(self) -> str:
        return self.notation
