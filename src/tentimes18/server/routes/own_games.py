"""A player's games as records, to take along and to bring along."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from sqlalchemy import Connection, Table
from starlette.concurrency import run_in_threadpool

from tentimes18.records.notation import format_json
from tentimes18.server.models.history import ExportQuery
from tentimes18.server.models.players import BadLineModel, ImportModel
from tentimes18.server.problems import documented
from tentimes18.server.state import AnyCaller, Shared, WebState, greet
from tentimes18.server.store.exports import before_the_latest, next_games
from tentimes18.server.store.imports import RecordsToKeep, imported_records, keep_records
from tentimes18.server.store.players import player_facts
from tentimes18.server.store.schema import games as all_games
from tentimes18.server.store.schema import imports as all_imports
from tentimes18.server.uploads import MOST_TOLD, read_upload
from tentimes18.server.views import game_record, named

__all__ = ["router"]

NDJSON: Final = "application/x-ndjson"
GAMES_AT_ONCE: Final = 200
LINES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"description": "One record a line", "content": {NDJSON: {"schema": {"type": "string"}}}}
}

BODY: Final = {name: {"schema": {"type": "string"}} for name in (NDJSON, "text/plain")}

router = APIRouter(prefix="/me", tags=["me"])


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
