"""The one thread of a process that writes: everything that waits goes to disk together, in one commit.

A change is a function of a commit and of all requests for it that wait; it returns a result or an exception for each.
The caller gets its answer when the commit is on disk, and not before. While one commit is under way the next requests
gather, and commits begin some milliseconds apart: under load they are few and large. A request after a pause is written
at once.

When too many wait, a request is rejected at once. If the database fails, nothing of the commit is stored, and every
caller gets the error. If a change raises, by a bug of ours, its requests are tried again, one per commit.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from threading import Condition, Thread
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from tentimes18.server.settings import MOST_IN_A_COMMIT
from tentimes18.server.store.database import Database, StoreUnavailable

MAX_WAITING = 2_000
APART = 0.005  # seconds from the beginning of one commit to the next
MAX_TRIES = 5  # of a commit that conflicts with another process
MAX_CHANNEL_IDS = 300  # in one notification, which PostgreSQL limits to 8,000 bytes
CHANNEL = "ten18_games"
# PostgreSQL: not serialisable, deadlock, lock not available; a player removed meanwhile, for whom a game was begun.
CONFLICTS = {"40001", "40P01", "55P03", "23503"}

_LOG = logging.getLogger("tentimes18.server")

Request = TypeVar("Request")
Result = TypeVar("Result")


class Busy(Exception):
    """More requests wait than can be served soon."""


@dataclass(slots=True)
class Commit:
    """A transaction under way, and the ids of the games that look different to somebody when it is done."""

    connection: Connection
    changed: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CommitFigures:
    """What a commit took, for the metrics."""

    requests: int
    seconds: float
    waiting: int


Change: TypeAlias = Callable[[Commit, Sequence[Request]], Sequence[Result | Exception]]


def one_by_one(change: Callable[[Commit, Request], Result]) -> "Change[Request, Result]":
    """A change that is made for each request alone: an error undoes what this request did, and nothing else."""

    @wraps(change)
    def change_all(commit: Commit, requests: Sequence[Request]) -> Sequence[Result | Exception]:
        results: list[Result | Exception] = []
        for request in requests:
            known = len(commit.changed)
            try:
                with commit.connection.begin_nested():
                    results.append(change(commit, request))
            except DBAPIError:
                raise
            except Exception as error:
                del commit.changed[known:]
                results.append(error)
        return results

    return change_all


def write_nothing(commit: Commit, requests: Sequence[None]) -> Sequence[None]:
    """Change nothing, and go to disk all the same: shows whether that works."""
    is_sqlite = commit.connection.dialect.name == "sqlite"
    commit.connection.execute(text("PRAGMA user_version = 1" if is_sqlite else "SELECT pg_current_xact_id()"))
    return requests


@dataclass(slots=True)
class _Waiting:
    change: "Change[Any, Any]"
    request: Any
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[Any]"


class Writer:
    """The thread that writes to a database.

    Parameters
    ----------
    tell
        Called after every commit, with its figures.
    when_changed
        Called after a commit, with the ids of the games that changed.
    """

    def __init__(
        self,
        database: Database,
        most_in_a_commit: int = MOST_IN_A_COMMIT,
        most_waiting: int = MAX_WAITING,
        apart: float = APART,
        tell: Callable[[CommitFigures], None] | None = None,
        when_changed: Callable[[Sequence[str]], None] | None = None,
    ) -> None:
        self._database = database
        self._most_in_a_commit = most_in_a_commit
        self._most_waiting = most_waiting
        self._apart = apart
        self._next_start = 0.0
        self._tell = tell
        self._when_changed = when_changed
        self._queue: deque[_Waiting] = deque()
        self._wake = Condition()
        self._is_closing = False
        self._thread = Thread(target=self._run, name="writer", daemon=True)

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return len(self._queue)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Write what waits, then stop."""
        with self._wake:
            self._is_closing = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join()

    async def do(self, change: "Change[Request, Result]", request: Request) -> Result:
        """Make a change, and return when it is on disk; raises what the change returned as an exception."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        with self._wake:
            if self._is_closing or len(self._queue) >= self._most_waiting:
                raise Busy
            self._queue.append(_Waiting(change, request, loop, future))
            self._wake.notify()
        return await future

    def _run(self) -> None:
        while batch := self._next_batch():
            self._write(batch)

    def _next_batch(self) -> list[_Waiting]:
        with self._wake:
            while not self._queue and not self._is_closing:
                self._wake.wait()
        # Sleep rather than wait for the condition, which every request would wake.
        if len(self._queue) < self._most_in_a_commit:
            time.sleep(max(0.0, self._next_start - time.perf_counter()))
        self._next_start = time.perf_counter() + self._apart
        with self._wake:
            return [self._queue.popleft() for _ in range(min(len(self._queue), self._most_in_a_commit))]

    def _write(self, batch: Sequence[_Waiting]) -> None:
        start = time.perf_counter()
        changed: list[str] = []
        try:
            results, changed = self._commit(batch)
        except StoreUnavailable as error:
            results = [error] * len(batch)
        except Exception as error:  # a bug of ours, and nobody may wait for ever
            if len(batch) > 1:
                for waiting in batch:
                    self._write([waiting])
                return
            results = [error]
        pairs = list(zip(batch, results, strict=True))
        for loop in {waiting.loop for waiting in batch}:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_settle, [(one.future, result) for one, result in pairs if one.loop is loop])
        try:
            if changed and self._when_changed:
                self._when_changed(changed)
            if self._tell:
                self._tell(CommitFigures(len(batch), time.perf_counter() - start, self.waiting))
        except Exception:  # without this thread nobody would write any more
            _LOG.exception("a callback after a commit failed")

    def _commit(self, batch: Sequence[_Waiting]) -> tuple[list[Any], list[str]]:
        for attempt in range(1, MAX_TRIES + 1):
            try:
                return self._transaction(batch)
            except Exception as error:
                if attempt == MAX_TRIES or not _is_conflict(error):
                    raise
        raise AssertionError("the last try returns or raises")

    def _transaction(self, batch: Sequence[_Waiting]) -> tuple[list[Any], list[str]]:
        places: dict[Change[Any, Any], list[int]] = {}
        for place, waiting in enumerate(batch):
            places.setdefault(waiting.change, []).append(place)
        results: list[Any] = [None] * len(batch)
        with self._database.writing() as connection:
            commit = Commit(connection)
            # In the same order in all processes: two that lock the same rows seldom wait for each other.
            for change in sorted(places, key=lambda change: getattr(change, "__qualname__", "")):
                some = change(commit, [batch[place].request for place in places[change]])
                for place, result in zip(places[change], some, strict=True):
                    results[place] = result
            if commit.changed and not self._database.is_sqlite:
                _notify(connection, commit.changed)
        return results, commit.changed


def _settle(pairs: "Sequence[tuple[asyncio.Future[Any], Any]]") -> None:
    for future, result in pairs:
        if future.done():  # the caller has gone
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)


def _is_conflict(error: Exception) -> bool:
    cause = error.__cause__ if isinstance(error, StoreUnavailable) else error
    return isinstance(cause, DBAPIError) and getattr(cause.orig, "sqlstate", None) in CONFLICTS


def _notify(connection: Connection, ids: Sequence[str]) -> None:
    """Tell the other processes, when this is committed, which games have changed."""
    different = list(dict.fromkeys(ids))
    for start in range(0, len(different), MAX_CHANNEL_IDS):
        payload = ",".join(different[start : start + MAX_CHANNEL_IDS])
        connection.execute(text("SELECT pg_notify(:channel, :ids)"), {"channel": CHANNEL, "ids": payload})
