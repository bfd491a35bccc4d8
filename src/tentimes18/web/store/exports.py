"""A player's games in the order in which they were begun, some at a time."""

from sqlalchemy import Connection, select

from tentimes18.web.store.schema import games
from tentimes18.web.store.states import GameState, load_states

__all__ = ["next_games"]


def next_games(connection: Connection, player: str, after: int, most: int) -> list[GameState]:
    """The next games of a player behind a number."""
    is_next = (games.c.player == player, games.c.number > after)
    ids = connection.execute(select(games.c.id).where(*is_next).order_by(games.c.number).limit(most)).scalars().all()
    states = load_states(connection, ids)
    return [states[id_] for id_ in ids]
