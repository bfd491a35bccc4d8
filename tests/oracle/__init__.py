"""Slow, exact and naive reference computations for the game.

Slots are numbered 1..n by increasing multiplier. Multipliers may be zero, negative, equal or fractional. Every
probability, value and score that is returned is a `Fraction`, so tests compare with `==`. A roll with
probability 0 in a distribution never happens.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

Law: TypeAlias = Mapping[int, Fraction]
Multipliers: TypeAlias = Sequence[Fraction | int]
Score: TypeAlias = Fraction | int
