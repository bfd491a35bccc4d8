"""Games: begin one, see it, move.

Live games: a stream of server-sent events that has the Game whenever it changes.

The coach on a game: where to place the roll that waits, and, when it is over, what the moves gave up.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Body, Header, Request, Response
from sqlalchemy import Connection, select
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from tentimes18.answers.advice import AdviceAnswer
from tentimes18.answers.review import OneReviewAnswer
from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.records.notation import format_moves, record_to_json
from tentimes18.server.calculator.kept_answers import answer_response
from tentimes18.server.game_limits import read_game
from tentimes18.server.http_cache import is_known
from tentimes18.server.identity import Caller, is_id, new_id
from tentimes18.server.live_games import Stream, TooManyStreams
from tentimes18.server.models import MoveRequest, NewGameRequest, documented_answers, game_answer
from tentimes18.server.problems import Problem, documented
from tentimes18.server.state import AnyCaller, Shared, WebState, is_secure
from tentimes18.server.store.duels import EndByTime, end_by_time
from tentimes18.server.store.games import MoveToMake, NeedsBot, NewGame, NotFound, make_moves, start_games
from tentimes18.server.store.schema import players
from tentimes18.server.store.states import GameState, board_of, ending_by_time, load_state
from tentimes18.server.views import game_bytes, game_record, game_view, named

JSON = "application/json"
VERSION_DIGITS = 32

NOT_CHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "The same as the ETag that was sent"}}

CLASSIC = Game.classic()

router = APIRouter(prefix="/games", tags=["games"])


def game_response(
    request: Request,
    shared: WebState,
    caller: Caller,
    state: GameState,
    status: int = 200,
    chances: Sequence[float] | None = None,
) -> Response:
    """The answer that is a game, with the cookie for one who is new."""
    response = Response(game_bytes(named(state, shared.names), chances), status, media_type=JSON)
    if caller.is_new:
        shared.signer.greet(response, caller, is_secure=is_secure(request, shared.service))
    return response


def version_of(body: bytes) -> str:
    """What tells one view of a game from another; it says no more than the view does.

    >>> version_of(b"{}")
    '44136fa355b3678a1146ad16f7e8649e'
    """
    return sha256(body).hexdigest()[:VERSION_DIGITS]


async def chances_of(shared: WebState, state: GameState) -> list[float] | None:
    """The chance to win after each round of a duel that is open; None for another game, and without the table."""
    if state.duel is None or state.opponent is None:
        return None
    found = await run_in_threadpool(shared.bots.chances, state.board, state.opponent_board)
    return None if found is None else found[1:]


async def own_game(shared: WebState, caller: Caller, id_: str) -> GameState:
    """A game of the caller's, a duel that time has ended being over; raises ``NotFound`` for anybody else's."""

    async def find() -> GameState | None:
        return await shared.read(lambda connection: load_state(connection, id_))

    state = None if caller.is_new or not is_id(id_) else await find()
    if state is not None and state.duel is not None and ending_by_time(state, now := shared.now):
        await shared.writer.do(end_by_time, EndByTime((id_,), now))
        state = await find()
    if state is None or state.player != caller.player:
        raise NotFound("there is no such game of yours")
    return state


@lru_cache(maxsize=64)
def _read_game(dice: str, slots: str | tuple[int | float, ...]) -> Game:
    """A game that was asked for: most ask for the same few."""
    return read_game(dice, slots)


@router.post("", status_code=201, responses=game_answer(201, "Begun") | documented())
async def begin(
    request: Request, shared: Shared, caller: AnyCaller, wanted: Annotated[NewGameRequest | None, Body()] = None
) -> Response:
    """Begin a game: its rolls are drawn now, and committed to."""
    wanted = wanted or NewGameRequest()
    game = _read_game(wanted.dice, wanted.slots if isinstance(wanted.slots, str) else tuple(wanted.slots))
    new = NewGame(
        id=new_id(),
        player=caller.player,
        game=game,
        deal=draw_deal(game),
        coach=wanted.coach,
        is_rated=wanted.coach == "off" and game == CLASSIC,
        created=shared.now,
    )
    state = await shared.writer.do(start_games, new)
    shared.metrics.games.add(1, "solo")
    return game_response(request, shared, caller, state, 201)


@router.get("/{id}", responses=game_answer() | NOT_CHANGED | documented("not-found"))
async def show(
    request: Request,
    shared: Shared,
    caller: AnyCaller,
    id: str,  # noqa: A002
    if_none_match: Annotated[str | None, Header(description="The ETag of the Game that was seen last.")] = None,
) -> Response:
    """A game as it stands."""
    state = await own_game(shared, caller, id)
    response = game_response(request, shared, caller, state, 200, await chances_of(shared, state))
    tag = f'"{version_of(bytes(response.body))}"'
    if if_none_match is not None and is_known([if_none_match], tag):
        response = Response(status_code=304)
    response.headers["ETag"] = tag
    return response


@router.post("/{id}/moves", responses=game_answer() | documented("not-found", "conflict"))
async def place(request: Request, shared: Shared, caller: AnyCaller, id: str, move: MoveRequest) -> Response:  # noqa: A002
    """Place the roll that waits; the same again gets the same answer, whatever happened since.

    So it holds nothing that may come later: the chances to win of a duel are in the game as it is fetched.
    """
    if caller.is_new or not is_id(id):
        raise NotFound("there is no such game of yours")
    to_make = MoveToMake(id, caller.player, move.round, move.slot, shared.now)
    try:
        state = await shared.writer.do(make_moves, to_make)
    except NeedsBot as needed:
        slot = await run_in_threadpool(_bot_slot, shared, needed.state)
        state = await shared.writer.do(make_moves, replace(to_make, bot_slot=slot))
    shared.metrics.moves.add()
    return game_response(request, shared, caller, state)


def _bot_slot(shared: WebState, state: GameState) -> int:
    """Where the bot places the roll that waits: from both boards before it, whatever the player does with it."""
    duel, opponent = state.duel, state.opponent
    assert duel is not None
    assert duel.bot is not None
    assert opponent is not None
    theirs = board_of(state.game, state.deal, opponent.slots)
    return shared.bots.choose(duel.bot, duel.seed, theirs, state.board, state.deal.rolls[len(state.slots)])


HEARTBEAT = 15.0  # seconds without a word
PATIENCE = 20.0  # seconds for a reader to take what was sent
AGAIN_MS = 2_000  # until a browser comes back
RETRY_SECONDS = 10  # for who found no room

_LOG = logging.getLogger("tentimes18.server")

Render: TypeAlias = Callable[[GameState], Awaitable[bytes]]

ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Events named game, each with a Game as its data and the version of that as its id; a comment "
        "every 15 seconds. The stream ends after the Game that is finished.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    },
    204: {"description": "The game is finished, and Last-Event-ID says that it was seen: do not come back"},
}


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


CACHING = "private, no-cache"  # of the player alone, and asked for again


@router.get(
    "/{id}/advice",
    responses=documented_answers(AdviceAnswer) | documented("forbidden", "not-found", "conflict"),
)
async def advice(request: Request, shared: Shared, caller: AnyCaller, id: str) -> Response:  # noqa: A002
    """Where to place the roll that waits, and what every other slot gives up; of a game with a coach."""
    state = await own_game(shared, caller, id)
    if state.coach == "off":
        raise Problem("forbidden", "this game was begun without a coach")
    roll = game_view(state)["roll"]
    if roll is None:
        raise Problem("conflict", "no roll waits to be placed")
    asked = {
        "dice": str(state.game.dice),
        "slots": state.game.slots,
        "moves": format_moves(state.board.placements),
        "roll": roll,
    }
    return answer_response(request, await shared.coach.ask("advice", asked), CACHING)


@router.get(
    "/{id}/review",
    responses=documented_answers(OneReviewAnswer) | documented("not-found", "conflict"),
)
async def review(request: Request, shared: Shared, caller: AnyCaller, id: str) -> Response:  # noqa: A002
    """What each move of a finished game gave up, and what was luck."""
    state = await own_game(shared, caller, id)
    if not state.is_over:
        raise Problem("conflict", "the game is not finished")

    def name_of(connection: Connection) -> str | None:
        return connection.execute(select(players.c.name).where(players.c.id == caller.player)).scalar_one_or_none()

    record = record_to_json(game_record(named(state, shared.names), await shared.read(name_of)))
    return answer_response(request, await shared.coach.ask("review", {"record": record}), CACHING)
