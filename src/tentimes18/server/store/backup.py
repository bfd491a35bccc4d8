"""All that is kept, copied into a file of its own while the service runs, and back.

The file is a SQLite database with the same tables, whatever the service's own database is: so a backup also takes games
from SQLite to PostgreSQL, or back. It holds one state of everything, written whole or not at all. Only its owner may
read it: it holds rolls that are still secret. The secret that signs cookies is not in it.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import TypedDict

from sqlalchemy import Connection, Table, delete, func, insert, select, text

from tentimes18.errors import Ten18Error
from tentimes18.server.store.database import Database, bring_up_to_date
from tentimes18.server.store.schema import deals, games, metadata, players
from tentimes18.solve.parallel import Progress

ROWS_AT_ONCE = 2_000
MAGIC = b"SQLite format 3\0"
STAMP = "last-backup"
"""A file in the data folder, written with each backup: its time is that of the backup."""


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
