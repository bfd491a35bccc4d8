"""How a process learns that another one has changed a game.

PostgreSQL tells it: every commit sends the ids of its games to a channel, and a connection of its own listens. SQLite
tells that something was written, not what: while games are watched, that is looked at ten times a second, and less
often where looking at all of them takes long.

The word to stop, heard when it comes: a server waits for its open answers first, and some of them have no end.

Live games: whoever watches one is given its state when it has changed, by whichever process.

What changes a game says its id; the ids gather here, and one read brings the states of all watched games among them. A
stream holds the newest state alone: many changes are one for who reads slowly.
"""

import asyncio
import logging
import signal
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import uniform
from threading import Event, Thread, current_thread, main_thread
from types import FrameType
from typing import Protocol

import psycopg
from psycopg import sql
from sqlalchemy import URL
from starlette.concurrency import run_in_threadpool

from tentimes18.server.rate_limits import STREAMS
from tentimes18.server.store.database import ALIVE, CONNECT_SECONDS, Database, StoreUnavailable
from tentimes18.server.store.states import GameState, load_states
from tentimes18.server.store.writer import CHANNEL

LOOK = 0.1  # seconds from one look at the file to the next
REST = 9  # times as long as what a look causes
LISTEN = 0.25  # seconds from one look for the end to the next
FIRST_PAUSE = 0.1  # seconds after a loss of the connection; doubles
LONGEST_PAUSE = 5.0


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


SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def told_to_stop(call: Callable[[], None]) -> Iterator[None]:
    """Inside, ``call`` is called in the running event loop when a signal says to stop, beside what it does else.

    Signals come to the main thread: a loop of another one hears nothing.
    """
    if current_thread() is not main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in SIGNALS}

    def hear(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(call)
        known = before[signal.Signals(number)]
        if callable(known):  # an event loop hears of signals in another way, and leaves a function that does nothing
            known(number, frame)

    for number, known in before.items():
        if callable(known):
            signal.signal(number, hear)
    try:
        yield
    finally:
        for number, known in before.items():
            if callable(known):
                signal.signal(number, known)


MOST_STREAMS = 2_000  # of a process
MOST_AT_ONCE = 200  # games of one read
PAUSE = 1.0  # seconds until the store is asked again after it has failed

_LOG = logging.getLogger("tentimes18.server")


class TooManyStreams(Exception):
    """There is no room for another stream; ``of_player``: this player has them all."""

    def __init__(self, *, of_player: bool) -> None:
        super().__init__("too many streams")
        self.of_player = of_player


class Stream:
    """Somebody who watches a game, until it is left."""

    def __init__(self, live: "Live", game: str, player: str) -> None:
        self.game = game
        self.player = player
        self.is_closed = False
        self._live = live
        self._newest: GameState | None = None
        self._news = asyncio.Event()

    async def next(self, seconds: float) -> GameState | None:
        """The state of the game when it is another one than the last; None after so long, and once it is closed."""
        if not self.is_closed:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._news.wait()
        if self.is_closed or not self._news.is_set():
            return None
        self._news.clear()
        return self._newest

    def offer(self, state: GameState | None) -> None:
        """Give the state as it is now; None where the game is no longer this player's."""
        if state is None:
            self.close()
        elif state != self._newest:
            self._newest = state
            self._news.set()

    def close(self) -> None:
        """Have it end: no more is given."""
        self.is_closed = True
        self._news.set()

    def leave(self) -> None:
        """Make room for another one."""
        self.close()
        self._live.forget(self)


class Live:
    """The streams of a process; `start` and `stop` it with the event loop that they run in.

    ``tell`` hears of every stream that comes and goes, as 1 and -1.
    """

    def __init__(
        self,
        database: Database,
        tell: Callable[[int], None] | None = None,
        most: int = MOST_STREAMS,
        most_of_a_player: int = STREAMS.player,
    ) -> None:
        self._database = database
        self._tell = tell or (lambda _: None)
        self._most = most
        self._most_of_a_player = most_of_a_player
        self._streams: dict[str, set[Stream]] = {}
        self._of_player: dict[str, int] = {}
        self._woken: set[str] = set()
        self._is_woken = asyncio.Event()
        self._is_closing = False
        self._seconds = 0.0  # that the last read took
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._waker = make_waker(database, self)

    @property
    def streams(self) -> int:
        """How many there are."""
        return sum(self._of_player.values())

    @property
    def load(self) -> float:
        """The seconds that it takes to look at all that is watched, as far as that is known; 0 if nothing is."""
        return self._seconds if self._streams else 0.0

    @property
    def is_watching(self) -> bool:
        """Whether there is a stream."""
        return bool(self._streams)

    def start(self) -> None:
        """Begin, in the event loop that runs."""
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._bring())
        self._waker.start()

    def close(self) -> None:
        """End all streams, and take no more: the service is to stop. In the event loop."""
        self._is_closing = True
        for streams in self._streams.values():
            for stream in streams:
                stream.close()

    async def stop(self) -> None:
        """End everything."""
        self.close()
        await run_in_threadpool(self._waker.stop)
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def watch(self, game: str, player: str) -> Stream:
        """A stream of this game, its state as it is now to begin with; raises ``TooManyStreams``."""
        if self._of_player.get(player, 0) >= self._most_of_a_player:
            raise TooManyStreams(of_player=True)
        if self._is_closing or self.streams >= self._most:
            raise TooManyStreams(of_player=False)
        stream = Stream(self, game, player)
        self._streams.setdefault(game, set()).add(stream)
        self._of_player[player] = self._of_player.get(player, 0) + 1
        self._tell(1)
        self._wake((game,))
        return stream

    def forget(self, stream: Stream) -> None:
        """The stream has ended."""
        streams = self._streams.get(stream.game, set())
        if stream in streams:
            streams.remove(stream)
            if not streams:
                del self._streams[stream.game]
            self._of_player[stream.player] -= 1
            if not self._of_player[stream.player]:
                del self._of_player[stream.player]
            self._tell(-1)

    def wake(self, games: Iterable[str]) -> None:
        """These games have changed. From any thread."""
        watched = [game for game in games if game in self._streams]
        if watched:
            self._soon(watched)

    def wake_all(self) -> None:
        """Any game may have changed. From any thread."""
        if self._streams:
            self._soon(None)

    def _soon(self, games: Iterable[str] | None) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop was closed meanwhile
                self._loop.call_soon_threadsafe(self._wake, games)

    def _wake(self, games: Iterable[str] | None) -> None:
        self._woken.update(self._streams if games is None else games)
        self._is_woken.set()

    async def _bring(self) -> None:
        while True:
            await self._is_woken.wait()
            self._is_woken.clear()
            woken = sorted(self._woken.intersection(self._streams))
            self._woken.clear()
            start = time.perf_counter()
            try:
                for place in range(0, len(woken), MOST_AT_ONCE):
                    await self._bring_some(woken[place : place + MOST_AT_ONCE])
            except StoreUnavailable as error:
                _LOG.warning("live games cannot be read: %s", error)
                self._wake(woken)
                await asyncio.sleep(PAUSE)
            except Exception:  # nobody else looks after this task
                _LOG.exception("live games cannot be shown")
                await asyncio.sleep(PAUSE)
            self._seconds = time.perf_counter() - start

    async def _bring_some(self, games: list[str]) -> None:
        def ask() -> dict[str, GameState]:
            with self._database.reading() as connection:
                return load_states(connection, games)

        states = await run_in_threadpool(ask)
        for game in games:
            state = states.get(game)
            for stream in self._streams.get(game, ()):
                stream.offer(state if state is not None and state.player == stream.player else None)
