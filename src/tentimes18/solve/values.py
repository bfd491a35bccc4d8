"""The value of a set of free slots, and of every move from it, from the thresholds alone.

With E_k the row of k free slots (`solve.thresholds`) the value of a free set is Σ λ_i E_k[i]: the points that the best
play makes of it on average.
"""

from fractions import Fraction

from tentimes18.game import Game, slots_of
from tentimes18.solve.layers import Progress
from tentimes18.solve.thresholds import exact_thresholds

__all__ = ["move_values", "value_of"]


def value_of(game: Game, free: int) -> Fraction:
    """The value of a free set: the points that the best play makes of it on average.

    >>> value_of(Game.parse("1d6", "1,2"), 3)
    Fraction(45, 4)
    """
    return exact_thresholds(game.dice, free.bit_count())[-1].value(game.multipliers_of(free)) if free else Fraction(0)


def move_values(game: Game, free: int, roll: int, progress: Progress | None = None) -> dict[int, Fraction]:
    """The points of placing a roll in each free slot and of the best play after it.

    With E the row of one slot less, moving the roll to the next free slot changes the value by
    (λ_{r+1} - λ_r)(roll - E[r]); so one sum gives the first value, and these steps the others.

    >>> move_values(Game.parse("1d6", "1,2"), 3, 5)
    {1: Fraction(12, 1), 2: Fraction(27, 2)}
    """
    game.verify_mask(free)
    game.verify_roll(roll)
    slots, multipliers = slots_of(free), game.multipliers_of(free)
    value = Fraction(multipliers[0] * roll)
    values = {slots[0]: value}
    if len(slots) > 1:
        row = exact_thresholds(game.dice, len(slots) - 1, progress)[-1]
        value += row.value(multipliers[1:])
        values[slots[0]] = value
        for slot, low, high, threshold in zip(slots[1:], multipliers, multipliers[1:], row, strict=False):
            value += (high - low) * (roll - threshold)
            values[slot] = value
    return values
