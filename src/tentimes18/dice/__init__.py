"""Dice: the exact distribution of one roll, and its notation.

`dice` has the distribution and what can be read off it, `dice_notation` reads it from text, `sums` adds up dice: all of
them, the highest, with explosions.

>>> Dice.parse("4d6kh3").mean
Fraction(15869, 1296)
"""

from tentimes18.dice.dice import Dice
from tentimes18.dice.dice_notation import DiceLimits
from tentimes18.dice.sums import MAX_ROLL

__all__ = ["MAX_ROLL", "Dice", "DiceLimits"]
