"""Queries answered in processes of their own: no computation for a stranger delays a request.

A process runs one declared query after another (`tentimes18.queries`), at a lower priority and within limits of memory
and time. A process that is past the deadline of its question is killed and replaced, and so is one that ends. A process
that takes long to start is waited for as long as for an answer, and goes on starting.

Questions wait in a line for each address, and the lines take turns: an address that asks a lot delays only itself. A
question that waits too long, or finds too many waiting, is rejected.

The latest answers are cached: a question that many ask is computed once. An answer depends on its question alone, is
compressed once, and has an ETag; so has a file of the pages.
"""

import asyncio
import gzip
import json
import logging
import multiprocessing
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from litestar import Request, Response
from pebble import ProcessExpired, ProcessPool

from tentimes18.errors import TooLarge
from tentimes18.server.identity import household
from tentimes18.server.query_process import NO_MEMORY, Fault, Function, answer_query, prepare, run

SECONDS = 30.0  # until a process is killed
PATIENCE = 20.0  # seconds that a question may wait
MAX_OF_ADDRESS = 6  # questions that wait
MEMORY = 1e9  # bytes for a question
OVERHEAD = 500  # bytes of a kept answer beside its own
STOPS = "the service stops"

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

BEST = 9  # for what is packed once
QUICK = 5  # for what is packed while somebody waits
MIN_PACKED = 2_000  # bytes: less is not worth it
MAX_SHARE = 0.9  # of its size
ETAG_BYTES = 16
_REJECTED = re.compile(r"q=0(\.0*)?$")
_PACKED_TYPES = ("text/", "application/", "image/svg+xml")

_LOG = logging.getLogger(__name__)


class NotAnswered(Exception):
    """A question that has no answer now; ``seconds``: when to ask again."""

    def __init__(self, problem: str, seconds: float = 1.0) -> None:
        super().__init__(problem)
        self.seconds = seconds


class Crashed(NotAnswered):
    """The answering process ended, or failed."""


class CachedBody(NamedTuple):
    """A body, packed too where that is worth it, and the ETag of its bytes."""

    body: bytes
    packed: bytes | None
    etag: str
    media_type: str

    @classmethod
    def of(cls, body: bytes, media_type: str = "application/json", level: int = QUICK) -> "CachedBody":
        packed = None
        if media_type.startswith(_PACKED_TYPES) and (level == BEST or len(body) >= MIN_PACKED):
            packed = gzip.compress(body, level, mtime=0)
        if packed is not None and len(packed) >= MAX_SHARE * len(body):
            packed = None
        return cls(body, packed, f'"{blake2b(body, digest_size=ETAG_BYTES).hexdigest()}"', media_type)

    def response(self, request: Request[Any, Any, Any], cache_control: str, status: int = 200) -> Response[Any]:
        headers = {"cache-control": cache_control, "content-type": self.media_type}
        packed = self.packed if accepts_gzip(request.headers.get("accept-encoding", "")) else None
        etag = self.etag if packed is None else f'{self.etag[:-1]}-gz"'  # another form of the same thing
        if "immutable" not in cache_control:  # else nobody asks whether it is still right
            headers["etag"] = etag
        if self.packed is not None:
            headers["vary"] = "Accept-Encoding"
        if status == 200 and is_known(request.headers.getall("if-none-match", []), etag):
            del headers["content-type"]
            return Response(None, status_code=304, headers=headers)
        if packed is not None:
            headers["content-encoding"] = "gzip"
        return Response(packed or self.body, status_code=status, headers=headers)


def is_known(tags: Sequence[str], etag: str) -> bool:
    """Whether this ETag is among those of If-None-Match, which compares weakly (RFC 9110, section 13.1.2)."""
    known = [tag.strip().removeprefix("W/") for line in tags for tag in line.split(",")]
    return "*" in known or etag in known


def accepts_gzip(header: str) -> bool:
    """Whether a header Accept-Encoding takes gzip.

    >>> [accepts_gzip(text) for text in ("gzip, br", "br;q=1, GZIP; q=0.5", "br, gzip;q=0.000", "x-gzip", "")]
    [True, True, False, False, False]
    """
    for part in header.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == "gzip":
            return _REJECTED.match(weight.strip()) is None
    return False


