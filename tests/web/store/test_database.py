"""Connections, migrations, and what the tables enforce."""

import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import func, insert, select, text
from sqlalchemy.exc import IntegrityError

from tentimes18.errors import Ten18Error
from tentimes18.server.store.database import (
    ALIVE,
    SCRIPT,
    SILENT_SECONDS,
    Database,
    StoreUnavailable,
    bring_up_to_date,
    insert_new,
    insert_plain,
)
from tentimes18.server.store.games import game_row
from tentimes18.server.store.schema import games, metadata, moves, players
from tests.support.postgres import Postgres
from tests.support.stored import opened_store, player_row, put_deal, put_game


def test_sqlite_waits_for_the_disk(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/games.db")
    for connect in (database.reading, database.writing):
        with connect() as connection:
            asked = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
            assert asked == ["wal", 2]
            assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    database.close()


@pytest.mark.parametrize(("given", "used"), [("off", "on"), ("on", "on"), ("remote_apply", "remote_apply")])
def test_postgresql_waits_for_the_disk_whatever_its_settings_say(postgres: Postgres, given: str, used: str) -> None:
    with postgres.database() as address:
        url = address.replace("postgresql:", "postgresql+psycopg:")
        with closing(Database(url)) as database, database.writing() as connection:
            name = database.url.database
            connection.exec_driver_sql(f'ALTER DATABASE "{name}" SET synchronous_commit = {given}')
        with closing(Database(url)) as database:
            for _ in range(2):  # the same connection again
                with database.writing() as connection:
                    assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == used


def test_a_writer_or_a_postgresql_that_is_gone_without_a_word_is_noticed(postgres: Postgres) -> None:
    with postgres.database() as url, opened_store(url) as database:
        for connect in (database.reading, database.writing):
            with connect() as connection:
                driver = connection.connection.driver_connection
                assert driver is not None
                told = driver.info.get_parameters()
            assert {name: told[name] for name in ALIVE} == {name: str(value) for name, value in ALIVE.items()}
        with database.writing() as connection:  # what a lost writer has locked is free soon
            limit = connection.exec_driver_sql("SHOW idle_in_transaction_session_timeout").scalar()
            assert limit == f"{SILENT_SECONDS}s"


def test_a_reader_sees_one_state(database: Database) -> None:
    with database.reading() as reader:
        assert reader.scalars(select(players.c.id)).all() == []
        with database.writing() as writer:
            writer.execute(insert(players), player_row("A" * 22, 0))
        assert reader.scalars(select(players.c.id)).all() == []
    with database.reading() as reader:
        assert reader.scalars(select(players.c.id)).all() == ["A" * 22]


def test_existing_rows_are_not_inserted_again(database: Database) -> None:
    with database.writing() as writer:
        insert_new(writer, players, [player_row("A" * 22, 1), player_row("B" * 22, 1), player_row("A" * 22, 2)])
        insert_new(writer, players, [player_row("B" * 22, 3)])
        assert writer.execute(select(players.c.created)).scalars().all() == [1, 1]


def test_rows_in_one_step(database: Database) -> None:
    rows = [player_row(letter * 22, number) | {"name": f'{letter} "é" \\'} for number, letter in enumerate("CAB")]
    rows[1]["name"] = None
    with database.writing() as writer:
        insert_plain(writer, players, rows)
        found = writer.execute(select(players.c.id, players.c.name, players.c.created).order_by(players.c.created))
        assert [row._asdict() for row in found] == rows
    with pytest.raises(IntegrityError), database.writing() as writer:
        insert_plain(writer, players, [player_row("D" * 22, 1), player_row("A" * 22, 1)])
    with database.reading() as reader:
        assert reader.scalar(select(func.count()).select_from(players)) == len(rows)


def test_an_error_shows_no_value(database: Database) -> None:
    with pytest.raises(IntegrityError) as caught, database.writing() as writer:
        writer.execute(insert(players), [player_row("A" * 22, 1), player_row("A" * 22, 1)])
    assert "[SQL parameters hidden" in str(caught.value)


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    for url in (f"sqlite:///{tmp_path}/no/games.db", f"postgresql+psycopg://ada@/games?host={tmp_path}"):
        database = Database(url)
        with pytest.raises(StoreUnavailable), database.reading() as connection:
            connection.execute(text("SELECT 1"))
        database.close()


@pytest.mark.parametrize("url", ["", "games", "sqlite://"])
def test_a_bad_address(url: str) -> None:
    with pytest.raises(Ten18Error):
        Database(url)


def test_several_that_start_at_once_make_the_tables_once(database_url: str) -> None:
    def start(_: int) -> None:
        with opened_store(database_url) as database, database.reading() as connection:
            assert connection.execute(select(games)).all() == []

    with ThreadPoolExecutor(4) as several:
        list(several.map(start, range(4)))


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/new/games.db")
    bring_up_to_date(database)
    assert database.path is not None
    for path in database.path.parent.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    database.close()


def test_a_later_version_is_rejected(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Ten18Error, match="later version"):
        bring_up_to_date(database)


def test_every_version_brings_its_rows_to_the_newest(database_url: str) -> None:
    """A database of the first version with a player and a game gets every later change, and still reads."""
    database = Database(database_url.replace("postgresql:", "postgresql+psycopg:"))
    first = next(revision for revision in SCRIPT.walk_revisions() if revision.down_revision is None)
    with database.writing() as connection:
        context = MigrationContext.configure(connection)
        with Operations.context(context):
            first.module.upgrade()
        context.stamp(SCRIPT, first.revision)
        connection.execute(text("INSERT INTO players (id, name, created) VALUES ('AAAAAAAAAAAAAAAAAAAAAA', 'Ada', 1)"))
    bring_up_to_date(database)
    with database.writing() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert connection.execute(select(players.c.name, players.c.hidden)).one() == ("Ada", False)
        put_game(connection, "A" * 22, (1,))
    database.close()


def test_one_attempt_per_day_and_one_move_per_round(database: Database) -> None:
    with database.writing() as connection:
        deal = put_deal(connection, day="2026-11-16")
        number = put_game(connection, "A" * 22, (1,), deal=deal, kind="daily")
        put_game(connection, "A" * 22, deal=deal)
        move = {"game": number, "round": 1, "slot": 2, "seen": 0, "made": 0}
        for wrong in (
            lambda: put_deal(connection, day="2026-11-16"),
            lambda: put_game(connection, "A" * 22, deal=deal, kind="daily"),
            lambda: connection.execute(insert(moves), move),
            lambda: connection.execute(insert(games), game_row("G" * 22, "Nobody" * 3, deal, 0)),
        ):
            with pytest.raises(IntegrityError), connection.begin_nested():
                wrong()
