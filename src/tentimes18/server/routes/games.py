"""Games: begin one, see it, move."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Header, Request, Response
from starlette.concurrency import run_in_threadpool

from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.server.etags import is_known
from tentimes18.server.game_limits import read_game
from tentimes18.server.identity import Caller, is_id, new_id
from tentimes18.server.models.games import MoveRequest, NewGameRequest, game_answer
from tentimes18.server.problems import documented
from tentimes18.server.state import AnyCaller, Shared, WebState, is_secure
from tentimes18.server.store.abandonment import ending_by_time
from tentimes18.server.store.duels import EndByTime, end_by_time
from tentimes18.server.store.games import MoveToMake, NeedsBot, NewGame, NotFound, make_moves, start_games
from tentimes18.server.store.states import GameState, board_of, load_state
from tentimes18.server.views import game_bytes, named

__all__ = ["chances_of", "game_response", "own_game", "router", "version_of"]

JSON: Final = "application/json"
VERSION_DIGITS: Final = 32

NOT_CHANGED: Final[dict[int | str, dict[str, Any]]] = {304: {"description": "The same as the ETag that was sent"}}

CLASSIC: Final = Game.classic()

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
