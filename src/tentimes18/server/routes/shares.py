"""Links to show around: a finished game under a short code, and what a chat shows beside a link.

Nobody sees through a link what they must not know. A daily or group game has the same rolls for many: only a player who
has finished it sees the review, and its preview shows neither rolls nor scores.
"""

import asyncio
from contextlib import suppress
from html import escape
from typing import Annotated, Any, NamedTuple

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec import Meta, Struct
from sqlalchemy import Connection, insert, select

from tentimes18.errors import Ten18Error
from tentimes18.game import Board
from tentimes18.number_format import shown_number
from tentimes18.pictures.board import draw_preview
from tentimes18.queries.games import ReviewAnswer
from tentimes18.records.notation import record_to_json
from tentimes18.server.calculator import CachedBody
from tentimes18.server.days import day_at, day_number, read_day
from tentimes18.server.identity import is_id
from tentimes18.server.problems import NotFound, Problem, documented
from tentimes18.server.request import Request
from tentimes18.server.routes.games import PRIVATE, own_game
from tentimes18.server.store.duels import find_invite
from tentimes18.server.store.games import GAMES, GameKind, GameState, select_states
from tentimes18.server.store.groups import new_code, read_code
from tentimes18.server.store.schema import games, shares
from tentimes18.server.store.writer import Commit
from tentimes18.server.views import game_record
from tentimes18.solve.thresholds import value_of

CODE_LENGTH = 10
PREVIEWS = "/previews"
PUBLIC_HOUR = "public, max-age=3600"
MAX_HOST = 300  # characters
MAX_SLOTS = 20  # of a game whose par is computed for a preview


class Share(Struct):
    """A finished game that anybody with the code can review; ``day`` is that of a daily game."""

    code: str
    path: Annotated[str, Meta(description="The address of the review.")]
    kind: GameKind
    day: str | None


class Preview(NamedTuple):
    """What a chat shows beside a link; without a board the grooves are empty."""

    title: str
    text: str
    headline: str
    caption: str
    action: str
    board: Board | None = None


def share_game(commit: Commit, state: GameState, code: str, now: int) -> str:
    """The code of a game: the one it has, or this one."""
    known = commit.connection.execute(select(shares.c.code).where(shares.c.game == state.number)).scalar_one_or_none()
    if known is None:
        commit.connection.execute(insert(shares).values(code=code, game=state.number, created=now))
    return known or code


def load_share(connection: Connection, code: str) -> GameState:
    """The game of a code; raises ``NotFound`` also if its player has left."""
    is_shown = (shares.c.code == code, games.c.player.is_not(None))
    states = select_states(connection, GAMES.join(shares, shares.c.game == games.c.number).where(*is_shown))
    if not states:
        raise NotFound("there is no such shared game")
    return states[0]


def has_secrets(state: GameState) -> bool:
    """Whether others play the same rolls."""
    return state.day is not None or state.kind == "group"


def share_view(state: GameState, code: str) -> Share:
    return Share(code, f"/review/{code}", state.kind, state.day)


@post("/games/{id:str}/share", status_code=200, responses=documented("not-found", "conflict"))
async def share(request: Request, id: FromPath[str]) -> Share:  # noqa: A002
    """Show a finished game to everybody who has its code; the same again gets the same code."""
    shared = request.shared
    state = await own_game(shared, request.caller, id)
    if not state.is_over:
        raise Problem("conflict", "the game is not finished")
    return share_view(state, await shared.writer.call(share_game, state, new_code(CODE_LENGTH), shared.now))


@get("/shares/{code:str}", responses=documented("not-found"))
async def show_share(request: Request, code: FromPath[str]) -> Share:
    """What kind of game has this code."""
    return share_view(await request.shared.read(load_share, code), code)


