"""Games: begin one, see it, move, watch it, and what the coach says of it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any, TypeAlias

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, HeaderParameter, JSONBody
from litestar.types import Receive, Scope, Send
from msgspec import Meta, Struct
from sqlalchemy import Connection, select

from tentimes18.game import Game as Rules
from tentimes18.play.fairness import draw_deal
from tentimes18.queries.games import ReviewAnswer
from tentimes18.queries.moves import AdviceAnswer
from tentimes18.records.notation import format_moves, record_to_json
from tentimes18.server.game_limits import MOST_CHARACTERS, MOST_SLOTS, read_game
from tentimes18.server.http_caching import is_known
from tentimes18.server.identity import is_id, new_id
from tentimes18.server.live import Stream, TooManyStreams
from tentimes18.server.problems import Problem, documented
from tentimes18.server.request import Caller, Request
from tentimes18.server.state import WebState
from tentimes18.server.store.duels import EndByTime, end_by_time
from tentimes18.server.store.games import (
    Coach,
    GameState,
    MoveToMake,
    NeedsBot,
    NewGame,
    NotFound,
    board_of,
    ending_by_time,
    load_state,
    make_moves,
    start_games,
)
from tentimes18.server.store.schema import players
from tentimes18.server.views import Game, Number, game_bytes, game_record, game_view, named

Position = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Write: TypeAlias = Callable[[bytes], Awaitable[None]]
Render: TypeAlias = Callable[[GameState], Awaitable[bytes]]

CLASSIC = Rules.classic()
PRIVATE = "private, no-cache"  # of the player alone, and asked for again
VERSION_DIGITS = 32
HEARTBEAT = 15.0  # seconds without a word
PATIENCE = 20.0  # seconds for a reader to take what was sent
AGAIN_MS = 2_000  # until a browser comes back
RETRY_SECONDS = 10  # for who found no room
_LOG = logging.getLogger("tentimes18.server")


class GameRequest(Struct, forbid_unknown_fields=True):
    """A game to begin: the classic one without a coach, but for what is named."""

    dice: Annotated[str, Meta(max_length=MOST_CHARACTERS, examples=["3d6"])] = "3d6"
    slots: (
        Annotated[str, Meta(max_length=MOST_CHARACTERS, examples=["1-10"])]
        | Annotated[list[Number], Meta(max_length=MOST_SLOTS)]
    ) = "1-10"
    coach: Coach = "off"


class MoveRequest(Struct, forbid_unknown_fields=True):
    """The roll of this round goes into this slot."""

    round: Annotated[Position, Meta(examples=[1])]
    slot: Annotated[Position, Meta(examples=[5])]


def not_changed() -> dict[int, ResponseSpec]:
    """The answer to a client that has it already, for the OpenAPI document."""
    return {304: ResponseSpec(None, description="The same as the ETag that was sent")}


def cookies_of(request: Request) -> list[Cookie]:
    """The cookie for a player who is new."""
    caller = request.caller
    return [player_cookie(request, caller.player)] if caller.is_new else []


def player_cookie(request: Request, player: str) -> Cookie:
    """The cookie that makes a browser this player."""
    return request.shared.signer.cookie(player, is_secure=request.scope["scheme"] == "https")


class GameResponse(Response[bytes]):
    """A game whose JSON is there already: it goes out without what Litestar does for any other content."""

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:
        """The answer as it is sent."""
        return self._run

    async def _run(self, _: Scope, __: Receive, send: Send) -> None:
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(self.content))]
        headers += [(name.encode(), value.encode()) for name, value in self.headers.items()]
        headers += [cookie.to_encoded_header() for cookie in self.cookies]
        await send({"type": "http.response.start", "status": self.status_code or 200, "headers": headers})
        await send({"type": "http.response.body", "body": self.content, "more_body": False})


def game_response(
    request: Request, state: GameState, status: int = 200, chances: list[float] | None = None
) -> Response[Any]:
    """The answer that is a game, with the cookie for one who is new."""
    body = game_bytes(named(state, request.shared.names), chances)
    return GameResponse(body, status_code=status, cookies=cookies_of(request))


def version_of(body: bytes) -> str:
    """What tells one view of a game from another; it says no more than the view does."""
    return sha256(body).hexdigest()[:VERSION_DIGITS]


async def chances_of(shared: WebState, state: GameState) -> list[float] | None:
    """The chance to win after each round of a duel that is open; None for another game, and without the table."""
    if state.duel is None or state.opponent is None:
        return None
    chances = await asyncio.to_thread(shared.bots.chances, state.board, state.opponent_board)
    return None if chances is None else chances[1:]


async def own_game(shared: WebState, caller: Caller, id: str) -> GameState:  # noqa: A002
    """A game of the caller's, a duel that time has ended being over; raises ``NotFound`` for anybody else's."""

    async def find() -> GameState | None:
        return await shared.read(lambda connection: load_state(connection, id))

    state = None if caller.is_new or not is_id(id) else await find()
    if state is not None and state.duel is not None and ending_by_time(state, now := shared.now):
        await shared.writer.do(end_by_time, EndByTime((id,), now))
        state = await find()
    if state is None or state.player != caller.player:
        raise NotFound("there is no such game of yours")
    return state


@lru_cache(maxsize=64)
def _read_game(dice: str, slots: str | tuple[Number, ...]) -> Rules:
    """A game that was asked for: most ask for the same few."""
    return read_game(dice, slots)


@post("/games", tags=["games"])
async def begin(request: Request, data: JSONBody[GameRequest | None] = None) -> Response[Game]:
    """Begin a game: its rolls are drawn now, and committed to."""
    data, shared = data or GameRequest(), request.shared
    game = _read_game(data.dice, data.slots if isinstance(data.slots, str) else tuple(data.slots))
    new = NewGame(
        id=new_id(),
        player=request.caller.player,
        game=game,
        deal=draw_deal(game),
        coach=data.coach,
        is_rated=data.coach == "off" and game == CLASSIC,
        created=shared.now,
    )
    state = await shared.writer.do(start_games, new)
    shared.metrics.games.labels("solo").inc()
    return game_response(request, state, 201)


@get("/games/{id:str}", tags=["games"], responses=documented("not-found") | not_changed())
async def show(
    request: Request,
    id: FromPath[str],  # noqa: A002
    if_none_match: Annotated[
        str | None, HeaderParameter(name="If-None-Match", description="The ETag of the Game that was seen last.")
    ] = None,
) -> Response[Game]:
    """A game as it stands."""
    shared = request.shared
    state = await own_game(shared, request.caller, id)
    response = game_response(request, state, 200, await chances_of(shared, state))
    tag = f'"{version_of(response.content)}"'
    if if_none_match is not None and is_known([if_none_match], tag):
        response = Response(None, status_code=304)
    response.headers["etag"] = tag
    return response


@post(
    "/games/{id:str}/moves",
    tags=["games"],
    status_code=200,
    rate="move",
    responses=documented("not-found", "conflict"),
)
async def place(request: Request, id: FromPath[str], data: JSONBody[MoveRequest]) -> Response[Game]:  # noqa: A002
    """Place the roll that waits; the same again gets the same answer, whatever happened since.

    So it holds nothing that may come later: the chances to win of a duel are in the game as it is fetched.
    """
    shared, caller = request.shared, request.caller
    if caller.is_new or not is_id(id):
        raise NotFound("there is no such game of yours")
    move = MoveToMake(id, caller.player, data.round, data.slot, shared.now)
    try:
        state = await shared.writer.do(make_moves, move)
    except NeedsBot as needed:
        slot = await asyncio.to_thread(_bot_slot, shared, needed.state)
        state = await shared.writer.do(make_moves, replace(move, bot_slot=slot))
    shared.metrics.moves.inc()
    return game_response(request, state)


def _bot_slot(shared: WebState, state: GameState) -> int:
    """Where the bot places the roll that waits: from both boards before it, whatever the player does with it."""
    duel, opponent = state.duel, state.opponent
    assert duel is not None
    assert duel.bot is not None
    assert opponent is not None
    theirs = board_of(state.game, state.deal, opponent.slots)
    return shared.bots.choose(duel.bot, duel.seed, theirs, state.board, state.deal.rolls[len(state.slots)])


@get(
    "/games/{id:str}/advice",
    tags=["games"],
    rate="compute",
    responses=documented("forbidden", "not-found", "conflict") | not_changed(),
)
async def advice(request: Request, id: FromPath[str]) -> Response[AdviceAnswer]:  # noqa: A002
    """Where to place the roll that waits, and what every other slot gives up; of a game with a coach."""
    shared = request.shared
    state = await own_game(shared, request.caller, id)
    if state.coach == "off":
        raise Problem("forbidden", "this game was begun without a coach")
    roll = game_view(state).roll
    if roll is None:
        raise Problem("conflict", "no roll waits to be placed")
    question = {
        "dice": str(state.game.dice),
        "slots": state.game.slots,
        "moves": format_moves(state.board.placements),
        "roll": roll,
    }
    return (await shared.coach.ask("advise", question)).response(request, PRIVATE)


@get(
    "/games/{id:str}/review",
    tags=["games"],
    rate="compute",
    responses=documented("not-found", "conflict") | not_changed(),
)
async def review(request: Request, id: FromPath[str]) -> Response[ReviewAnswer]:  # noqa: A002
    """What each move of a finished game gave up, and what was luck."""
    shared, caller = request.shared, request.caller
    state = await own_game(shared, caller, id)
    if not state.is_over:
        raise Problem("conflict", "the game is not finished")

    def name_of(connection: Connection) -> str | None:
        return connection.execute(select(players.c.name).where(players.c.id == caller.player)).scalar_one_or_none()

    record = record_to_json(game_record(named(state, shared.names), await shared.read(name_of)))
    return (await shared.coach.ask("review", {"record": record})).response(request, PRIVATE)


class GameEvents(Response[bytes]):
    """The events of a stream, which is left when who reads has gone, or is too slow."""

    def __init__(self, stream: Stream, render: Render, known: str | None, stack: ExitStack) -> None:
        super().__init__(b"")
        self._stream = stream
        self._render = render
        self._known = known
        self._stack = stack

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:
        """The stream as Litestar sends it."""
        return self._run

    async def _run(self, _: Scope, receive: Receive, send: Send) -> None:
        """Send until the game is finished, the service stops, or the reader goes."""
        tasks = [asyncio.ensure_future(self._send(send)), asyncio.ensure_future(_gone(receive))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._stack.close()
            for task in tasks:
                task.cancel()
            for error in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(error, Exception):  # it is too late to answer with a problem: the stream breaks off
                    _LOG.error("a fault in a stream: %s", type(error).__name__, exc_info=error)

    async def _send(self, send: Send) -> None:
        async def write(text: bytes, *, is_last: bool = False) -> None:
            async with asyncio.timeout(PATIENCE):
                await send({"type": "http.response.body", "body": text, "more_body": not is_last})

        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
        headers.append((b"cache-control", b"no-store"))
        with suppress(TimeoutError, OSError):
            await send({"type": "http.response.start", "status": 200, "headers": headers})
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

    async def _show(self, state: GameState, write: Write) -> None:
        body = await self._render(state)
        version = version_of(body)
        if version != self._known:
            self._known = version
            await write(b"id: %s\nevent: game\ndata: %s\n\n" % (version.encode(), body))


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


EVENTS = {
    200: ResponseSpec(
        str,
        generate_examples=False,
        media_type="text/event-stream",
        description="Events named game, each with a Game as its data and the version of that as its id; a comment "
        "every 15 seconds. The stream ends after the Game that is finished.",
    ),
    204: ResponseSpec(
        None, description="The game is finished, and Last-Event-ID says that it was seen: do not come back"
    ),
}


@get("/games/{id:str}/events", tags=["games"], responses=EVENTS | documented("not-found"))
async def watch(
    request: Request,
    id: FromPath[str],  # noqa: A002
    last_event_id: Annotated[
        str | None, HeaderParameter(name="Last-Event-ID", description="The version of the Game that was seen last.")
    ] = None,
) -> Response[Any]:
    """The game as it stands, and again whenever it changes."""
    shared, caller = request.shared, request.caller

    async def render(state: GameState) -> bytes:
        return game_bytes(named(state, shared.names), await chances_of(shared, state))

    with ExitStack() as stack:
        if shared.rates is not None:
            stack.enter_context(shared.rates.stream(request.info))
        state = await own_game(shared, caller, id)
        if state.is_over and last_event_id is not None and version_of(await render(state)) == last_event_id:
            return Response(None, status_code=204)
        try:
            stream = shared.live.watch(id, caller.player)
        except TooManyStreams as error:
            if error.of_player:
                raise Problem("too-many", "you watch too many games at once: close some of them") from None
            detail = "too many games are watched now: ask for the game instead"
            raise Problem("unavailable", detail, headers={"Retry-After": str(RETRY_SECONDS)}) from None
        stack.callback(stream.leave)
        return GameEvents(stream, render, last_event_id, stack.pop_all())


ROUTES = (begin, show, place, advice, review, watch)
