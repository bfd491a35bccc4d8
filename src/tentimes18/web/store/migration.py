"""The tables of a database brought up to date, step by step from whatever version it has, by one process at a time."""

import os
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from tentimes18.errors import Ten18Error
from tentimes18.web.store.database import Database

__all__ = ["bring_up_to_date"]

MIGRATIONS: Final = Path(__file__).parent / "migrations"
LOCK_NUMBER: Final = 1018  # of PostgreSQL, for whoever changes the tables


def bring_up_to_date(database: Database) -> None:
    """Make the tables, or change them to what this version needs; a database of a later version is refused."""
    if database.path is not None:
        database.path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(database.path, os.O_RDWR | os.O_CREAT, 0o600))  # it holds rolls that nobody may know
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    script = ScriptDirectory.from_config(config)
    with database.reading() as connection:
        if _version(connection) == script.get_current_head():
            return
    with database.writing() as connection:
        if not database.is_sqlite:  # which lets one process write at a time anyway
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": LOCK_NUMBER})
        known = _version(connection)
        if known is not None and known not in {revision.revision for revision in script.walk_revisions()}:
            raise Ten18Error("the database was made by a later version; use that one", "database")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _version(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
