"""The player: the id, a name, the days played, the rating, a link to another device, and the end of it; and own games.

The games are a list, scores beside the exact distribution, and records to export and import.
"""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable
from math import floor
from typing import Annotated, Any, Literal

from litestar import Response, delete, get, patch, post
from litestar.params import FromQuery, JSONBody, QueryParameter, RawBody
from litestar.types import Receive, Scope, Send
from msgspec import Meta, Struct, field
from sqlalchemy import Connection

from tentimes18.queries.json_numbers import answer_from
from tentimes18.records.notation import format_json
from tentimes18.server.days import best_streak, day_at, day_number, streak_at, utc_text
from tentimes18.server.identity import ID_PATTERN, new_id, read_name
from tentimes18.server.problems import Problem, described, documented
from tentimes18.server.request import Request
from tentimes18.server.routes.daily import Histogram, plain_score
from tentimes18.server.routes.games import Streamed
from tentimes18.server.state import WebState, losses_of, measure_games, measure_numbered, measure_player
from tentimes18.server.store import players, ratings, schema
from tentimes18.server.store.daily import OwnGame, daily_games
from tentimes18.server.store.games import GameKind
from tentimes18.server.store.ratings import CourseGame, RatedPlayer
from tentimes18.server.uploads import MAX_TOLD, read_upload
from tentimes18.server.views import ListedGame, Number, game_record, listed_view, named

LINK_MILLISECONDS = 3600 * 1000
DISTRIBUTION = "/api/v1/lab/distribution?strategy=optimal"
MAX_COURSE = 2000
MAX_PLAYERS = 100
ALL = "all"
MAX_LISTED = 200
MAX_EXPORTED = 100_000
MAX_UPLOAD = 2_000_000  # bytes
EXPORT_BATCH = 100
EXPORT_SECONDS = 60.0  # until it must have been read
DISPOSITION = 'attachment; filename="games.ndjson"'
RARE = 1e-3  # a bin that is less likely, and empty, is not shown at either end
NDJSON = "application/x-ndjson"
LINES = (NDJSON, "application/jsonl", "text/plain")


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


class Course(Struct):
    """The course of the player's rating, the oldest game first; ``own`` from ten games on, among all players."""

    course: list[CourseGame]
    own: OwnSkill | None
    players: int


class History(Struct):
    """Games, the latest begun first, and where the next page begins."""

    games: list[ListedGame]
    next: str | None


class ScoreBin(Struct):
    """Scores from one up to another, which is excluded: the number of games, and the perfect player's exact chance."""

    first: int = field(name="from")
    end: int = field(name="to")
    count: int
    chance: float


class Scores(Struct):
    """The player's scores in the classic game, beside the distribution of the perfect player's score."""

    games: int
    mean: float | None
    optimal_mean: float
    width: int
    bins: list[ScoreBin]


class BadLine(Struct):
    """A line that is not a game."""

    line: int
    reason: str


class Import(Struct):
    """How many records were imported, how many were known already, and the first lines that are not records."""

    imported: int
    known: int
    bad: Annotated[int, Meta(description="How many lines are not games, or did not fit.")]
    bad_lines: list[BadLine]


async def _player(shared: WebState, player: str) -> Player:
    def ask(connection: Connection) -> tuple[players.PlayerFacts, list[OwnGame], RatedPlayer | None]:
        return (
            players.player_facts(connection, player),
            daily_games(connection, player),
            ratings.rated_player(connection, player),
        )

    await measure_player(shared, player, ratings.LAST_GAMES)
    facts, days, rated = await shared.read(ask)
    return answer_from(
        Player,
        facts,
        shown=shared.names.shown(player, facts.name),
        created=None if facts.created is None else utc_text(facts.created),
        streak=streak_at(day_at(shared.now), [game.day for game in days]),
        skill=None if rated is None else answer_from(OwnSkill, rated),
    )


@get("/me")
async def me(request: Request) -> Player:
    """The player of this request. A new player gets a cookie; nothing is stored yet. A known player's is renewed."""
    request.info.cookie = request.caller.player
    return await _player(request.shared, request.caller.player)


@patch("/me")
async def call(request: Request, data: JSONBody[NameRequest]) -> Player:
    """Set or remove the name that others see in lists."""
    shared, player = request.shared, request.caller.player
    name = None if data.name is None else read_name(data.name)
    await shared.writer.call(players.rename, player, name, shared.now)
    return await _player(shared, player)


@delete("/me")
async def leave(request: Request) -> None:
    """Delete this player with all games. A duel with a friend stays the friend's, against an unnamed player."""
    shared, caller = request.shared, request.caller
    if not caller.is_new:
        await shared.writer.call(players.remove_player, caller.player, shared.now)
    request.info.cookie = ""


