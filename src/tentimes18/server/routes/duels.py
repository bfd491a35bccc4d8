"""Duels: begin one against a bot or with an invite, take an invite, resign, play again; and who the bots are."""

import asyncio
from io import BytesIO
from typing import Annotated, Any, Literal

import segno
from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from tentimes18.errors import Ten18Error
from tentimes18.server.bots import BOTS, CHANCES, Bot, Chances
from tentimes18.server.identity import is_id
from tentimes18.server.problems import NotFound, described, documented
from tentimes18.server.request import Request
from tentimes18.server.routes.games import chances_of, game_response, own_game
from tentimes18.server.store import duels as store
from tentimes18.server.store.games import is_out_of_time
from tentimes18.server.views import NOBODY, Game

FRIEND = "friend"
INVITE_PAGE = "/duel/"
SVG = "image/svg+xml"
MAX_ADDRESS = 400  # characters: a host has 253 at the most
QUIET_MODULES = 4  # around the code, which scanners need


class DuelRequest(Struct, forbid_unknown_fields=True):
    """A duel to begin: against a bot by its name, or a friend, who comes by the invite."""

    against: Annotated[str, Meta(max_length=40, examples=["optimal", FRIEND])]


class BotRecord(Struct):
    """How many duels the player has won, drawn and lost against a bot."""

    won: int
    drawn: int
    lost: int


class BotInfo(Struct):
    """A bot; ``progress`` says how much of the table that it plays by is made, from 0 to 1, while it is being made."""

    name: str
    what: str
    level: Annotated[int | None, Meta(description="On the ladder, from 1; null beside it.")]
    record: BotRecord
    ready: bool
    progress: float | None
    against_optimal: Annotated[
        Chances | None, Meta(description="The bot's chances against the perfect player, on the same rolls.")
    ]


class InviteInfo(Struct):
    """An invite as anyone with its code sees it, before a seat is taken.

    It is `open`; `own`, the caller's; `joined`, the caller has the other seat; `taken` by somebody else; or `over`.
    """

    code: str
    by: Annotated[str, Meta(description="Who invites.")]
    state: Literal["open", "own", "joined", "taken", "over"]
    game: Annotated[str | None, Meta(description="The caller's own game of this duel.")]


@post("/duels")
async def begin(request: Request, data: JSONBody[DuelRequest]) -> Response[Game]:
    """Begin a duel of the classic game: its rolls are drawn now, committed to, and the same for both."""
    shared, against = request.shared, data.against
    if against != FRIEND:
        if against not in BOTS:
            raise Ten18Error(f"not known; accepted: {FRIEND}, {', '.join(BOTS)}", "against")
        await asyncio.to_thread(shared.bots.tables.verify_ready, against)
    bot = None if against == FRIEND else against
    game = shared.bots.tables.game
    state = await shared.writer.call(store.start_duel, request.caller.player, game, bot, shared.now)
    return game_response(request, state, 201, await chances_of(shared, state))


def _invite(code: str) -> str:
    """A code that an invite may have; raises ``NotFound``."""
    if not is_id(code):
        raise NotFound(store.NO_INVITE)
    return code


@post("/duels/{code:str}/join", status_code=200, responses=documented("not-found", "conflict"))
async def join(request: Request, code: FromPath[str]) -> Response[Game]:
    """Take the second seat of a duel; the player who has it gets the same game again."""
    shared = request.shared
    state = await shared.writer.call(store.join_duel, _invite(code), request.caller.player, shared.now)
    return game_response(request, state, 200, await chances_of(shared, state))


@delete("/duels/{code:str}", responses=documented("forbidden", "not-found", "conflict"))
async def withdraw(request: Request, code: FromPath[str]) -> None:
    """Withdraw an invite that nobody has taken: the duel is gone. Only the player who made it can do that."""
    shared, caller = request.shared, request.caller
    if caller.is_new:
        raise NotFound(store.NO_INVITE)
    await shared.writer.call(store.withdraw_invite, _invite(code), caller.player)


