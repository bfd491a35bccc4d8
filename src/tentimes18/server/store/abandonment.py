"""The rule for duels that somebody leaves: who owes a move for 72 hours loses.

The clock starts when the roll of a round opens, and anew when the other has placed it. Where neither has, nobody wins;
nor where the friend does not come within seven days of the invitation. A bot owes nothing.
"""

from dataclasses import dataclass
from typing import Final

from tentimes18.server.store.states import GameState

__all__ = ["COMING_MS", "MOVING_MS", "TimeOut", "ending_by_time"]

HOUR_MS: Final = 3_600_000
MOVING_MS: Final = 72 * HOUR_MS
COMING_MS: Final = 7 * 24 * HOUR_MS


@dataclass(frozen=True, slots=True)
class TimeOut:
    """A duel that ends by its time; ``loser`` is the seat that owed a move alone."""

    loser: int | None


def ending_by_time(state: GameState, now: int) -> TimeOut | None:
    """How a game ends because of the time that it is now; None where it goes on, or is over already."""
    duel = state.duel
    if duel is None or state.is_over:
        return None
    if state.opponent is None:
        return TimeOut(None) if now >= duel.created + COMING_MS else None
    if now < duel.changed + MOVING_MS:
        return None
    if duel.bot is not None:
        return TimeOut(state.seat)
    mine, theirs = len(state.slots), len(state.opponent.slots)
    if mine == theirs:
        return TimeOut(None)
    return TimeOut(state.seat if mine < theirs else 1 - state.seat)
