"""What an operator asks the service: whether it works, what it has counted, and how its API is described."""

import asyncio
from contextlib import suppress
from typing import Annotated, Any, Literal

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Meta, Struct
from sqlalchemy import Connection, text

from tentimes18.server.bots import Table
from tentimes18.server.metrics import CONTENT_TYPE, FACTS
from tentimes18.server.request import Request
from tentimes18.server.store.backup import last_backup
from tentimes18.server.store.database import StoreUnavailable, database_bytes
from tentimes18.server.store.writer import Busy, write_nothing

HEALTH_SECONDS = 1.5


class Health(Struct):
    """The service answers, and its store can be read and written."""

    status: Literal["ok"]
    database: Literal["sqlite", "postgresql"]
    waiting: Annotated[int, Meta(description="Requests that wait to be written.")]
    tables: Annotated[dict[str, Table], Meta(description="The solved tables of the bots, by the name of the bot.")]


@get("/health", tags=["service"], rate="free")
async def health(request: Request) -> Health:
    """Whether the service works: 503 where its store cannot be read, or nothing can be written to disk."""
    shared = request.shared

    def ask(connection: Connection) -> None:
        connection.execute(text("SELECT 1"))

    try:
        async with asyncio.timeout(HEALTH_SECONDS):
            await shared.read(ask)
            with suppress(Busy):  # too many wait: it is being written
                await shared.writer.do(write_nothing, None)
    except TimeoutError:
        raise StoreUnavailable("the database does not answer in time") from None
    kind: Literal["sqlite", "postgresql"] = "sqlite" if shared.database.is_sqlite else "postgresql"
    return Health("ok", kind, shared.writer.waiting, shared.bots.tables.state())


METRICS = {200: ResponseSpec(str, generate_examples=False, media_type="text/plain", description="Metrics")}


@get("/metrics", tags=["service"], responses=METRICS)
async def metrics(request: Request) -> Response[Any]:
    """Counters, gauges and histograms of all processes together, in the text format of Prometheus."""
    shared = request.shared
    shared.metrics.waiting.set(shared.writer.waiting)
    shared.metrics.questions_waiting.set(shared.lab.waiting + shared.coach.waiting)
    shared.metrics.flush()
    facts: tuple[float, ...] = ()
    with suppress(TimeoutError, StoreUnavailable):  # the others are reported all the same
        async with asyncio.timeout(HEALTH_SECONDS):
            facts = await asyncio.to_thread(database_bytes, shared.database), last_backup(shared.service.data)
    text = await asyncio.to_thread(shared.metrics.text, dict(zip(FACTS, facts, strict=False)))
    return Response(text, headers={"content-type": CONTENT_TYPE})


@get("/api/openapi.json", include_in_schema=False)
async def openapi(request: Request) -> dict[str, Any]:
    """The OpenAPI document."""
    document: dict[str, Any] = request.app.state["openapi"]()
    return document


ROUTES = (health, metrics, openapi)
