"""The application: its routes, what stands in front of them, and what they share."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI
from fastapi.middleware.asyncexitstack import AsyncExitStackMiddleware
from fastapi.openapi.utils import get_openapi
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from tentimes18.server.edge.described import describe_edge
from tentimes18.server.edge.stack import Edge, edge
from tentimes18.server.identity import COOKIE, Signer
from tentimes18.server.life import opened
from tentimes18.server.models.games import ProblemDocument
from tentimes18.server.problems import say_problems
from tentimes18.server.reference.examples import game_example
from tentimes18.server.routes import (
    archive,
    coach,
    commitments,
    commitments_page,
    daily,
    docs_site,
    duels,
    events,
    games,
    health,
    history,
    lab,
    me,
    metrics,
    own_games,
    pages,
    reference,
    skill,
    verify_page,
)
from tentimes18.server.routes.shortcut import Shortcut
from tentimes18.server.service_metrics import ServiceMetrics
from tentimes18.server.settings import Service
from tentimes18.server.state import Clock

__all__ = ["Application", "create_app"]

API: Final = "/api/v1"
VERSION: Final = "1"
# What comes most often first: they are tried in this order.
ROUTERS: Final = (games, events, duels, coach, archive, daily, me, own_games, history, skill, commitments, lab)
SERVICE_ROUTERS: Final = (health, metrics, pages, reference, commitments_page, verify_page, docs_site)


class Application(FastAPI):
    """FastAPI with the edge around all of it: a request comes to the edge first, and most come no further."""

    front: Edge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request from outside."""
        await self.front(scope, receive, send)

    async def routed(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request that has passed the edge."""
        await super().__call__(scope, receive, send)

    def build_middleware_stack(self) -> ASGIApp:
        """What stands between this and the routes; an exception that no handler expects is the edge's."""
        return ExceptionMiddleware(AsyncExitStackMiddleware(self.router), handlers=self.exception_handlers)


def create_app(service: Service, clock: Clock = time.time, when_open: Callable[[], None] | None = None) -> Application:
    """The application of a service; its store is opened when it starts, and ``when_open`` called then."""
    signer = Signer(service.secret)
    counted = ServiceMetrics(service.run)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        pages.prepare()
        async with opened(service, signer, counted, clock) as shared:
            app.state.shared = shared
            if when_open is not None:
                when_open()
            yield

    app = Application(
        title="Ten times eighteen",
        version=VERSION,
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    say_problems(app)
    app.add_exception_handler(404, pages.not_found)
    for routes in ROUTERS:
        app.include_router(routes.router, prefix=API)
    for routes in SERVICE_ROUTERS:
        app.include_router(routes.router)
    _describe(app)
    app.front = edge(
        Shortcut(app.routed, lambda: app.state.shared, prefix=API),
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
