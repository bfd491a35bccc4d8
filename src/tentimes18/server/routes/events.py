"""Live games: a stream of server-sent events that has the Game whenever it changes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Annotated, Any, Final, TypeAlias

from fastapi import APIRouter, Header, Response
from starlette.types import Receive, Scope, Send

from tentimes18.server.live.live import Stream, TooManyStreams
from tentimes18.server.problems import Problem, documented
from tentimes18.server.routes.games import chances_of, own_game, version_of
from tentimes18.server.state import AnyCaller, Shared
from tentimes18.server.store.states import GameState
from tentimes18.server.views import game_bytes, named

__all__ = ["GameEvents", "router"]

HEARTBEAT: Final = 15.0  # seconds without a word
PATIENCE: Final = 20.0  # seconds for a reader to take what was sent
AGAIN_MS: Final = 2_000  # until a browser comes back
RETRY_SECONDS: Final = 10  # for who found no room

_LOG: Final = logging.getLogger("tentimes18.server")

Render: TypeAlias = Callable[[GameState], Awaitable[bytes]]

ANSWERS: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "Events named game, each with a Game as its data and the version of that as its id; a comment "
        "every 15 seconds. The stream ends after the Game that is finished.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    },
    204: {"description": "The game is finished, and Last-Event-ID says that it was seen: do not come back"},
}

router = APIRouter(prefix="/games", tags=["games"])


class GameEvents(Response):
    """The events of a stream, which is left when who reads has gone, or is too slow."""

    media_type = "text/event-stream"

    def __init__(self, stream: Stream, render: Render, known: str | None) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._stream = stream
        self._render = render
        self._known = known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the game is finished, the service stops, or the reader goes."""
        del scope
        tasks = [asyncio.ensure_future(self._send(send)), asyncio.ensure_future(_gone(receive))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._stream.leave()
            for task in tasks:
                task.cancel()
            for error in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(error, Exception):  # it is too late to answer with a problem: the stream breaks off
                    _LOG.error("a fault in a stream: %s", type(error).__name__, exc_info=error)

    async def _send(self, send: Send) -> None:
        async def write(text: bytes, *, is_last: bool = False) -> None:
            async with asyncio.timeout(PATIENCE):
                await send({"type": "http.response.body", "body": text, "more_body": not is_last})

        with suppress(TimeoutError, OSError):
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            await write(b"retry: %d\n\n" % AGAIN_MS)
            while not self._stream.is_closed:
                state = await self._stream.next(HEARTBEAT)
                if state is not None:
                    await self._show(state, write)
                    if state.is_over:
                        break
                elif not self._stream.is_closed:
                    await write(b":\n\n")
            await write(b"", is_last=True)

    async def _show(self, state: GameState, write: Callable[[bytes], Awaitable[None]]) -> None:
        body = await self._render(state)
        version = version_of(body)
        if version != self._known:
            self._known = version
            await write(b"id: %s\nevent: game\ndata: %s\n\n" % (version.encode(), body))


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@router.get("/{id}/events", responses=ANSWERS | documented("not-found"), response_class=Response)
async def watch(
    shared: Shared,
    caller: AnyCaller,
    id: str,  # noqa: A002
    last_event_id: Annotated[str | None, Header(description="The version of the Game that was seen last.")] = None,
) -> Response:
    """The game as it stands, and again whenever it changes."""

    async def render(state: GameState) -> bytes:
        return game_bytes(named(state, shared.names), await chances_of(shared, state))

    state = await own_game(shared, caller, id)
    if state.is_over and last_event_id is not None and version_of(await render(state)) == last_event_id:
        return Response(status_code=204)
    try:
        stream = shared.live.watch(id, caller.player)
    except TooManyStreams as error:
        if error.of_player:
            raise Problem("too-many", "you watch too many games at once: close some of them") from None
        wait = {"Retry-After": str(RETRY_SECONDS)}
        raise Problem("unavailable", "too many games are watched now: ask for the game instead", headers=wait) from None
    return GameEvents(stream, render, last_event_id)
