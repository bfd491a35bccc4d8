"""Duels: begin one against a bot or with an invite, take an invite, and who the bots are."""

from typing import Annotated, Final

from fastapi import APIRouter, Body, Request, Response
from pydantic import BaseModel, Field

from tentimes18.errors import Ten18Error
from tentimes18.play.fairness import draw_deal
from tentimes18.web.bots.bots import BOTS, Bot, draw_seed
from tentimes18.web.identity import is_id, new_id
from tentimes18.web.models.games import TAKES_NOTHING, StrictModel, game_answer
from tentimes18.web.problems import Problem, documented
from tentimes18.web.routes.games import chances_of, game_response
from tentimes18.web.state import AnyCaller, Shared
from tentimes18.web.store.duels import DuelToJoin, NewDuel, NotJoinable, join_duel, start_duel
from tentimes18.web.store.games import NotFound

__all__ = ["BotModel", "NewDuelRequest", "router"]

FRIEND: Final = "friend"

router = APIRouter(prefix="/duels", tags=["duels"])


class NewDuelRequest(StrictModel):
    """A duel to begin: against a bot by its name, or a friend, who comes by the invite."""

    against: Annotated[str, Field(max_length=40, examples=["optimal", FRIEND])]


class BotModel(BaseModel):
    """A bot; ``progress`` says how much of the table that it plays by is made, from 0 to 1, while it is being made."""

    name: str
    what: str
    ready: bool
    progress: float | None


@router.post("", status_code=201, responses=game_answer(201, "Begun") | documented())
async def begin(
    request: Request, shared: Shared, caller: AnyCaller, wanted: Annotated[NewDuelRequest, Body()]
) -> Response:
    """Begin a duel of the classic game: its rolls are drawn now, committed to, and the same for both."""
    against = wanted.against
    if against != FRIEND:
        if against not in BOTS:
            raise Ten18Error(f"not known; accepted: {FRIEND}, {', '.join(BOTS)}", "against")
        shared.bots.verify_ready(against)
    game = shared.bots.tables.game
    is_friend = against == FRIEND
    new = NewDuel(
        id=new_id(),
        player=caller.player,
        game=game,
        deal=draw_deal(game),
        seed=draw_seed(),
        created=shared.now,
        bot=None if is_friend else against,
        bot_game=None if is_friend else new_id(),
        invite=new_id() if is_friend else None,
    )
    state = await shared.writer.do(start_duel, new)
    shared.metrics.games.add(1, "duel")
    return game_response(request, shared, caller, state, 201, await chances_of(shared, state))


@router.post(
    "/{code}/join", responses=game_answer() | documented("not-found", "conflict"), dependencies=[TAKES_NOTHING]
)
async def join(request: Request, shared: Shared, caller: AnyCaller, code: str) -> Response:
    """Take the second seat of a duel; who has it gets the same game again."""
    if not is_id(code):
        raise NotFound("there is no such invite")
    try:
        state = await shared.writer.do(join_duel, DuelToJoin(code, caller.player, new_id(), shared.now))
    except NotJoinable as error:
        raise Problem("conflict", str(error)) from None
    return game_response(request, shared, caller, state, 200, await chances_of(shared, state))


@router.get("/bots", responses=documented())
async def list_bots(shared: Shared) -> list[BotModel]:
    """The bots: what each tries to do, and whether it can play yet."""
    states = shared.bots.tables.state()

    def shown(bot: Bot) -> BotModel:
        table = states.get(bot.name)
        ready, progress = (True, None) if table is None else (table["ready"], table["progress"])
        return BotModel(name=bot.name, what=bot.aim, ready=ready, progress=progress)

    return [shown(bot) for bot in BOTS.values()]
