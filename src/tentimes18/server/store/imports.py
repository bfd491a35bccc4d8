"""Records that players bring along: kept as they are, given back with the games played here, and counted nowhere."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, func, insert, select

from tentimes18.server.store.games import player_row
from tentimes18.server.store.players import keep_players, lock_players
from tentimes18.server.store.schema import games, imports
from tentimes18.server.store.writer import Commit, one_by_one

__all__ = [
    "MOST_BYTES",
    "MOST_RECORDS",
    "ImportedRecords",
    "RecordToKeep",
    "RecordsToKeep",
    "imported_records",
    "keep_records",
]

MOST_RECORDS: Final = 10_000
MOST_BYTES: Final = 10_000_000
MOST_VALUES: Final = 1000  # in one statement


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


keep_records: Final = one_by_one(_keep)
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
