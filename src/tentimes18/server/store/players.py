"""Players: a name, the link that takes an identity to another device, own games, imported records, and deletion.

Imported records are kept as they are, given back with the games played here, and counted nowhere.

Deleting a player deletes their games with moves and deals, their name, links and imports. In a duel with a friend the
seat stays, without a player, because it is the friend's game too; an unfinished duel ends by that. A duel without any
player is deleted: one against a bot, one that nobody has joined, one that the friend has left before. A group stays,
without the player, and without a host where that was the player.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Column, Connection, Table, delete, exists, func, insert, select, update

from tentimes18.server.days import DAY_MILLISECONDS, closing_of, day_at
from tentimes18.server.identity import new_id
from tentimes18.server.problems import NotFound
from tentimes18.server.store.daily import played_digest
from tentimes18.server.store.database import insert_new
from tentimes18.server.store.duels import end_duel
from tentimes18.server.store.games import GAMES, GameState, keep_players, load_states, lock_players, select_states
from tentimes18.server.store.schema import (
    IS_OPEN,
    IS_RATED,
    deals,
    duels,
    games,
    groups,
    imports,
    links,
    metadata,
    moves,
    played_days,
    players,
)
from tentimes18.server.store.writer import Commit

MAX_RECORDS = 10_000
MAX_BYTES = 10_000_000
MAX_VALUES = 1_000  # in one statement
MAX_GONE = 20  # players that one look deletes
UNUSED_MS = 30 * DAY_MILLISECONDS
GONE_MS = 730 * DAY_MILLISECONDS


class PlayerFacts(NamedTuple):
    name: str | None = None
    created: int | None = None
    games: int = 0
    finished: int = 0


def player_facts(connection: Connection, player: str) -> PlayerFacts:
    counts = select(func.count(), func.count(games.c.score)).where(games.c.player == player)
    row = connection.execute(select(players.c.name, players.c.created).where(players.c.id == player)).one_or_none()
    return PlayerFacts() if row is None else PlayerFacts(*row, *connection.execute(counts).one())


def rename(commit: Commit, player: str, name: str | None, now: int) -> None:
    """Give a player a name, or take it away."""
    keep_players(commit.connection, {player: now})
    commit.connection.execute(update(players).where(players.c.id == player).values(name=name))


def _digest(text: str) -> str:
    """What is stored of a code, which it identifies, but does not reveal."""
    return sha256(text.encode()).hexdigest()


def make_link(commit: Commit, player: str, code: str, now: int, expires: int) -> None:
    """Store the only link of a player: an earlier one is no longer valid."""
    connection = commit.connection
    keep_players(connection, {player: now})
    lock_players(connection, [player])
    connection.execute(delete(links).where((links.c.player == player) | (links.c.expires <= now)))
    connection.execute(insert(links), {"digest": _digest(code), "player": player, "expires": expires})


def use_link(commit: Commit, code: str, now: int) -> str:
    """The player of a link, which is then used up."""
    is_valid = (links.c.digest == _digest(code), links.c.expires > now)
    player: str | None = commit.connection.execute(
        delete(links).where(*is_valid).returning(links.c.player)
    ).scalar_one_or_none()
    if player is None:
        raise NotFound("there is no such link: it was used, has expired, or never existed")
    return player


def listed_games(
    connection: Connection,
    player: str,
    most: int,
    kind: str | None = None,
    is_finished: bool | None = None,
    before: str | None = None,
) -> list[GameState]:
    """The latest games of a player: of a kind, finished or not, begun before the player's game of this id."""
    conditions = [games.c.player == player]
    if kind is not None:
        conditions.append(games.c.kind == kind)
    if is_finished is not None:
        conditions.append(games.c.score.is_not(None) if is_finished else games.c.score.is_(None))
    if before is not None:
        number = select(games.c.number).where(games.c.id == before, games.c.player == player)
        conditions.append(games.c.number < number.scalar_subquery())
    return select_states(connection, GAMES.where(*conditions).order_by(games.c.number.desc()).limit(most))


def own_scores(connection: Connection, player: str, kind: str | None = None) -> list[tuple[float, int]]:
    counts = select(games.c.score, func.count()).where(games.c.player == player, IS_RATED, games.c.score.is_not(None))
    if kind is not None:
        counts = counts.where(games.c.kind == kind)
    rows = connection.execute(counts.group_by(games.c.score).order_by(games.c.score))
    return [(score, count) for score, count in rows]


def next_games(connection: Connection, player: str, after: int, most: int) -> list[GameState]:
    is_next = (games.c.player == player, games.c.number > after)
    return select_states(connection, GAMES.where(*is_next).order_by(games.c.number).limit(most))


def before_the_latest(connection: Connection, table: Table, player: str, latest: int) -> int:
    """The number in a table of games or imports behind which a player has this many, or all where there are fewer."""
    number = table.c.number
    statement = select(number).where(table.c.player == player).order_by(number.desc()).offset(latest).limit(1)
    return connection.execute(statement).scalar() or 0


class RecordToKeep(NamedTuple):
    """A record in the line that it came in, as JSON, and the id of the game that it says it is."""

    line: int
    text: str
    id: str | None = None


class ImportedRecords(NamedTuple):
    """How many were kept, how many were there before, and the lines of those for which there is no room."""

    imported: int
    known: int
    too_many: list[int]


