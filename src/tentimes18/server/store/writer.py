"""The one thread of a process that writes: all changes that wait go to disk together, with one commit.

A change is a function of a commit and of the requests that wait for it: it gets all of them at once, and gives a result
or an error for each. Whoever asked is answered when the commit is on disk, and not before. While one commit is under
way the next requests gather: the more there are, the more share a commit. Commits begin some milliseconds apart, so
that under load they are few and large; a request that comes after a rest is written at once.

A request that finds too many waiting is refused at once. Where the database fails, nothing of the commit is there, and
all who asked are told; the next commit tries again with a new connection. Where a change fails, by a fault of ours, its
requests are tried again one a commit: what is wrong with one of them is no other's trouble.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from threading import Condition, Thread
from typing import Any, Final, Generic, TypeAlias, TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from tentimes18.server.settings import MOST_IN_A_COMMIT
from tentimes18.server.store.database import Database, StoreUnavailable
from tentimes18.server.store.known_games import KnownGames

__all__ = ["Busy", "Change", "Commit", "CommitFigures", "Writer", "one_by_one", "write_nothing"]

MOST_WAITING: Final = 2_000
APART: Final = 0.005  # seconds, between the beginnings of two commits
TRIES: Final = 5  # of a commit that met another process's
MOST_CHANNEL_BYTES: Final = 7_000  # of one notification
CHANNEL: Final = "ten18_games"
# PostgreSQL: not serialisable, deadlock, lock not available; a player removed meanwhile, for whom a game was begun.
CONFLICTS: Final = {"40001", "40P01", "55P03", "23503"}

_LOG: Final = logging.getLogger("tentimes18.server")

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")


class Busy(Exception):
    """More requests wait than can be served soon."""


@dataclass(slots=True)
class Commit:
    """A transaction under way."""

    connection: Connection
    known: KnownGames = field(default_factory=KnownGames)
    """Games that this process has written before."""
    changed: list[str] = field(default_factory=list)
    """The ids of games that look different to somebody when it is done."""


@dataclass(frozen=True, slots=True)
class CommitFigures:
    """What is told of a commit that is done."""

    requests: int
    seconds: float
    waiting: int


Change: TypeAlias = Callable[[Commit, Sequence[Asked]], Sequence[Answered | Exception]]


def one_by_one(change: Callable[[Commit, Asked], Answered]) -> "Change[Asked, Answered]":
    """A change that is made for each request alone: an error undoes what this request did, and nothing else."""

    @wraps(change)
    def all_of_them(commit: Commit, requests: Sequence[Asked]) -> Sequence[Answered | Exception]:
        answers: list[Answered | Exception] = []
        for request in requests:
            known = len(commit.changed)
            try:
                with commit.connection.begin_nested():
                    answers.append(change(commit, request))
            except DBAPIError:
                raise
            except Exception as error:
                del commit.changed[known:]
                answers.append(error)
        return answers

    return all_of_them


def write_nothing(commit: Commit, requests: Sequence[None]) -> Sequence[None]:
    """A change that changes nothing, and goes to disk all the same: whether that works."""
    is_sqlite = commit.connection.dialect.name == "sqlite"
    commit.connection.execute(text("PRAGMA user_version = 1" if is_sqlite else "SELECT pg_current_xact_id()"))
    return requests


@dataclass(slots=True)
class _Waiting(Generic[Asked, Answered]):
    change: "Change[Asked, Answered]"
    request: Asked
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[Answered]"


class Writer:
    """The thread that writes to a database."""

    def __init__(
        self,
        database: Database,
        most_in_a_commit: int = MOST_IN_A_COMMIT,
        most_waiting: int = MOST_WAITING,
        apart: float = APART,
        tell: Callable[[CommitFigures], None] | None = None,
        when_changed: Callable[[Sequence[str]], None] | None = None,
    ) -> None:
        self._database = database
        self._most_in_a_commit = most_in_a_commit
        self._most_waiting = most_waiting
        self._apart = apart
        self._next_start = time.perf_counter()
        self._tell = tell
        self._when_changed = when_changed
        self._known = KnownGames()
        self._waiting: deque[_Waiting[Any, Any]] = deque()
        self._wake = Condition()
        self._is_closing = False
        self._thread = Thread(target=self._work, name="writer", daemon=True)

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return len(self._waiting)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def close(self) -> None:
        """Do what waits, then stop."""
        with self._wake:
            self._is_closing = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join()

    async def do(self, change: "Change[Asked, Answered]", request: Asked) -> Answered:
        """Make a change, and come back when it is on disk; raises what the change gave as an error."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answered] = loop.create_future()
        with self._wake:
            if self._is_closing or len(self._waiting) >= self._most_waiting:
                raise Busy
            self._waiting.append(_Waiting(change, request, loop, future))
            self._wake.notify()
        return await future

    def _work(self) -> None:
        while batch := self._next_batch():
            self._write(batch)

    def _write(self, batch: Sequence[_Waiting[Any, Any]]) -> None:
        start = time.perf_counter()
        try:
            answers, changed = self._commit(batch)
        except StoreUnavailable as error:
            answers, changed = [error] * len(batch), []
        except Exception as error:  # of a change: a fault of ours, and none of those who wait may wait for ever
            if len(batch) > 1:
                for waiting in batch:
                    self._write([waiting])
                return
            answers, changed = [error], []
        self._deliver(batch, answers)
        try:
            if changed and self._when_changed:
                self._when_changed(changed)
            if self._tell:
                self._tell(CommitFigures(len(batch), time.perf_counter() - start, self.waiting))
        except Exception:  # of those who are told: this thread goes on, or nobody would write any more
            _LOG.exception("who is told of a commit has failed")

    def _next_batch(self) -> list[_Waiting[Any, Any]]:
        with self._wake:
            while not self._waiting and not self._is_closing:
                self._wake.wait()
        # Asleep, and not with another wait for the condition, which every request would wake.
        if len(self._waiting) < self._most_in_a_commit:
            time.sleep(max(0.0, self._next_start - time.perf_counter()))
        self._next_start = time.perf_counter() + self._apart
        with self._wake:
            return [self._waiting.popleft() for _ in range(min(len(self._waiting), self._most_in_a_commit))]

    def _commit(self, batch: Sequence[_Waiting[Any, Any]]) -> tuple[list[Any], list[str]]:
        groups: dict[Change[Any, Any], list[int]] = {}
        for place, waiting in enumerate(batch):
            groups.setdefault(waiting.change, []).append(place)
        # In one order in all processes: two of them that lock the same rows seldom wait for each other.
        groups = dict(sorted(groups.items(), key=lambda group: getattr(group[0], "__qualname__", "")))
        for attempt in range(1, TRIES + 1):
            try:
                return self._try(batch, groups)
            except Exception as error:
                self._known.forget()
                if attempt == TRIES or not _is_conflict(error):
                    raise
        raise AssertionError("the last try returns or raises")

    def _try(
        self, batch: Sequence[_Waiting[Any, Any]], groups: "dict[Change[Any, Any], list[int]]"
    ) -> tuple[list[Any], list[str]]:
        answers: list[Any] = [None] * len(batch)
        with self._database.writing() as connection:
            commit = Commit(connection, self._known)
            for change, places in groups.items():
                found = change(commit, [batch[place].request for place in places])
                for place, answer in zip(places, found, strict=True):
                    answers[place] = answer
            if commit.changed and not self._database.is_sqlite:
                _notify(connection, commit.changed)
        return answers, commit.changed

    @staticmethod
    def _deliver(batch: Sequence[_Waiting[Any, Any]], answers: Sequence[Any]) -> None:
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
        for waiting, answer in zip(batch, answers, strict=True):
            by_loop.setdefault(waiting.loop, []).append((waiting.future, answer))
        for loop, pairs in by_loop.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(_settle, pairs)


def _settle(pairs: "Sequence[tuple[asyncio.Future[Any], Any]]") -> None:
    for future, answer in pairs:
        if future.done():  # who asked has gone
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


def _is_conflict(error: Exception) -> bool:
    cause = error.__cause__ if isinstance(error, StoreUnavailable) else error
    return isinstance(cause, DBAPIError) and getattr(cause.orig, "sqlstate", None) in CONFLICTS


def _notify(connection: Connection, ids: Sequence[str]) -> None:
    """Tell the other processes, when this is committed, which games have changed."""
    notify = text("SELECT pg_notify(:channel, :ids)")
    part: list[str] = []
    for id_ in [*dict.fromkeys(ids), None]:
        if part and (id_ is None or sum(map(len, part)) + len(part) + len(id_) > MOST_CHANNEL_BYTES):
            connection.execute(notify, {"channel": CHANNEL, "ids": ",".join(part)})
            part = []
        if id_ is not None:
            part.append(id_)
