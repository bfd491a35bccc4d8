"""What a page of another site may not do, and what a browser is told about every answer.

A browser says where a request comes from: `Sec-Fetch-Site`, `Origin`. One that changes something and comes from another
site is refused. A request without both headers comes from a program, which has no cookies but its own.

An answer that says nothing else is not kept by anybody; one that gives a cookie is not, whatever it says.

What is kept for ever is a file of the app in its version, a part of a page and never one: it goes without the headers
that speak of pages. A first visit fetches dozens of them, and their heads would be a third of it.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tentimes18.server.edge.refusals import refuse
from tentimes18.server.edge.visits import Visit
from tentimes18.server.problems import Problem

__all__ = ["DATA_POLICY", "HEADERS", "PAGE_POLICY", "Safety", "is_from_elsewhere"]

Header: TypeAlias = tuple[bytes, bytes]

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
DATA_POLICY: Final = b"default-src 'none'; frame-ancestors 'none'"
PAGE_POLICY: Final = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    b"manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
PART_HEADERS: Final[Sequence[Header]] = (
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"server", b"ten18"),
)
"""What every answer has."""
HEADERS: Final[Sequence[Header]] = (
    *PART_HEADERS,
    (b"referrer-policy", b"same-origin"),  # with no-referrer a form of our own would be sent with Origin: null
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
"""What every answer has beside its policy that may be a page, or be shown as one."""
FOR_EVER: Final = b"immutable"
_NOT_KEPT: Final = (b"cache-control", b"no-store")
_DATA: Final = (*HEADERS, (b"content-security-policy", DATA_POLICY))
_PAGE: Final = (*HEADERS, (b"content-security-policy", PAGE_POLICY))
_DEFAULT_PORTS: Final = {b"http": b":80", b"https": b":443"}


def is_from_elsewhere(scope: Scope, headers: dict[bytes, bytes]) -> bool:
    """Whether a page of another site has sent this, or one that cannot be told from such.

    >>> is_from_elsewhere({"scheme": "http"}, {b"host": b"a:8018", b"origin": b"http://a:8018"})
    False
    >>> is_from_elsewhere({"scheme": "http"}, {b"host": b"a:8018", b"origin": b"http://b"})
    True
    """
    if headers.get(b"sec-fetch-site", b"none") not in (b"same-origin", b"none"):
        return True
    if (origin := headers.get(b"origin")) is None:
        return False
    scheme = scope["scheme"].encode()
    here = scheme + b"://" + headers.get(b"host", b"")
    return origin != here and _plain(origin) != _plain(here)


def _plain(origin: bytes) -> bytes:
    """An origin in small letters, without the port that its scheme has anyway."""
    small = origin.lower()
    return small.removesuffix(_DEFAULT_PORTS.get(small.partition(b":")[0], b" "))


class Safety:
    """The layer that refuses what other sites send, and puts the headers of safety on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or refuse it."""

        async def safe(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = _with_safety(message["headers"], message["status"])
            await send(message)

        visit: Visit = scope["visit"]
        if visit.method not in SAFE_METHODS and is_from_elsewhere(scope, visit.headers):
            detail = (
                "a page of another site sent this; what changes something is accepted from this service's own pages, "
                "whose origin is the one that the header Host and the scheme of the connection give"
            )
            await refuse(safe, Problem("cross-site", detail))
        else:
            await self._app(scope, receive, safe)


def _with_safety(headers: Sequence[Header], status: int) -> list[Header]:
    is_page = is_part = gives_cookie = is_kept = False
    for name, value in headers:
        if name == b"content-type":
            is_page = value.startswith((b"text/html", b"text/javascript"))  # a worker is a script with its own policy
        elif name == b"set-cookie":
            gives_cookie = True
        elif name == b"cache-control":
            is_kept = True
            is_part = value.endswith(FOR_EVER)
    if is_kept and gives_cookie:
        headers = [header for header in headers if header[0] != b"cache-control"]
        is_kept = is_part = False
    if is_part:
        return [*headers, *PART_HEADERS]
    # What a browser has already has its policy; one that comes with 304 would take its place.
    safety = HEADERS if status == 304 else _PAGE if is_page else _DATA
    return [*headers, *safety] if is_kept else [*headers, *safety, _NOT_KEPT]