@delete("/me/devices", status_code=200)
async def end_devices(request: Request) -> Player:
    """Sign out all other devices: their cookies no longer work, and this one gets a new cookie."""
    shared, caller = request.shared, request.caller
    player = caller.player if caller.is_new else await shared.writer.call(players.renumber, caller.player)
    request.info.cookie = player
    return await _player(shared, player)


@get("/me/daily")
async def days(request: Request) -> OwnDays:
    """The daily games of this player: streaks, scores, and how often each score was made."""
    shared, caller = request.shared, request.caller
    games = [] if caller.is_new else await shared.read(daily_games, caller.player)
    losses = await losses_of(shared, games)
    own = [
        OwnDay(game.day, day_number(game.day), plain_score(game.score or 0.0), losses.get(game.number, 0.0), game.id)
        for game in games
    ]
    played = [game.day for game in games]
    histogram = sorted(Counter(game.score for game in own).items())
    return OwnDays(streak_at(day_at(shared.now), played), best_streak(played), own, histogram, DISTRIBUTION)


@post("/me/link")
async def make_code(request: Request) -> Link:
    """Create a code that makes another device this player. It works once, within an hour; an earlier code expires."""
    shared, now = request.shared, request.shared.now
    code, expires = new_id(), now + LINK_MILLISECONDS
    await shared.writer.call(players.make_link, request.caller.player, code, now, expires)
    return Link(code, utc_text(expires))


@post("/link", status_code=200, responses=documented("not-found"))
async def use_code(request: Request, data: JSONBody[LinkRequest]) -> Player:
    """Use a code: this device becomes its player. The player that it had before stays stored, but without a cookie."""
    shared = request.shared
    player = await shared.writer.call(players.use_link, data.code, shared.now)
    request.info.cookie = player
    return await _player(shared, player)


@get("/skill")
async def skill(request: Request) -> SkillBoard:
    """Players by mean loss per choice over their last 30 rated games, the lowest first; at least ten games count."""
    shared, caller = request.shared, request.caller
    if not caller.is_new:
        await measure_player(shared, caller.player, ratings.LAST_GAMES)
    if not shared.has_measured.get(ALL):
        shared.has_measured.put(ALL, True)
        await measure_games(shared, schema.IS_TO_MEASURE)

    def ask(connection: Connection) -> tuple[list[RatedPlayer], RatedPlayer | None]:
        own = None if caller.is_new else ratings.rated_player(connection, caller.player)
        return ratings.best_players(connection, MAX_PLAYERS), own

    def rated(player: RatedPlayer) -> RatedPlayerInfo:
        return answer_from(RatedPlayerInfo, player, name=shared.names.shown(player.player, player.name))

    best, own = await shared.read(ask)
    return SkillBoard(list(map(rated, best)), None if own is None else rated(own))


@get("/me/skill")
async def course(
    request: Request,
    limit: Annotated[int, QueryParameter(ge=1, le=MAX_COURSE, description="How many of the latest games.")] = 500,
) -> Course:
    """The player's rating after each game that counts, over the last 30 up to it, and the rank among the others."""
    shared, caller = request.shared, request.caller
    if not caller.is_new:
        await measure_player(shared, caller.player)

    def ask(connection: Connection) -> tuple[list[CourseGame], RatedPlayer | None, int]:
        if caller.is_new:
            return [], None, ratings.rated_count(connection)
        own = ratings.rated_player(connection, caller.player)
        return ratings.course_of(connection, caller.player, limit), own, ratings.rated_count(connection)

    rows, own, players = await shared.read(ask)
    return Course(rows, None if own is None else answer_from(OwnSkill, own), players)


def score_bins(
    scores: Iterable[tuple[float, int]], distribution: Iterable[tuple[float, float]], width: int
) -> list[ScoreBin]:
    """The bins of this width from the first to the last that is likely, or that some game fell into."""
    counts: Counter[int] = Counter()
    for score, count in scores:
        counts[floor(score / width)] += count
    probabilities: defaultdict[int, float] = defaultdict(float)
    for score, probability in distribution:
        probabilities[floor(score / width)] += probability
    places = [*counts, *(place for place, probability in probabilities.items() if probability >= RARE)]
    return [
        ScoreBin(place * width, (place + 1) * width, counts[place], probabilities[place])
        for place in range(min(places), max(places) + 1)
    ]


