"""The value of a set of free slots, from the thresholds alone.

With E_k the row of k free slots (`solve.thresholds`) the value of a free set is Σ λ_i E_k[i]: the points that the best
play makes of it on average.
"""

from fractions import Fraction

from tentimes18.game import Game
from tentimes18.solve.thresholds import exact_thresholds

__all__ = ["value_of"]


def value_of(game: Game, free: int) -> Fraction:
    """The value of a free set: the points that the best play makes of it on average.

    >>> value_of(Game.parse("1d6", "1,2"), 3)
    Fraction(45, 4)
    """
    return exact_thresholds(game.dice, free.bit_count())[-1].value(game.multipliers_of(free)) if free else Fraction(0)
