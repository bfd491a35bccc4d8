"""A player's own games: as a list, as scores beside the exact distribution, and as records to export and import."""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable
from math import floor
from typing import Annotated, Any, Literal

from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromQuery, QueryParameter, RawBody
from litestar.types import Receive, Scope, Send
from msgspec import Meta, Struct, field
from sqlalchemy import Connection

from tentimes18.records.notation import format_json
from tentimes18.server.background import measure_numbered
from tentimes18.server.identity import ID_PATTERN
from tentimes18.server.problems import Problem, documented
from tentimes18.server.request import Request
from tentimes18.server.state import WebState
from tentimes18.server.store.games import GameKind
from tentimes18.server.store.players import (
    GameFilter,
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
EXPORT_BATCH = 100
EXPORT_SECONDS = 60.0  # until it must have been read
DISPOSITION = 'attachment; filename="games.ndjson"'
RARE = 1e-3  # a bin that is less likely, and empty, is not shown at either end
NDJSON = "application/x-ndjson"
LINES = (NDJSON, "application/jsonl", "text/plain")


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
    kind: FromQuery[GameKind | None] = None,
    finished: FromQuery[bool | None] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=MAX_LISTED)] = 50,
    before: Annotated[
        str | None, QueryParameter(pattern=ID_PATTERN, description="The value of `next` in the previous page.")
    ] = None,
) -> History:
    """The player's games, the latest first, some at a time; with ``finished=false`` those to continue."""
    shared, caller = request.shared, request.caller
    wanted = GameFilter(kind, finished, before)
    rows = [] if caller.is_new else await shared.read(listed_games, caller.player, wanted, limit + 1)
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
    """How often the player's scores in the classic game fell into each bin, and the perfect player's would."""
    shared, caller = request.shared, request.caller
    own = [] if caller.is_new else await shared.read(own_scores, caller.player, "daily" if kind == "daily" else None)
    distribution = json.loads((await shared.lab.ask("distribution", {}, request.info.address)).body)
    games = sum(count for _, count in own)
    mean = sum(score * count for score, count in own) / games if games else None
    return Scores(games, mean, distribution["mean"], width, score_bins(own, distribution["pmf"], width))


EXPORT = {200: ResponseSpec(str, generate_examples=False, media_type=NDJSON, description="One record per line")}


class Export(Response[bytes]):
    """Records, some at a time; the connection is broken off if the reader takes too long."""

    def __init__(self, parts: AsyncIterator[bytes], shared: WebState) -> None:
        super().__init__(b"")
        self._parts = parts
        self._shared = shared

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:
        return self._run

    async def _run(self, _: Scope, __: Receive, send: Send) -> None:
        headers = [(b"content-type", NDJSON.encode()), (b"content-disposition", DISPOSITION.encode())]
        try:
            async with asyncio.timeout(EXPORT_SECONDS), self._shared.exports:
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                async for part in self._parts:
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            raise Problem("unavailable", "too many exports at once, or it was read too slowly") from None


@get("/me/games", tags=["me"], rate="export", responses=EXPORT)
async def games(
    request: Request,
    source: FromQuery[Literal["all", "played", "imported"]] = "all",
    limit: Annotated[int | None, QueryParameter(ge=1, le=MAX_EXPORTED)] = None,
) -> Response[Any]:
    """Export all games as records, one per line: those played here, as far as their rolls are open, and others."""
    if request.caller.is_new:
        return Response(b"", headers={"content-disposition": DISPOSITION}, media_type=NDJSON)
    return Export(_lines(request.shared, request.caller.player, source, limit), request.shared)


async def _lines(shared: WebState, player: str, source: str, limit: int | None) -> AsyncIterator[bytes]:
    name = (await shared.read(player_facts, player)).name

    def ask_games(connection: Connection) -> tuple[int, bytes]:
        states = next_games(connection, player, after, EXPORT_BATCH)
        lines = "".join(format_json(game_record(named(state, shared.names), name)) + "\n" for state in states)
        return (states[-1].number if states else after), lines.encode()

    def ask_imports(connection: Connection) -> tuple[int, bytes]:
        records = imported_records(connection, player, after, EXPORT_BATCH)
        return (records[-1][0] if records else after), "".join(text + "\n" for _, text in records).encode()

    sources = {"played": (ask_games, all_games), "imported": (ask_imports, all_imports)}
    for ask, table in sources.values() if source == "all" else [sources[source]]:
        after = 0
        if limit is not None:
            after = await shared.read(before_the_latest, table, player, limit)
        while True:
            after, part = await shared.read(ask)
            if not part:
                break
            yield part


@post(
    "/me/games",
    tags=["me"],
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
    result = await shared.writer.call(keep_records, request.caller.player, upload.records, shared.now)
    bad = [BadLine(line.number, line.reason) for line in upload.bad]
    bad += [BadLine(line, "no more imported games can be stored") for line in result.too_many]
    bad_lines = sorted(bad, key=lambda line: line.line)[:MAX_TOLD]
    return Import(result.imported, result.known, upload.bad_count + len(result.too_many), bad_lines)


ROUTES = (history, scores, games, bring)
