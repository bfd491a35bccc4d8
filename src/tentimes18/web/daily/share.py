"""What a player may tell others of a daily game: how well it went, and nothing of how.

A square stands for each round, from green, the best move, to black, a blunder. No roll, no slot, and nothing that other
players on the same rolls could measure themselves by.
"""

from collections.abc import Sequence
from typing import Final

from tentimes18.coach.classes import CLASSES
from tentimes18.coach.costs import MoveCost
from tentimes18.web.daily.days import day_number

__all__ = ["SQUARES", "share_text"]

SQUARES: Final = dict(
    zip(
        (found.name for found in CLASSES),
        (
            "\N{LARGE GREEN SQUARE}",
            "\N{LARGE BLUE SQUARE}",
            "\N{LARGE YELLOW SQUARE}",
            "\N{LARGE ORANGE SQUARE}",
            "\N{LARGE RED SQUARE}",
            "\N{BLACK LARGE SQUARE}",
        ),
        strict=True,
    )
)
"""By class of move."""


def share_text(day: str, score: float, costs: Sequence[MoveCost], streak: int) -> str:
    """The day by its number, the score, what the moves cost, a square a round, and the streak.

    >>> from fractions import Fraction
    >>> text = share_text("2026-11-16", 640.0, [MoveCost(Fraction(0), True), MoveCost(Fraction(9), True)], 3)
    >>> [line.encode("ascii", "replace").decode() for line in text.splitlines()]
    ['Ten times eighteen, day 320', '640 points, cost 9.0', '??', 'streak 3']
    """
    cost = float(sum(cost.loss for cost in costs))
    squares = "".join(SQUARES[cost.move_class.name] for cost in costs)
    lines = [f"Ten times eighteen, day {day_number(day)}", f"{score:g} points, cost {cost:.1f}", squares]
    return "\n".join([*lines, f"streak {streak}"] if streak > 1 else lines)
