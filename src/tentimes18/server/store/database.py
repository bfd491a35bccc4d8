"""Connections to the database: one way to write, many to read.

SQLite writes ahead (WAL) and waits for the disk at every commit. A transaction that writes says so from the start, so
that none has to give up a change that is half made. PostgreSQL does the same by its own defaults; a connection that
writes does not let a server, a database or a role have it otherwise. A client that is cut off in the middle of a change
loses it soon: otherwise its locks would hold up the writers of all other processes.
"""

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoConnection

from tentimes18.errors import Ten18Error
from tentimes18.server.store.schema import metadata

SCRIPT = ScriptDirectory(str(Path(__file__).parent / "migrations"))
MIGRATION_LOCK = 1018  # the number of an advisory lock of PostgreSQL
BUSY_SECONDS = 10
READERS = 8
LOCKED_SECONDS = 0.01  # until a file that is locked is tried again
WAIT_SECONDS = 5  # for a connection
CONNECT_SECONDS = 5
# A PostgreSQL that is gone without a word is noticed after some twenty seconds.
ALIVE: dict[str, Any] = {"keepalives_idle": 10, "keepalives_interval": 3, "keepalives_count": 3}
LONGEST = 200  # of what a database says of an error
STATEMENT_SECONDS = 8  # of a server, for one statement
LOCK_SECONDS = 2  # for rows that somebody else holds; then the commit is tried again
SILENT_SECONDS = 20  # of a writer in the midst of a change, until PostgreSQL takes it back


class StoreUnavailable(Exception):
    """The database cannot be reached, is full, or cannot be written to: nothing was changed, or nobody can say."""


class Database:
    def __init__(self, url: str, *, has_deadlines: bool = False) -> None:
        """With deadlines, PostgreSQL ends a statement that takes too long; a server has them, a backup has not."""
        self._has_deadlines = has_deadlines
        try:
            self.url = sa.make_url(url)
        except ArgumentError:
            raise Ten18Error("not the address of a database", "database") from None
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite and not self.url.database:
            raise Ten18Error("SQLite needs a file; accepted: sqlite:///file", "database")
        try:
            self.reader = self._engine("BEGIN", READERS)
            self.writer = self._engine("BEGIN IMMEDIATE", 1)
        except ModuleNotFoundError:
            raise Ten18Error("PostgreSQL needs psycopg: pip install 'tentimes18[postgres]'", "database") from None

    @property
    def path(self) -> Path | None:
        return Path(self.url.database or "") if self.is_sqlite else None

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A connection that sees one state of everything."""
        with unavailable_if_lost(), self.reader.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that is on disk when the block has ended; for the writer, and for programs beside a service."""
        with unavailable_if_lost(), self.writer.begin() as connection:
            yield connection

    def close(self) -> None:
        self.reader.dispose()
        self.writer.dispose()

    def _engine(self, begin: str, connections: int) -> sa.Engine:
        is_writer = begin != "BEGIN"
        options: dict[str, Any] = {"connect_args": {"timeout": BUSY_SECONDS, "check_same_thread": False}}
        options["connect_args"]["isolation_level"] = None
        if not self.is_sqlite:
            options = {"connect_args": {"connect_timeout": CONNECT_SECONDS, "application_name": "ten18", **ALIVE}}
            if self._has_deadlines:
                options["connect_args"]["options"] = f"-c statement_timeout={STATEMENT_SECONDS}s"
            options["isolation_level"] = "READ COMMITTED" if is_writer else "REPEATABLE READ"
            options["pool_pre_ping"] = True
        engine = sa.create_engine(
            self.url,
            hide_parameters=True,  # of statements, in errors: they hold rolls
            pool_size=connections,
            max_overflow=0,
            pool_timeout=WAIT_SECONDS,
            **options,
        )
        if self.is_sqlite:
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
        elif is_writer:
            event.listen(engine, "connect", _prepare_postgresql)
        return engine


