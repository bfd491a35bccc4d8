"""The methods of an address: which there are is told, HEAD is answered as GET is, and whatever else is refused.

A route knows its own method alone; here all those of an address are known, before any of them is asked.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute, Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tentimes18.server.edge.refusals import refuse
from tentimes18.server.edge.visits import Visit
from tentimes18.server.problems import Problem

__all__ = ["Methods", "methods_of"]

_ENDLESS: Final = "/events"  # a stream has a head when it has begun, and is not begun for that


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
