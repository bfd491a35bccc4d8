"""Server-sent events as a browser reads them, from a service over the network or in the process of a test."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from tentimes18.server.app import Application
from tentimes18.server.store.groups import CODE_LENGTH
from tests.support.asgi import http_scope
from tests.support.process import PATIENCE

DONE: Final = b""


@dataclass(frozen=True, slots=True)
class Event:
    """An event that has data; ``text`` is what was sent."""

    id: str
    name: str
    game: dict[str, Any]
    text: str


@dataclass(slots=True)
class Watcher:
    """What has come so far; ``is_over`` when the stream has ended, ``was_cut`` where the connection was lost."""

    status: int
    headers: httpx.Headers
    events: list[Event] = field(default_factory=list)
    comments: int = 0
    is_over: bool = False
    was_cut: bool = False
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def until(self, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first game that this is true of, as soon as it has come."""
        found: dict[str, Any] = await self._until(
            lambda: next((event.game for event in self.events if is_it(event.game)), None)
        )
        return found

    async def end(self) -> None:
        await self._until(lambda: self.is_over or None)

    async def comment(self) -> None:
        await self._until(lambda: self.comments or None)

    async def _until(self, look: Callable[[], Any]) -> Any:
        async with asyncio.timeout(PATIENCE):
            while (found := look()) is None:
                self._news.clear()
                await self._news.wait()
        return found

    async def read(self, response: httpx.Response) -> None:
        fields: dict[str, str] = {}
        try:
            async for line in response.aiter_lines():
                if line.startswith(":"):
                    self.comments += 1
                elif line:
                    name, _, text = line.partition(": ")
                    assert name in {"id", "event", "data", "retry"}, line
                    fields[name] = text
                else:
                    if "data" in fields:
                        game = json.loads(fields["data"])
                        self.events.append(Event(fields["id"], fields["event"], game, fields["data"]))
                    fields = {}
                self._news.set()
        except httpx.TransportError:
            self.was_cut = True
        finally:
            self.is_over = True
            self._news.set()


@asynccontextmanager
async def watching(client: httpx.AsyncClient, game: str, last: str | None = None) -> AsyncIterator[Watcher]:
    """A game or a group being watched by this client until the end of the block; ``last``: the version seen last."""
    headers = {} if last is None else {"Last-Event-ID": last}
    path = f"/groups/{game}/events" if len(game) == CODE_LENGTH else f"/games/{game}/events"
    async with client.stream("GET", path, headers=headers, timeout=PATIENCE) as response:
        watcher = Watcher(response.status_code, response.headers)
        task = asyncio.create_task(watcher.read(response))
        try:
            yield watcher
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


class StreamingTransport(httpx.AsyncBaseTransport):
    """An application of this process, whose answers come as they are sent; that of httpx waits for their end."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await _Exchange(self._app, request).begin()


class _Exchange(httpx.AsyncByteStream):
    def __init__(self, app: Application, request: httpx.Request) -> None:
        self._app = app
        self._request = request
        self._started: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._parts: asyncio.Queue[bytes] = asyncio.Queue()
        self._gone = asyncio.Event()
        self._is_read = False
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> httpx.Response:
        self._body = await self._request.aread()
        url = self._request.url
        scope = http_scope(
            self._request.method,
            url.path,
            dict(self._request.headers),
            raw_path=url.raw_path.split(b"?")[0],
            query_string=url.query,
            server=(url.host, url.port),
            client=("127.0.0.1", 1018),
        )
        self._task = asyncio.create_task(self._run(scope))
        start = await self._started
        return httpx.Response(start["status"], headers=start["headers"], stream=self)

    async def _run(self, scope: dict[str, Any]) -> None:
        try:
            await self._app(scope, self._receive, self._send)  # type: ignore[arg-type]
        except BaseException as error:
            if not self._started.done():
                self._started.set_exception(error)
            raise
        finally:
            self._parts.put_nowait(DONE)

    async def _receive(self) -> dict[str, Any]:
        if self._is_read:
            await self._gone.wait()
            return {"type": "http.disconnect"}
        self._is_read = True
        return {"type": "http.request", "body": self._body, "more_body": False}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self._started.set_result(message)
        elif body := message.get("body"):
            self._parts.put_nowait(body)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while part := await self._parts.get():
            yield part

    async def aclose(self) -> None:
        """Go away, and wait until that was noticed."""
        self._gone.set()
        if self._task is not None:
            await asyncio.wait([self._task])
