"""The application: its routes, the layer in front of them, its OpenAPI document, its health and its metrics."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from inspect import cleandoc
from typing import Annotated, Any, Literal

import msgspec
from litestar import Litestar, Router, get
from litestar._openapi.plugin import OpenAPIPlugin
from litestar.exceptions import MethodNotAllowedException, NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.response import Response
from msgspec import Meta, Struct
from sqlalchemy import Connection, text

from tentimes18.server.bots import Table
from tentimes18.server.identity import Signer
from tentimes18.server.metrics import CONTENT_TYPE, FACTS, AccessLog, Metrics
from tentimes18.server.middleware import MAX_IN_FLIGHT, Middleware
from tentimes18.server.problems import KINDS, MEDIA_TYPE, Problem, described, problem_of, problem_response
from tentimes18.server.rates import RateLimiter
from tentimes18.server.request import MAX_JSON, Request, allowed_methods, check_request
from tentimes18.server.routes import daily, duels, games, groups, lab, me, pages, shares
from tentimes18.server.settings import Service
from tentimes18.server.state import Clock, SteadyClock, open_state
from tentimes18.server.store.admin import last_backup
from tentimes18.server.store.database import StoreUnavailable, database_bytes
from tentimes18.server.store.writer import Busy, write_nothing

API = "/api/v1"
TITLE = "Ten times eighteen"
VERSION = "1"
PROBLEM = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}}
COMMON = ("bad-request", "too-long", "invalid", "too-many", "fault", "unavailable")
OF_CHANGES = ("cross-site", "slow", "too-large", "media-type")
API_ROUTES = {
    "games": (*games.ROUTES, *shares.ROUTES),
    "duels": duels.ROUTES,
    "groups": groups.ROUTES,
    "daily": daily.ROUTES,
    "me": me.ROUTES,
    "skill": (me.skill,),
    "lab": lab.ROUTES,
}
"""The routes by their heading in the documentation."""
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
    try:
        async with asyncio.timeout(HEALTH_SECONDS):
            await shared.read(Connection.execute, text("SELECT 1"))
            with suppress(Busy):  # too many wait: it is being written
                await shared.writer.do(write_nothing, None)
    except TimeoutError:
        raise StoreUnavailable("the database does not answer in time") from None
    kind: Literal["sqlite", "postgresql"] = "sqlite" if shared.database.is_sqlite else "postgresql"
    return Health("ok", kind, shared.writer.waiting, shared.bots.tables.state())


@get("/metrics", tags=["service"], responses=described(str, "Metrics", "text/plain"))
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
    lines = await asyncio.to_thread(shared.metrics.text, dict(zip(FACTS, facts, strict=False)))
    return Response(lines, headers={"content-type": CONTENT_TYPE})


@get("/api/openapi.json", include_in_schema=False)
async def openapi(request: Request) -> dict[str, Any]:
    return openapi_document(request.app)


class Application(Middleware):
    """The service as an ASGI application: Litestar behind the middleware."""

    def __init__(
        self, service: Service, clock: Clock | None = None, when_open: Callable[[], None] | None = None
    ) -> None:
        counters = Metrics()
        rates = RateLimiter() if service.has_rate_limits else None
        log = AccessLog(service.secret) if service.has_access_log else None

        @asynccontextmanager
        async def lifespan(app: Litestar) -> AsyncIterator[None]:
            pages.prepare()
            async with open_state(service, counters, rates, clock or SteadyClock()) as shared:
                app.state["shared"] = shared
                if when_open is not None:
                    when_open()
                yield
            if log is not None:
                log.flush()

        async def before(request: Request) -> Response[None] | None:
            if rates is not None:
                rates.check(request.info, request.route_handler.opt.get("rate"))
            return await check_request(request)

        def answer(request: Request, error: Exception) -> Response[Any]:
            """Answer for whatever is raised; where no handler was found, the request is counted here."""
            problem = problem_of(error)
            if isinstance(error, MethodNotAllowedException):
                allow = allowed_methods((error.headers or {})["allow"], request.scope["path"])
                problem = Problem("method", f"this address supports other methods: {allow}", headers={"Allow": allow})
            if rates is not None and "route_handler" not in request.scope:
                try:
                    rates.check(request.info)
                except Problem as rejected:
                    problem = rejected
            page = None
            if problem.slug == "not-found" and isinstance(error, NotFoundException):
                page = pages.not_found(request)
            return page or problem_response(problem)

        self.litestar = Litestar(
            [
                *(Router(API, route_handlers=routes, tags=[tag]) for tag, routes in API_ROUTES.items()),
                *(health, metrics, openapi, *pages.ROUTES),
            ],
            request_class=Request,
            request_max_body_size=MAX_JSON,
            before_request=before,  # type: ignore[arg-type]
            exception_handlers={Exception: answer},  # type: ignore[dict-item]
            lifespan=[lifespan],
            openapi_config=None,
            logging_config=None,
        )
        super().__init__(
            self.litestar,
            signer=Signer(service.secret, service.old_secret),
            metrics=counters,
            log=log,
            is_behind_proxy=service.is_behind_proxy,
            hosts=service.hosts,
            max_of_address=MAX_IN_FLIGHT if rates is None else MAX_IN_FLIGHT // 2,
        )


@lru_cache(1)
def openapi_document(app: Litestar) -> dict[str, Any]:
    plugin = app.plugins.get(OpenAPIPlugin)
    # Not as an option of the application, which would give every other address below /api to the plugin.
    plugin._openapi_config = OpenAPIConfig(TITLE, VERSION, use_handler_docstrings=True)
    schema = json.dumps(plugin.provide_openapi_schema())
    document: dict[str, Any] = json.loads(schema.replace('"oneOf"', '"anyOf"'))  # an integer is a number, too
    for route in plugin.included_routes.values():
        for method, operation in document["paths"][route.path_format].items():
            handler, _ = route.route_handler_map[method.upper()]
            if "media_types" in handler.opt:
                content = {name: {"schema": {"type": "string"}} for name in handler.opt["media_types"]}
                operation["requestBody"] = {"required": True, "content": content}
            for slug in COMMON if method == "get" else (*COMMON, *OF_CHANGES):
                kind = KINDS[slug]
                operation["responses"].setdefault(str(kind.status), {"description": kind.title} | PROBLEM)
            for status in {"204", "304"} & operation["responses"].keys():
                operation["responses"][status].pop("content", None)
            operation["responses"]["400"] = {"description": KINDS["bad-request"].title} | PROBLEM
    structs = [msgspec.Struct]
    for struct in structs:  # which grows until it has all
        structs += struct.__subclasses__()
    documentation = {struct.__name__: struct.__doc__ for struct in structs}
    for name, schema in document["components"]["schemas"].items():
        if description := documentation.get(name):
            schema["description"] = cleandoc(description)
        if name.endswith("Request"):
            schema["additionalProperties"] = False
    return document
