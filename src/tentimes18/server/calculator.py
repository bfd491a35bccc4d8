"""Queries answered in processes of their own: nothing that is computed for a stranger holds up a request.

A process runs one declared query after another (`tentimes18.queries`), at a lower priority and within limits of memory
and time. A question that waits too long, or finds too many waiting, is rejected. A process that is past the deadline of
its question is killed and replaced, and so is one that ends.

The latest answers are kept: what many ask is computed once. An answer depends on its question alone, and has an ETag.
"""

import asyncio
import json
import logging
import multiprocessing
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from tentimes18.errors import IllegalMove, InvalidDice, InvalidGame, Ten18Error, TooLarge, quoted
from tentimes18.server.http_caching import CachedBody
from tentimes18.server.query_process import FAULT, NO_MEMORY, TOO_LATE, Failure, Function, answer_query, prepare, run
from tentimes18.strategies.named import UnknownStrategy

SECONDS = 30.0  # until a process is killed
PATIENCE = 20.0  # seconds that a question may wait
MEMORY = 1e9  # bytes for a question
OVERHEAD = 500  # bytes of a kept answer beside its own
STOPS = "the service stops"
KINDS = {kind.__name__: kind for kind in (InvalidDice, InvalidGame, IllegalMove, TooLarge, UnknownStrategy)}

LAB_BYTES = 64_000_000  # of kept answers
COACH_BYTES = 16_000_000
LAB_WAITING = 16
COACH_WAITING = 64
TINY = {"dice": "1d2", "slots": "1,2"}
WARM: tuple[tuple[str, dict[str, Any]], ...] = (  # they load the compiled code, and compile what was never used
    ("target", {**TINY, "target": "4"}),
    ("distribution", {**TINY, "strategy": "cvar:0.5,utility:exp:0.01"}),
    ("advise", {**TINY, "roll": 1, "aim": "duel"}),
    ("advise", {**TINY, "roll": 1, "aim": "duel:optimal"}),
    ("advise", {**TINY, "roll": 1, "target": "4"}),
)

_LOG = logging.getLogger(__name__)


class NotAnswered(Exception):
    """A question that has no answer now; ``seconds``: when to ask again."""

    def __init__(self, problem: str, seconds: float = 1.0) -> None:
        super().__init__(problem)
        self.seconds = seconds


class TooManyQuestions(NotAnswered):
    """Others wait already, or waited too long."""


class Overdue(NotAnswered):
    """The answer took too long."""


class Crashed(NotAnswered):
    """The process that was to answer ended, or failed."""


