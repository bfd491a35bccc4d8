"""Players: a name, the link that takes an identity to another device, own games, imported records, and deletion.

Imported records are kept as they are, given back with the games played here, and counted nowhere.

When a player is removed, own games go with their moves and their deals; names, links and imports as well. In a duel
with a friend the seat stays, because it is the friend's game too, without a player; a duel that goes on ends by that. A
duel that has no player any more goes as a whole: one against a bot, one that nobody has joined, one that the friend has
left before.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Column, Connection, Table, bindparam, delete, func, insert, select, update

from tentimes18.server.store.duels import end_duel
from tentimes18.server.store.games import GameState, NotFound, keep_players, load_states, lock_players
from tentimes18.server.store.schema import IS_RATED, deals, duels, games, imports, links, players
from tentimes18.server.store.writer import Commit, one_by_one

MAX_RECORDS = 10_000
MAX_BYTES = 10_000_000
MAX_VALUES = 1_000  # in one statement


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


@dataclass(frozen=True, slots=True)
class NameToKeep:
    """What a player wants to be called; None: nothing any more."""

    player: str
    name: str | None
    now: int


@one_by_one
def rename(commit: Commit, request: NameToKeep) -> None:
    """Give a player a name, or take it away."""
    keep_players(commit.connection, {request.player: request.now})
    commit.connection.execute(update(players).where(players.c.id == request.player).values(name=request.name))


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
    """What is kept of a code: it tells who it stands for, and cannot be turned back."""
    return sha256(code.encode()).hexdigest()


@one_by_one
def make_link(commit: Commit, request: LinkToMake) -> None:
    """Keep the one link of a player; an earlier one is worth nothing any more."""
    connection = commit.connection
    keep_players(connection, {request.player: request.now})
    lock_players(connection, [request.player])
    connection.execute(delete(links).where((links.c.player == request.player) | (links.c.expires <= request.now)))
    row = {"digest": digest_of(request.code), "player": request.player, "expires": request.expires}
    connection.execute(insert(links), row)


@one_by_one
def use_link(commit: Commit, request: LinkToUse) -> str:
    """The player that a code stands for, who then has it no longer."""
    is_it = (links.c.digest == digest_of(request.code), links.c.expires > request.now)
    player: str | None = commit.connection.execute(
        delete(links).where(*is_it).returning(links.c.player)
    ).scalar_one_or_none()
    if player is None:
        raise NotFound("there is no such link: it was used, it has expired, or it never was one")
    return player


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


@dataclass(frozen=True, slots=True)
class RecordToKeep:
    """A record in the line that it came in, as JSON, and the id of the game that it says it is."""

    line: int
    text: str
    id: str | None = None

    @property
    def digest(self) -> str:
        """By which it is known again."""
        return sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class RecordsToKeep:
    """What a player brings along."""

    player: str
    records: Sequence[RecordToKeep]
    now: int


class ImportedRecords(NamedTuple):
    """How many were kept, how many were there before, and the lines of those for which there is no room."""

    imported: int
    known: int
    too_many: list[int]


@one_by_one
def keep_records(commit: Commit, request: RecordsToKeep) -> ImportedRecords:
    """Keep records that are new, in their order."""
    if not request.records:
        return ImportedRecords(0, 0, [])
    connection, player = commit.connection, request.player
    keep_players(connection, {player: request.now})
    lock_players(connection, [player])
    digests = _found(connection, imports.c.digest, imports.c.player == player, (r.digest for r in request.records))
    own = _found(connection, games.c.id, games.c.player == player, (r.id for r in request.records if r.id))
    size = select(func.count(), func.coalesce(func.sum(func.length(imports.c.record)), 0))
    count, length = connection.execute(size.where(imports.c.player == player)).one()
    rows: list[dict[str, Any]] = []
    too_many: list[int] = []
    known = 0
    for record in request.records:
        digest = record.digest
        if digest in digests or record.id in own:
            known += 1
        elif count >= MAX_RECORDS or length + len(record.text) > MAX_BYTES:
            too_many.append(record.line)
        else:
            digests.add(digest)
            count, length = count + 1, length + len(record.text)
            rows.append({"player": player, "digest": digest, "record": record.text, "created": request.now})
    if rows:
        connection.execute(insert(imports), rows)
    return ImportedRecords(len(rows), known, too_many)


def _found(connection: Connection, column: Any, is_own: Any, values: Iterable[str]) -> set[str]:
    """Which of these values stand in a column already."""
    wanted = sorted(set(values))
    found: set[str] = set()
    for start in range(0, len(wanted), MAX_VALUES):
        part = column.in_(wanted[start : start + MAX_VALUES])
        found.update(connection.execute(select(column).where(is_own, part)).scalars())
    return found


def imported_records(connection: Connection, player: str, after: int, most: int) -> list[tuple[int, str]]:
    """The next records behind a number, as JSON, each with its own number."""
    is_next = (imports.c.player == player, imports.c.number > after)
    found = select(imports.c.number, imports.c.record).where(*is_next).order_by(imports.c.number).limit(most)
    return [(number, text) for number, text in connection.execute(found)]


@dataclass(frozen=True, slots=True)
class PlayerToRemove:
    """A player who wants to be forgotten."""

    player: str
    now: int


@one_by_one
def remove_player(commit: Commit, request: PlayerToRemove) -> None:
    """Forget a player; one who is not known is forgotten already."""
    connection, player = commit.connection, request.player
    connection.execute(select(players.c.id).where(players.c.id == player).with_for_update())
    of_duels = select(games.c.id).where(games.c.player == player, games.c.duel.is_not(None))
    ids = connection.execute(of_duels).scalars().all()
    nobodys: list[int] = []
    for start in range(0, len(ids), MAX_VALUES):
        for state in load_states(connection, ids[start : start + MAX_VALUES], to_change=True).values():
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
    return [found[start : start + MAX_VALUES] for start in range(0, len(found), MAX_VALUES)]