@get("/shares/{code:str}/review", rate="compute", responses=documented("forbidden", "not-found"))
async def review_share(request: Request, code: FromPath[str]) -> Response[ReviewAnswer]:
    """The review of a shared game; for a daily or group game only if the caller has finished the same one."""
    shared, caller = request.shared, request.caller

    def find(connection: Connection) -> GameState:
        state = load_share(connection, code)
        own = select(games.c.number).where(games.c.player == caller.player, games.c.deal == state.deal_number)
        finished = own.where(games.c.score.is_not(None))
        if has_secrets(state) and (caller.is_new or connection.execute(finished).first() is None):
            raise Problem("forbidden", "the review has rolls that you have not played: finish the same game first")
        return state

    record = record_to_json(game_record(await shared.read(find), None))
    return (await shared.coach.ask("review", {"record": record})).response(request, PRIVATE)


def _of_game(state: GameState) -> Preview:
    if state.day is not None:
        return _of_day(state.day)
    if has_secrets(state):
        return _of_group("the same group game")
    points = shown_number(state.board.score)
    if state.duel is not None and state.opponent is not None:
        points, beside = f"{points} : {shown_number(state.opponent_board.score)}", "a duel on the same rolls"
    elif state.game.size <= MAX_SLOTS:
        beside = f"par {shown_number(round(value_of(state.game, state.game.all_free)))}"
    else:
        beside = f"{state.game.dice} on {state.game.slots}"
    text = f"{beside[0].upper()}{beside[1:]}. What was luck and what was choice, move by move."
    return Preview(f"{points} points", text, points, beside, "Review it", state.board)


def _of_day(day: str) -> Preview:
    name, text = f"Daily {day_number(day)}", "Ten rolls, the same for everybody."
    return Preview(name, f"{text} Where do you put them?", name, text, "Your turn")


def _of_group(game: str) -> Preview:
    question = "Where do you\nput a 9?"
    return Preview("You’re invited", f"Join {game}: the same rolls for everybody.", question, "You're invited.", "Join")


def find_preview(connection: Connection, page: str, key: str, now: int) -> Preview | None:
    """The preview of a page by the last part of its address; None if nothing is found there."""
    with suppress(NotFound, Ten18Error):
        if page == "review" and len(key) == CODE_LENGTH:
            return _of_game(load_share(connection, key))
        if page == "daily" and 1 <= day_number(read_day(key)) <= day_number(day_at(now)):
            return _of_day(read_day(key))
        if page == "duel" and is_id(key):
            find_invite(connection, key)
            return _of_group("a duel")
        if page == "group" and read_code(key) is not None:  # whether there is such a group is not shown
            return _of_group("the table")
    return None


async def preview_tags(request: Request, page: str) -> str:
    """The Open Graph tags of a page that is asked for; empty if it has no preview."""
    shared, path = request.shared, request.scope["path"]
    keys = list(request.path_params.values())
    host = request.headers.get("host", "")
    if not keys or len(host) > MAX_HOST:
        return ""
    preview = await shared.read(find_preview, page, str(keys[0]), shared.now)
    if preview is None:
        return ""
    root = f"{request.scope['scheme']}://{host}"
    properties = {
        "site_name": "Ten times eighteen",
        "type": "website",
        "title": preview.title,
        "description": preview.text,
        "url": f"{root}{path}",
        "image": f"{root}{PREVIEWS}{path}.png",
        "image:width": "1200",
        "image:height": "630",
        "image:alt": preview.title,
    }
    tags = [f'<meta property="og:{name}" content="{escape(text)}">' for name, text in properties.items()]
    return "\n".join([*tags, '<meta name="twitter:card" content="summary_large_image">', ""])


@get(f"{PREVIEWS}/{{page:str}}/{{key:str}}", rate="compute", include_in_schema=False)
async def preview_picture(request: Request, page: FromPath[str], key: FromPath[str]) -> Response[Any]:
    """The picture of a preview."""
    shared, name = request.shared, key.removesuffix(".png")
    preview = await shared.read(find_preview, page, name, shared.now)
    if preview is None or name == key:
        raise NotFound("there is no such picture")
    picture = await asyncio.to_thread(draw_preview, *preview[2:])
    return CachedBody.of(picture, "image/png").response(request, PUBLIC_HOUR)


ROUTES = (share, show_share, review_share)
