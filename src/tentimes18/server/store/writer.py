"""Group commit: one thread per process writes everything that is waiting in one transaction.

`Writer.do` takes a function of a commit and of all its requests that are waiting; the function returns a result or an
exception for each. `Writer.call` takes a function of one request. The caller gets the answer when the commit is on
disk, not before. While one commit is under way the next requests gather, and commits start a few milliseconds apart:
under load they are few and large. A request after a pause is written immediately.

When too many requests are waiting, a new one is rejected immediately. If the database fails, nothing of the commit is
stored and every caller gets the error. If a change raises because of a bug, its requests are tried again, one per
commit. A caller who has waited too long gets `StoreUnavailable`: whether the change was made is then unknown.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, wraps
from queue import SimpleQueue
from threading import Thread
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from tentimes18.server.settings import MAX_IN_A_COMMIT
from tentimes18.server.store.database import Database, StoreUnavailable

MAX_WAITING = 2_000
MAX_SECONDS = 10.0  # that a caller waits
APART = 0.005  # seconds from the start of one commit to the next
MAX_TRIES = 5  # of a commit that conflicts with another process
MAX_CHANNEL_IDS = 300  # in one notification, which PostgreSQL limits to 8,000 bytes
CHANNEL = "ten18_games"
# PostgreSQL: not serialisable, deadlock, lock not available; a player removed meanwhile, for whom a game was started.
CONFLICTS = {"40001", "40P01", "55P03", "23503"}

_LOG = logging.getLogger("tentimes18.server")

Request = TypeVar("Request")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Busy(Exception):
    """More requests are waiting than can be served soon."""


@dataclass(slots=True)
class Commit:
    """A transaction under way, and the ids of the games that somebody will see change when it is done."""

    connection: Connection
    changed: list[str] = field(default_factory=list)


Change: TypeAlias = Callable[[Commit, Sequence[Request]], Sequence[Result | Exception]]


@cache
def _one_by_one(change: Callable[..., Any]) -> "Change[Any, Any]":
    @wraps(change)
    def change_all(commit: Commit, requests: Sequence[tuple[Any, Any]]) -> Sequence[Any]:
        results: list[Any] = []
        for args, kwargs in requests:
            count = len(commit.changed)
            try:
                with commit.connection.begin_nested():
                    results.append(change(commit, *args, **kwargs))
            except DBAPIError:
                raise
            except Exception as error:
                del commit.changed[count:]
                results.append(error)
        return results

    return change_all


def write_nothing(commit: Commit, requests: Sequence[None]) -> Sequence[None]:
    """Change nothing, but write to the disk: shows whether that works."""
    is_sqlite = commit.connection.dialect.name == "sqlite"
    commit.connection.execute(text("PRAGMA user_version = 1" if is_sqlite else "SELECT pg_current_xact_id()"))
    return requests


class _Waiting(NamedTuple):
    change: "Change[Any, Any]"
    request: Any
    future: "asyncio.Future[Any]"


@dataclass
class Writer:
    """The thread that writes to a database, for callers of one event loop.

    After every commit it calls ``observe`` with the number of requests and the seconds that it took, and
    ``when_changed`` with the ids of the games that changed.
    """

    database: Database
    max_in_a_commit: int = MAX_IN_A_COMMIT
    max_waiting: int = MAX_WAITING
    max_seconds: float = MAX_SECONDS
    apart: float = APART
    observe: Callable[[int, float], None] | None = None
    when_changed: Callable[[Sequence[str]], None] | None = None

    def __post_init__(self) -> None:
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._is_closing = False
        self._thread = Thread(target=self._run, name="writer", daemon=True)

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    def start(self) -> None:
        self._thread.start()

    async def close(self) -> None:
        """Write what is waiting, and stop; for the event loop of the callers."""
        if not self._is_closing:
            self._is_closing = True
            self._queue.put(None)
        if self._thread.is_alive():
            await asyncio.to_thread(self._thread.join)

    async def do(self, change: "Change[Request, Result]", request: Request) -> Result:
        if self._is_closing or self._queue.qsize() >= self.max_waiting:
            raise Busy
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._queue.put(_Waiting(change, request, future))
        end = loop.call_later(self.max_seconds, _expire, future)  # a fraction of the cost of asyncio.timeout
        try:
            return await future
        finally:
            end.cancel()

    async def call(
        self,
        change: Callable[Concatenate[Commit, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Make a change for this request alone: an error undoes what it did, and nothing else."""
        result: Result = await self.do(_one_by_one(change), (args, kwargs))
        return result

    def _run(self) -> None:
        next_start = 0.0
        while (first := self._queue.get()) is not None:
            if self._queue.qsize() + 1 < self.max_in_a_commit:
                time.sleep(max(0.0, next_start - time.perf_counter()))
            next_start = time.perf_counter() + self.apart
            batch = [first]
            while len(batch) < self.max_in_a_commit and not self._queue.empty():
                if (waiting := self._queue.get()) is None:
                    self._queue.put(None)  # to end after this commit
                    break
                batch.append(waiting)
            self._write(batch)

    def _write(self, batch: Sequence[_Waiting]) -> None:
        start = time.perf_counter()
        changed: list[str] = []
        try:
            results, changed = self._commit(batch)
        except StoreUnavailable as error:
            results = [error] * len(batch)
        except Exception as error:  # a bug: every caller needs an answer
            if len(batch) > 1:
                for waiting in batch:
                    self._write([waiting])
                return
            results = [error]
        loop = batch[0].future.get_loop()
        if not loop.is_closed():
            loop.call_soon_threadsafe(_settle, batch, results)
        try:
            if changed and self.when_changed:
                self.when_changed(changed)
            if self.observe:
                self.observe(len(batch), time.perf_counter() - start)
        except Exception:  # this thread must go on
            _LOG.exception("a callback after a commit failed")

    def _commit(self, batch: Sequence[_Waiting]) -> tuple[list[Any], list[str]]:
        for _ in range(MAX_TRIES - 1):
            try:
                return self._transaction(batch)
            except Exception as error:
                if not _is_conflict(error):
                    raise
        return self._transaction(batch)

    def _transaction(self, batch: Sequence[_Waiting]) -> tuple[list[Any], list[str]]:
        places: dict[Change[Any, Any], list[int]] = {}
        for place, waiting in enumerate(batch):
            places.setdefault(waiting.change, []).append(place)
        results: list[Any] = [None] * len(batch)
        with self.database.writing() as connection:
            commit = Commit(connection)
            # In the same order in all processes, so that two that lock the same rows seldom wait for each other.
            for change in sorted(places, key=lambda change: getattr(change, "__qualname__", "")):
                answers = change(commit, [batch[place].request for place in places[change]])
                for place, result in zip(places[change], answers, strict=True):
                    results[place] = result
            if commit.changed and not self.database.is_sqlite:
                _notify(connection, commit.changed)
        return results, commit.changed


def _expire(future: "asyncio.Future[Any]") -> None:
    if not future.done():
        future.set_exception(StoreUnavailable("the database takes too long to write"))


def _settle(batch: Sequence[_Waiting], results: Sequence[Any]) -> None:
    for (_, _, future), result in zip(batch, results, strict=True):
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
    """Send the ids of the changed games to the other processes when this is committed."""
    different = list(dict.fromkeys(ids))
    for start in range(0, len(different), MAX_CHANNEL_IDS):
        payload = ",".join(different[start : start + MAX_CHANNEL_IDS])
        connection.execute(text("SELECT pg_notify(:channel, :ids)"), {"channel": CHANNEL, "ids": payload})
