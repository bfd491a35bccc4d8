"""Group games: create a group, join it, watch it, start, close and delete it, and play the next game with everybody."""

from contextlib import nullcontext
from typing import Annotated, Any

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.params import FromPath, HeaderParameter, JSONBody
from msgspec import UNSET, Meta, Struct, UnsetType
from sqlalchemy import Connection

from tentimes18.queries.json_numbers import answer_from
from tentimes18.server.days import Yardstick, utc_text, yardstick
from tentimes18.server.identity import read_name
from tentimes18.server.problems import described, documented
from tentimes18.server.request import Request
from tentimes18.server.routes.daily import DayScore, Histogram, PlacedRound, plain_score, results_of
from tentimes18.server.routes.duels import PICTURE, picture_of
from tentimes18.server.routes.games import GameRequest, described_events, game_response, read_small_game, watched
from tentimes18.server.state import WebState, losses_of
from tentimes18.server.store import groups as store
from tentimes18.server.store.daily import DayScores, scores_on
from tentimes18.server.store.games import Coach
from tentimes18.server.store.groups import GroupState
from tentimes18.server.views import Game, Number, plain_multipliers

UNNAMED = "unnamed"
GROUP_PAGE = "/g/"
PRIVATE = {"cache-control": "no-store"}


class GroupRequest(GameRequest):
    """A group to create; by default the classic game without a coach, started at once."""

    name: Annotated[str, Meta(max_length=100, examples=["Class 7b"])] | None = None
    lobby: Annotated[bool, Meta(description="Whether nobody sees a roll until the host starts the game.")] = False


class GroupChange(Struct, forbid_unknown_fields=True):
    """What the host changes: whether others may join, and the start of a game that waits in the lobby."""

    open: bool | None = None
    started: bool | None = None


class OwnGroupScore(Struct):
    """The finished game of the caller."""

    game: str
    rank: int
    score: Number
    loss: float


class Group(Struct):
    """A group as the caller may see it.

    Rolls and scores are shown to a player who has finished, and to a host who does not play. ``optimal`` is the score
    of the optimal strategy on these rolls, ``best`` the best possible one; the other fields are as in a daily game.
    """

    code: str
    name: str | None
    dice: str
    slots: list[Number]
    coach: Coach
    host: Annotated[bool, Meta(description="Whether the caller is the host.")]
    open: Annotated[bool, Meta(description="Whether others may join.")]
    started: Annotated[bool, Meta(description="Whether the rolls can be played.")]
    players: int
    finished: Annotated[int, Meta(description="How many players have finished.")]
    number: Annotated[int, Meta(description="Which game of a series it is.")]
    game: Annotated[str | None, Meta(description="The id of the caller's own game.")]
    next: Annotated[str | None, Meta(description="The code of the next game, with the same players.")]
    until: Annotated[str, Meta(description=f"When it is deleted: {store.KEPT_DAYS} days after it was created.")]
    names: Annotated[list[str] | UnsetType, Meta(description="For the host: the names of the players.")] = UNSET
    optimal: Number | UnsetType = UNSET
    best: Number | UnsetType = UNSET
    scores: list[DayScore] | UnsetType = UNSET
    histogram: Histogram | UnsetType = UNSET
    rounds: list[PlacedRound] | UnsetType = UNSET
    own: OwnGroupScore | UnsetType = UNSET


class Groups(Struct):
    """The groups that the caller hosts or plays in, the latest first."""

    groups: list[Group]


async def _view(shared: WebState, player: str, state: GroupState) -> Group:
    seat = state.seat_of(player)
    is_host = state.host == player
    more: dict[str, Any] = {}
    if is_host:
        more["names"] = [seat.name for seat in state.seats if seat.name is not None]
    if state.may_see_results(player):
        more |= await _results(shared, player, state)
    return answer_from(
        Group,
        state,
        dice=str(state.game.dice),
        slots=plain_multipliers(state.game.multipliers),
        host=is_host,
        players=len(state.seats),
        number=await shared.read(store.number_in_series, state.number),
        game=None if seat is None else seat.id,
        until=utc_text(state.created + store.KEPT_MS),
        **more,
    )


async def _results(shared: WebState, player: str, state: GroupState) -> dict[str, Any]:
    rolls = state.deal.rolls

    def ask(connection: Connection) -> tuple[DayScores, Yardstick]:
        return scores_on(connection, state.deal_number, store.MAX_PLAYERS, "group"), yardstick(rolls, state.game)

    scores, known = await shared.read(ask)
    losses = await losses_of(shared, scores.best)
    results = results_of(rolls, scores, losses, known, lambda _, name: name or UNNAMED)
    own, seat = next((row for row in scores.best if row.player == player), None), state.seat_of(player)
    if own is not None and seat is not None:
        rank, loss = scores.ranks[own.score], losses.get(own.number, 0.0)
        results["own"] = OwnGroupScore(seat.id, rank, plain_score(own.score), loss)
    return results


