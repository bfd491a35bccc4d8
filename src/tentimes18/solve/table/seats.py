"""Who sits at a table: for each seat its slots, by its own board, or by a duel with one of the others.

A rule looks at its free slots and the roll, best play for an objective at its points as well, `random` at nothing. The
best response to a rule, and the equilibrium, are players of a duel: at a table they play it against one other seat,
their rival, and take no notice of the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tentimes18.errors import Ten18Error
from tentimes18.game import Game
from tentimes18.kernels.types import ANY, HUNTER, MIXED, Ints, Slots, TableSeats
from tentimes18.solve.duel.equilibrium import Equilibrium
from tentimes18.solve.duel.response import Response, nobody
from tentimes18.solve.duel.windows import DuelWindows
from tentimes18.solve.rule_slots import same_everywhere

__all__ = ["MOST_SEATS", "Seat", "duel_seat", "play_seat", "random_seat", "rule_seat", "table_seats"]

MOST_SEATS = 8


@dataclass(frozen=True, eq=False)
class Seat:
    """The slots of a player: slots[bases[A] + points, x] for one who ``looks`` at its points, else slots[bases[A], x].

    Who plays by a duel has its ``table``.
    """

    slots: Slots
    bases: Ints
    looks: bool = False
    table: Response | Equilibrium | None = None

    @property
    def is_fixed(self) -> bool:
        """Whether its own board and the roll alone give its slot, without chance."""
        return self.table is None and bool((self.slots >= 0).all())


def rule_seat(slots: Slots) -> Seat:
    """One who plays a rule, by its slots for all free sets and rolls.

    >>> from tentimes18.solve.rule_slots import rule_slots
    >>> from tentimes18.solve.rules import optimal_rule
    >>> game = Game.parse("1d6", "1-3")
    >>> rule_seat(rule_slots(game, optimal_rule(game))).is_fixed
    True
    """
    return Seat(slots, np.arange(len(slots)))


def play_seat(offsets: Ints, slots: Slots) -> Seat:
    """One who plays for an objective, by the slots for all free sets, points and rolls."""
    return Seat(slots.astype(np.int8), offsets, looks=True)


def random_seat(game: Game) -> Seat:
    """One who takes any free slot.

    >>> random_seat(Game.parse("1d2", "1")).is_fixed
    False
    """
    return rule_seat(same_everywhere(game, ANY))


def duel_seat(table: Response | Equilibrium) -> Seat:
    """One who plays a duel with another seat."""
    number = HUNTER if isinstance(table, Response) else MIXED
    slots = same_everywhere(table.windows.game, number)
    return Seat(slots, np.arange(len(slots)), table=table)


def table_seats(game: Game, seats: Sequence[Seat], rivals: Sequence[int], competes: Sequence[bool]) -> TableSeats:
    """The seats for kernels: ``rivals`` are those of the players of a duel, -1 for others."""
    if len(seats) > MOST_SEATS:
        raise Ten18Error(f"{len(seats)} players; at most {MOST_SEATS} sit at a table", field="strategies")
    starts = np.cumsum([len(seat.slots) for seat in seats]) - [len(seat.slots) for seat in seats]
    bases = np.stack([seat.bases + start for seat, start in zip(seats, starts, strict=True)])
    response = next((seat.table for seat in seats if isinstance(seat.table, Response)), None)
    equilibrium = next((seat.table for seat in seats if isinstance(seat.table, Equilibrium)), None)
    if any(seat.table not in (None, response, equilibrium) for seat in seats):
        raise Ten18Error("all best responses at a table are to the same rule", field="strategies")
    hunter = response.hunter if response else nobody(DuelWindows(game, half=False))
    return TableSeats(
        np.concatenate([seat.slots for seat in seats]),
        bases.astype(np.int64),
        np.array([seat.looks for seat in seats], dtype=np.int64),
        np.array(rivals, dtype=np.int64),
        np.array(competes, dtype=np.bool_),
        hunter,
        equilibrium.windows.table(equilibrium.values) if equilibrium else hunter.table,
    )
