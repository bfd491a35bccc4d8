"""The tables of a database brought up to date, step by step from whatever version it has, by one process at a time."""

import os
from pathlib import Path
from typing import Final

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from tentimes18.errors import Ten18Error
from tentimes18.server.store.database import Database

__all__ = ["bring_up_to_date"]

MIGRATIONS: Final = Path(__file__).parent / "migrations"
LOCK_NUMBER: Final = 1018  # of PostgreSQL, for whoever changes the tables


def bring_up_to_date(database: Database) -> None:
    """Make the tables, or change them to what this version needs; a database of a later version is refused."""
    if database.path is not None:
        database.path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(database.path, os.O_RDWR | os.O_CREAT, 0o600))  # it holds rolls that nobody may know
    script = ScriptDirectory(str(MIGRATIONS))
    with database.reading() as connection:
        if _version(connection) == script.get_current_head():
            return
    with database.writing() as connection:
        if not database.is_sqlite:  # which lets one process write at a time anyway
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": LOCK_NUMBER})
        _change(connection, script)


def _change(connection: Connection, script: ScriptDirectory) -> None:
    """Make the changes that are missing, the oldest first."""
    known = _version(connection)
    if known is not None and known not in {revision.revision for revision in script.walk_revisions()}:
        raise Ten18Error("the database was made by a later version; use that one", "database")
    context = MigrationContext.configure(connection)
    for revision in reversed(list(script.iterate_revisions("head", known or "base"))):
        with Operations.context(context):
            revision.module.upgrade()
        context.stamp(script, revision.revision)


def _version(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
