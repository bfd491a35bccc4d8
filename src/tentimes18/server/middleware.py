"""The methods of an address: which there are is told, HEAD is answered as GET is, and whatever else is refused.

A route knows its own method alone; here all those of an address are known, before any of them is asked.

A fault of ours: whoever asked is told that there was one, the operator where, and nobody what was being handled.

What the edge may answer in front of every route, put into the OpenAPI document: no route has to know it.

Everything between the network and the handlers, put together in its order.

A request passes, from outside to inside:

1. `visits`: who comes, from where, to which route; tells the log and the metrics when the answer is out;
2. `safety`: refuses what other sites send; puts the headers of safety on every answer, refusals and faults too;
3. `faults`: lets no exception out;
4. `rates`: refuses what comes too often, before its body is read;
5. `methods`: tells which methods an address has, and has HEAD answered;
6. `bodies`: reads the body, up to a size and within a time;

and then comes to the application. None of them knows the store.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from time import monotonic
from typing import Any

from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute, Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tentimes18.server.access_log import AccessLog
from tentimes18.server.problems import Problem, documented, problem_of, refuse
from tentimes18.server.rate_limits import Rates
from tentimes18.server.request_bodies import SECONDS, Bodies
from tentimes18.server.request_context import Visit, Visits, Watcher, templates_of
from tentimes18.server.request_metrics import RequestMetrics
from tentimes18.server.security_headers import Safety
from tentimes18.server.shared_metrics import SharedMetrics

_ENDLESS = "/events"  # a stream has a head when it has begun, and is not begun for that


def methods_of(routes: Iterable[BaseRoute]) -> dict[str, tuple[str, ...]]:
    """The methods of every template, in order; what is mounted knows its own.

    >>> from starlette.routing import Route
    >>> methods_of([Route("/daily", print, methods=["GET"]), Route("/daily", print, methods=["POST"])])
    {'/daily': ('GET', 'HEAD', 'OPTIONS', 'POST')}
    """
    found: dict[str, set[str]] = {}
    for context in iter_route_contexts([route for route in routes if not isinstance(route, Mount)]):
        if context.path and context.methods:
            found.setdefault(context.path, {"OPTIONS"}).update(context.methods)
    for path, methods in found.items():
        if "GET" in methods and not path.endswith(_ENDLESS):
            methods.add("HEAD")
    return {path: tuple(sorted(methods)) for path, methods in found.items()}


class Methods:
    """The layer that answers OPTIONS, has HEAD answered, and refuses methods that an address does not have."""

    def __init__(self, app: ASGIApp, methods: Mapping[str, tuple[str, ...]]) -> None:
        self._app = app
        self._methods = methods

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or refuse it; a path that no route has is handed on."""
        visit: Visit = scope["visit"]
        method = scope["method"]
        methods = self._methods.get(visit.template)
        if methods is not None and method not in methods:
            told = ", ".join(methods)
            problem = Problem("method", f"this address takes other methods: {told}", headers={"Allow": told})
            await refuse(send, problem)
        elif methods is not None and method == "OPTIONS":
            headers = [(b"allow", ", ".join(methods).encode())]
            await send({"type": "http.response.start", "status": 204, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
        elif methods is not None and method == "HEAD":
            await self._app({**scope, "method": "GET"}, receive, _without_body(send))
        else:
            await self._app(scope, receive, send)


def _without_body(send: Send) -> Send:
    async def bare(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return bare


class BrokenAnswer(Exception):
    """Half an answer is out: the server breaks the connection, so that nobody takes it for a whole one."""


class Faults:
    """The layer that answers for an exception which no handler expected."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; where an exception comes out before an answer has begun, the answer tells of a fault."""
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            visit: Visit = scope["visit"]
            problem = problem_of(error)
            if visit.status:
                raise BrokenAnswer from None  # what the server logs of it must not have the first one's text
            await refuse(send, problem)


_METHODS = ("get", "head", "post", "put", "patch", "delete")


def describe_edge(document: Mapping[str, Any]) -> None:
    """Add the problems of the edge to every operation of a document.

    >>> document = {"paths": {"/games": {"post": {"responses": {"201": {}}}}}}
    >>> describe_edge(document)
    >>> sorted(document["paths"]["/games"]["post"]["responses"])
    ['201', '400', '403', '408', '413', '414', '415', '422', '429', '500', '503']
    """
    for operations in document["paths"].values():
        for method, operation in operations.items():
            if method in _METHODS:
                told = documented(*_problems(method))
                for status, answer in told.items():
                    operation["responses"].setdefault(str(status), answer)


def _problems(method: str) -> Iterator[str]:
    yield from ("too-long", "too-many", "fault")
    if method not in ("get", "head"):
        yield from ("cross-site", "slow", "too-large", "media-type")


class Edge:
    """An application with its edge; HTTP goes through the layers, the start and stop of the service past them."""

    def __init__(self, app: ASGIApp, visits: Visits, metrics: SharedMetrics, log: AccessLog | None) -> None:
        self.app = app
        self.visits = visits
        self._metrics = metrics
        self._log = log

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Handle a request; whatever is neither HTTP nor start and stop is closed."""
        if scope["type"] == "http":
            return self.visits(scope, receive, send)
        if scope["type"] == "lifespan":
            return self._lifespan(scope, receive, send)
        return send({"type": "websocket.close", "code": 1000})

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def heard() -> Message:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._metrics.start()
            return message

        try:
            await self.app(scope, heard, send)
        finally:
            if self._log is not None:
                self._log.flush()
            self._metrics.stop()


def edge(
    app: ASGIApp,
    *,
    routes: Iterable[BaseRoute],
    cookie: str,
    player_of: Callable[[str], str | None],
    secret: bytes,
    metrics: SharedMetrics,
    is_behind_proxy: bool = False,
    has_rate_limits: bool = True,
    has_access_log: bool = True,
    body_seconds: float = SECONDS,
    clock: Callable[[], float] = monotonic,
) -> Edge:
    """The application behind its edge.

    ``routes`` are all that it has; ``player_of`` gives the player of a cookie that was signed here; ``clock`` fills the
    buckets of the rate limits.
    """
    registry = metrics.registry
    log = AccessLog(secret) if has_access_log else None
    watchers: list[Watcher] = [RequestMetrics(registry)]
    if log is not None:
        watchers.append(log)
    inner: ASGIApp = Methods(Bodies(app, seconds=body_seconds), methods_of(routes))
    if has_rate_limits:
        inner = Rates(inner, clock=clock)
    visits = Visits(
        Safety(Faults(inner)),
        templates=templates_of(routes),
        cookie=cookie,
        player_of=player_of,
        is_behind_proxy=is_behind_proxy,
        watchers=watchers,
    )
    registry.gauge("ten18_http_requests_in_flight", "Requests not answered yet.", read=lambda: visits.in_flight)
    return Edge(app, visits, metrics, log)
