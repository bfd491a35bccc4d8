"""Games: begin one, see it, move."""

from typing import Annotated

from fastapi import APIRouter, Body, Request, Response

from tentimes18.game import Game
from tentimes18.play.fairness import draw_deal
from tentimes18.web.game_limits import read_game
from tentimes18.web.identity import Caller, new_id
from tentimes18.web.models import MoveRequest, NewGameRequest, game_answer
from tentimes18.web.problems import documented
from tentimes18.web.routes.quick import QuickRoute
from tentimes18.web.state import AnyCaller, Shared, WebState, is_secure
from tentimes18.web.store.games import MoveToMake, NewGame, NotFound, make_moves, start_games
from tentimes18.web.store.states import GameState, load_state
from tentimes18.web.views import game_bytes

__all__ = ["game_response", "own_game", "router"]

JSON = "application/json"

router = APIRouter(prefix="/games", tags=["games"])


def game_response(request: Request, shared: WebState, caller: Caller, state: GameState, status: int = 200) -> Response:
    """The answer that is a game, with the cookie for one who is new."""
    response = Response(game_bytes(state), status, media_type=JSON)
    if caller.is_new:
        shared.signer.greet(response, caller, is_secure=is_secure(request, shared.service))
    return response


async def own_game(shared: WebState, caller: Caller, id_: str) -> GameState:
    """A game of the caller's; raises ``NotFound`` for anybody else's."""
    state = None if caller.is_new else await shared.read(lambda connection: load_state(connection, id_))
    if state is None or state.player != caller.player:
        raise NotFound("there is no such game of yours")
    return state


@router.post("", status_code=201, responses=game_answer(201, "Begun") | documented())
async def begin(
    request: Request, shared: Shared, caller: AnyCaller, wanted: Annotated[NewGameRequest | None, Body()] = None
) -> Response:
    """Begin a game: its rolls are drawn now, and committed to."""
    wanted = wanted or NewGameRequest()
    game = read_game(wanted.dice, wanted.slots)
    new = NewGame(
        id=new_id(),
        player=caller.player,
        game=game,
        deal=draw_deal(game),
        coach=wanted.coach,
        is_rated=wanted.coach == "off" and game == Game.classic(),
        created=shared.now,
    )
    state = await shared.writer.do(start_games, new)
    shared.metrics.games.add(1, "solo")
    return game_response(request, shared, caller, state, 201)


@router.get("/{id}", responses=game_answer() | documented("not-found"))
async def show(request: Request, shared: Shared, caller: AnyCaller, id: str) -> Response:  # noqa: A002
    """A game as it stands."""
    return game_response(request, shared, caller, await own_game(shared, caller, id))


async def place(request: Request, shared: Shared, caller: AnyCaller, id: str, move: MoveRequest) -> Response:  # noqa: A002
    """Place the roll that waits; the same again gets the same answer, whatever happened since."""
    if caller.is_new:
        raise NotFound("there is no such game of yours")
    to_make = MoveToMake(id, caller.player, move.round, move.slot, shared.now)
    state = await shared.writer.do(make_moves, to_make)
    shared.metrics.moves.add()
    return game_response(request, shared, caller, state)


router.add_api_route(
    "/{id}/moves",
    place,
    methods=["POST"],
    responses=game_answer() | documented("not-found", "conflict"),
    route_class_override=QuickRoute,
)
