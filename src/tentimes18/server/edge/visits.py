"""A request from its first byte to its last: what is known of it at the door, and what became of it.

`Visits` is the outermost layer. It puts a `Visit` into the scope, under "visit", where the other layers and the
handlers find it; when the answer is out, also that of a stream that was open for hours, it tells the watchers.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import Final, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tentimes18.server.edge.addresses import address_of
from tentimes18.server.edge.templates import Templates

__all__ = ["GONE", "Visit", "Visits", "Watcher"]

GONE: Final = 499
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
