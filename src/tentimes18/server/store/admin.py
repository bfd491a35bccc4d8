"""What an operator does beside a running server, or without one: with players, duels and groups, and with backups.

Every change of a player, a duel or a group is one transaction, and adds a line to ``admin.log`` in the data folder.

A backup is a SQLite database with the same tables, whatever the service's own database is: so it also takes games from
SQLite to PostgreSQL, or back. It holds one state of everything, written whole or not at all. Only its owner may read
it: it holds rolls that are still secret. The secret that signs cookies is not in it.
"""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from getpass import getuser
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any, TypedDict

from msgspec import Struct
from sqlalchemy import Connection, Select, Table, delete, func, insert, or_, select, text, update

from tentimes18.errors import Ten18Error
from tentimes18.server.days import utc_text
from tentimes18.server.identity import new_id, read_name
from tentimes18.server.problems import NotFound
from tentimes18.server.store.database import Database, bring_up_to_date, database_bytes
from tentimes18.server.store.duels import end_duel
from tentimes18.server.store.games import load_states
from tentimes18.server.store.groups import read_code, remove_groups
from tentimes18.server.store.players import make_link, remove_player, renumber
from tentimes18.server.store.schema import deals, games, metadata, players
from tentimes18.server.store.writer import Commit
from tentimes18.solve.parallel import Progress

LOG_FILE = "admin.log"
MISSING = {
    "end duel": ("game", "there is no unfinished duel with this game"),
    "delete group": ("group", "there is no group with this code"),
}
NO_PLAYER = ("player", "there is no player with this id; ten18 admin players lists the players")
"""What an action is about, and the problem if it does not exist; the other actions are about a player."""
LINK_MS = 24 * 3600 * 1000

ROWS_AT_ONCE = 2_000
MAGIC = b"SQLite format 3\0"
STAMP = "last-backup"
"""A file in the data folder, written with each backup: its time is that of the backup."""


class PlayerRow(Struct, frozen=True):
    """A player: the id in their cookie, the name they chose, and their games."""

    id: str
    name: str | None
    created: str
    games: int
    finished: int
    last_game: str | None
    hidden: bool


class PlayersAnswer(Struct, frozen=True):
    players: list[PlayerRow]


class TableSize(Struct, frozen=True):
    table: str
    rows: int


class SizesAnswer(Struct, frozen=True):
    """Rows by table, and the bytes of the whole database."""

    tables: list[TableSize]
    bytes: int


class AdminAnswer(Struct, frozen=True):
    """What was done, to whom, and the code of a link if one was made."""

    action: str
    subject: str
    detail: str | None = None


class Admin:
    """The actions of an operator on a database, written down in a folder."""

    def __init__(self, database: Database, folder: Path, clock: Callable[[], int]) -> None:
        self._database = database
        self._folder = folder
        self._clock = clock
        bring_up_to_date(database)

    def players(self, search: str | None, most: int) -> PlayersAnswer:
        """Return the players whose name or id contains a text, the newest first."""
        columns = [players.c[name] for name in ("id", "name", "created", "hidden")]
        statement: Select[Any] = (
            select(*columns, func.count(games.c.number), func.count(games.c.finished), func.max(games.c.created))
            .join_from(players, games, games.c.player == players.c.id, isouter=True)
            .group_by(*columns)
            .order_by(players.c.created.desc(), players.c.id)
            .limit(most)
        )
        if search is not None:
            statement = statement.where(or_(players.c.name.icontains(search, autoescape=True), players.c.id == search))
        with self._database.reading() as connection:
            rows = [
                PlayerRow(id_, name, utc_text(created), count, finished, last and utc_text(last), hidden)
                for id_, name, created, hidden, count, finished, last in connection.execute(statement)
            ]
        return PlayersAnswer(rows)

    def sizes(self) -> SizesAnswer:
        with self._database.reading() as connection:
            tables = [TableSize(str(table.name), count_rows(connection, table)) for table in metadata.sorted_tables]
        return SizesAnswer(tables, database_bytes(self._database))

    def rename(self, player: str, name: str | None) -> AdminAnswer:
        name = None if name is None else read_name(name)
        return self._change("rename", player, lambda commit: _update(commit, player, name=name), name or "no name")

    def hide(self, player: str, *, hidden: bool) -> AdminAnswer:
        """Take a player out of the lists that others see, or put them back."""
        return self._change("hide" if hidden else "show", player, lambda commit: _update(commit, player, hidden=hidden))

    def delete_player(self, player: str) -> AdminAnswer:
        """Remove a player with all of their games; a friend keeps a duel they played together."""
        return self._change("delete player", player, lambda commit: remove_player(commit, player, self._clock()))

    def sign_out(self, player: str) -> AdminAnswer:
        """End all devices of a player: the player gets another id, and a link to it that works once."""

        def change(commit: Commit) -> str:
            code, now = new_id(), self._clock()
            make_link(commit, renumber(commit, player), code, now, now + LINK_MS)
            return code

        return self._change("sign out", player, change)

    def delete_group(self, code: str) -> AdminAnswer:

        def change(commit: Commit) -> None:
            if not remove_groups(commit, [read_code(code) or ""]):
                raise NotFound

        return self._change("delete group", code, change)

    def end_duel(self, game: str) -> AdminAnswer:
        """End the duel that a game belongs to; the player of that game loses it."""

        def change(commit: Commit) -> None:
            state = load_states(commit.connection, [game], to_change=True).get(game)
            if state is None or state.duel is None or state.is_over:
                raise NotFound
            end_duel(commit, state, "leave", state.seat, self._clock())

        return self._change("end duel", game, change)

    def _change(
        self, action: str, subject: str, change: Callable[[Commit], str | None], detail: str | None = None
    ) -> AdminAnswer:
        kind, problem = MISSING.get(action, NO_PLAYER)
        try:
            with self._database.writing() as connection:
                if kind == "player" and connection.scalar(select(players.c.id).where(players.c.id == subject)) is None:
                    raise NotFound
                result = change(Commit(connection))
        except NotFound:
            raise Ten18Error(problem, kind, subject) from None
        who = {"time": utc_text(self._clock()), "user": getuser()}
        line = {**who, "action": action, "subject": subject, "detail": detail}
        self._folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._folder / LOG_FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return AdminAnswer(action, subject, detail if result is None else result)


