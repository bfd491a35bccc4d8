"""A player removed, with all that is theirs.

Own games go with their moves and their deals, names, links and imports as well. In a duel with a friend the seat stays,
for it is the friend's game too, without a player; a duel that goes on ends by that. A duel that is nobody's any more
goes as a whole: one with a bot, one that nobody has joined, one that the friend has left before.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, Connection, Table, bindparam, delete, select, update

from tentimes18.server.store.duels import end_duel
from tentimes18.server.store.schema import deals, duels, games, players
from tentimes18.server.store.states import GameState, load_states
from tentimes18.server.store.writer import Commit, one_by_one

__all__ = ["PlayerToRemove", "remove_player"]

MOST_NUMBERS: Final = 5000  # in one statement


@dataclass(frozen=True, slots=True)
class PlayerToRemove:
    """A player who wants to be forgotten."""

    player: str
    now: int


def _remove(commit: Commit, request: PlayerToRemove) -> None:
    connection, player = commit.connection, request.player
    connection.execute(select(players.c.id).where(players.c.id == player).with_for_update())
    of_duels = select(games.c.id).where(games.c.player == player, games.c.duel.is_not(None))
    ids = connection.execute(of_duels).scalars().all()
    nobodys: list[int] = []
    for start in range(0, len(ids), MOST_NUMBERS):
        for state in load_states(connection, ids[start : start + MOST_NUMBERS], to_change=True).values():
            if state.duel is None:
                continue
            if state.opponent is None or state.opponent.player is None:
                nobodys.append(state.duel.number)
            else:
                commit.changed.append(state.opponent.id)
                _leave(commit, state, request.now)
    own = select(games.c.deal).join(deals).where(games.c.player == player, deals.c.day.is_(None))
    orphans = list(connection.execute(own).scalars())
    of_nobody = select(games.c.deal).where(games.c.duel.in_(bindparam("numbers", expanding=True)))
    for part in _parts(nobodys):
        orphans += connection.execute(of_nobody, {"numbers": part}).scalars()
    _delete(connection, games, games.c.duel, nobodys)
    _delete(connection, duels, duels.c.number, nobodys)
    connection.execute(delete(games).where(games.c.player == player))
    _delete(connection, deals, deals.c.number, orphans)
    connection.execute(delete(players).where(players.c.id == player))


remove_player: Final = one_by_one(_remove)
"""Forget a player; one who is not known is forgotten already."""


def _leave(commit: Commit, state: GameState, now: int) -> None:
    """Give up the seat of a duel with a friend, and the duel with it if it goes on."""
    commit.connection.execute(update(games).where(games.c.number == state.number).values(player=None))
    if not state.is_over:
        end_duel(commit, state, "leave", state.seat, now)


def _delete(connection: Connection, table: Table, column: Column[Any], numbers: Collection[int]) -> None:
    for part in _parts(numbers):
        connection.execute(delete(table).where(column.in_(part)))


def _parts(numbers: Collection[int]) -> list[list[int]]:
    found = sorted(set(numbers))
    return [found[start : start + MOST_NUMBERS] for start in range(0, len(found), MOST_NUMBERS)]
