"""Where a request comes from: the address of the next hop, or the one that a trusted proxy tells of.

Behind a proxy, `X-Forwarded-For` ends with what the proxy itself has seen; what stands before that, anybody can have
written. Without a proxy of ours the header is not looked at.

Which route a path belongs to: its template, `/api/v1/games/{id}`, known before anything else is.

Limits, the log and the metrics speak of templates: a path holds ids and codes, which are secrets, and there is no end
of paths.

A request from its first byte to its last: what is known of it at the door, and what became of it.

`Visits` is the outermost layer. It puts a `Visit` into the scope, under "visit", where the other layers and the
handlers find it; when the answer is out, also that of a stream that was open for hours, it tells the watchers.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from time import perf_counter
from typing import TypeAlias

from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute, Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NOWHERE = "local"
"""Where a request comes from that came by no network."""

_REMEMBERED = 16_384
_LONGEST = 64  # characters of an address with its port


def address_of(scope: Scope, headers: Mapping[bytes, bytes], *, is_behind_proxy: bool) -> str:
    """The address of whoever sent a request.

    >>> scope = {"client": ("10.0.0.1", 4711)}
    >>> address_of(scope, {b"x-forwarded-for": b"6.6.6.6, 192.0.2.7"}, is_behind_proxy=True)
    '192.0.2.7'
    >>> address_of(scope, {b"x-forwarded-for": b"6.6.6.6, 192.0.2.7"}, is_behind_proxy=False)
    '10.0.0.1'
    """
    if is_behind_proxy and (told := headers.get(b"x-forwarded-for")) is not None:
        last = told.rpartition(b",")[2].strip()
        if len(last) <= _LONGEST and (found := _read(last.decode("latin-1"))) is not None:
            return str(found)
    client = scope.get("client")
    return str(client[0]) if client else NOWHERE


@lru_cache(_REMEMBERED)
def household(address: str) -> str:
    """What is counted as one: an IPv4 address, or the /64 that one connection has of IPv6.

    >>> household("192.0.2.7"), household("2001:db8:1:2:3:4:5:6"), household("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    return _network(address, 32, 64)


@lru_cache(_REMEMBERED)
def shortened(address: str) -> str:
    """An address as the log has it, without its last part: /24, or /48 of IPv6.

    >>> shortened("192.0.2.7"), shortened("2001:db8:1:2:3:4:5:6"), shortened("local")
    ('192.0.2.0/24', '2001:db8:1::/48', 'local')
    """
    return _network(address, 24, 48)


def _network(address: str, bits: int, bits_of_6: int) -> str:
    found = _read(address)
    if found is None:
        return NOWHERE
    if isinstance(found, IPv4Address):
        return str(found) if bits == 32 else str(ip_network((found, bits), strict=False))
    return str(ip_network((found, bits_of_6), strict=False))


def _read(text: str) -> IPv4Address | IPv6Address | None:
    """An address, also as some proxies write it: with a port, in brackets."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


UNKNOWN = "unknown"
"""The template of a path that no route has."""
MOST_KNOWN = 4096  # paths
LONGEST_KNOWN = 100  # characters of one: longer ones are nobody's, and would fill the memory


def templates_of(routes: Iterable[BaseRoute]) -> list[str]:
    """The templates of an application's routes; of what is mounted, the place and all below.

    >>> from starlette.routing import Route
    >>> templates_of([Route("/games/{id}", print), Mount("/static", print)])
    ['/games/{id}', '/static/{path:path}']
    """
    found: dict[str, None] = {}
    plain = [route for route in routes if not isinstance(route, Mount)]
    for context in iter_route_contexts(plain):
        if context.path:
            found[context.path] = None
    for route in routes:
        if isinstance(route, Mount):
            found[f"{route.path}/{{path:path}}"] = None
    return list(found)


class _Node:
    __slots__ = ("named", "parameter", "rest", "template")

    def __init__(self) -> None:
        self.named: dict[str, _Node] = {}
        self.parameter: _Node | None = None
        self.template: str | None = None
        self.rest: str | None = None

    def find(self, parts: list[str], place: int) -> str | None:
        if place == len(parts):
            return self.template
        part = parts[place]
        if (node := self.named.get(part)) is not None and (found := node.find(parts, place + 1)) is not None:
            return found
        if part and self.parameter is not None and (found := self.parameter.find(parts, place + 1)) is not None:
            return found
        return self.rest


class Templates:
    """Finds the template of a path; a name stands before a parameter, a parameter before all that is below.

    >>> templates = Templates(["/games", "/games/{id}", "/games/{id}/moves", "/static/{path:path}"])
    >>> [templates.of(path) for path in ("/games", "/games/x7", "/games/x7/moves", "/static/a/b.js", "/x7", "/games/")]
    ['/games', '/games/{id}', '/games/{id}/moves', '/static/{path:path}', 'unknown', 'unknown']
    """

    def __init__(self, templates: Iterable[str]) -> None:
        self._root = _Node()
        self._known: dict[str, str] = {}  # a game's path comes a dozen times
        for template in templates:
            self._add(template)

    def _add(self, template: str) -> None:
        node = self._root
        for part in template.split("/"):
            if part.endswith(":path}"):
                node.rest = template
                return
            if part.startswith("{"):
                node.parameter = node = node.parameter or _Node()
            else:
                node = node.named.setdefault(part, _Node())
        node.template = template

    @property
    def known(self) -> int:
        """How many characters of paths are remembered."""
        return sum(map(len, self._known))

    def of(self, path: str) -> str:
        """The template of this path, or `UNKNOWN`."""
        if len(path) > LONGEST_KNOWN:
            return self._find(path)
        if (known := self._known.get(path)) is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            known = self._known[path] = self._find(path)
        return known

    def _find(self, path: str) -> str:
        parts = path.split("/")
        node = self._root
        for part in parts:  # almost always the first way is the right one
            if (below := node.named.get(part)) is None and (not part or (below := node.parameter) is None):
                return self._root.find(parts, 0) or UNKNOWN
            node = below
        return node.template or self._root.find(parts, 0) or UNKNOWN


GONE = 499
"""What stands for the status of a request whose sender left before there was an answer."""


class Visit:
    """One request.

    ``player`` is the one whose signed cookie came with it, or None; a handler that makes a player sets it. Times are of
    the layer's clock: when it ``began``, when its answer did (``answered``), when that ``ended``.
    """

    __slots__ = (
        *("address", "answered", "began", "ended", "headers", "method", "player", "sent", "status"),
        "template",
    )

    def __init__(self, method: str, template: str, headers: dict[bytes, bytes], address: str, began: float) -> None:
        self.method = method
        self.template = template
        self.headers = headers
        self.address = address
        self.player: str | None = None
        self.status = 0
        self.sent = 0
        self.began = began
        self.answered = 0.0
        self.ended = 0.0


Watcher: TypeAlias = Callable[[Visit], None]


class Visits:
    """The outermost layer: knows every request, and what became of it.

    ``player_of`` is asked for the player of the cookie of this name; it gives None for one that was not signed here.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        templates: Iterable[str],
        cookie: str,
        player_of: Callable[[str], str | None],
        is_behind_proxy: bool = False,
        watchers: Sequence[Watcher] = (),
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self._app = app
        self._templates = Templates(templates)
        self._cookie = re.compile(rb"(?:^|;) *" + re.escape(cookie.encode()) + rb"=([^;]*)")
        self._player_of = player_of
        self._is_behind_proxy = is_behind_proxy
        self._watchers = tuple(watchers)
        self._clock = clock
        self.in_flight = 0
        """Requests that have come and are not answered yet."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        visit = scope["visit"] = self._visit(scope)

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.body":
                visit.sent += len(message.get("body", b""))
            elif message["type"] == "http.response.start":
                visit.status = message["status"]
                visit.answered = self._clock()
            await send(message)

        self.in_flight += 1
        try:
            await self._app(scope, receive, watched)
        finally:
            self.in_flight -= 1
            visit.ended = self._clock()
            if not visit.status:
                visit.status = GONE
                visit.answered = visit.ended
            for watch in self._watchers:
                watch(visit)

    def _visit(self, scope: Scope) -> Visit:
        headers = dict(scope["headers"])
        if self._is_behind_proxy and (told := headers.get(b"x-forwarded-proto")) is not None:
            scope["scheme"] = "https" if told.rpartition(b",")[2].strip() == b"https" else "http"
        address = address_of(scope, headers, is_behind_proxy=self._is_behind_proxy)
        visit = Visit(scope["method"], self._templates.of(scope["path"]), headers, address, self._clock())
        if (cookies := headers.get(b"cookie")) is not None:
            if scope["http_version"] >= "2":  # there they may come one by one
                cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
            if (found := self._cookie.search(cookies)) is not None:
                visit.player = self._player_of(found[1].decode("latin-1"))
        return visit
