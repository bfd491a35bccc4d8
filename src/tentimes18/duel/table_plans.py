"""What tables of several players take.

How many positions several players come to is known only when they are followed: what the next round takes is told from
those that this one begins with.
"""

from collections.abc import Sequence
from math import comb, inf
from typing import Final

from tentimes18.game import Game
from tentimes18.plan import Plan
from tentimes18.solve.layers import shared

MOST_SLOTS: Final = 20  # with more there are too many pairs of free sets to think of
SECONDS_A_PAIR: Final = 6e-7
BYTES_A_PAIR: Final = 8
SECONDS_A_MOVE: Final = 2e-7
GROWTH, LATE_GROWTH = 9.0, 3.0  # of the number of positions in a round, at most
SECONDS_A_CHOICE: Final = 1.5e-6  # of a player of a duel
BYTES_A_POSITION: Final = 24 * 7  # in two lists, the larger of them at most half full and made anew
SECONDS_AN_OTHER: Final = 8e-7  # for each position and roll of the others at a table
BYTES_AN_OTHER: Final = 120
BYTES_A_WINDOW: Final = 24
SECONDS_A_LEAD: Final = 1.5e-9  # for each slot and roll


def gains_plan(game: Game) -> Plan:
    """What it takes to know how far behind is too far."""
    pairs = float(comb(2 * game.size, game.size)) if game.size <= MOST_SLOTS else inf
    return Plan(f"a table on {game.size:,} slots", SECONDS_A_PAIR * pairs, BYTES_A_PAIR * pairs)


def round_plan(positions: int, rolls: int, branches: float, choosers: int, *, is_late: bool) -> Plan:
    """What the next round from so many positions takes.

    Each roll leads to so many ``branches``; so many of the players choose by a duel. In the later half of a game more
    is decided than is new.
    """
    moves = float(positions) * rolls
    seconds = moves * (branches * SECONDS_A_MOVE + choosers * SECONDS_A_CHOICE)
    grown = branches * positions * min(rolls, LATE_GROWTH if is_late else GROWTH)
    return Plan("the list of the positions that these players come to", seconds, BYTES_A_POSITION * grown)


def others_plan(positions: int, rolls: int) -> Plan:
    """What the next round of the others takes, whom a best response answers."""
    moves = float(positions) * rolls
    return Plan("the list of the positions that the others come to", SECONDS_AN_OTHER * moves, BYTES_AN_OTHER * moves)


def leads_plan(game: Game, work: float, leads: float, boards: Sequence[float]) -> Plan:
    """What a best response takes: its leads, and the same times slots and rolls.

    ``boards`` counts by layer the positions of the others with my own sets, each of which has a window.
    """
    return Plan(
        f"the best response to all others at a table on {game.size:,} slots",
        shared(SECONDS_A_LEAD * work),
        8.0 * leads + BYTES_A_WINDOW * (sum(boards) + 2 * max(boards)),
    )
