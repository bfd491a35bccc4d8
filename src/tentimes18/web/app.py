"""The application: its routes, what they share, and the order in which it starts and stops."""

import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Thread
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.concurrency import run_in_threadpool

from tentimes18.web.bots import Bots
from tentimes18.web.identity import Signer
from tentimes18.web.kept_answers import coach_answers, lab_answers
from tentimes18.web.models import ProblemDocument
from tentimes18.web.problems import say_problems
from tentimes18.web.routes import coach as coach_routes
from tentimes18.web.routes import games, health
from tentimes18.web.routes import lab as lab_routes
from tentimes18.web.settings import Service
from tentimes18.web.state import Clock, WebState
from tentimes18.web.store.database import Database
from tentimes18.web.store.migration import bring_up_to_date
from tentimes18.web.store.writer import Writer
from tentimes18.web.tables import DuelTables

__all__ = ["create_app", "worker_app"]

API: Final = "/api/v1"
VERSION: Final = "1"
SOON: Final = 2.0  # seconds: when the first requests are answered, the lab gets ready for the next
PARENT_SECONDS: Final = 0.5  # between two looks at it


def create_app(service: Service, clock: Clock = time.time) -> FastAPI:
    """The application of a service; its store is opened when it starts."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        database = Database(service.database_url)
        await run_in_threadpool(bring_up_to_date, database)
        writer = Writer(database, service.most_in_a_commit)
        lab, coach = lab_answers(), coach_answers()
        tables = DuelTables(makes=service.makes_tables)
        app.state.shared = WebState(
            service, database, writer, Signer(service.secret), lab, coach, Bots(tables), clock=clock
        )
        writer.start()
        tables.start()
        lab.calculator.start(SOON)
        try:
            yield
        finally:
            await lab.calculator.close()
            await coach.calculator.close()
            await run_in_threadpool(tables.stop)
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
    for router in (games.router, coach_routes.router, lab_routes.router):
        app.include_router(router, prefix=API)
    _describe(app)
    return app


def worker_app() -> FastAPI:
    """The application of the service that the environment describes: what a worker process runs.

    A worker whose parent was killed stops as well: it would go on listening, and nobody would know of it.
    """
    Thread(target=_stop_with, args=(os.getppid(),), name="parent", daemon=True).start()
    return create_app(Service.from_environment())


def _stop_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)


def _describe(app: FastAPI) -> None:
    """Have the reference know the problem document, which is no model of a route's own."""

    def describe() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(title=app.title, version=app.version, routes=app.routes)
            schemas = schema.setdefault("components", {}).setdefault("schemas", {})
            schemas["ProblemDocument"] = ProblemDocument.model_json_schema()
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = describe  # type: ignore[method-assign]