class Calculator:
    """A process that answers questions, and the latest answers.

    Parameters
    ----------
    max_waiting
        How many questions may wait.
    max_bytes
        The size of the answers that are kept.
    warm
        Asked in each new process first, so that what the others need is loaded.
    function
        Answers a question, given its name and its parameters; it runs in the process.
    """

    def __init__(
        self,
        max_waiting: int = LAB_WAITING,
        max_bytes: int = LAB_BYTES,
        *,
        seconds: float = SECONDS,
        memory: float = MEMORY,
        patience: float = PATIENCE,
        warm: tuple[tuple[str, Mapping[str, Any]], ...] = (),
        function: Function | None = None,
    ) -> None:
        self.max_waiting = max_waiting
        self.max_bytes = max_bytes
        self.seconds = seconds
        self.memory = memory
        self.patience = patience
        self.nbytes = 0
        self.tell: Callable[[str, str], object] = lambda _question, _outcome: None
        """Called with every question, and whether it was kept, answered or failed."""
        self._kept: OrderedDict[str, CachedBody] = OrderedDict()
        self._asked: dict[str, asyncio.Task[CachedBody]] = {}
        self._function = function or answer_query
        self._warm = warm
        self._pool: ProcessPool | None = None
        self._futures: set[asyncio.Future[Any]] = set()
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def waiting(self) -> int:
        """How many questions wait, or are being answered."""
        return len(self._futures)

    def start(self, after: float = 0.0) -> None:
        """Start the process after so many seconds; else it starts with the first question."""
        asyncio.get_running_loop().call_later(after, lambda: None if self._is_closed else self._running_pool())

    async def close(self) -> None:
        """Answer nothing any more, and end the process."""
        self._is_closed = True
        for future in self._futures:
            future.cancel()
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            await asyncio.to_thread(self._pool.join)

    async def ask(self, question: str, data: Mapping[str, Any]) -> CachedBody:
        """The answer, kept or computed; raises what the query raises, or ``NotAnswered``, and then keeps nothing."""
        key = json.dumps([question, data], sort_keys=True)
        if key in self._kept:
            self._kept.move_to_end(key)
            self.tell(question, "kept")
            return self._kept[key]
        if key not in self._asked:
            self._asked[key] = task = asyncio.create_task(self._compute(key, question, data))
            task.add_done_callback(lambda task: self._forget(key, task))
        return await asyncio.shield(self._asked[key])  # a caller who goes does not take it from the others

    async def ask_anew(self, question: str, data: Mapping[str, Any]) -> bytes:
        """The answer as JSON, computed and not kept; raises as `ask` does."""
        try:
            body = await self._answer(question, data)
        except Exception:
            self.tell(question, "failed")
            raise
        self.tell(question, "answered")
        return body

    def _forget(self, key: str, task: "asyncio.Task[CachedBody]") -> None:
        del self._asked[key]
        if not task.cancelled():
            task.exception()

    async def _compute(self, key: str, question: str, data: Mapping[str, Any]) -> CachedBody:
        body = await self.ask_anew(question, data)
        answer = await asyncio.to_thread(CachedBody.of, body)  # compressing a long one would hold up all others
        self._kept[key] = answer
        self.nbytes += _size(key, answer)
        while self.nbytes > self.max_bytes:
            self.nbytes -= _size(*self._kept.popitem(last=False))
        return answer

    async def _answer(self, question: str, data: Mapping[str, Any]) -> bytes:
        if self._is_closed:
            raise NotAnswered(STOPS)
        if self.waiting > self.max_waiting:  # one of them is being answered
            raise TooManyQuestions("too many questions wait for an answer", self.seconds / 2)
        try:
            future = asyncio.wrap_future(self._schedule(question, data))
            self._futures.add(future)
            future.add_done_callback(self._settled)
            found = await asyncio.shield(future)  # to cancel it would kill the process
        except asyncio.CancelledError:
            if self._is_closed:
                raise NotAnswered(STOPS) from None
            raise
        except TimeoutError:
            raise Overdue(f"the answer takes longer than {self.seconds:g} seconds", self.seconds) from None
        except ProcessExpired as error:
            if error.exitcode == NO_MEMORY:
                problem = f"the answer takes more than the {self.memory / 1e6:,.0f} MB that a question may have"
                raise TooLarge(problem) from None
            _LOG.error("a process ended while it answered %s %s", question, quoted(data))
            raise Crashed("the process that was to answer ended") from None
        except (BrokenProcessPool, RuntimeError, OSError) as error:
            _LOG.error("no process answers questions: %s", error)
            raise NotAnswered("nobody can answer now", self.seconds) from None
        if isinstance(found, Failure):
            raise _error(found, self.seconds)
        return found

    def _settled(self, future: "asyncio.Future[Any]") -> None:
        self._futures.discard(future)
        if not future.cancelled():
            future.exception()  # seen, though the caller may have gone

    def _schedule(self, question: str, data: Mapping[str, Any]) -> "ProcessFuture[bytes | Failure]":
        arguments = (self._function, question, dict(data), time.monotonic() + self.patience, self.seconds)
        return self._running_pool().schedule(run, args=arguments, timeout=self.seconds)

    def _running_pool(self) -> ProcessPool:
        """The pool, or a new one: it breaks when its process ends while nothing is asked."""
        if self._pool is None or not self._pool.active:
            options = (self.memory, self.patience, self._function, self._warm)
            self._pool = ProcessPool(1, 0, prepare, options, multiprocessing.get_context("spawn"))
            _ = self._pool.active  # which starts it
        return self._pool


def lab_calculator() -> Calculator:
    """Answers the lab: its process loads all there is."""
    return Calculator(LAB_WAITING, LAB_BYTES, warm=WARM)


def coach_calculator() -> Calculator:
    """Answers players about their own games, which must not wait for the lab."""
    return Calculator(COACH_WAITING, COACH_BYTES)


def _size(key: str, answer: CachedBody) -> int:
    return len(key) + len(answer.body) + len(answer.packed or b"") + OVERHEAD


def _error(failure: Failure, seconds: float) -> Exception:
    if failure.kind == FAULT:
        return Crashed("the question could not be answered")
    if failure.kind == TOO_LATE:
        return TooManyQuestions(failure.problem, seconds)
    return KINDS.get(failure.kind, Ten18Error)(failure.problem, failure.field, failure.given)
