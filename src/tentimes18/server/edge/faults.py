"""A fault of ours: whoever asked is told that there was one, the operator where, and nobody what was being handled."""

from starlette.types import ASGIApp, Receive, Scope, Send

from tentimes18.server.edge.refusals import refuse
from tentimes18.server.edge.visits import Visit
from tentimes18.server.problems import problem_of

__all__ = ["BrokenAnswer", "Faults"]


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
