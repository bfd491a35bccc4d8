"""Games: begin one, see it, move, watch it, and what the coach says of it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any, TypeAlias

from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, HeaderParameter, JSONBody
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Meta, Struct

from tentimes18.game import Game as Rules
from tentimes18.queries.games import ReviewAnswer
from tentimes18.queries.moves import AdviceAnswer
from tentimes18.records.notation import format_moves, record_to_json
from tentimes18.server.calculator import is_known
from tentimes18.server.days import CLASSIC
from tentimes18.server.game_limits import MAX_CHARACTERS, MAX_SLOTS, read_game
from tentimes18.server.identity import is_id
from tentimes18.server.live import Stream
from tentimes18.server.problems import NotFound, Problem, described, documented
from tentimes18.server.request import Caller, Request
from tentimes18.server.state import WebState
from tentimes18.server.store import games as store
from tentimes18.server.store.duels import end_by_time
from tentimes18.server.store.games import Coach, GameState
from tentimes18.server.store.groups import GroupState
from tentimes18.server.store.players import player_facts
from tentimes18.server.views import Game, Number, game_bytes, game_record, game_view, named

Position = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Render: TypeAlias = Callable[[Any], Awaitable[bytes]]  # what a caller may see of the state of a game, or of a group

PRIVATE = "private, no-cache"  # of the player alone, and asked for again
VERSION_DIGITS = 32
HEARTBEAT = 15.0  # seconds without a word
PATIENCE = 20.0  # seconds for a reader to take what was sent
AGAIN_MS = 2_000  # until a browser comes back
_LOG = logging.getLogger("tentimes18.server")


NOT_CHANGED = {304: ResponseSpec(None, description="The game has not changed since this ETag")}
"""The answer to a client that has it already, for the OpenAPI document."""


class GameRequest(Struct, forbid_unknown_fields=True):
    """A game to start; by default the classic game without a coach."""

    dice: Annotated[str, Meta(max_length=MAX_CHARACTERS, examples=["3d6"])] = "3d6"
    slots: (
        Annotated[str, Meta(max_length=MAX_CHARACTERS, examples=["1-10"])]
        | Annotated[list[Number], Meta(max_length=MAX_SLOTS)]
    ) = "1-10"
    coach: Coach = "off"


class MoveRequest(Struct, forbid_unknown_fields=True):
    """The roll of this round goes into this slot."""

    round: Annotated[Position, Meta(examples=[1])]
    slot: Annotated[Position, Meta(examples=[5])]


class GameResponse(Response[bytes]):
    """A game that is JSON already: it is sent without what Litestar does for any other content."""

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:
        return self._run

    async def _run(self, _: Scope, __: Receive, send: Send) -> None:
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(self.content))]
        headers += [(name.encode(), value.encode()) for name, value in self.headers.items()]
        await send({"type": "http.response.start", "status": self.status_code or 200, "headers": headers})
        await send({"type": "http.response.body", "body": self.content, "more_body": False})


def game_response(
    request: Request, state: GameState, status: int = 200, chances: list[float] | None = None
) -> Response[Any]:
    if status == 201:
        request.shared.metrics.games.labels(state.kind).inc()
    return GameResponse(game_bytes(named(state, request.shared.names), chances), status_code=status)


def version_of(body: bytes) -> str:
    """What tells one view of a game from another; it says no more than the view does."""
    return sha256(body).hexdigest()[:VERSION_DIGITS]


async def chances_of(shared: WebState, state: GameState) -> list[float] | None:
    """The chance to win after each round of a duel that is open; None for another game, and without the table."""
    if state.duel is None or state.opponent is None:
        return None
    chances = await shared.bots.chances(state.board, state.opponent_board)
    return None if chances is None else chances[1:]


async def own_game(shared: WebState, caller: Caller, id: str) -> GameState:  # noqa: A002
    """A game of the caller; a duel whose time has run out is ended first. Raises ``NotFound`` for other games."""
    state = None if caller.is_new or not is_id(id) else await shared.read(store.load_state, id)
    if state is not None and store.is_out_of_time(state, now := shared.now):
        await shared.writer.call(end_by_time, (id,), now)
        state = await shared.read(store.load_state, id)
    if state is None or state.player != caller.player:
        raise NotFound
    return state


_read_game = lru_cache(maxsize=64)(read_game)


def read_small_game(data: GameRequest) -> Rules:
    """The game that a request describes; raises ``Ten18Error`` where it cannot be read, or is too large."""
    return _read_game(data.dice, data.slots if isinstance(data.slots, str) else tuple(data.slots))


@post("/games")
async def begin(request: Request, data: JSONBody[GameRequest | None] = None) -> Response[Game]:
    """Begin a game: its rolls are drawn now, and committed to."""
    data, shared = data or GameRequest(), request.shared
    game = read_small_game(data)
    new = store.NewGame(request.caller.player, game, data.coach, data.coach == "off" and game == CLASSIC, shared.now)
    return game_response(request, await shared.writer.do(store.start_games, new), 201)


@get("/games/{id:str}", responses=documented("not-found") | NOT_CHANGED)
async def show(
    request: Request,
    id: FromPath[str],  # noqa: A002
    if_none_match: Annotated[
        str | None, HeaderParameter(name="If-None-Match", description="The ETag of the Game that was seen last.")
    ] = None,
) -> Response[Game]:
    """A game in its present state."""
    shared = request.shared
    state = await own_game(shared, request.caller, id)
    response = game_response(request, state, 200, await chances_of(shared, state))
    tag = f'"{version_of(response.content)}"'
    if if_none_match is not None and is_known([if_none_match], tag):
        response = Response(None, status_code=304)
    response.headers["etag"] = tag
    return response


@post("/games/{id:str}/moves", status_code=200, rate="move", responses=documented("not-found", "conflict"))
async def place(request: Request, id: FromPath[str], data: JSONBody[MoveRequest]) -> Response[Game]:  # noqa: A002
    """Place the current roll. A repeated request gets the same answer, whatever happened since.

    The answer therefore has nothing that changes later: the chances to win a duel are in the Game that GET returns.
    """
    shared, caller = request.shared, request.caller
    if caller.is_new or not is_id(id):
        raise NotFound
    move = store.MoveToMake(id, caller.player, data.round, data.slot, shared.now, shared.bots.choose_in)
    try:
        state = await shared.writer.do(store.make_moves, move)
    except store.SlotNeeded as needed:
        slot = await shared.bots.choose(needed.state)
        state = await shared.writer.do(store.make_moves, move._replace(choose=lambda _: slot))
    shared.metrics.moves += 1
    if state.is_over:
        shared.metrics.finished.labels(state.kind).inc()
    return game_response(request, state)


@get("/games/{id:str}/advice", rate="compute", responses=documented("forbidden", "not-found", "conflict") | NOT_CHANGED)
async def advice(request: Request, id: FromPath[str]) -> Response[AdviceAnswer]:  # noqa: A002
    """Where to place the current roll, and what every other slot loses; only for a game with a coach."""
    shared = request.shared
    state = await own_game(shared, request.caller, id)
    if state.coach == "off":
        raise Problem("forbidden", "this game was begun without a coach")
    roll = game_view(state).roll
    if roll is None:
        raise Problem("conflict", "there is no roll to place")
    moves = format_moves(state.board.placements)
    question = {"dice": str(state.game.dice), "slots": state.game.slots, "moves": moves, "roll": roll}
    return (await shared.coach.ask("advise", question)).response(request, PRIVATE)


@get("/games/{id:str}/review", rate="compute", responses=documented("not-found", "conflict") | NOT_CHANGED)
async def review(request: Request, id: FromPath[str]) -> Response[ReviewAnswer]:  # noqa: A002
    """What each move of a finished game lost, and how much was luck."""
    shared, caller = request.shared, request.caller
    state = await own_game(shared, caller, id)
    if not state.is_over:
        raise Problem("conflict", "the game is not finished")

    name = (await shared.read(player_facts, caller.player)).name
    record = record_to_json(game_record(named(state, shared.names), name))
    return (await shared.coach.ask("review", {"record": record})).response(request, PRIVATE)


class Streamed(Response[bytes]):
    """An answer that a function sends part by part."""

    def __init__(self, run: ASGIApp) -> None:
        super().__init__(b"")
        self._run = run

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:
        return self._run


async def _send_events(send: Send, name: str, stream: Stream, render: Render, known: str | None) -> None:
    """Send until the game is finished, the service stops, or the reader is too slow."""

    async def write(text: bytes, *, is_last: bool = False) -> None:
        async with asyncio.timeout(PATIENCE):
            await send({"type": "http.response.body", "body": text, "more_body": not is_last})

    headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
    headers.append((b"cache-control", b"no-store"))
    with suppress(TimeoutError, OSError):
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await write(b"retry: %d\n\n" % AGAIN_MS)
        while not stream.is_closed:
            state = await stream.next(HEARTBEAT)
            if state is not None:
                body = await render(state)
                if (version := version_of(body)) != known:
                    known = version
                    await write(b"id: %s\nevent: %s\ndata: %s\n\n" % (version.encode(), name.encode(), body))
                if state.is_over:
                    break
            elif not stream.is_closed:
                await write(b":\n\n")
        await write(b"", is_last=True)


def stream_events(name: str, stream: Stream, render: Render, known: str | None, leaving: ExitStack) -> Streamed:
    """The answer that sends the events of a stream, each with a ``name``, until its reader goes."""

    async def run(_: Scope, receive: Receive, send: Send) -> None:
        senders = (_send_events(send, name, stream, render, known), _gone(receive))
        tasks = [asyncio.ensure_future(sender) for sender in senders]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.close()
            for task in tasks:
                task.cancel()
            for error in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(error, Exception):  # it is too late to answer with a problem: the stream breaks off
                    _LOG.error("error in a stream: %s", type(error).__name__, exc_info=error)

    return Streamed(run)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def described_events(kind: str, end: str) -> dict[int, ResponseSpec]:
    """The answer of a stream of events, for the OpenAPI document."""
    events = f"Events named {kind.lower()}, each with a {kind} as its data and the version of that as its id"
    return described(str, f"{events}; a comment every 15 seconds. The stream ends {end}.", "text/event-stream")


EVENTS = described_events("Game", "after the Game that is finished")
EVENTS[204] = ResponseSpec(
    None, description="The game is finished, and Last-Event-ID says that it was seen: do not reconnect"
)


@get("/games/{id:str}/events", responses=EVENTS | documented("not-found"))
async def watch(
    request: Request,
    id: FromPath[str],  # noqa: A002
    last_event_id: Annotated[
        str | None, HeaderParameter(name="Last-Event-ID", description="The version of the Game that was seen last.")
    ] = None,
) -> Response[Any]:
    """The game now, and again whenever it changes."""
    shared, caller = request.shared, request.caller

    async def render(state: GameState) -> bytes:
        return game_bytes(named(state, shared.names), await chances_of(shared, state))

    async def find() -> GameState | None:
        state = await own_game(shared, caller, id)
        if state.is_over and last_event_id is not None and version_of(await render(state)) == last_event_id:
            return None
        return state

    return await watched(request, "game", find, caller.player, render, last_event_id)


async def watched(
    request: Request,
    name: str,
    find: Callable[[], Awaitable[GameState | GroupState | None]],
    player: str | None,
    render: Render,
    known: str | None,
) -> Response[Any]:
    """The events of the game or group that ``find`` finds; 204 where it finds that nothing will come."""
    shared = request.shared
    with ExitStack() as stack:
        if shared.rates is not None:
            stack.enter_context(shared.rates.stream(request.info))
        state = await find()
        if state is None:
            return Response(None, status_code=204)
        stream = shared.live.watch(state.code if isinstance(state, GroupState) else state.id, player)
        stack.callback(shared.live.leave, stream)
        return stream_events(name, stream, render, known, stack.pop_all())


ROUTES = (begin, show, place, advice, review, watch)
