"""Another process has changed something: by the file of SQLite, by the channel of PostgreSQL."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue

import psycopg
import pytest

from tentimes18.server.live.wakeups import FileWatcher, Listener, make_waker
from tentimes18.server.store.database import Database
from tentimes18.server.store.migration import bring_up_to_date
from tentimes18.server.store.writer import CHANNEL
from tests.support.postgres import Postgres
from tests.support.process import PATIENCE


@dataclass
class Listed:
    """Who is woken, and by what: None stands for all."""

    is_watching: bool = True
    load: float = 0.0
    woken: "Queue[list[str] | None]" = field(default_factory=Queue)

    def wake(self, games: Iterable[str]) -> None:
        self.woken.put(list(games))

    def wake_all(self) -> None:
        self.woken.put(None)

    def next(self) -> list[str] | None:
        return self.woken.get(timeout=PATIENCE)


def write(database: Database, id_: str) -> None:
    with database.writing() as connection:
        connection.exec_driver_sql(f"INSERT INTO players (id, created) VALUES ('{id_}', 7)")


@pytest.mark.parametrize("name", ["games", "games #1 at 100%41"])
def test_a_file_that_is_written_wakes_all(tmp_path: Path, name: str) -> None:
    database = Database(f"sqlite:///{tmp_path / name}")
    bring_up_to_date(database)
    listed = Listed()
    watcher = make_waker(database, listed)
    assert isinstance(watcher, FileWatcher)
    watcher.start()
    try:
        assert listed.next() is None  # to begin with
        with pytest.raises(Empty):
            listed.woken.get(timeout=0.3)
        write(database, "ada")
        assert listed.next() is None
        listed.is_watching = False
        with pytest.raises(Empty):
            listed.woken.get(timeout=0.3)
        listed.is_watching = True
        assert listed.next() is None
    finally:
        watcher.stop()
        database.close()


def test_a_file_that_is_not_there_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.server.live.wakeups.LONGEST_PAUSE", 0.01)
    database = Database(f"sqlite:///{tmp_path / 'games.sqlite'}")
    listed = Listed()
    watcher = make_waker(database, listed)
    watcher.start()
    try:
        bring_up_to_date(database)
        assert listed.next() is None
    finally:
        watcher.stop()
        database.close()


def test_a_listener_hears_and_comes_back(postgres: Postgres) -> None:
    with postgres.database() as url, psycopg.connect(url, autocommit=True) as connection:
        database = Database(url.replace("postgresql:", "postgresql+psycopg:"))
        listed = Listed()
        listener = make_waker(database, listed)
        assert isinstance(listener, Listener)
        listener.start()
        try:
            assert listed.next() is None  # to begin with
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, "a,b"))
            connection.execute("SELECT pg_notify(%s, %s)", ("another", "c"))
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, "d"))
            assert (listed.next(), listed.next()) == (["a", "b"], ["d"])
            ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ten18 listener'"
            assert connection.execute(ended).fetchall() == [(True,)]
            assert listed.next() is None  # something may have been missed
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, "e"))
            assert listed.next() == ["e"]
        finally:
            listener.stop()
            database.close()
