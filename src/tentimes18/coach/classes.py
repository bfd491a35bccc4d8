"""The classes of moves, from best to blunder, by what a move gives up."""

from fractions import Fraction
from typing import Final, NamedTuple

from tentimes18.coach.units import Unit, Worth

__all__ = ["CLASSES", "ERROR", "ROUNDING", "MoveClass", "classify"]

ROUNDING: Final = 1e-12  # of worths in float64


class MoveClass(NamedTuple):
    """A class of moves: its name, its mark, and the least that a move of it loses, in points or in percent."""

    name: str
    mark: str
    least: Fraction


CLASSES: Final = (
    MoveClass("best", "", Fraction(0)),
    MoveClass("fine", "", Fraction(0)),
    MoveClass("good", "", Fraction(1, 4)),
    MoveClass("inaccuracy", "?!", Fraction(1)),
    MoveClass("mistake", "?", Fraction(3)),
    MoveClass("blunder", "??", Fraction(8)),
)
"""The one table of classes: a best move loses nothing, a fine one anything above."""


def classify(loss: Worth, unit: Unit = Unit.points) -> MoveClass:
    """The class of a move that loses so much; a chance is counted in percent.

    >>> classify(Fraction(0)).name, classify(1).mark, classify(0.031, Unit.chance).mark
    ('best', '?!', '?')
    """
    if not loss:
        return CLASSES[0]
    counted = unit.value * loss
    rounding = 0 if isinstance(loss, int | Fraction) else 100 * ROUNDING
    return next(found for found in reversed(CLASSES) if counted >= found.least - rounding)


ERROR: Final = next(place for place, found in enumerate(CLASSES) if found.mark)
"""The place in CLASSES of the first class that is an error: those with a mark."""
