"""A request that is refused before it comes to a handler: its problem document, sent as it stands."""

import json
from typing import Final

from starlette.types import Send

from tentimes18.server.problems import MEDIA_TYPE, Problem

__all__ = ["refuse"]

_TYPE: Final = (b"content-type", MEDIA_TYPE.encode())


async def refuse(send: Send, problem: Problem) -> None:
    """Answer with a problem."""
    body = json.dumps(problem.document).encode()
    told = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    headers = [_TYPE, (b"content-length", b"%d" % len(body)), *told]
    await send({"type": "http.response.start", "status": problem.kind.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
