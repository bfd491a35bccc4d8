"""A request that is refused before it comes to a handler: a problem document (RFC 9457), sent as it stands."""

import json
from collections.abc import Iterable
from typing import Final

from starlette.types import Send

__all__ = ["REFUSALS", "refuse"]

REFUSALS: Final = {
    "bad-request": (400, "The request cannot be read"),
    "cross-site": (403, "From another site"),
    "slow": (408, "Too slow"),
    "too-large": (413, "Too large"),
    "too-long": (414, "Too long an address"),
    "media-type": (415, "Not this content type"),
    "too-many": (429, "Too many requests"),
    "fault": (500, "A fault of this service"),
}
"""The kinds of problems that are met on the way to a handler: status and title by the anchor in the reference."""


async def refuse(send: Send, kind: str, detail: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """Answer with a problem of one of the kinds."""
    status, title = REFUSALS[kind]
    document = {"type": f"/api/docs#{kind}", "title": title, "status": status, "detail": detail}
    body = json.dumps(document).encode()
    told = [(b"content-type", b"application/problem+json"), (b"content-length", b"%d" % len(body)), *headers]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body})