def _update(commit: Commit, player: str, **values: Any) -> None:
    commit.connection.execute(update(players).where(players.c.id == player).values(**values))


def last_backup(folder: Path) -> float:
    """When the last backup of a server with this data folder was complete, in seconds since 1970; 0 for never."""
    with suppress(OSError):
        return (folder / STAMP).stat().st_mtime
    return 0.0


class BackupAnswer(TypedDict):
    """What was copied: rows by table, and the size of the file in bytes."""

    file: str
    bytes: int
    rows: dict[str, int]


def back_up(database: Database, file: Path, progress: Progress | None = None) -> BackupAnswer:
    """Copy everything into this file; whatever was there before stays until the copy is whole."""
    real = file.resolve()
    part = real.with_name(f".{token_hex(8)}.part")
    try:
        with _opened(part) as copy, database.reading() as source, copy.writing() as target:
            rows = _copy(source, target, progress)
        _verify_whole(part)
        with part.open("rb") as whole:
            os.fsync(whole.fileno())
        part.replace(real)
        return {"file": str(file), "bytes": real.stat().st_size, "rows": rows}
    finally:
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                part.with_name(part.name + ending).unlink()


def restore(file: Path, database: Database, progress: Progress | None = None) -> BackupAnswer:
    """Copy everything from this file into a database that has no players and no games yet, all of it or nothing."""
    _verify_backup(file)
    with TemporaryDirectory(prefix="ten18-") as folder:
        # A copy, brought up to date: a backup stays as it is, also one of an older version.
        older = Path(folder) / "backup.sqlite"
        shutil.copyfile(file, older)
        with _opened(older) as copy:
            bring_up_to_date(database)
            with copy.reading() as source, database.writing() as target:
                counts = count_rows(target, games), count_rows(target, players)
                if any(counts):
                    known = f"{counts[0]:,} games of {counts[1]:,} players exist already"
                    raise Ten18Error(f"{known}; restore into an empty database", "data")
                target.execute(delete(deals))  # of days that nobody has played
                rows = _copy(source, target, progress)
                _count_on(target)
    return {"file": str(file), "bytes": file.stat().st_size, "rows": rows}


@contextmanager
def _opened(file: Path) -> Iterator[Database]:
    copy = Database(f"sqlite:///{file}")
    try:
        bring_up_to_date(copy)
        yield copy
    finally:
        copy.close()


def _copy(source: Connection, target: Connection, progress: Progress | None) -> dict[str, int]:
    tables = metadata.sorted_tables
    counts = {table.name: count_rows(source, table) for table in tables}
    done, total = 0, sum(counts.values())
    for table in tables:
        found = source.execution_options(yield_per=ROWS_AT_ONCE).execute(select(table))
        for rows in found.mappings().partitions():
            target.execute(insert(table), [dict(row) for row in rows])
            done += len(rows)
            if progress:
                progress(done, total)
    return counts


def count_rows(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def _count_on(connection: Connection) -> None:
    """Have PostgreSQL count on from the numbers that were copied; SQLite does so automatically."""
    sequence = text("SELECT setval(pg_get_serial_sequence(:table, 'number'), :last)")
    for table in metadata.sorted_tables if connection.dialect.name == "postgresql" else ():
        if "number" in table.c and (last := connection.scalar(select(func.max(table.c.number)))) is not None:
            connection.execute(sequence, {"table": table.name, "last": last})


def _verify_backup(file: Path) -> None:
    try:
        with file.open("rb") as opened:
            if opened.read(len(MAGIC)) != MAGIC:
                raise Ten18Error("not a backup", "file", str(file))
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            is_whole = connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
    except sqlite3.DatabaseError:
        raise Ten18Error("damaged", "file", str(file)) from None
    except OSError as error:
        raise Ten18Error(f"cannot be read: {error.strerror}", "file", str(file)) from None
    if not {"alembic_version", "games", "moves"} <= names:
        raise Ten18Error("not a backup of games", "file", str(file))
    if not is_whole:
        raise Ten18Error("damaged", "file", str(file))


def _verify_whole(part: Path) -> None:
    with closing(sqlite3.connect(part)) as connection:
        problems = (
            connection.execute("PRAGMA integrity_check").fetchall()
            + connection.execute("PRAGMA foreign_key_check").fetchall()
        )
        connection.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
    if problems != [("ok",)]:
        raise Ten18Error("the copy is damaged; check the disk", "file")
