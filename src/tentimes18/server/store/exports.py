"""A player's games in the order in which they were begun, some at a time, or only the latest."""

from sqlalchemy import Connection, Table, select

from tentimes18.server.store.schema import games
from tentimes18.server.store.states import GameState, load_states

__all__ = ["before_the_latest", "next_games"]


def next_games(connection: Connection, player: str, after: int, most: int) -> list[GameState]:
    """The next games of a player behind a number."""
    is_next = (games.c.player == player, games.c.number > after)
    ids = connection.execute(select(games.c.id).where(*is_next).order_by(games.c.number).limit(most)).scalars().all()
    states = load_states(connection, ids)
    return [states[id_] for id_ in ids]


def before_the_latest(connection: Connection, table: Table, player: str, latest: int) -> int:
    """The number in a table of games or imports behind which a player has so many, or all where there are fewer."""
    number = table.c.number
    found = select(number).where(table.c.player == player).order_by(number.desc()).offset(latest).limit(1)
    return connection.execute(found).scalar() or 0
