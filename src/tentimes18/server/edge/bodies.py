"""The body of a request: read whole, up to a size and within a time, before any handler sees the request.

Whoever sends too much, too slowly, another kind of content or JSON of two meanings is refused here, and no handler
waits for the network. One timer serves all bodies that are being read: they all have the same time, so they run out of
it in the order in which they came.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tentimes18.server.edge.json_bodies import verify_json
from tentimes18.server.edge.refusals import refuse
from tentimes18.server.edge.visits import Visit
from tentimes18.server.problems import Problem

__all__ = ["BODIES", "JSON", "LONGEST_PATH", "LONGEST_QUERY", "SECONDS", "Bodies", "Body"]

SECONDS: Final = 10.0
LONGEST_PATH: Final = 1024
LONGEST_QUERY: Final = 4096


@dataclass(frozen=True, slots=True)
class Body:
    """What a route takes: so many bytes, of these content types."""

    most_bytes: int
    types: tuple[bytes, ...]


JSON: Final = Body(64_000, (b"application/json",))
LINES: Final = (b"application/x-ndjson", b"application/jsonl", b"text/plain")
BODIES: Final[Mapping[tuple[str, str], Body]] = {
    ("POST", "/verify"): Body(300_000, (b"application/x-www-form-urlencoded",)),
    ("POST", "/api/v1/me/games"): Body(2_000_000, LINES),
    ("POST", "/api/v1/lab/review"): Body(10_000, (*LINES, b"application/json")),
}
"""Routes that take something else than a little JSON."""

_Task: TypeAlias = "asyncio.Task[Any]"
_API: Final = "/api/"
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Bodies:
    """The layer that hands a request on when its body is there."""

    def __init__(
        self, app: ASGIApp, *, bodies: Mapping[tuple[str, str], Body] = BODIES, seconds: float = SECONDS
    ) -> None:
        self._app = app
        self._bodies = bodies
        self._seconds = seconds
        self._due: dict[_Task, float] = {}  # tasks that read, the first one to be late in front
        self._late: set[_Task] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or refuse it."""
        if len(scope["path"]) > LONGEST_PATH or len(scope["query_string"]) > LONGEST_QUERY:
            detail = f"a path may have {LONGEST_PATH:,} characters, and the query after it {LONGEST_QUERY:,}"
            await refuse(send, Problem("too-long", detail))
            return
        visit: Visit = scope["visit"]
        length = _length(scope, visit.headers)
        if length == 0:
            if visit.method not in _SAFE:  # a handler may ask for the body: there is none to wait for
                receive = _replay(b"", receive)
            await self._app(scope, receive, send)
            return
        takes = self._bodies.get((visit.method, visit.template), JSON)
        try:
            if length is not None and length > takes.most_bytes:
                raise _too_large(takes.most_bytes)
            if visit.method not in _SAFE and not _is_taken(visit, takes):
                accepted = " or ".join(kind.decode() for kind in takes.types)
                raise Problem("media-type", f"the content type is not one that is read here; accepted: {accepted}")
            body = await self._in_time(receive, length, takes.most_bytes)
            if takes is JSON and visit.method not in _SAFE and visit.template.startswith(_API):
                verify_json(body)
        except Problem as problem:
            await refuse(send, problem)
        else:
            await self._app(scope, _replay(b"" if visit.method in _SAFE else body, receive), send)

    async def _in_time(self, receive: Receive, length: int | None, most: int) -> bytes:
        """The body; raises a ``Problem`` where it comes too slowly."""
        task = asyncio.current_task()
        assert task is not None
        loop = task.get_loop()
        self._due[task] = loop.time() + self._seconds
        if self._timer is None:
            self._timer = loop.call_later(self._seconds, self._look)
        try:
            return await _whole(receive, length, most)
        except asyncio.CancelledError:
            if task in self._late:
                task.uncancel()
                detail = f"the body did not come within {self._seconds:g} s"
                raise Problem("slow", detail, headers={"Connection": "close"}) from None
            raise
        finally:
            self._due.pop(task, None)
            self._late.discard(task)

    def _look(self) -> None:
        """Cancel what is late, and look again when the next one would be."""
        self._timer = None
        loop = asyncio.get_running_loop()
        now = loop.time()
        for task, due in list(self._due.items()):
            if due > now:
                self._timer = loop.call_at(due, self._look)
                return
            del self._due[task]
            self._late.add(task)
            task.cancel()


def _length(scope: Scope, headers: Mapping[bytes, bytes]) -> int | None:
    """How long the body is: 0 for none, None where that is not known."""
    if (told := headers.get(b"content-length")) is not None and told.isdigit() and len(told) < 20:
        return int(told)
    return 0 if scope["http_version"] < "2" and b"transfer-encoding" not in headers else None


def _is_taken(visit: Visit, takes: Body) -> bool:
    if takes is JSON and not visit.template.startswith(_API):
        return True
    kind = visit.headers.get(b"content-type", b"")
    return kind in takes.types or kind.partition(b";")[0].strip().lower() in takes.types


def _too_large(most: int) -> Problem:
    return Problem("too-large", f"at most {most:,} bytes are accepted here")


async def _whole(receive: Receive, length: int | None, most: int) -> bytes:
    parts = []
    left = most if length is None else length
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Problem("bad-request", "the body ended before all of it had come")
        if part := message.get("body", b""):
            parts.append(part)
            left -= len(part)
            if left < 0:
                raise _too_large(most)
        is_last = not message.get("more_body", False)
        if is_last and length is not None and left:
            raise Problem("bad-request", "the body ended before all of it had come")
        if is_last or (length is not None and not left):  # an empty message would follow: it is not waited for
            return parts[0] if len(parts) == 1 else b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Gives the body at once, and after that what there is to hear of the connection."""
    is_told = False

    async def replayed() -> Message:
        nonlocal is_told
        if is_told:
            return await receive()
        is_told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed
