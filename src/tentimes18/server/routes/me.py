"""The player: the id, a name, the days played, the rating, a link to another device, and the end of it."""

from collections import Counter
from typing import Annotated

from litestar import delete, get, patch, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta, Struct
from sqlalchemy import Connection

from tentimes18.server.background import measure_games, measure_numbered
from tentimes18.server.days import best_streak, day_at, day_number, streak_at, utc_text
from tentimes18.server.identity import new_id, read_name
from tentimes18.server.problems import documented
from tentimes18.server.request import Request
from tentimes18.server.routes.daily import Histogram, plain_score
from tentimes18.server.state import WebState
from tentimes18.server.store.daily import DayKind, OwnGame, daily_games
from tentimes18.server.store.players import (
    PlayerFacts,
    make_link,
    player_facts,
    remove_player,
    rename,
    renumber,
    use_link,
)
from tentimes18.server.store.ratings import (
    LAST_GAMES,
    RatedPlayer,
    best_players,
    course_of,
    of_player,
    rated_count,
    rated_player,
    those_that_wait,
)
from tentimes18.server.store.ratings import CourseGame as CourseRow
from tentimes18.server.views import Number

LINK_MILLISECONDS = 3600 * 1000
DISTRIBUTION = "/api/v1/lab/distribution?strategy=optimal"
MAX_COURSE = 2000
MAX_PLAYERS = 100
ALL = "all"


class NameRequest(Struct, forbid_unknown_fields=True):
    """The player's new name; null removes the name."""

    name: Annotated[Annotated[str, Meta(max_length=200)] | None, Meta(examples=["Ada"])]


class LinkRequest(Struct, forbid_unknown_fields=True):
    """The code of a link."""

    code: Annotated[str, Meta(max_length=200)]


class Link(Struct):
    """A code that makes another device this player, once, and until when."""

    code: str
    expires: str


class OwnSkill(Struct):
    """What a choice cost over the last games that count, and its standard error."""

    rank: int
    games: int
    cost: float
    error: float


class Player(Struct):
    """The player who asks; ``shown`` is what others see in place of a name that was not given."""

    name: str | None
    shown: str
    created: Annotated[str | None, Meta(description="Null before anything of the player is stored.")]
    games: int
    finished: int
    streak: int
    skill: Annotated[OwnSkill | None, Meta(description="From ten finished games that count on.")]


class OwnDay(Struct):
    """A day that the player has finished."""

    day: str
    number: int
    score: Number
    loss: float
    game: str


class OwnDays(Struct):
    """The player's daily games: how many days in a row, now and at most, and every day."""

    streak: int
    best_streak: int
    days: list[OwnDay]
    histogram: Histogram
    distribution: Annotated[str, Meta(description="Where the exact distribution of the perfect player's score is.")]


class RatedPlayerInfo(OwnSkill):
    """A player by skill; equal costs share a rank."""

    name: str


class SkillBoard(Struct):
    """The players with the lowest loss per choice, and the caller."""

    players: list[RatedPlayerInfo]
    own: RatedPlayerInfo | None


class CourseGame(Struct):
    """A game that counts: what its moves cost, and the cost of a choice over the last ``games`` up to it."""

    game: str
    kind: DayKind
    finished: str
    score: Annotated[Number | None, Meta(description="Null for a game that was left.")]
    loss: float
    choices: int
    games: Annotated[int, Meta(description="How many games the rating covers, 30 at most.")]
    cost: float
    error: Annotated[float | None, Meta(description="Standard error; null for a single game.")]


class Course(Struct):
    """The course of the player's rating, the oldest game first; ``own`` from ten games on, among all players."""

    course: list[CourseGame]
    own: OwnSkill | None
    players: int


async def _player(shared: WebState, player: str) -> Player:
    def ask(connection: Connection) -> tuple[PlayerFacts, list[OwnGame], RatedPlayer | None]:
        return player_facts(connection, player), daily_games(connection, player), rated_player(connection, player)

    await measure_games(shared, of_player(player), LAST_GAMES)
    facts, days, rated = await shared.read(ask)
    return Player(
        name=facts.name,
        shown=shared.names.shown(player, facts.name),
        created=None if facts.created is None else utc_text(facts.created),
        games=facts.games,
        finished=facts.finished,
        streak=streak_at(day_at(shared.now), [game.day for game in days]),
        skill=own_skill(rated),
    )


def own_skill(rated: RatedPlayer | None) -> OwnSkill | None:
    return None if rated is None else OwnSkill(rated.rank, rated.games, rated.cost, rated.error)


@get("/me", tags=["me"])
async def me(request: Request) -> Player:
    """The player of this request. A new player gets a cookie; nothing is stored yet. A known player's is renewed."""
    request.info.cookie = request.caller.player
    return await _player(request.shared, request.caller.player)


