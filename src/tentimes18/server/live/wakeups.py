"""How a process learns that another one has changed a game.

PostgreSQL tells it: every commit sends the ids of its games to a channel, and a connection of its own listens. SQLite
tells that something was written, not what: while games are watched, that is looked at ten times a second, and less
often where looking at all of them takes long.
"""

import logging
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from random import uniform
from threading import Event, Thread
from typing import Final, Protocol

import psycopg
from psycopg import sql
from sqlalchemy import URL

from tentimes18.server.store.database import ALIVE, CONNECT_SECONDS, Database
from tentimes18.server.store.writer import CHANNEL

__all__ = ["FileWatcher", "Listener", "Sleepers", "make_waker"]

LOOK: Final = 0.1  # seconds from one look at the file to the next
REST: Final = 9  # times as long as what a look causes
LISTEN: Final = 0.25  # seconds from one look for the end to the next
FIRST_PAUSE: Final = 0.1  # seconds after a loss of the connection; doubles
LONGEST_PAUSE: Final = 5.0

_LOG: Final = logging.getLogger("tentimes18.server")


class Sleepers(Protocol):
    """Who is to be woken; from any thread."""

    @property
    def is_watching(self) -> bool:
        """Whether there is anybody."""

    @property
    def load(self) -> float:
        """The seconds that waking all of them costs."""

    def wake(self, games: Iterable[str]) -> None:
        """These games have changed."""

    def wake_all(self) -> None:
        """Any game may have changed."""


class _Waker:
    """A thread that wakes, from `start` to `stop`."""

    def __init__(self, name: str, sleepers: Sleepers) -> None:
        self.sleepers = sleepers
        self.stopped = Event()
        self._thread = Thread(target=self.run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, and wait for that."""
        self.stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def run(self) -> None:
        """What the thread does."""
        raise NotImplementedError


class FileWatcher(_Waker):
    """Sees that something was written to a file of SQLite."""

    def __init__(self, path: Path, sleepers: Sleepers) -> None:
        super().__init__("watches the database", sleepers)
        self._path = path

    def run(self) -> None:
        """Look until stopped; a file that cannot be read is tried again."""
        while not self.stopped.wait(LOOK):
            if self.sleepers.is_watching:
                try:
                    self._look()
                except sqlite3.Error as error:
                    _LOG.warning("the database cannot be watched: %s", type(error).__name__)
                    self.stopped.wait(LONGEST_PAUSE)

    def _look(self) -> None:
        """While somebody watches."""
        address = f"{self._path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
            seen = None  # who came before the first look may have missed something
            while self.sleepers.is_watching and not self.stopped.wait(max(LOOK, REST * self.sleepers.load)):
                version = connection.execute("PRAGMA data_version").fetchone()
                if version != seen:
                    seen = version
                    self.sleepers.wake_all()


class Listener(_Waker):
    """Hears what other processes tell by PostgreSQL."""

    def __init__(self, url: URL, sleepers: Sleepers) -> None:
        super().__init__("listens to the database", sleepers)
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)

    def run(self) -> None:
        """Listen until stopped; a connection that is lost is made anew."""
        pause = FIRST_PAUSE
        while not self.stopped.is_set():
            try:
                with psycopg.connect(
                    self._address,
                    autocommit=True,
                    connect_timeout=CONNECT_SECONDS,
                    application_name="ten18 listener",
                    **ALIVE,
                ) as connection:
                    connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(CHANNEL)))
                    pause = FIRST_PAUSE
                    self.sleepers.wake_all()  # what was told before was not heard
                    self._listen(connection)
            except psycopg.Error as error:
                _LOG.warning("the database is not heard: %s", type(error).__name__)
                self.stopped.wait(pause * uniform(1.0, 1.5))
                pause = min(2 * pause, LONGEST_PAUSE)

    def _listen(self, connection: "psycopg.Connection[tuple[object, ...]]") -> None:
        while not self.stopped.is_set():
            for told in connection.notifies(timeout=LISTEN):
                self.sleepers.wake(told.payload.split(","))


def make_waker(database: Database, sleepers: Sleepers) -> FileWatcher | Listener:
    """What wakes these sleepers when another process has changed this database."""
    path = database.path
    return Listener(database.url, sleepers) if path is None else FileWatcher(path, sleepers)
