"""The application: its routes, what they share, and the order in which it starts and stops."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.concurrency import run_in_threadpool

from tentimes18.web.edge.described import describe_edge
from tentimes18.web.edge.stack import edge
from tentimes18.web.identity import COOKIE, Signer
from tentimes18.web.models import ProblemDocument
from tentimes18.web.problems import say_problems
from tentimes18.web.reference.examples import game_example
from tentimes18.web.routes import games, health, metrics, reference
from tentimes18.web.service_metrics import ServiceMetrics
from tentimes18.web.settings import Service
from tentimes18.web.state import Clock, WebState
from tentimes18.web.store.database import Database
from tentimes18.web.store.migration import bring_up_to_date
from tentimes18.web.store.writer import Writer

__all__ = ["create_app", "worker_app"]

API: Final = "/api/v1"
VERSION: Final = "1"


def create_app(service: Service, clock: Clock = time.time) -> FastAPI:
    """The application of a service; its store is opened when it starts."""
    signer = Signer(service.secret)
    counted = ServiceMetrics(service.run)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        database = Database(service.database_url)
        await run_in_threadpool(bring_up_to_date, database)
        writer = Writer(database, service.most_in_a_commit, tell=counted.commit)
        counted.waiting = lambda: writer.waiting
        app.state.shared = WebState(service, database, writer, signer, clock, counted)
        writer.start()
        try:
            yield
        finally:
            await run_in_threadpool(writer.close)
            database.close()

    app = FastAPI(
        title="Ten times eighteen",
        version=VERSION,
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    say_problems(app)
    app.include_router(health.router)
    app.include_router(metrics.router)
    app.include_router(reference.router)
    app.include_router(games.router, prefix=API)
    _describe(app)
    app.add_middleware(
        edge,
        routes=app.routes,
        cookie=COOKIE,
        player_of=signer.player,
        secret=service.secret,
        metrics=counted.processes,
        is_behind_proxy=service.is_behind_proxy,
        has_rate_limits=service.has_rate_limits,
        has_access_log=service.has_access_log,
    )
    return app


def worker_app() -> FastAPI:
    """The application of the service that the environment describes: what a worker process runs."""
    return create_app(Service.from_environment())


def _describe(app: FastAPI) -> None:
    """Have the reference know the problem document, which is no model of a route's own."""

    def describe() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(title=app.title, version=app.version, routes=app.routes)
            schemas = schema.setdefault("components", {}).setdefault("schemas", {})
            schemas["ProblemDocument"] = ProblemDocument.model_json_schema()
            schemas["GameModel"]["examples"] = [game_example()]
            describe_edge(schema)
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = describe  # type: ignore[method-assign]
