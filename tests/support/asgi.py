"""Requests to an ASGI application without a server: what it is sent, message by message, and what it answers."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tentimes18.server.edge.visits import Visits, Watcher

__all__ = ["TEMPLATES", "Answered", "asked", "echo", "http_scope", "sent", "visited"]

TEMPLATES: Final = (
    *("/health", "/api/v1/games", "/api/v1/games/{id}", "/api/v1/games/{id}/moves", "/api/v1/games/{id}/events"),
    *("/api/v1/me/games", "/api/v1/lab/solve"),
)


@dataclass(slots=True)
class Answered:
    """An answer; ``status`` 0 where there was none."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self) -> Any:
        """Its body, read."""
        return json.loads(self.body)


def http_scope(
    method: str = "GET", path: str = "/health", headers: Mapping[str, str] | None = None, **others: Any
) -> Scope:
    """A request as a server tells of it."""
    told = [(name.lower().encode(), value.encode("latin-1")) for name, value in (headers or {}).items()]
    return {
        "type": "http",
        "http_version": "1.1",
        "scheme": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": told,
        "client": ("192.0.2.7", "4711"),
    } | others


def sent(*parts: bytes, is_whole: bool = True) -> list[Message]:
    """The messages of a body in these parts."""
    messages: list[Message] = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    return [*messages, {"type": "http.request", "body": b"", "more_body": False}] if is_whole else messages


async def asked(app: ASGIApp, scope: Scope, messages: Iterable[Message] = ()) -> Answered:
    """The answer to a request; after these messages nothing is heard of whoever sent it."""
    waiting = list(messages)
    answer = Answered()

    async def receive() -> Message:
        if waiting:
            return waiting.pop(0)
        await asyncio.Event().wait()
        raise AssertionError("nobody wakes this up")

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            answer.body += message.get("body", b"")

    await app(scope, receive, send)
    return answer


async def echo(_: Scope, receive: Receive, send: Send) -> None:
    """An application that answers with what it is sent."""
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message["body"], message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": body})


def visited(
    app: ASGIApp,
    *,
    watchers: Sequence[Watcher] = (),
    is_behind_proxy: bool = False,
    player_of: Callable[[str], str | None] = str,
    clock: Callable[[], float] = lambda: 0.0,
) -> Visits:
    """A layer inside the one that knows who comes; the player is what the cookie `ten18` says."""
    return Visits(
        app,
        templates=TEMPLATES,
        cookie="ten18",
        player_of=player_of,
        is_behind_proxy=is_behind_proxy,
        watchers=watchers,
        clock=clock,
    )
