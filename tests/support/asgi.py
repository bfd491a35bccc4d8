"""Requests to an ASGI application without a server: what it is sent, message by message, and what it answers."""

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from litestar.types import ASGIApp, Message, Scope


@dataclass(slots=True)
class Answered:
    """An answer; ``status`` 0 where there was none."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def http_scope(
    method: str = "GET", path: str = "/health", headers: Mapping[str, str] | None = None, **others: Any
) -> Any:
    told = [
        (name.lower().encode(), value.encode("latin-1"))
        for name, value in ({"host": "test"} | dict(headers or {})).items()
    ]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode("utf-8", "replace"),
        "query_string": b"",
        "root_path": "",
        "headers": told,
        "client": ("192.0.2.7", "4711"),
        "server": ("test", 80),
    } | others


def sent(*parts: bytes, is_whole: bool = True) -> list[Message]:
    messages: list[Any] = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if is_whole:
        messages.append({"type": "http.request", "body": b"", "more_body": False})
    return messages


async def asked(app: ASGIApp, scope: Scope, messages: Iterable[Message] = ()) -> Answered:
    """The answer to a request; after these messages the sender is silent."""
    waiting: list[Any] = list(messages)
    answer = Answered()

    async def receive() -> Any:
        if waiting:
            return waiting.pop(0)
        await asyncio.Event().wait()
        raise AssertionError("nobody wakes this up")

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        elif message["type"] == "http.response.body":
            answer.body += message.get("body", b"")

    await app(scope, receive, send)
    return answer