def _prepare_sqlite(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    deadline = time.monotonic() + BUSY_SECONDS
    while True:  # if several processes turn on write-ahead logging at once, SQLite lets none wait
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(LOCKED_SECONDS)
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _prepare_postgresql(connection: Any, _: Any) -> None:
    """Settings of a connection that writes; stricter ones stay."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET idle_in_transaction_session_timeout = '{SILENT_SECONDS}s'")
        cursor.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
        is_off = "current_setting('synchronous_commit') = 'off'"
        cursor.execute(f"SELECT set_config('synchronous_commit', 'on', false) WHERE {is_off}")
    connection.commit()


@contextmanager
def unavailable_if_lost() -> Iterator[None]:
    """Inside, what the database cannot do is one kind of error, which shows no statement and no value of one."""
    try:
        yield
    except (DataError, IntegrityError, NotSupportedError, ProgrammingError):  # faults of ours
        raise
    except DBAPIError as error:
        first, *_ = str(error.orig).splitlines() or [type(error.orig).__name__]
        raise StoreUnavailable(first[:LONGEST]) from error
    except NoConnection as error:
        raise StoreUnavailable("no connection is free") from error


def insert_new(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert these rows, but for those whose key exists already."""
    if rows:
        connection.execute(_insert_new(connection.dialect.name, table), list(rows))


@cache
def _insert_new(dialect: str, table: sa.Table) -> sa.Insert:
    own = sqlite.insert if dialect == "sqlite" else postgresql.insert
    return own(table).on_conflict_do_nothing()


def insert_plain(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, int | str | None]]) -> None:
    """Insert rows that have the same columns, in one step.

    At every step of SQLite the other threads may take the interpreter, and the writer waits until it has it back: a
    step for each of a hundred rows would cost a hundred waits.
    """
    if connection.dialect.name == "sqlite":
        connection.execute(_insert_listed(table, tuple(rows[0])), {"rows": json.dumps(rows)})
    else:
        connection.execute(sa.insert(table), rows)


@cache
def _insert_listed(table: sa.Table, columns: tuple[str, ...]) -> sa.Insert:
    row = sa.func.json_each(sa.bindparam("rows")).table_valued("value").c.value
    return sa.insert(table).from_select(columns, sa.select(*(row.op("->>")(column) for column in columns)))


def bring_up_to_date(database: Database) -> None:
    """Make the tables, or change them to what this version needs; a database of a later version is rejected."""
    if database.path is not None:
        database.path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(database.path, os.O_RDWR | os.O_CREAT, 0o600))  # it holds rolls that nobody may know
    with database.reading() as connection:
        if revision_of(connection) == SCRIPT.get_current_head():
            return
    with database.writing() as connection:
        if not database.is_sqlite:  # which lets one process write at a time anyway
            connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
            connection.execute(sa.text("SET LOCAL lock_timeout = 0"))  # another server may be at it
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:number)"), {"number": MIGRATION_LOCK})
        known = revision_of(connection)
        if known is not None and known not in {revision.revision for revision in SCRIPT.walk_revisions()}:
            raise Ten18Error("the database was made by a later version; use that one", "database")
        context = MigrationContext.configure(connection)
        for revision in reversed(list(SCRIPT.iterate_revisions("head", known or "base"))):
            with Operations.context(context):
                revision.module.upgrade()
            context.stamp(SCRIPT, revision.revision)


def revision_of(connection: sa.Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def database_bytes(database: Database) -> int:
    if database.path is not None:
        return database.path.stat().st_size
    with database.reading() as connection:
        return connection.scalar(sa.text("SELECT pg_database_size(current_database())")) or 0


def verify_schema(database: Database) -> None:
    """Raise ``Ten18Error`` if a table or column is missing, as after a migration that was changed later."""
    with database.reading() as connection:
        existing = sa.inspect(connection).get_multi_columns()
    missing: list[str] = []
    for table in metadata.sorted_tables:
        if (columns := existing.get((None, table.name))) is None:
            missing.append(table.name)
        else:
            names = set(table.c.keys()) - {column["name"] for column in columns}
            missing += [f"{table.name}.{name}" for name in names]
    if missing:
        problem = f"the database is not what version {SCRIPT.get_current_head()} makes; it lacks"
        raise Ten18Error(f"{problem} {', '.join(sorted(missing))}: restore a backup into a new one", "database")