async def _group(request: Request, code: str) -> GroupState:
    """The group of a code; a code that no group has is counted, and after too many nothing is looked up."""
    rates = request.shared.rates
    with nullcontext() if rates is None else rates.guess(request.info):
        return await request.shared.read(store.load_group, code)


async def _group_response(request: Request, state: GroupState, status: int = 200) -> Response[Group]:
    view = await _view(request.shared, request.caller.player, state)
    return Response(view, status_code=status, headers=PRIVATE)


@post("/groups", responses=documented("conflict"))
async def create(request: Request, data: JSONBody[GroupRequest | None] = None) -> Response[Group]:
    """Create a group, whose host is the caller: its rolls are drawn now, and the same for everybody."""
    data, shared, caller = data or GroupRequest(), request.shared, request.caller
    game = read_small_game(data)
    name = None if data.name is None else read_name(data.name)
    state = await shared.writer.call(
        store.create_group, caller.player, name, game, data.coach, shared.now, is_started=not data.lobby
    )
    return await _group_response(request, state, 201)


@get("/groups")
async def list_groups(request: Request) -> Groups:
    """The groups that the caller hosts or plays in."""
    shared, caller = request.shared, request.caller
    if caller.is_new:
        return Groups([])
    states = await shared.read(store.groups_of, caller.player, store.MAX_GROUPS)
    return Groups([await _view(shared, caller.player, state) for state in states])


@get("/groups/{code:str}", responses=documented("not-found"))
async def show(request: Request, code: FromPath[str]) -> Response[Group]:
    """A group, with its results for a player who has finished, and for a host who does not play."""
    return await _group_response(request, await _group(request, code))


@post("/groups/{code:str}/join", responses=described(Game, "Joined before") | documented("not-found", "conflict"))
async def join(request: Request, code: FromPath[str]) -> Response[Game]:
    """Join a group: one game per player, at their own pace. A repeated request gets the same game."""
    shared = request.shared
    group = await _group(request, code)
    state, is_new = await shared.writer.call(store.join_group, group.code, request.caller.player, shared.now)
    return game_response(request, state, 201 if is_new else 200)


@patch("/groups/{code:str}", responses=documented("forbidden", "not-found", "conflict"))
async def change(request: Request, code: FromPath[str], data: JSONBody[GroupChange]) -> Response[Group]:
    """Close a group to new players, or open it again; start the game of a lobby. Only the host can do this."""
    group = await _group(request, code)
    state = await request.shared.writer.call(
        store.change_group, group.code, request.caller.player, is_open=data.open, is_started=data.started
    )
    return await _group_response(request, state)


@post(
    "/groups/{code:str}/next",
    responses=described(Group, "Created before") | documented("forbidden", "not-found", "conflict"),
)
async def begin_next_game(request: Request, code: FromPath[str]) -> Response[Group]:
    """Create another group with new rolls and the same players, in the lobby. Only the host can do this."""
    shared = request.shared
    group = await _group(request, code)
    state, is_new = await shared.writer.call(store.begin_next, group.code, request.caller.player, shared.now)
    return await _group_response(request, state, 201 if is_new else 200)


@delete("/groups/{code:str}", responses=documented("forbidden", "not-found"))
async def remove(request: Request, code: FromPath[str]) -> None:
    """Delete a group and all of its games. Only the host can do this."""
    group = await _group(request, code)
    await request.shared.writer.call(store.delete_group, group.code, request.caller.player)


@get("/groups/{code:str}/qr.svg", rate="compute", responses=PICTURE | documented("not-found"))
async def picture(request: Request, code: FromPath[str]) -> Response[Any]:
    """The address of the group's page as a QR code."""
    group = await _group(request, code)
    return await picture_of(request, GROUP_PAGE + group.code)


EVENTS = described_events("Group", "when the group is deleted")


@get("/groups/{code:str}/events", responses=EVENTS | documented("not-found"))
async def watch(
    request: Request,
    code: FromPath[str],
    last_event_id: Annotated[
        str | None, HeaderParameter(name="Last-Event-ID", description="The version of the Group that was seen last.")
    ] = None,
) -> Response[Any]:
    """The group as it is now, and again whenever it changes."""
    shared, caller = request.shared, request.caller

    async def render(state: GroupState) -> bytes:
        return msgspec.json.encode(await _view(shared, caller.player, state))

    return await watched(request, "group", lambda: _group(request, code), None, render, last_event_id)


ROUTES = (create, list_groups, show, join, change, begin_next_game, remove, picture, watch)
