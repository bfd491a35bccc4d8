"""Databases brought up to date."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import select, text

from tentimes18.errors import Ten18Error
from tentimes18.server.store.database import Database
from tentimes18.server.store.migration import bring_up_to_date
from tentimes18.server.store.schema import games, metadata


def test_several_that_start_at_once_make_the_tables_once(database_url: str) -> None:
    def start(_: int) -> None:
        database = Database(database_url.replace("postgresql:", "postgresql+psycopg:"))
        bring_up_to_date(database)
        with database.reading() as connection:
            assert connection.execute(select(games)).all() == []
        database.close()

    with ThreadPoolExecutor(4) as several:
        list(several.map(start, range(4)))


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/new/games.db")
    bring_up_to_date(database)
    assert database.path is not None
    for path in database.path.parent.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    database.close()


def test_a_later_version_is_refused(database_url: str) -> None:
    database = Database(database_url.replace("postgresql:", "postgresql+psycopg:"))
    bring_up_to_date(database)
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Ten18Error, match="later version"):
        bring_up_to_date(database)
    database.close()


def test_the_migrations_make_the_tables_of_the_schema(database_url: str) -> None:
    database = Database(database_url.replace("postgresql:", "postgresql+psycopg:"))
    bring_up_to_date(database)
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    database.close()
