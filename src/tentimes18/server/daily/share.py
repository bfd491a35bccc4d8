"""What a player may tell others of a daily game: how well it went, and nothing of how.

A mark stands for each round: the best slot, one that costs less than a point on average, or one that costs more. No
roll and no slot; what was luck follows from the score, par and what the moves cost.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

from tentimes18.coach.losses import MoveLoss
from tentimes18.game import Game
from tentimes18.server.daily.days import day_number
from tentimes18.solve.thresholds import value_of

__all__ = ["BEST", "MARKS", "MORE", "UNDER_A_POINT", "share_text"]

BEST: Final = "\N{BLACK CIRCLE}"
UNDER_A_POINT: Final = "\N{CIRCLE WITH LEFT HALF BLACK}"
MORE: Final = "\N{WHITE CIRCLE}"
MARKS: Final = (BEST, UNDER_A_POINT, MORE)
MINUS: Final = "\N{MINUS SIGN}"


def share_text(day: str, score: float, costs: Sequence[MoveLoss], streak: int) -> str:
    """The day by its number, the score beside par, luck and mistakes, a mark a round, and the streak.

    >>> text = share_text("2026-11-16", 640.0, [MoveLoss(Fraction(0), True), MoveLoss(Fraction(9), True)], 3)
    >>> [line.encode("ascii", "replace").decode() for line in text.splitlines()]
    ['Ten times eighteen ? Daily 320', '640 (par 642.2)', 'luck +6.8, mistakes ?9.0', '??', 'streak 3']
    """
    cost = float(sum(cost.loss for cost in costs))
    par = _par()
    lines = [
        f"Ten times eighteen \N{MIDDLE DOT} Daily {day_number(day)}",
        f"{score:g} (par {par:.1f})",
        f"luck {_signed(score - par + cost)}, mistakes {_signed(-cost)}",
        "".join(_mark(cost.loss) for cost in costs),
    ]
    return "\n".join([*lines, f"streak {streak}"] if streak > 1 else lines)


def _mark(loss: Fraction) -> str:
    return BEST if not loss else UNDER_A_POINT if loss < 1 else MORE


def _signed(points: float) -> str:
    """With its sign, but for nothing."""
    text = f"{abs(points):.1f}"
    return text if not float(text) else f"{'+' if points > 0 else MINUS}{text}"


@lru_cache(maxsize=1)
def _par() -> float:
    game = Game.classic()
    return float(value_of(game, game.all_free))
