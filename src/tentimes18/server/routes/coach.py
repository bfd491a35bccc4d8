"""The coach on a game: where to place the roll that waits, and, when it is over, what the moves gave up."""

from typing import Final

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection, select

from tentimes18.answers.advice import AdviceAnswer
from tentimes18.answers.review import OneReviewAnswer
from tentimes18.records.notation import format_moves, record_to_json
from tentimes18.server.calculator.kept_answers import answer_response
from tentimes18.server.models.answers import documented_answers
from tentimes18.server.problems import Problem, documented
from tentimes18.server.routes.games import own_game
from tentimes18.server.state import AnyCaller, Shared
from tentimes18.server.store.schema import players
from tentimes18.server.views import game_record, game_view, named

__all__ = ["router"]

CACHING: Final = "private, no-cache"  # of the player alone, and asked for again

router = APIRouter(prefix="/games", tags=["games"])


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
