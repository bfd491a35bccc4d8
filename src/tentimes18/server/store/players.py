"""Players: what is known of one, a name, and the link that takes an identity to another device, once.

A player removed, with all that is theirs.

Own games go with their moves and their deals, names, links and imports as well. In a duel with a friend the seat stays,
for it is the friend's game too, without a player; a duel that goes on ends by that. A duel that is nobody's any more
goes as a whole: one with a bot, one that nobody has joined, one that the friend has left before.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Column, Connection, Table, bindparam, delete, func, insert, select, update

from tentimes18.server.store.database import insert_new
from tentimes18.server.store.duels import end_duel
from tentimes18.server.store.games import NotFound, player_row
from tentimes18.server.store.schema import deals, duels, games, links, players
from tentimes18.server.store.states import GameState, load_states
from tentimes18.server.store.writer import Commit, one_by_one


class PlayerFacts(NamedTuple):
    """What the store knows of a player: nothing, of one who has begun no game."""

    name: str | None = None
    created: int | None = None
    games: int = 0
    finished: int = 0


def player_facts(connection: Connection, player: str) -> PlayerFacts:
    """The name, since when, and how many games."""
    row = connection.execute(select(players.c.name, players.c.created).where(players.c.id == player)).one_or_none()
    if row is None:
        return PlayerFacts()
    counts = select(func.count(), func.count(games.c.finished)).where(games.c.player == player)
    return PlayerFacts(*row, *connection.execute(counts).one())


def keep_players(connection: Connection, rows: Iterable[Mapping[str, Any]]) -> None:
    """Put players down where they are new; in one order, so that nobody waits in a circle."""
    insert_new(connection, players, sorted(rows, key=lambda row: str(row["id"])))


_LOCK = (
    select(players.c.id)
    .where(players.c.id.in_(bindparam("of_players", expanding=True)))
    .order_by(players.c.id)
    .with_for_update(key_share=True)  # other games of these players may begin meanwhile
)


def lock_players(connection: Connection, of_players: Iterable[str]) -> None:
    """Let nobody else do the same for these players until this transaction ends."""
    connection.execute(_LOCK, {"of_players": sorted(of_players)})


@dataclass(frozen=True, slots=True)
class NameToKeep:
    """What a player wants to be called; None: nothing any more."""

    player: str
    name: str | None
    now: int


def _rename(commit: Commit, request: NameToKeep) -> None:
    keep_players(commit.connection, [player_row(request.player, request.now)])
    commit.connection.execute(update(players).where(players.c.id == request.player).values(name=request.name))


rename = one_by_one(_rename)
"""Give a player a name, or take it away."""


@dataclass(frozen=True, slots=True)
class LinkToMake:
    """A code that is to stand for a player until it is used, or until it expires."""

    player: str
    code: str
    now: int
    expires: int


@dataclass(frozen=True, slots=True)
class LinkToUse:
    """A code that somebody has."""

    code: str
    now: int


def digest_of(code: str) -> str:
    """What is kept of a code: it tells who it stands for, and cannot be turned back.

    >>> digest_of("secret")[:8]
    '2bb80d53'
    """
    return sha256(code.encode()).hexdigest()


def _make_link(commit: Commit, request: LinkToMake) -> None:
    connection = commit.connection
    keep_players(connection, [player_row(request.player, request.now)])
    lock_players(connection, [request.player])
    connection.execute(delete(links).where((links.c.player == request.player) | (links.c.expires <= request.now)))
    row = {"digest": digest_of(request.code), "player": request.player, "expires": request.expires}
    connection.execute(insert(links), row)


make_link = one_by_one(_make_link)
"""Keep the one link of a player; an earlier one is worth nothing any more."""


def _use_link(commit: Commit, request: LinkToUse) -> str:
    is_it = (links.c.digest == digest_of(request.code), links.c.expires > request.now)
    player: str | None = commit.connection.execute(
        delete(links).where(*is_it).returning(links.c.player)
    ).scalar_one_or_none()
    if player is None:
        raise NotFound("there is no such link: it was used, it has expired, or it never was one")
    return player


use_link = one_by_one(_use_link)
"""The player that a code stands for, who then has it no longer."""


MOST_NUMBERS = 5000  # in one statement


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


remove_player = one_by_one(_remove)
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
