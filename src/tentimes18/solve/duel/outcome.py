"""The chances of a duel."""

from dataclasses import dataclass

__all__ = ["Outcome"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The chances of a duel for one player; equity is win + draw times what a draw is worth.

    >>> Outcome(equity=0.75, win=0.5, draw=0.5, loss=0.0).win
    0.5
    """

    equity: float
    win: float
    draw: float
    loss: float

    @classmethod
    def of(cls, equity: float, draw: float, draw_worth: float) -> "Outcome":
        """From the equity and the chance of a draw; what rounding leaves outside of 0 to 1 is cut."""
        win = min(1.0, max(0.0, equity - draw_worth * draw))
        return cls(equity, win, draw, max(0.0, 1.0 - win - draw))