def keep_records(commit: Commit, player: str, records: Sequence[RecordToKeep], now: int) -> ImportedRecords:
    """Store the records of an import that are new, in their order."""
    if not records:
        return ImportedRecords(0, 0, [])
    connection = commit.connection
    keep_players(connection, {player: now})
    lock_players(connection, [player])
    lengths = select(imports.c.digest, func.length(imports.c.record)).where(imports.c.player == player)
    stored: dict[str, int] = dict(connection.execute(lengths).all())
    own = set(connection.execute(select(games.c.id).where(games.c.player == player)).scalars())
    total, known = sum(stored.values()), 0
    rows: list[dict[str, Any]] = []
    too_many: list[int] = []
    for record in records:
        digest, length = _digest(record.text), len(record.text)
        if digest in stored or record.id in own:
            known += 1
        elif len(stored) >= MAX_RECORDS or total + length > MAX_BYTES:
            too_many.append(record.line)
        else:
            stored[digest] = length
            total += length
            rows.append({"player": player, "digest": digest, "record": record.text, "created": now})
    if rows:
        connection.execute(insert(imports), rows)
    return ImportedRecords(len(rows), known, too_many)


def imported_records(connection: Connection, player: str, after: int, most: int) -> list[tuple[int, str]]:
    """The next records behind a number, as JSON, each with its own number."""
    is_next = (imports.c.player == player, imports.c.number > after)
    statement = select(imports.c.number, imports.c.record).where(*is_next).order_by(imports.c.number).limit(most)
    return [(number, text) for number, text in connection.execute(statement)]


def renumber(commit: Commit, player: str) -> str:
    """Move everything of a player to a new id, so that a cookie with the old one is a stranger's; return the new id."""
    connection, new = commit.connection, new_id()
    rows = connection.execute(select(players).where(players.c.id == player).with_for_update()).mappings()
    if (row := rows.one_or_none()) is None:  # nothing is stored of this player
        return new
    connection.execute(insert(players), {**row, "id": new})
    for table in metadata.sorted_tables:
        for column in table.c:
            if any(key.column is players.c.id for key in column.foreign_keys):
                connection.execute(update(table).where(column == player).values({column: new}))
    connection.execute(delete(players).where(players.c.id == player))
    return new


def remove_player(commit: Commit, player: str, now: int) -> None:
    connection = commit.connection
    connection.execute(select(players.c.id).where(players.c.id == player).with_for_update())
    of_duels = select(games.c.id).where(games.c.player == player, games.c.duel.is_not(None))
    nobodys: list[int] = []
    for part in _parts(connection.execute(of_duels).scalars()):
        for state in load_states(connection, part, to_change=True).values():
            assert state.duel is not None
            if state.opponent is None or state.opponent.player is None:
                nobodys.append(state.duel.number)
                continue
            commit.changed.append(state.opponent.id)
            # Give up the seat of a duel with a friend, and the duel if it is not over.
            connection.execute(update(games).where(games.c.number == state.number).values(player=None))
            if not state.is_over:
                end_duel(commit, state, "leave", state.seat, now)
    of_groups = select(groups.c.code).join(games, games.c.deal == groups.c.deal)
    commit.changed += connection.execute(of_groups.where(games.c.player == player)).scalars()
    is_own = (games.c.player == player, games.c.kind != "group", deals.c.day.is_(None))
    orphans = connection.execute(select(games.c.deal).join(deals).where(*is_own)).scalars().all()
    begun = select(deals.c.day).join(games).where(games.c.player == player, games.c.kind == "daily")
    late = [day for day in connection.execute(begun).scalars() if now < closing_of(day)]
    insert_new(connection, played_days, [{"digest": played_digest(player, day), "day": day} for day in late])
    _delete(connection, games.c.duel, nobodys)
    _delete(connection, duels.c.number, nobodys)
    connection.execute(delete(games).where(games.c.player == player))
    _delete(connection, deals.c.number, orphans)
    connection.execute(delete(players).where(players.c.id == player))


def _delete(connection: Connection, column: Column[Any], numbers: Iterable[int]) -> None:
    for part in _parts(numbers):
        connection.execute(delete(column.table).where(column.in_(part)))


def _parts(values: Iterable[Any]) -> list[list[Any]]:
    ordered = sorted(set(values))
    return [ordered[start : start + MAX_VALUES] for start in range(0, len(ordered), MAX_VALUES)]


def remove_old(commit: Commit, now: int) -> int:
    """Delete what nobody needs any more, some at a time; returns how many rows were found.

    That is a solo game without a move after `UNUSED_MS`, a player with everything after `GONE_MS` without a new game,
    and after two days the mark of a day that a deleted player had begun.
    """
    connection = commit.connection
    has_moves = exists().where(moves.c.game == games.c.number)
    is_unused = (IS_OPEN, games.c.created <= now - UNUSED_MS, games.c.kind == "solo", ~has_moves)
    unused = select(games.c.number, games.c.deal, deals.c.day).join_from(games, deals).where(*is_unused)
    rows = connection.execute(unused.limit(MAX_VALUES)).all()
    _delete(connection, games.c.number, [row.number for row in rows])
    _delete(connection, deals.c.number, [row.deal for row in rows if row.day is None])
    is_back = exists().where(games.c.player == players.c.id, games.c.created > now - GONE_MS)
    gone = select(players.c.id).where(players.c.created <= now - GONE_MS, ~is_back).limit(MAX_GONE)
    ids = connection.execute(gone).scalars().all()
    for player in ids:
        remove_player(commit, player, now)
    connection.execute(delete(played_days).where(played_days.c.day < day_at(now - 3 * DAY_MILLISECONDS)))
    return len(rows) + len(ids)
