"""The outermost layer of the service: one for all requests, also for those that no route takes.

It knows who comes (address, player), rejects what pages of other sites send, puts the headers of security on every
answer, answers for exceptions that nobody expected, and reports each request to the metrics and the access log.

A browser says where a request comes from: `Sec-Fetch-Site`, `Origin`. One that changes something and comes from another
site is rejected. A request without both headers comes from a program, which has no cookies but its own.

An answer that says nothing else is not cached by anybody; one that gives a cookie is not, whatever it says. A file of
the app in its version is a part of a page and never one: it goes without the headers that concern pages, since a first
visit fetches dozens of them.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import TypeAlias

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from tentimes18.server.access_log import AccessLog
from tentimes18.server.addresses import address_of
from tentimes18.server.http_caching import IMMUTABLE
from tentimes18.server.identity import COOKIE, Signer
from tentimes18.server.metrics import Metrics
from tentimes18.server.problems import MEDIA_TYPE, Problem, problem_of
from tentimes18.server.request import SAFE_METHODS, STREAMS, UNKNOWN, RequestInfo

Header: TypeAlias = tuple[bytes, bytes]

GONE = 499
"""The status of a request whose sender left before there was an answer."""
MAX_PATH = 1024
MAX_QUERY = 4096

DATA_POLICY = b"default-src 'none'; frame-ancestors 'none'"
PAGE_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    b"manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
PART_HEADERS: Sequence[Header] = (
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"server", b"ten18"),
)
"""What every answer has."""
HEADERS: Sequence[Header] = (
    *PART_HEADERS,
    (b"referrer-policy", b"same-origin"),  # with no-referrer a form of our own would be sent with Origin: null
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
"""What every answer has beside its policy that may be a page, or be shown as one."""
_NOT_CACHED = (b"cache-control", b"no-store")
_DATA = (*HEADERS, (b"content-security-policy", DATA_POLICY))
_PAGE = (*HEADERS, (b"content-security-policy", PAGE_POLICY))
_DEFAULT_PORTS = {b"http": b":80", b"https": b":443"}
_COOKIE = re.compile(rb"(?:^|;) *" + COOKIE.encode() + rb"=([^;]*)")


class BrokenAnswer(Exception):
    """Half an answer is out: the server breaks the connection, so that nobody takes it for a whole one."""


class Middleware:
    """The application behind its outermost layer."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        signer: Signer,
        metrics: Metrics,
        log: AccessLog | None = None,
        is_behind_proxy: bool = False,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self.app = app
        self._signer = signer
        self._metrics = metrics
        self._log = log
        self._is_behind_proxy = is_behind_proxy
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        info = self._info(scope)
        is_head = info.method == "HEAD" and not scope["path"].endswith(STREAMS)
        # The router leaves its route in this scope; HEAD is answered as GET is, without the body.
        inner: Scope = {**scope, "info": info, **({"method": "GET"} if is_head else {})}  # type: ignore[assignment]

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.body":
                if is_head:
                    message = {**message, "body": b""}
                info.sent += len(message.get("body", b""))
            elif message["type"] == "http.response.start":
                info.status = message["status"]
                info.answered = self._clock()
                message["headers"] = _safe_headers(message["headers"], info)
            await send(message)

        self._metrics.in_flight.inc()
        try:
            _verify(scope, info)
            await self.app(inner, receive, send_safely)
        except Exception as error:
            problem = problem_of(error.__cause__ if isinstance(error.__cause__, Exception) else error)
            if info.status:
                raise BrokenAnswer from None  # what the server logs of it must not have the first one's text
            await _send_problem(send_safely, problem)
        finally:
            info.end = self._clock()
            if not info.status:
                info.status, info.answered = GONE, info.end
            info.route = inner.get("path_template", UNKNOWN)
            self._metrics.in_flight.dec()
            self._metrics.request(info)
            if self._log is not None:
                self._log.write(info)

    def _info(self, scope: Scope) -> RequestInfo:
        headers = dict(scope["headers"])
        if self._is_behind_proxy and (scheme := headers.get(b"x-forwarded-proto")) is not None:
            scope["scheme"] = "https" if scheme.rpartition(b",")[2].strip() == b"https" else "http"
        address = address_of(scope, headers, is_behind_proxy=self._is_behind_proxy)
        info = RequestInfo(scope["method"], headers, address, self._clock())  # type: ignore[typeddict-item]
        if (cookies := headers.get(b"cookie")) is not None:
            if scope["http_version"] >= "2":  # there they may come one by one
                cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
            if (match := _COOKIE.search(cookies)) is not None:
                info.player = self._signer.player(match[1].decode("latin-1"))
        return info


def _verify(scope: Scope, info: RequestInfo) -> None:
    """Raise a ``Problem`` for a request that no handler should see."""
    if info.method not in SAFE_METHODS and is_from_elsewhere(scope["scheme"], info.headers):
        detail = (
            "a page of another site sent this; what changes something is accepted from this service's own pages, "
            "whose origin is the one that the header Host and the scheme of the connection give"
        )
        raise Problem("cross-site", detail)
    if len(scope["path"]) > MAX_PATH or len(scope["query_string"]) > MAX_QUERY:
        detail = f"a path may have {MAX_PATH:,} characters, and the query after it {MAX_QUERY:,}"
        raise Problem("too-long", detail)


def is_from_elsewhere(scheme: str, headers: dict[bytes, bytes]) -> bool:
    """Whether a page of another site has sent this, or one that cannot be told from such.

    >>> is_from_elsewhere("http", {b"host": b"a:8018", b"origin": b"http://a:8018"})
    False
    >>> is_from_elsewhere("http", {b"host": b"a:8018", b"origin": b"http://b"})
    True
    """
    if headers.get(b"sec-fetch-site", b"none") not in (b"same-origin", b"none"):
        return True
    if (origin := headers.get(b"origin")) is None:
        return False
    here = scheme.encode() + b"://" + headers.get(b"host", b"")
    return origin != here and _plain(origin) != _plain(here)


def _plain(origin: bytes) -> bytes:
    """An origin in small letters, without the port that its scheme has anyway."""
    small = origin.lower()
    return small.removesuffix(_DEFAULT_PORTS.get(small.partition(b":")[0], b" "))


def _safe_headers(headers: Iterable[Header], info: RequestInfo) -> list[Header]:
    is_page = is_part = gives_cookie = is_cached = has_policy = False
    for name, value in headers:
        if name == b"content-type":
            is_page = value.startswith((b"text/html", b"text/javascript"))  # a worker is a script with its own policy
        elif name == b"set-cookie":
            gives_cookie = True
        elif name == b"cache-control":
            is_cached = True
            is_part = value == IMMUTABLE.encode()
        elif name == b"content-security-policy":  # of a page that needs another one
            has_policy = True
    if is_cached and gives_cookie:
        headers = [header for header in headers if header[0] != b"cache-control"]
        is_cached = is_part = False
    if is_part:
        return [*headers, *PART_HEADERS]
    # What a browser has already has its policy; one that comes with 304 would take its place.
    safety = HEADERS if has_policy or info.status == 304 else _PAGE if is_page else _DATA
    return [*headers, *safety] if is_cached else [*headers, *safety, _NOT_CACHED]


async def _send_problem(send: Send, problem: Problem) -> None:
    body = msgspec.json.encode(problem.document)
    headers = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    headers += [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": problem.kind.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
