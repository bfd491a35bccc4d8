"""Live games and groups: a client that watches one gets its state when it changes, in whichever process.

The ids of changed games, and the codes of groups, gather here. One read brings the states of those that are watched. A
stream holds only the newest state: a slow reader gets many changes as one.

Other processes: with PostgreSQL every commit sends the ids of its games to a channel, and a connection listens. SQLite
says that something was written, but not what: while games are watched, a thread looks at its change counter ten times
per second, and less often if reading all watched games takes long.
"""

import asyncio
import logging
import signal
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import uniform
from threading import Event, Thread, current_thread, main_thread
from types import FrameType

from sqlalchemy import URL

from tentimes18.server.problems import Problem
from tentimes18.server.store.database import ALIVE, CONNECT_SECONDS, Database, StoreUnavailable
from tentimes18.server.store.games import GameState, load_states
from tentimes18.server.store.groups import GroupState, load_groups, read_code
from tentimes18.server.store.writer import CHANNEL

MAX_STREAMS = 2_000  # per process
MAX_AT_ONCE = 200  # games in one read
RETRY_SECONDS = 1.0  # after the database has failed
FULL_SECONDS = 10  # for a client that found no place
LOOK_SECONDS = 0.1  # from one look at the file to the next
REST = 9  # times as long as reading all watched games takes
LISTEN_SECONDS = 0.25  # between two looks for the end
SIGNALS = (signal.SIGINT, signal.SIGTERM)

_LOG = logging.getLogger("tentimes18.server")


@dataclass(eq=False, slots=True)
class Stream:
    """A game of a player; or a group by its code, which may be watched by anybody who knows it."""

    game: str
    player: str | None
    is_closed: bool = False
    _newest: GameState | GroupState | None = None
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def next(self, seconds: float) -> GameState | GroupState | None:
        """The state of the game when it differs from the last one; None after this many seconds, and once closed."""
        if not self.is_closed:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._news.wait()
        if self.is_closed or not self._news.is_set():
            return None
        self._news.clear()
        return self._newest

    def offer(self, state: GameState | GroupState | None) -> None:
        """Give the current state; None if the game is no longer this player's, or the group was deleted."""
        if state is None:
            self.close()
        elif state != self._newest:
            self._newest = state
            self._news.set()

    def close(self) -> None:
        self.is_closed = True
        self._news.set()


class Live:
    """The streams of a process; `start` and `stop` it in the event loop that they run in.

    ``tell`` is called with 1 or -1 for every stream that comes or goes.
    """

    def __init__(self, database: Database, tell: Callable[[int], None] | None = None, most: int = MAX_STREAMS) -> None:
        self._database = database
        self._tell = tell or (lambda _: None)
        self._most = most
        self._streams: dict[str, set[Stream]] = {}
        self.streams = 0
        self._woken: set[str] = set()
        self._is_woken = asyncio.Event()
        self._is_closing = False
        self._seconds = 0.0  # that the last read took
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopped = Event()
        path = database.path
        self._thread = Thread(
            target=self._listen if path is None else self._watch, args=(path or database.url,), name="live", daemon=True
        )

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._bring())
        self._thread.start()

    def close(self) -> None:
        self._is_closing = True
        for streams in self._streams.values():
            for stream in streams:
                stream.close()

    async def stop(self) -> None:
        self.close()
        self._stopped.set()
        if self._thread.is_alive():
            await asyncio.to_thread(self._thread.join)
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def watch(self, game: str, player: str | None) -> Stream:
        """A stream of this game or group, which begins with its current state; raises a ``Problem``."""
        if self._is_closing or self.streams >= self._most:
            kind = "game" if read_code(game) is None else "group"
            detail = f"too many games are being watched; request the {kind} instead"
            raise Problem("unavailable", detail, headers={"Retry-After": str(FULL_SECONDS)})
        stream = Stream(game, player)
        self._streams.setdefault(game, set()).add(stream)
        self.streams += 1
        self._tell(1)
        self._wake((game,))
        return stream

    def leave(self, stream: Stream) -> None:
        stream.close()
        streams = self._streams.get(stream.game, set())
        if stream in streams:
            streams.remove(stream)
            if not streams:
                del self._streams[stream.game]
            self.streams -= 1
            self._tell(-1)

    def wake(self, games: Iterable[str] | None) -> None:
        """These games have changed; None: any game may have. From any thread."""
        if games is not None:
            games = [game for game in games if game in self._streams]
        if self._loop is not None and (self._streams if games is None else games):
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
                for place in range(0, len(woken), MAX_AT_ONCE):
                    await self._bring_some(woken[place : place + MAX_AT_ONCE])
            except StoreUnavailable as error:
                _LOG.warning("live games cannot be read: %s", error)
                self._wake(woken)
                await asyncio.sleep(RETRY_SECONDS)
            except Exception:  # the task must go on
                _LOG.exception("live games cannot be shown")
                await asyncio.sleep(RETRY_SECONDS)
            self._seconds = time.perf_counter() - start

    async def _bring_some(self, games: list[str]) -> None:
        codes = {game for game in games if read_code(game) is not None}

        def ask() -> dict[str, GameState | GroupState]:
            with self._database.reading() as connection:
                ids = set(games) - codes
                of_games = load_states(connection, ids) if ids else {}
                return {**of_games, **(load_groups(connection, codes) if codes else {})}

        states = await asyncio.to_thread(ask)
        for game in games:
            state = states.get(game)
            for stream in self._streams.get(game, ()):
                is_theirs = isinstance(state, GroupState) or (state is not None and state.player == stream.player)
                stream.offer(state if is_theirs else None)

    def _watch(self, path: Path) -> None:
        """Look whether SQLite's file was written to, in a thread of its own."""
        address = f"{path.absolute().as_uri()}?mode=ro"
        while not self._stopped.wait(LOOK_SECONDS):
            if not self._streams:
                continue
            seen = None  # a stream that came before the first look may have missed something
            try:
                with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
                    while self._streams and not self._stopped.wait(max(LOOK_SECONDS, REST * self._seconds)):
                        version = connection.execute("PRAGMA data_version").fetchone()
                        if version != seen:
                            seen = version
                            self.wake(None)
            except sqlite3.Error as error:
                _LOG.warning("the database cannot be watched: %s", type(error).__name__)
                self._stopped.wait(RETRY_SECONDS)

    def _listen(self, url: URL) -> None:
        """Receive what other processes announce through PostgreSQL, in a thread of its own; reconnects."""
        import psycopg
        from psycopg import sql

        address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        options = {"connect_timeout": CONNECT_SECONDS, "application_name": "ten18 listener", **ALIVE}
        while not self._stopped.is_set():
            try:
                with psycopg.connect(address, autocommit=True, **options) as connection:
                    connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(CHANNEL)))
                    self.wake(None)  # earlier notifications were not heard
                    while not self._stopped.is_set():
                        for notification in connection.notifies(timeout=LISTEN_SECONDS):
                            self.wake(notification.payload.split(","))
            except psycopg.Error as error:
                _LOG.warning("cannot receive notifications from the database: %s", type(error).__name__)
                self._stopped.wait(RETRY_SECONDS * uniform(0.5, 1.5))


@contextmanager
def told_to_stop(call: Callable[[], None]) -> Iterator[None]:
    """Call a function in the event loop on SIGINT or SIGTERM too: a server would wait forever for open streams."""
    if current_thread() is not main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: handler for number in SIGNALS if callable(handler := signal.getsignal(number))}

    def hear(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(call)
        before[signal.Signals(number)](number, frame)  # of an event loop, a function that does nothing

    for number in before:
        signal.signal(number, hear)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