@dataclass
class Calculator:
    """A process that answers questions, and the latest answers, of ``max_bytes`` together.

    ``function`` runs in the process and answers a question, given its name and its parameters. A new process answers
    the questions ``warm`` first, so that their code is loaded. ``tell`` is called with every question, and whether it
    was cached, answered or failed.
    """

    max_waiting: int = LAB_WAITING
    max_bytes: int = LAB_BYTES
    seconds: float = SECONDS
    memory: float = MEMORY
    patience: float = PATIENCE
    warm: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    function: Function = answer_query
    tell: Callable[[str, str], object] = lambda _question, _outcome: None

    def __post_init__(self) -> None:
        self.nbytes = 0
        self._kept: OrderedDict[str, CachedBody] = OrderedDict()
        self._asked: dict[str, asyncio.Task[CachedBody]] = {}
        self._pool: ProcessPool | None = None
        self._busy = asyncio.Lock()
        self._lines: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._waits: dict[asyncio.Timeout, str] = {}  # to the address
        self._running: asyncio.Future[Any] | None = None
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def waiting(self) -> int:
        return len(self._waits)

    def start(self, after: float = 0.0) -> None:
        """Start the process after a delay in seconds; else it starts with the first question."""
        asyncio.get_running_loop().call_later(after, lambda: None if self._is_closed else self._running_pool())

    async def close(self) -> None:
        self._is_closed = True
        for wait in self._waits:
            if not wait.expired():
                wait.reschedule(0.0)  # its time is over now
        if self._running is not None:
            self._running.cancel()
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            await asyncio.to_thread(self._pool.join)

    async def ask(self, question: str, data: Mapping[str, Any], address: str = "") -> CachedBody:
        """The answer to an address; raises what the query raises, or ``NotAnswered``, and then keeps nothing."""
        key = json.dumps([question, data], sort_keys=True, default=repr)
        if key in self._kept:
            self._kept.move_to_end(key)
            self.tell(question, "cached")
            return self._kept[key]
        if key not in self._asked:
            self._asked[key] = task = asyncio.create_task(self._compute(key, question, data, address))
            task.add_done_callback(_look_at)
            task.add_done_callback(lambda _: self._asked.pop(key))
        return await asyncio.shield(self._asked[key])  # a caller who goes does not take it from the others

    async def ask_anew(self, question: str, data: Mapping[str, Any], address: str = "") -> bytes:
        try:
            async with self._turn(household(address)):
                body = await self._answer(question, data)
        except Exception:
            self.tell(question, "failed")
            raise
        self.tell(question, "answered")
        return body

    async def _compute(self, key: str, question: str, data: Mapping[str, Any], address: str) -> CachedBody:
        body = await self.ask_anew(question, data, address)
        answer = await asyncio.to_thread(CachedBody.of, body)  # compressing a long one would hold up all others
        self._kept[key] = answer
        self.nbytes += _size(key, answer)
        while self.nbytes > self.max_bytes:
            self.nbytes -= _size(*self._kept.popitem(last=False))
        return answer

    @asynccontextmanager
    async def _turn(self, address: str) -> AsyncIterator[None]:
        """Wait in the line of an address until nothing else is being answered; the lines take turns."""
        if self._is_closed:
            raise NotAnswered(STOPS)
        of_address = sum(other == address for other in self._waits.values())
        if self.waiting + self._busy.locked() > self.max_waiting or (address and of_address >= MAX_OF_ADDRESS):
            raise NotAnswered("too many questions wait for an answer", self.seconds / 2)
        wait = asyncio.timeout(self.patience)
        self._waits[wait] = address
        try:
            # The first of each line waits for the one lock, which lets them in as they came.
            async with wait, self._lines.setdefault(address, asyncio.Lock()):
                await self._busy.acquire()
        except TimeoutError:
            if self._is_closed:
                raise NotAnswered(STOPS) from None
            raise NotAnswered("others took too long to answer this one in time", self.seconds) from None
        finally:
            del self._waits[wait]
        try:
            yield
        finally:
            self._busy.release()

    async def _answer(self, question: str, data: Mapping[str, Any]) -> bytes:
        try:
            arguments = (self.function, question, dict(data), self.seconds)
            task = self._running_pool().schedule(run, args=arguments, timeout=self.seconds)
            self._running = future = asyncio.wrap_future(task)
            future.add_done_callback(_look_at)
            await asyncio.wait({future}, timeout=self.seconds)
            if not task.running() and not task.done():  # to cancel it would kill the process when that has started
                raise NotAnswered("the answering process is still starting", self.seconds)
            return await asyncio.shield(future)  # to cancel it would kill the process
        except asyncio.CancelledError:
            if self._is_closed:
                raise NotAnswered(STOPS) from None
            raise
        except TimeoutError:
            raise NotAnswered(f"the answer takes longer than {self.seconds:g} seconds", self.seconds) from None
        except ProcessExpired as error:
            if error.exitcode == NO_MEMORY:
                problem = f"the answer takes more than the {self.memory / 1e6:,.0f} MB that a question may have"
                raise TooLarge(problem) from None
            _LOG.error("a process ended while it answered the question %s", question)
            raise Crashed("the answering process ended") from None
        except Fault:
            raise Crashed("the question could not be answered") from None
        except (BrokenProcessPool, RuntimeError, OSError) as error:
            _LOG.error("no process answers questions: %s", error)
            raise NotAnswered("no process can answer now", self.seconds) from None

    def _running_pool(self) -> ProcessPool:
        """The pool, or a new one: it breaks when its process ends while nothing is asked."""
        if self._pool is None or not self._pool.active:
            options = (self.memory, self.function, self.warm)
            self._pool = ProcessPool(1, 0, prepare, options, multiprocessing.get_context("spawn"))
            _ = self._pool.active  # which starts it
        return self._pool


def _look_at(future: "asyncio.Future[Any]") -> None:
    """Retrieve an exception, which asyncio would log if all callers have gone."""
    if not future.cancelled():
        future.exception()


def _size(key: str, answer: CachedBody) -> int:
    return len(key) + len(answer.body) + len(answer.packed or b"") + OVERHEAD
