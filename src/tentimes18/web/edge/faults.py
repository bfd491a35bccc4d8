"""A fault of ours: whoever asked is told that there was one, the operator where, and nobody what was being handled.

The text of an exception may hold what it stumbled over, a roll or a name. So the log has the kind of the exception and
the lines it came through, and not its text.
"""

import logging
from traceback import extract_tb, format_list
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from tentimes18.web.edge.refusals import refuse
from tentimes18.web.edge.visits import Visit

__all__ = ["BrokenAnswer", "Faults"]

LOG: Final = logging.getLogger("tentimes18.web")


class BrokenAnswer(Exception):
    """Half an answer is out: the server breaks the connection, so that nobody takes it for a whole one."""


class Faults:
    """The layer that lets no exception out of the service."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; where an exception comes out before an answer has begun, the answer tells of a fault."""
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            visit: Visit = scope["visit"]
            if visit.is_whole:  # the application has told of it already
                return
            lines = "".join(format_list(extract_tb(error.__traceback__)))
            LOG.error("a fault while answering: %s\n%s", type(error).__name__, lines)
            if visit.status:
                raise BrokenAnswer from None
            await refuse(send, "fault", "something went wrong here; the operator finds it in the log")