@patch("/me", tags=["me"])
async def call(request: Request, data: JSONBody[NameRequest]) -> Player:
    """Set or remove the name that others see in lists."""
    shared, player = request.shared, request.caller.player
    name = None if data.name is None else read_name(data.name)
    await shared.writer.call(rename, player, name, shared.now)
    return await _player(shared, player)


@delete("/me", tags=["me"])
async def leave(request: Request) -> None:
    """Delete this player with all games. A duel with a friend stays the friend's, against an unnamed player."""
    shared, caller = request.shared, request.caller
    if not caller.is_new:
        await shared.writer.call(remove_player, caller.player, shared.now)
    request.info.cookie = ""


@delete("/me/devices", tags=["me"], status_code=200)
async def end_devices(request: Request) -> Player:
    """Sign out all other devices: their cookies no longer work, and this one gets a new cookie."""
    shared, caller = request.shared, request.caller
    player = caller.player if caller.is_new else await shared.writer.call(renumber, caller.player)
    request.info.cookie = player
    return await _player(shared, player)


@get("/me/daily", tags=["me"])
async def days(request: Request) -> OwnDays:
    """The daily games of this player: streaks, scores, and how often each score was made."""
    shared, caller = request.shared, request.caller
    games = [] if caller.is_new else await shared.read(daily_games, caller.player)
    unmeasured = [game.number for game in games if game.loss is None]
    losses = await measure_numbered(shared, unmeasured)
    own = []
    for game in games:
        loss = losses[game.number].loss if game.number in losses else game.loss or 0.0
        own.append(OwnDay(game.day, day_number(game.day), plain_score(game.score or 0.0), loss, game.id))
    played = [game.day for game in games]
    histogram = sorted(Counter(game.score for game in own).items())
    return OwnDays(streak_at(day_at(shared.now), played), best_streak(played), own, histogram, DISTRIBUTION)


@post("/me/link", tags=["me"])
async def make_code(request: Request) -> Link:
    """Create a code that makes another device this player. It works once, within an hour; an earlier code expires."""
    shared, now = request.shared, request.shared.now
    code, expires = new_id(), now + LINK_MILLISECONDS
    await shared.writer.call(make_link, request.caller.player, code, now, expires)
    return Link(code, utc_text(expires))


@post("/link", tags=["me"], status_code=200, responses=documented("not-found"))
async def use_code(request: Request, data: JSONBody[LinkRequest]) -> Player:
    """Use a code: this device becomes its player. The player that it had before stays stored, but without a cookie."""
    shared = request.shared
    player = await shared.writer.call(use_link, data.code, shared.now)
    request.info.cookie = player
    return await _player(shared, player)


@get("/skill", tags=["skill"])
async def skill(request: Request) -> SkillBoard:
    """Players by mean loss per choice over their last 30 rated games, the lowest first; at least ten games count."""
    shared, caller = request.shared, request.caller
    if not caller.is_new:
        await measure_games(shared, of_player(caller.player), LAST_GAMES)
    if not shared.has_measured.get(ALL):
        shared.has_measured.put(ALL, True)
        await measure_games(shared, those_that_wait())

    def ask(connection: Connection) -> tuple[list[RatedPlayer], RatedPlayer | None]:
        own = None if caller.is_new else rated_player(connection, caller.player)
        return best_players(connection, MAX_PLAYERS), own

    best, own = await shared.read(ask)
    return SkillBoard([_rated(shared, player) for player in best], None if own is None else _rated(shared, own))


@get("/me/skill", tags=["me"])
async def course(
    request: Request,
    limit: Annotated[int, QueryParameter(ge=1, le=MAX_COURSE, description="How many of the latest games.")] = 500,
) -> Course:
    """The player's rating after each game that counts, over the last 30 up to it, and the rank among the others."""
    shared, caller = request.shared, request.caller
    if not caller.is_new:
        await measure_games(shared, of_player(caller.player))

    def ask(connection: Connection) -> tuple[list[CourseRow], RatedPlayer | None, int]:
        if caller.is_new:
            return [], None, rated_count(connection)
        own = rated_player(connection, caller.player)
        return course_of(connection, caller.player, limit), own, rated_count(connection)

    rows, own, players = await shared.read(ask)
    course = [
        CourseGame(
            game=row.game,
            kind=row.kind,
            finished=utc_text(row.finished),
            score=None if row.score is None else plain_score(row.score),
            loss=row.loss,
            choices=row.choices,
            games=row.games,
            cost=row.cost,
            error=row.error,
        )
        for row in rows
    ]
    return Course(course, own_skill(own), players)


def _rated(shared: WebState, player: RatedPlayer) -> RatedPlayerInfo:
    name = shared.names.shown(player.player, player.name)
    return RatedPlayerInfo(player.rank, player.games, player.cost, player.error, name)


ROUTES = (me, call, leave, end_devices, days, make_code, use_code, skill, course)
