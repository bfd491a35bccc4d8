"""A player's games as a list, a page at a time, the latest first; and how often each score was made."""

from typing import NamedTuple

from sqlalchemy import Connection, func, select

from tentimes18.server.store.schema import IS_RATED, games
from tentimes18.server.store.states import GameState, load_states

__all__ = ["ListedGame", "Wanted", "listed_games", "own_scores"]


class Wanted(NamedTuple):
    """Which games: of this kind, finished or not, begun before the game of this id; None where it does not matter."""

    kind: str | None = None
    is_finished: bool | None = None
    before: str | None = None


class ListedGame(NamedTuple):
    """A game, with what its moves lost where that was measured."""

    state: GameState
    loss: float | None
    choices: int | None


def listed_games(connection: Connection, player: str, wanted: Wanted, most: int) -> list[ListedGame]:
    """The latest games of a player that are wanted; none before a game that is not the player's."""
    is_wanted = [games.c.player == player]
    if wanted.kind is not None:
        is_wanted.append(games.c.kind == wanted.kind)
    if wanted.is_finished is not None:
        is_wanted.append(games.c.finished.is_not(None) if wanted.is_finished else games.c.finished.is_(None))
    if wanted.before is not None:
        number = select(games.c.number).where(games.c.id == wanted.before, games.c.player == player)
        is_wanted.append(games.c.number < number.scalar_subquery())
    rows = connection.execute(
        select(games.c.id, games.c.loss, games.c.choices).where(*is_wanted).order_by(games.c.number.desc()).limit(most)
    ).all()
    states = load_states(connection, [row.id for row in rows])
    return [ListedGame(states[row.id], row.loss, row.choices) for row in rows]


def own_scores(connection: Connection, player: str, kind: str | None = None) -> list[tuple[float, int]]:
    """The scores of a player's finished games that count, increasing, and how often each was made."""
    of_kind = () if kind is None else (games.c.kind == kind,)
    found = (
        select(games.c.score, func.count())
        .where(games.c.player == player, IS_RATED, *of_kind)
        .group_by(games.c.score)
        .order_by(games.c.score)
    )
    return [(score, count) for score, count in connection.execute(found)]
