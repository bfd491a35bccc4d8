"""What a worth is counted in: points, or a chance, which people read in percent."""

from enum import Enum
from fractions import Fraction
from typing import TypeAlias

__all__ = ["Unit", "Worth"]

Worth: TypeAlias = Fraction | float
"""What a position or a move is worth, and differences of that: points, or a chance from 0 to 1."""


class Unit(Enum):
    """Points or a chance; the value is by how much a worth is multiplied where people read it.

    >>> Unit.chance.counted(0.031), Unit.points.counted(Fraction(16, 5))
    (3.1, 3.2)
    """

    points = 1
    chance = 100

    @classmethod
    def of(cls, target: object) -> "Unit":
        """What is counted where there is a target, or none.

        >>> Unit.of(700), Unit.of(None)
        (<Unit.chance: 100>, <Unit.points: 1>)
        """
        return cls.points if target is None else cls.chance

    def counted(self, worth: Worth) -> float:
        """The number that people read: points, or percent."""
        return float(self.value * worth)
