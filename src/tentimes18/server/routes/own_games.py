"""The own games as a list, and the own scores against the exact law of the perfect player's.

A player's games as records, to take along and to bring along.

Scores that were made, in bins, beside the exact law of a score in the same bins.
"""

import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable
from math import floor
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from sqlalchemy import Connection, Table
from starlette.concurrency import run_in_threadpool

from tentimes18.records.notation import format_json
from tentimes18.server.background_tasks import measure_games
from tentimes18.server.models import (
    BadLineModel,
    ExportQuery,
    HistoryModel,
    HistoryQuery,
    ImportModel,
    ListedGameModel,
    ScoreBinModel,
    ScoresModel,
    ScoresQuery,
)
from tentimes18.server.problems import documented
from tentimes18.server.state import AnyCaller, Shared, WebState, greet
from tentimes18.server.store.own_games import (
    ListedGame,
    RecordsToKeep,
    Wanted,
    before_the_latest,
    imported_records,
    keep_records,
    listed_games,
    next_games,
    own_scores,
)
from tentimes18.server.store.players import player_facts
from tentimes18.server.store.ratings import numbered
from tentimes18.server.store.schema import games as all_games
from tentimes18.server.store.schema import imports as all_imports
from tentimes18.server.uploads import MOST_TOLD, read_upload
from tentimes18.server.views import game_record, listed_view, named

router = APIRouter(prefix="/me", tags=["me"])


@router.get("/history", responses=documented())
async def history(shared: Shared, caller: AnyCaller, query: Annotated[HistoryQuery, Query()]) -> HistoryModel:
    """The own games, the latest first, some at a time; with ``finished=false`` those to go on with."""
    wanted = Wanted(query.kind, query.finished, query.before)

    def ask(connection: Connection) -> list[ListedGame]:
        return listed_games(connection, caller.player, wanted, query.limit + 1)

    found = [] if caller.is_new else await shared.read(ask)
    page, has_more = found[: query.limit], len(found) > query.limit
    unmeasured = [
        game.state.number
        for game in page
        if game.loss is None and game.state.finished is not None and game.state.duel is None
    ]
    losses = await measure_games(shared, numbered(unmeasured), len(unmeasured)) if unmeasured else {}
    listed = []
    for state, loss, choices in page:
        if (measured := losses.get(state.number)) is not None:
            loss, choices = measured.loss, measured.choices
        view = listed_view(named(state, shared.names))
        listed.append(ListedGameModel(**view, loss=loss, choices=choices))
    return HistoryModel(games=listed, next=page[-1].state.id if has_more else None)


@router.get("/scores", responses=documented())
async def scores(shared: Shared, caller: AnyCaller, query: Annotated[ScoresQuery, Query()]) -> ScoresModel:
    """How often the own scores of the classic game fell into each bin, and how often the perfect player's would."""
    kind = "daily" if query.kind == "daily" else None

    def ask(connection: Connection) -> list[tuple[float, int]]:
        return own_scores(connection, caller.player, kind)

    own = [] if caller.is_new else await shared.read(ask)
    law = json.loads((await shared.lab.ask("distribution", {})).body)
    games = sum(count for _, count in own)
    return ScoresModel(
        games=games,
        mean=sum(score * count for score, count in own) / games if games else None,
        law_mean=law["mean"],
        width=query.width,
        bins=score_bins(own, law["pmf"], query.width),
    )


NDJSON = "application/x-ndjson"
GAMES_AT_ONCE = 200
LINES: dict[int | str, dict[str, Any]] = {
    200: {"description": "One record a line", "content": {NDJSON: {"schema": {"type": "string"}}}}
}

BODY = {name: {"schema": {"type": "string"}} for name in (NDJSON, "text/plain")}


@router.get(
    "/games",
    response_class=StreamingResponse,
    responses=LINES | documented(),
)
async def games(shared: Shared, caller: AnyCaller, query: Annotated[ExportQuery, Query()]) -> StreamingResponse:
    """All games as records, one a line: those played here, as far as they are open, and those brought along."""
    lines = _none() if caller.is_new else _lines(shared, caller.player, query)
    headers = {"Content-Disposition": 'attachment; filename="games.ndjson"'}
    return StreamingResponse(lines, media_type=NDJSON, headers=headers)


async def _none() -> AsyncIterator[bytes]:
    return
    yield b""


async def _lines(shared: WebState, player: str, query: ExportQuery) -> AsyncIterator[bytes]:
    name = (await shared.read(lambda connection: player_facts(connection, player))).name

    def ask_games(connection: Connection) -> tuple[int, bytes]:
        states = next_games(connection, player, after, GAMES_AT_ONCE)
        lines = "".join(format_json(game_record(named(state, shared.names), name)) + "\n" for state in states)
        return (states[-1].number if states else after), lines.encode()

    def ask_imports(connection: Connection) -> tuple[int, bytes]:
        found = imported_records(connection, player, after, GAMES_AT_ONCE)
        return (found[-1][0] if found else after), "".join(text + "\n" for _, text in found).encode()

    sources = {"played": (ask_games, all_games), "imported": (ask_imports, all_imports)}
    for ask, table in sources.values() if query.source == "all" else [sources[query.source]]:
        after = await _first(shared, table, player, query.limit)
        while True:
            after, part = await shared.read(ask)
            if not part:
                break
            yield part


async def _first(shared: WebState, table: Table, player: str, latest: int | None) -> int:
    """The number behind which a player's latest so many records stand."""
    if latest is None:
        return 0
    return await shared.read(lambda connection: before_the_latest(connection, table, player, latest))


@router.post(
    "/games",
    responses=documented("too-large"),
    openapi_extra={"requestBody": {"required": True, "content": BODY}},
)
async def bring(request: Request, response: Response, shared: Shared, caller: AnyCaller) -> ImportModel:
    """Bring records along, one JSON object a line; they are given back with the others, and count nowhere."""
    read = await run_in_threadpool(read_upload, await request.body())  # of a size that the edge lets through
    kept = await shared.writer.do(keep_records, RecordsToKeep(caller.player, read.records, shared.now))
    bad = [BadLineModel(line=line.number, reason=line.reason) for line in read.bad]
    bad += [BadLineModel(line=line, reason="no more imported games can be kept") for line in kept.too_many]
    greet(request, response, shared, caller)
    return ImportModel(
        imported=kept.imported,
        known=kept.known,
        bad=read.bad_count + len(kept.too_many),
        bad_lines=sorted(bad, key=lambda line: line.line)[:MOST_TOLD],
    )


RARE = 1e-3  # a bin that is less likely, and empty, is not shown at either end


def score_bins(
    made: Iterable[tuple[float, int]], law: Iterable[tuple[float, float]], width: int
) -> list[ScoreBinModel]:
    """The bins of this width from the first to the last that is likely, or that some game fell into.

    >>> [(part.first, part.end, part.count, part.law) for part in score_bins([(12, 2)], [(1, 0.25), (7, 0.75)], 5)]
    [(0, 5, 0, 0.25), (5, 10, 0, 0.75), (10, 15, 2, 0.0)]
    """
    counts: Counter[int] = Counter()
    for score, count in made:
        counts[floor(score / width)] += count
    chances: defaultdict[int, float] = defaultdict(float)
    for score, chance in law:
        chances[floor(score / width)] += chance
    shown = [*counts, *(place for place, chance in chances.items() if chance >= RARE)]
    return [
        ScoreBinModel(first=place * width, end=(place + 1) * width, count=counts[place], law=chances[place])
        for place in range(min(shown), max(shown) + 1)
    ]
