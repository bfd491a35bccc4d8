"""A player's games in the order in which they were begun, some at a time, or only the latest.

A player's games as a list, a page at a time, the latest first; and how often each score was made.

Records that players bring along: kept as they are, given back with the games played here, and counted nowhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, func, insert, select

from tentimes18.server.store.games import player_row
from tentimes18.server.store.players import keep_players, lock_players
from tentimes18.server.store.schema import IS_RATED, games, imports
from tentimes18.server.store.states import GameState, load_states
from tentimes18.server.store.writer import Commit, one_by_one


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


MOST_RECORDS = 10_000
MOST_BYTES = 10_000_000
MOST_VALUES = 1000  # in one statement


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


def _keep(commit: Commit, request: RecordsToKeep) -> ImportedRecords:
    if not request.records:
        return ImportedRecords(0, 0, [])
    connection, player = commit.connection, request.player
    keep_players(connection, [player_row(player, request.now)])
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
        elif count >= MOST_RECORDS or length + len(record.text) > MOST_BYTES:
            too_many.append(record.line)
        else:
            digests.add(digest)
            count, length = count + 1, length + len(record.text)
            rows.append({"player": player, "digest": digest, "record": record.text, "created": request.now})
    if rows:
        connection.execute(insert(imports), rows)
    return ImportedRecords(len(rows), known, too_many)


keep_records = one_by_one(_keep)
"""Keep records that are new, in their order."""


def _found(connection: Connection, column: Any, is_own: Any, values: Iterable[str]) -> set[str]:
    """Which of these values stand in a column already."""
    wanted = sorted(set(values))
    found: set[str] = set()
    for start in range(0, len(wanted), MOST_VALUES):
        part = column.in_(wanted[start : start + MOST_VALUES])
        found.update(connection.execute(select(column).where(is_own, part)).scalars())
    return found


def imported_records(connection: Connection, player: str, after: int, most: int) -> list[tuple[int, str]]:
    """The next records behind a number, as JSON, each with its own number."""
    is_next = (imports.c.player == player, imports.c.number > after)
    found = select(imports.c.number, imports.c.record).where(*is_next).order_by(imports.c.number).limit(most)
    return [(number, text) for number, text in connection.execute(found)]
