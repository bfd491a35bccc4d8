"""The application: its routes, the layer in front of them, and its OpenAPI document."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import cached_property
from inspect import cleandoc
from typing import Any

import msgspec
from litestar import Litestar, Router
from litestar._openapi.plugin import OpenAPIPlugin
from litestar.exceptions import MethodNotAllowedException, NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.response import Response

from tentimes18.server.identity import Signer
from tentimes18.server.metrics import AccessLog, Metrics
from tentimes18.server.middleware import MAX_IN_FLIGHT, Middleware
from tentimes18.server.problems import KINDS, MEDIA_TYPE, Problem, problem_of, problem_response
from tentimes18.server.rates import RateLimiter
from tentimes18.server.request import MAX_JSON, Request, allowed_methods, check_request
from tentimes18.server.routes import (
    daily,
    duels,
    games,
    groups,
    lab,
    me,
    pages,
    plain_pages,
    service_routes,
    shares,
)
from tentimes18.server.settings import Service
from tentimes18.server.state import Clock, SteadyClock, open_state

API = "/api/v1"
TITLE = "Ten times eighteen"
VERSION = "1"
PROBLEM = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}}
COMMON = ("bad-request", "too-long", "invalid", "too-many", "fault", "unavailable")
OF_CHANGES = ("cross-site", "slow", "too-large", "media-type")
API_ROUTES = (games, shares, duels, groups, daily, me, lab)
SERVICE_ROUTES = (service_routes, pages, plain_pages)


class Application:
    """The service as an ASGI application: Litestar behind the middleware."""

    def __init__(
        self, service: Service, clock: Clock | None = None, when_open: Callable[[], None] | None = None
    ) -> None:
        signer, metrics = Signer(service.secret, service.old_secret), Metrics()
        self.metrics = metrics
        rates = RateLimiter() if service.has_rate_limits else None
        log = AccessLog(service.secret) if service.has_access_log else None

        @asynccontextmanager
        async def lifespan(app: Litestar) -> AsyncIterator[None]:
            pages.prepare()
            async with open_state(service, signer, metrics, rates, clock or SteadyClock()) as shared:
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
            if (
                problem.slug == "not-found"
                and isinstance(error, NotFoundException)
                and (page := pages.not_found(request)) is not None
            ):
                return page
            return problem_response(problem)

        self.litestar = Litestar(
            [
                Router(API, route_handlers=[part for module in API_ROUTES for part in module.ROUTES]),
                *(part for module in SERVICE_ROUTES for part in module.ROUTES),
            ],
            request_class=Request,
            request_max_body_size=MAX_JSON,
            before_request=before,  # type: ignore[arg-type]
            exception_handlers={Exception: answer},  # type: ignore[dict-item]
            lifespan=[lifespan],
            openapi_config=None,
            logging_config=None,
        )
        self.litestar.state["openapi"] = lambda: self.openapi
        self._middleware = Middleware(
            self.litestar,
            signer=signer,
            metrics=metrics,
            log=log,
            is_behind_proxy=service.is_behind_proxy,
            hosts=service.hosts,
            max_of_address=MAX_IN_FLIGHT if rates is None else MAX_IN_FLIGHT // 2,
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._middleware(scope, receive, send)

    @cached_property
    def openapi(self) -> dict[str, Any]:
        return openapi_document(self.litestar)


def openapi_document(app: Litestar) -> dict[str, Any]:
    plugin = app.plugins.get(OpenAPIPlugin)
    # Not as an option of the application, which would give every other address below /api to the plugin.
    plugin._openapi_config = OpenAPIConfig(TITLE, VERSION, use_handler_docstrings=True)
    text = json.dumps(plugin.provide_openapi_schema())
    document: dict[str, Any] = json.loads(text.replace('"oneOf"', '"anyOf"'))  # an integer is a number, too
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
    documentation = {struct.__name__: struct.__doc__ for struct in _subclasses(msgspec.Struct)}
    for name, schema in document["components"]["schemas"].items():
        if description := documentation.get(name):
            schema["description"] = cleandoc(description)
        if name.endswith("Request"):
            schema["additionalProperties"] = False
    return document


def _subclasses(struct: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for subclass in struct.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)