@post("/games/{id:str}/resign", status_code=200, rate="move", responses=documented("not-found", "conflict"))
async def resign(request: Request, id: FromPath[str]) -> Response[Game]:  # noqa: A002
    """Resign a duel: the opponent wins, and both boards are shown. A repeated request gets the same answer."""
    shared, caller = request.shared, request.caller
    if caller.is_new or not is_id(id):
        raise NotFound
    state = await shared.writer.call(store.resign_duel, id, caller.player, shared.now)
    return game_response(request, state, 200, await chances_of(shared, state))


@post("/games/{id:str}/rematch", responses=described(Game, "Begun before") | documented("not-found", "conflict"))
async def rematch(request: Request, id: FromPath[str]) -> Response[Game]:  # noqa: A002
    """Play again after a duel: the first player to ask begins a new one, and the other joins it with the same request.

    Until then ``rematch`` in the other player's Game of the old duel shows the offer. A bot plays at once.
    """
    shared, caller = request.shared, request.caller
    state = await own_game(shared, caller, id)
    bot = None if state.duel is None else state.duel.bot
    if bot is not None:
        await asyncio.to_thread(shared.bots.tables.verify_ready, bot)
    state, is_new = await shared.writer.call(store.rematch_duel, id, caller.player, shared.now)
    return game_response(request, state, 201 if is_new else 200, await chances_of(shared, state))


@get("/duels/bots")
async def list_bots(request: Request) -> list[BotInfo]:
    """The bots: what each tries to do, whether it can play yet, and the player's own results against it."""
    shared, caller = request.shared, request.caller
    tables = shared.bots.tables
    states = tables.state()
    chances = CHANCES.get(str(tables.game), {})
    results = {} if caller.is_new else await shared.read(store.bot_results, caller.player)

    def info(bot: Bot) -> BotInfo:
        table = states.get(bot.name)
        ready, progress = (True, None) if table is None else (table.ready, table.progress)
        record = BotRecord(*results.get(bot.name, (0, 0, 0)))
        return BotInfo(bot.name, bot.aim, bot.level, record, ready, progress, chances.get(bot.name))

    return [info(bot) for bot in BOTS.values()]


@get("/duels/{code:str}", responses=documented("not-found"))
async def show_invite(request: Request, code: FromPath[str]) -> InviteInfo:
    """Who invites, and whether the seat is free. Looking does not take the seat."""
    shared, caller = request.shared, request.caller
    first, name = await shared.read(store.find_invite, _invite(code))
    by = NOBODY if first.player is None else shared.names.shown(first.player, name)
    opponent = first.opponent
    if not caller.is_new and caller.player == first.player:
        return InviteInfo(code, by, "own", first.id)
    if not caller.is_new and opponent is not None and caller.player == opponent.player:
        return InviteInfo(code, by, "joined", opponent.id)
    is_over = first.is_over or is_out_of_time(first, shared.now)
    return InviteInfo(code, by, "over" if is_over else "open" if opponent is None else "taken", None)


def qr_picture(text: str) -> bytes:
    """An SVG picture of the QR code of a text: dark on white in either theme, as scanners want it.

    Raises ``Ten18Error`` where the text is no address that a host may have.
    """
    if len(text) > MAX_ADDRESS:
        raise Ten18Error(f"an address of {len(text):,} characters; at most {MAX_ADDRESS} are accepted", "host")
    file = BytesIO()
    bare: dict[str, Any] = {"xmldecl": False, "svgclass": None, "lineclass": None, "omitsize": True, "nl": False}
    code = segno.make(text, error="m", micro=False)
    code.save(file, kind="svg", border=QUIET_MODULES, dark="#000", light="#fff", **bare)
    return file.getvalue()


async def picture_of(request: Request, path: str) -> Response[Any]:
    """The address of a page as a QR code."""
    address = f"{request.scope['scheme']}://{request.headers.get('host', '')}{path}"
    return Response(await asyncio.to_thread(qr_picture, address), media_type=SVG)


PICTURE = described(str, "The picture", SVG)


@get("/duels/{code:str}/qr.svg", rate="compute", responses=PICTURE | documented("not-found"))
async def picture(request: Request, code: FromPath[str]) -> Response[Any]:
    """The address of the invite's page as a QR code, for anyone who has the code."""
    await request.shared.read(store.find_invite, _invite(code))
    return await picture_of(request, INVITE_PAGE + code)


ROUTES = (begin, join, withdraw, resign, rematch, list_bots, show_invite, picture)
