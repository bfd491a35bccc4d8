"""The outermost layer of the service: one for all requests, also for those without a route.

It identifies the sender (address, player), rejects requests from pages of other sites, adds security headers to every
answer, answers for unexpected exceptions, and reports each request to the metrics and the access log.

A browser says where a request comes from: `Sec-Fetch-Site`, `Origin`. One that changes something and comes from another
site is rejected. A request without both headers comes from a program, which has no cookies but its own.

A process answers a few hundred requests at once. The next one gets 503 with Retry-After immediately, before its body is
read: what is accepted is answered quickly, however many come. One address has half of the places at most. An answer
that has begun (a stream of events, an export) takes no place; `/health` and `/metrics` are always answered. Clients who
send again at once would keep the processor busy with rejections, so those of a flood are held for a while.

Answers are not cached unless they say so; an answer that sets a cookie never is. A file of the app under its version is
part of a page but no page itself: it is sent without the headers that concern pages, since a first visit fetches dozens
of files.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from functools import lru_cache
from ipaddress import ip_address
from time import perf_counter
from typing import TypeAlias

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from litestar.types.asgi_types import HTTPResponseBodyEvent, HTTPResponseStartEvent

from tentimes18.app.page_html import STATIC_POLICY
from tentimes18.server.identity import COOKIE, SECURE_COOKIE, Signer, address_of, household
from tentimes18.server.metrics import AccessLog, Metrics
from tentimes18.server.problems import MEDIA_TYPE, Problem, problem_of
from tentimes18.server.request import SAFE_METHODS, STREAMS, UNKNOWN, RequestInfo

Header: TypeAlias = tuple[bytes, bytes]

GONE = 499  # the status of a request whose sender left before there was an answer
MAX_IN_FLIGHT = 256  # requests that a process answers at the same time
REJECTIONS_PER_SECOND = 500  # beyond that they are held, so that they cost a few percent of a processor
MAX_HOLD = 1.4  # seconds: many clients give up after two
TICK = 0.02  # seconds from one release of held rejections to the next
ALWAYS = frozenset({"/health", "/metrics"})
MAX_PATH = 1024
MAX_QUERY = 4096

LOCAL_NAMES = (".local", ".lan", ".localhost", ".internal", ".home.arpa", ".test")

IMMUTABLE = "max-age=31536000, immutable"
DATA_POLICY = b"default-src 'none'; frame-ancestors 'none'"
PAGE_POLICY = f"{STATIC_POLICY}; frame-ancestors 'none'".encode()
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
_COOKIES = {
    scheme: re.compile(rb"(?:^|;) *" + name.encode() + rb"=([^;]*)")
    for scheme, name in {"http": COOKIE, "https": SECURE_COOKIE}.items()
}


class BrokenAnswer(Exception):
    """Half an answer is out: the server breaks the connection, so that nobody takes it for a whole one."""


@dataclass(eq=False)
class Middleware:
    app: ASGIApp
    _: KW_ONLY
    signer: Signer
    metrics: Metrics
    log: AccessLog | None = None
    is_behind_proxy: bool = False
    hosts: Collection[str] = ()
    max_in_flight: int = MAX_IN_FLIGHT
    max_of_address: int = MAX_IN_FLIGHT
    clock: Callable[[], float] = perf_counter

    def __post_init__(self) -> None:
        self._knows = lru_cache(1024)(self._is_own)
        self._of_address: Counter[str] = Counter()
        start, body = _messages(Problem("unavailable", "too many requests at once; nothing was done"))
        start["headers"] = [*start["headers"], *_DATA, _NOT_CACHED]
        self._overloaded = (start, body)  # made once: there are most of these when time is short
        self._next_rejection = 0.0  # when one is due, at that rate
        self._releases: dict[int, asyncio.Event] = {}  # of held rejections, by their tick

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        is_full = self.metrics.in_flight >= self.max_in_flight
        if not is_full or scope["path"] in ALWAYS:
            info = self._info(scope)
            home = household(info.address)
            is_full = self._of_address[home] >= self.max_of_address
        if is_full and scope["path"] not in ALWAYS:
            self.metrics.overloaded += 1
            await self._slow_flood()
            for message in self._overloaded:
                await send(message)
            return
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
                info.answered = self.clock()
                self._leave(home)
                headers = list(message["headers"])
                if info.cookie is not None and info.status < 400:
                    cookie = self.signer.cookie(info.cookie, is_secure=scope["scheme"] == "https")
                    headers.append(cookie.to_encoded_header())
                message["headers"] = _safe_headers(headers, info)
            await send(message)

        self.metrics.in_flight += 1
        self._of_address[home] += 1
        try:
            self._verify(scope, info)
            await self.app(inner, receive, send_safely)
        except Exception as error:
            problem = problem_of(error.__cause__ if isinstance(error.__cause__, Exception) else error)
            if info.status:
                raise BrokenAnswer from None  # what the server logs of it must not have the first one's text
            for message in _messages(problem):
                await send_safely(message)
        finally:
            info.end = self.clock()
            if not info.status:
                info.status, info.answered = GONE, info.end
                self._leave(home)
            info.route = inner.get("path_template", UNKNOWN)
            self.metrics.request(info)
            if self.log is not None:
                self.log.write(info)

    async def _slow_flood(self) -> None:
        """Hold a rejection until it is due; those of one tick share a timer, which is cheaper than one for each."""
        now = self.clock()
        # Those of the last second may have been few; nobody is held for longer than clients wait.
        self._next_rejection = min(max(self._next_rejection, now - 1) + 1 / REJECTIONS_PER_SECOND, now + MAX_HOLD)
        tick = int(self._next_rejection / TICK)
        if tick * TICK <= now:
            return
        if (release := self._releases.get(tick)) is None:
            release = self._releases[tick] = asyncio.Event()
            asyncio.get_running_loop().call_later(tick * TICK - now, self._release, tick)
        await release.wait()

    def _release(self, tick: int) -> None:
        self._releases.pop(tick).set()

    def _leave(self, home: str) -> None:
        """The answer to a request of this address begins, or its sender has gone."""
        self.metrics.in_flight -= 1
        self._of_address[home] -= 1
        if not self._of_address[home]:
            del self._of_address[home]

    def _verify(self, scope: Scope, info: RequestInfo) -> None:
        """Raise a ``Problem`` for a request that no handler should see."""
        host = info.headers.get(b"host")
        is_given_twice = sum(name == b"host" for name, _ in scope["headers"]) > 1
        if scope["http_version"] == "1.1" and (not host or is_given_twice):  # granian makes an empty one
            raise Problem("bad-request", "a request has one header Host")
        if host and not self._knows(host):  # a page elsewhere may have pointed its name at this machine
            raise Problem("bad-request", "this server has another name; the operator can add this one to TEN18_HOSTS")
        if info.method not in SAFE_METHODS and is_from_elsewhere(scope["scheme"], info.headers):
            detail = (
                "a page of another site sent this; what changes something is accepted from this service's own pages, "
                "whose origin is the one that the header Host and the scheme of the connection give"
            )
            raise Problem("cross-site", detail)
        if len(scope["path"]) > MAX_PATH or len(scope["query_string"]) > MAX_QUERY:
            detail = f"a path may have {MAX_PATH:,} characters, and the query after it {MAX_QUERY:,}"
            raise Problem("too-long", detail)

    def _is_own(self, host: bytes) -> bool:
        name = host.decode("latin-1").lower()
        name = name.partition("]")[0].removeprefix("[") if name.startswith("[") else name.partition(":")[0]
        with suppress(ValueError):
            return bool(ip_address(name))
        return name in self.hosts if self.hosts else self.is_behind_proxy or is_local_name(name)

    def _info(self, scope: Scope) -> RequestInfo:
        headers = dict(scope["headers"])
        if self.is_behind_proxy and (scheme := headers.get(b"x-forwarded-proto")) is not None:
            scope["scheme"] = "https" if scheme.rpartition(b",")[2].strip() == b"https" else "http"
        address = address_of(scope, headers, is_behind_proxy=self.is_behind_proxy)
        info = RequestInfo(scope["method"], headers, address, self.clock())  # type: ignore[typeddict-item]
        if (cookies := headers.get(b"cookie")) is not None:
            if scope["http_version"] >= "2":  # there they may come one by one
                cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
            if (match := _COOKIES[scope["scheme"]].search(cookies)) is not None:
                info.player = self.signer.player(match[1].decode("latin-1"))
        return info


def is_local_name(name: str) -> bool:
    """Whether a name cannot be one of the internet.

    >>> [is_local_name(name) for name in ("localhost", "school.local", "", "play.example.org")]
    [True, True, True, False]
    """
    return "." not in name.removesuffix(".") or name.endswith(LOCAL_NAMES)


def is_from_elsewhere(scheme: str, headers: dict[bytes, bytes]) -> bool:
    """Whether a page of another site has sent this, or one that looks the same.

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


def _messages(problem: Problem) -> tuple[HTTPResponseStartEvent, HTTPResponseBodyEvent]:
    body = msgspec.json.encode(problem.document)
    headers = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    headers += [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", b"%d" % len(body))]
    return (
        {"type": "http.response.start", "status": problem.kind.status, "headers": headers},
        {"type": "http.response.body", "body": body, "more_body": False},
    )