@get("/me/history")
async def history(
    request: Request,
    kind: FromQuery[GameKind | None] = None,
    finished: FromQuery[bool | None] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=MAX_LISTED)] = 50,
    before: Annotated[
        str | None, QueryParameter(pattern=ID_PATTERN, description="The value of `next` in the previous page.")
    ] = None,
) -> History:
    """The player's games, the latest first, some at a time; with ``finished=false`` those to continue."""
    shared, caller = request.shared, request.caller
    which = caller.player, limit + 1, kind, finished, before
    rows = [] if caller.is_new else await shared.read(players.listed_games, *which)
    page = rows[:limit]
    unmeasured = [game for game in page if game.loss is None and game.finished is not None and game.duel is None]
    measured = await measure_numbered(shared, [game.number for game in unmeasured])
    listed = [listed_view(named(state, shared.names)) for state in page]
    for game, state in zip(listed, page, strict=True):
        if (losses := measured.get(state.number)) is not None:
            game.loss, game.choices = losses.loss, losses.choices
    return History(listed, page[-1].id if len(rows) > limit else None)


@get("/me/scores", rate="compute")
async def scores(
    request: Request,
    kind: Annotated[
        Literal["rated", "daily"],
        QueryParameter(description="All games that count (classic, without a coach), or daily ones."),
    ] = "rated",
    width: Annotated[int, QueryParameter(ge=5, le=100)] = 20,
) -> Scores:
    """How often the player's scores in the classic game fell into each bin, and the perfect player's would."""
    shared, caller = request.shared, request.caller
    which = None if kind == "rated" else kind
    own = [] if caller.is_new else await shared.read(players.own_scores, caller.player, which)
    distribution = json.loads((await shared.lab.ask("distribution", {}, request.info.address)).body)
    games = sum(count for _, count in own)
    mean = sum(score * count for score, count in own) / games if games else None
    return Scores(games, mean, distribution["mean"], width, score_bins(own, distribution["pmf"], width))


@get("/me/games", rate="export", responses=described(str, "One record per line", NDJSON))
async def games(
    request: Request,
    source: FromQuery[Literal["all", "played", "imported"]] = "all",
    limit: Annotated[int | None, QueryParameter(ge=1, le=MAX_EXPORTED)] = None,
) -> Response[Any]:
    """Export all games as records, one per line: those played here, as far as their rolls are open, and others."""
    shared = request.shared
    if request.caller.is_new:
        return Response(b"", headers={"content-disposition": DISPOSITION}, media_type=NDJSON)
    headers = [(b"content-type", NDJSON.encode()), (b"content-disposition", DISPOSITION.encode())]

    async def run(_: Scope, __: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(EXPORT_SECONDS), shared.exports:
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                async for part in _lines(shared, request.caller.player, source, limit):
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            raise Problem("unavailable", "too many exports at once, or it was read too slowly") from None

    return Streamed(run)


async def _lines(shared: WebState, player: str, source: str, limit: int | None) -> AsyncIterator[bytes]:
    name = (await shared.read(players.player_facts, player)).name

    def ask_games(connection: Connection) -> tuple[int, str]:
        states = players.next_games(connection, player, after, EXPORT_BATCH)
        lines = [format_json(game_record(named(state, shared.names), name)) + "\n" for state in states]
        return (states[-1].number if states else after), "".join(lines)

    def ask_imports(connection: Connection) -> tuple[int, str]:
        records = players.imported_records(connection, player, after, EXPORT_BATCH)
        return (records[-1][0] if records else after), "".join(text + "\n" for _, text in records)

    sources = {"played": (ask_games, schema.games), "imported": (ask_imports, schema.imports)}
    for ask, table in sources.values() if source == "all" else [sources[source]]:
        after = 0 if limit is None else await shared.read(players.before_the_latest, table, player, limit)
        after, part = await shared.read(ask)
        while part:
            yield part.encode()
            after, part = await shared.read(ask)


@post(
    "/me/games",
    status_code=200,
    rate="import",
    media_types=LINES,
    request_max_body_size=MAX_UPLOAD,
    responses=documented("too-large"),
)
async def bring(request: Request, body: RawBody) -> Import:
    """Import records, one JSON object per line. They are exported with the others, and do not count."""
    shared = request.shared
    upload = await asyncio.to_thread(read_upload, body)
    result = await shared.writer.call(players.keep_records, request.caller.player, upload.records, shared.now)
    bad = [BadLine(*line) for line in upload.bad]
    bad += [BadLine(line, "no more imported games can be stored") for line in result.too_many]
    bad_lines = sorted(bad, key=lambda line: line.line)[:MAX_TOLD]
    return Import(result.imported, result.known, upload.bad_count + len(result.too_many), bad_lines)


ROUTES = (me, call, leave, end_devices, days, make_code, use_code, course, history, scores, games, bring)
