"""Duels: begin one against a bot or with an invite, take an invite, and who the bots are."""

from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Body, Request, Response
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from tentimes18.errors import Ten18Error
from tentimes18.play.fairness import draw_deal
from tentimes18.server.bots.bots import BOTS, Bot, draw_seed
from tentimes18.server.bots.chances import CHANCES
from tentimes18.server.identity import is_id, new_id
from tentimes18.server.models.games import TAKES_NOTHING, StrictModel, game_answer
from tentimes18.server.problems import Problem, documented
from tentimes18.server.qr import MEDIA_TYPE, qr_picture
from tentimes18.server.routes.games import chances_of, game_response
from tentimes18.server.state import AnyCaller, Shared, WebState
from tentimes18.server.store.abandonment import ending_by_time
from tentimes18.server.store.duels import (
    DuelToJoin,
    Invite,
    NewDuel,
    NotJoinable,
    find_invite,
    join_duel,
    start_duel,
)
from tentimes18.server.store.games import NotFound
from tentimes18.server.views import NOBODY

__all__ = ["BotModel", "ChancesModel", "InviteModel", "NewDuelRequest", "router"]

FRIEND: Final = "friend"
INVITE_PAGE: Final = "/duel/"
PICTURE: Final[dict[int | str, dict[str, Any]]] = {
    200: {"description": "The picture", "content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}
}

router = APIRouter(prefix="/duels", tags=["duels"])


class NewDuelRequest(StrictModel):
    """A duel to begin: against a bot by its name, or a friend, who comes by the invite."""

    against: Annotated[str, Field(max_length=40, examples=["optimal", FRIEND])]


class ChancesModel(BaseModel):
    """How a duel ends, exactly."""

    win: float
    draw: float
    loss: float


class BotModel(BaseModel):
    """A bot; ``progress`` says how much of the table that it plays by is made, from 0 to 1, while it is being made."""

    name: str
    what: str
    ready: bool
    progress: float | None
    against_optimal: Annotated[
        ChancesModel | None,
        Field(description="The bot's chances against the perfect player, on the same rolls."),
    ]


class InviteModel(BaseModel):
    """An invite as whoever has its code sees it, before a seat is taken.

    It is `open`; `own`, the caller's; `joined`, the caller has the other seat; `taken` by somebody else; or `over`.
    """

    code: str
    by: Annotated[str, Field(description="Who invites.")]
    state: Literal["open", "own", "joined", "taken", "over"]
    game: Annotated[str | None, Field(description="The caller's own game of this duel.")]


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
    known = CHANCES.get(str(shared.bots.tables.game), {})
    chances = {name: ChancesModel(win=one.win, draw=one.draw, loss=one.loss) for name, one in known.items()}

    def shown(bot: Bot) -> BotModel:
        table = states.get(bot.name)
        ready, progress = (True, None) if table is None else (table["ready"], table["progress"])
        return BotModel(
            name=bot.name, what=bot.aim, ready=ready, progress=progress, against_optimal=chances.get(bot.name)
        )

    return [shown(bot) for bot in BOTS.values()]


async def _invite(shared: WebState, code: str) -> Invite:
    if not is_id(code):
        raise NotFound("there is no such invite")
    return await shared.read(lambda connection: find_invite(connection, code))


@router.get("/{code}", responses=documented("not-found"))
async def show_invite(shared: Shared, caller: AnyCaller, code: str) -> InviteModel:
    """Who invites, and whether the seat is free; nothing is taken by looking."""
    found = await _invite(shared, code)
    first, player = found.first, None if caller.is_new else caller.player
    is_over = first.is_over or ending_by_time(first, shared.now) is not None
    by = NOBODY if first.player is None else shared.names.shown(first.player, found.name)
    if player is not None and player == first.player:
        return InviteModel(code=code, by=by, state="own", game=first.id)
    if player is not None and player == found.second:
        return InviteModel(code=code, by=by, state="joined", game=found.second_game)
    state: Literal["open", "taken", "over"] = "over" if is_over else "open" if found.second_game is None else "taken"
    return InviteModel(code=code, by=by, state=state, game=None)


@router.get("/{code}/qr.svg", response_class=Response, responses=PICTURE | documented("not-found"))
async def picture(request: Request, shared: Shared, code: str) -> Response:
    """The address of the invite's page as a QR code, for whoever has the code."""
    await _invite(shared, code)
    address = f"{request.scope['scheme']}://{request.headers.get('host', '')}{INVITE_PAGE}{code}"
    return Response(await run_in_threadpool(qr_picture, address), media_type=MEDIA_TYPE)
