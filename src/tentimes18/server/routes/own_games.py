"""A player's own games: as a list, as scores beside the exact distribution, and as records to take or bring along."""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable
from math import floor
from typing import Annotated, Any, Literal

from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromQuery, QueryParameter, RawBody
from litestar.response import Stream
from msgspec import Meta, Struct, field
from sqlalchemy import Connection, Table

from tentimes18.records.notation import format_json
from tentimes18.server.background import measure_numbered
from tentimes18.server.identity import ID_PATTERN
from tentimes18.server.problems import documented
from tentimes18.server.request import Request
from tentimes18.server.routes.games import cookies_of
from tentimes18.server.state import WebState
from tentimes18.server.store.players import ListedGame as HistoryRow
from tentimes18.server.store.players import (
    RecordsToKeep,
    Wanted,
    before_the_latest,
    imported_records,
    keep_records,
    listed_games,
    next_games,
    own_scores,
    player_facts,
)
from tentimes18.server.store.schema import games as all_games
from tentimes18.server.store.schema import imports as all_imports
from tentimes18.server.uploads import MAX_TOLD, read_upload
from tentimes18.server.views import ListedGame, game_record, listed_view, named

MAX_LISTED = 200
MAX_EXPORTED = 100_000
MAX_UPLOAD = 2_000_000  # bytes
EXPORT_BATCH = 200
RARE = 1e-3  # a bin that is less likely, and empty, is not shown at either end
NDJSON = "application/x-ndjson"
LINES = (NDJSON, "application/jsonl", "text/plain")


class History(Struct):
    """Games, the latest begun first, and where the next page begins."""

    games: list[ListedGame]
    next: str | None


class ScoreBin(Struct):
    """Scores from one, up to but without the other: in how many games, and the exact chance of the perfect player."""

    first: int = field(name="from")
    end: int = field(name="to")
    count: int
    law: float


class Scores(Struct):
    """The own scores of the classic game, beside the law of the perfect player's score."""

    games: int
    mean: float | None
    law_mean: float
    width: int
    bins: list[ScoreBin]


class BadLine(Struct):
    """A line that is no game."""

    line: int
    reason: str


class Import(Struct):
    """How many records were kept, how many were there already, and the first lines that are none."""

    imported: int
    known: int
    bad: Annotated[int, Meta(description="How many lines are no game, or found no room.")]
    bad_lines: list[BadLine]


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


@get("/me/history", tags=["me"])
async def history(
    request: Request,
    kind: FromQuery[Literal["solo", "daily", "duel"] | None] = None,
    finished: FromQuery[bool | None] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=MAX_LISTED)] = 50,
    before: Annotated[
        str | None, QueryParameter(pattern=ID_PATTERN, description="What `next` of the page before says.")
    ] = None,
) -> History:
    """The own games, the latest first, some at a time; with ``finished=false`` those to go on with."""
    shared, caller = request.shared, request.caller

    def ask(connection: Connection) -> list[HistoryRow]:
        return listed_games(connection, caller.player, Wanted(kind, finished, before), limit + 1)

    rows = [] if caller.is_new else await shared.read(ask)
    page, has_more = rows[:limit], len(rows) > limit
    unmeasured = [
        game.state.number
        for game in page
        if game.loss is None and game.state.finished is not None and game.state.duel is None
    ]
    losses = await measure_numbered(shared, unmeasured)
    listed = []
    for state, loss, choices in page:
        if (measured := losses.get(state.number)) is not None:
            loss, choices = measured.loss, measured.choices
        listed.append(listed_view(named(state, shared.names), loss, choices))
    return History(listed, page[-1].state.id if has_more else None)


@get("/me/scores", tags=["me"], rate="compute")
async def scores(
    request: Request,
    kind: Annotated[
        Literal["rated", "daily"],
        QueryParameter(description="All games that count (classic, without a coach), or daily ones."),
    ] = "rated",
    width: Annotated[int, QueryParameter(ge=5, le=100)] = 20,
) -> Scores:
    """How often the own scores of the classic game fell into each bin, and how often the perfect player's would."""
    shared, caller = request.shared, request.caller

    def ask(connection: Connection) -> list[tuple[float, int]]:
        return own_scores(connection, caller.player, "daily" if kind == "daily" else None)

    own = [] if caller.is_new else await shared.read(ask)
    distribution = json.loads((await shared.lab.ask("distribution", {})).body)
    games = sum(count for _, count in own)
    mean = sum(score * count for score, count in own) / games if games else None
    return Scores(games, mean, distribution["mean"], width, score_bins(own, distribution["pmf"], width))


EXPORT = {200: ResponseSpec(str, generate_examples=False, media_type=NDJSON, description="One record a line")}


@get("/me/games", tags=["me"], responses=EXPORT)
async def games(
    request: Request,
    source: FromQuery[Literal["all", "played", "imported"]] = "all",
    limit: Annotated[int | None, QueryParameter(ge=1, le=MAX_EXPORTED)] = None,
) -> Response[Any]:
    """All games as records, one a line: those played here, as far as they are open, and those brought along."""
    headers = {"content-disposition": 'attachment; filename="games.ndjson"'}
    if request.caller.is_new:
        return Response(b"", headers=headers, media_type=NDJSON)
    return Stream(_lines(request.shared, request.caller.player, source, limit), headers=headers, media_type=NDJSON)


async def _lines(shared: WebState, player: str, source: str, limit: int | None) -> AsyncIterator[bytes]:
    name = (await shared.read(lambda connection: player_facts(connection, player))).name

    def ask_games(connection: Connection) -> tuple[int, bytes]:
        states = next_games(connection, player, after, EXPORT_BATCH)
        lines = "".join(format_json(game_record(named(state, shared.names), name)) + "\n" for state in states)
        return (states[-1].number if states else after), lines.encode()

    def ask_imports(connection: Connection) -> tuple[int, bytes]:
        records = imported_records(connection, player, after, EXPORT_BATCH)
        return (records[-1][0] if records else after), "".join(text + "\n" for _, text in records).encode()

    sources = {"played": (ask_games, all_games), "imported": (ask_imports, all_imports)}
    for ask, table in sources.values() if source == "all" else [sources[source]]:
        after = await _first(shared, table, player, limit)
        while True:
            after, part = await shared.read(ask)
            if not part:
                break
            yield part


async def _first(shared: WebState, table: Table, player: str, limit: int | None) -> int:
    """The number after which a player's latest records follow."""
    if limit is None:
        return 0
    return await shared.read(lambda connection: before_the_latest(connection, table, player, limit))


@post(
    "/me/games",
    tags=["me"],
    status_code=200,
    rate="import",
    media_types=LINES,
    request_max_body_size=MAX_UPLOAD,
    responses=documented("too-large"),
)
async def bring(request: Request, body: RawBody) -> Response[Import]:
    """Bring records along, one JSON object a line; they are given back with the others, and count nowhere."""
    shared = request.shared
    upload = await asyncio.to_thread(read_upload, body)
    kept = await shared.writer.do(keep_records, RecordsToKeep(request.caller.player, upload.records, shared.now))
    bad = [BadLine(line.number, line.reason) for line in upload.bad]
    bad += [BadLine(line, "no more imported games can be kept") for line in kept.too_many]
    bad_lines = sorted(bad, key=lambda line: line.line)[:MAX_TOLD]
    answer = Import(kept.imported, kept.known, upload.bad_count + len(kept.too_many), bad_lines)
    return Response(answer, cookies=cookies_of(request))


ROUTES = (history, scores, games, bring)
