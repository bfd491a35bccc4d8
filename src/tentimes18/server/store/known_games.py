"""Games that the writer of a process has just written: a move need not have them read and built again.

A game of one player changes by its moves alone, and a move that is made stays. So a state with as many moves as the
store has is the state that the store has, whoever made them; a count tells, once the game is locked for the change.
What was known in a transaction that came to nothing is forgotten, all of it.
"""

import json
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Connection, bindparam, func, select

from tentimes18.server.store.schema import games, moves
from tentimes18.server.store.states import GameState, load_states

__all__ = ["KnownGames"]

MOST_KNOWN: Final = 4096

_LOCKED: Final = (
    select(games.c.id)
    .where(games.c.id.in_(bindparam("ids", expanding=True)), games.c.duel.is_(None))
    .order_by(games.c.id)  # as whoever else locks some of them does
    .with_for_update()
)
_MADE: Final = select(func.count()).where(moves.c.game == games.c.number).scalar_subquery()
_COUNTED: Final = select(games.c.id, games.c.number, _MADE).where(
    games.c.id.in_(bindparam("ids", expanding=True)), games.c.duel.is_(None)
)
_LISTED: Final = select(func.json_group_array(func.json_array(games.c.id, games.c.number, _MADE))).where(
    games.c.id.in_(select(func.json_each(bindparam("ids")).table_valued("value").c.value)), games.c.duel.is_(None)
)


class KnownGames:
    """States by id, those of games of one player that go on."""

    def __init__(self, most: int = MOST_KNOWN) -> None:
        self._states: OrderedDict[str, GameState] = OrderedDict()
        self._most = most

    def __len__(self) -> int:
        return len(self._states)

    def load(self, connection: Connection, ids: Iterable[str]) -> dict[str, GameState]:
        """The games of these ids, by id: nobody else changes them until this transaction ends."""
        wanted = set(ids)
        found = {} if self._states.keys().isdisjoint(wanted) else self._find(connection, wanted)
        if others := wanted - found.keys():
            found |= load_states(connection, others, to_change=True)
        return found

    def remember(self, state: GameState) -> None:
        """Know a state that this transaction has written."""
        if state.duel is not None or state.is_over:
            self._states.pop(state.id, None)
            return
        self._states[state.id] = state
        self._states.move_to_end(state.id)
        if len(self._states) > self._most:
            self._states.popitem(last=False)

    def forget(self) -> None:
        """Know nothing: a transaction has come to nothing, or nobody can say."""
        self._states.clear()

    def _find(self, connection: Connection, ids: Iterable[str]) -> dict[str, GameState]:
        found = {}
        for id_, number, count in _count(connection, sorted(ids)):
            state = self._states.get(id_)
            if state is not None and (state.number, len(state.slots)) == (number, count):
                found[id_] = state
        return found


def _count(connection: Connection, ids: Sequence[str]) -> Iterable[Sequence[Any]]:
    """The id, the number and the count of moves of each game, which nobody else changes from now on."""
    if (
        connection.dialect.name == "sqlite"
    ):  # whoever writes there has the whole file; one row, as it inserts (database)
        rows: list[list[Any]] = json.loads(connection.execute(_LISTED, {"ids": json.dumps(ids)}).scalar_one())
        return rows
    connection.execute(_LOCKED, {"ids": ids}).all()
    return connection.execute(_COUNTED, {"ids": ids})  # what was made before the lock was free, too
