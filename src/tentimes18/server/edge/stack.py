"""Everything between the network and the handlers, put together in its order.

A request passes, from outside to inside:

1. `visits`: who comes, from where, to which route; tells the log and the metrics when the answer is out;
2. `safety`: refuses what other sites send; puts the headers of safety on every answer, refusals and faults too;
3. `faults`: lets no exception out;
4. `rates`: refuses what comes too often, before its body is read;
5. `methods`: tells which methods an address has, and has HEAD answered;
6. `bodies`: reads the body, up to a size and within a time;

and then comes to the application. None of them knows the store.
"""

from collections.abc import Awaitable, Callable, Iterable
from time import monotonic

from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tentimes18.server.edge.access_log import AccessLog
from tentimes18.server.edge.bodies import SECONDS, Bodies
from tentimes18.server.edge.faults import Faults
from tentimes18.server.edge.methods import Methods, methods_of
from tentimes18.server.edge.processes import SharedMetrics
from tentimes18.server.edge.rates import Rates
from tentimes18.server.edge.request_metrics import RequestMetrics
from tentimes18.server.edge.safety import Safety
from tentimes18.server.edge.templates import templates_of
from tentimes18.server.edge.visits import Visits, Watcher

__all__ = ["Edge", "edge"]


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
