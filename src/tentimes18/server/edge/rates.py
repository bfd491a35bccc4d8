"""How often one may ask: token buckets by player and by address, for each kind of request.

A bucket holds so many tokens; a request takes one, and so many come back each second. It is kept as one number, the
time at which it will be full again (the generic cell rate algorithm): a bucket that is full need not be remembered, and
the one that was used longest ago is forgotten when there are too many.

Buckets are those of one process. A service of several processes lets through up to that many times as much, since the
system deals connections out to all of them.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from time import monotonic
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from tentimes18.server.edge.addresses import household
from tentimes18.server.edge.refusals import refuse
from tentimes18.server.edge.visits import Visit
from tentimes18.server.problems import Problem

__all__ = ["KINDS", "STREAMS", "Allowance", "Bucket", "Rates", "Streams", "kind_of"]

MOST_BUCKETS: Final = 20_000
"""Of one kind, by player or by address, in one process: about 4 MB each."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """So many at once, and so many a second after that.

    >>> str(Bucket(30, 0.5))
    '30 at once, then one every 2 s'
    """

    burst: int
    each_second: float

    def __str__(self) -> str:
        after = f"one every {1 / self.each_second:g} s" if self.each_second < 1 else f"{self.each_second:g} a second"
        return f"{self.burst:,} at once, then {after}"


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one player and what one address may do of a kind of request; None where a player is not counted."""

    player: Bucket | None
    address: Bucket
    what: str


KINDS: Final[Mapping[str, Allowance]] = {
    "new": Allowance(None, Bucket(200, 5.0), "whatever makes something, from a browser or program without a player"),
    "make": Allowance(Bucket(60, 1.0), Bucket(600, 10.0), "games, duels, invites, names: all else that writes"),
    "import": Allowance(Bucket(10, 0.05), Bucket(30, 0.1), "import: two megabytes each, to read and to keep"),
    "move": Allowance(Bucket(200, 20.0), Bucket(2000, 200.0), "moves"),
    "compute": Allowance(Bucket(60, 3.0), Bucket(300, 20.0), "advice, reviews, the lab, checking games"),
    "file": Allowance(None, Bucket(6000, 300.0), "files of the pages, some dozens at a first visit"),
    "read": Allowance(Bucket(200, 20.0), Bucket(1500, 200.0), "everything else"),
}
"""The limits: generous for a person, for a family, and for a class behind one address."""


@dataclass(frozen=True, slots=True)
class Streams:
    """How many streams of events may be open at once."""

    player: int
    address: int


STREAMS: Final = Streams(8, 120)
STREAM_RETRY: Final = 5  # seconds

_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_RULES: Final = (
    ("free", re.compile(r"/health")),
    ("file", re.compile(r"GET /static/.*")),
    ("move", re.compile(r"POST .*/games/\{\w+\}/moves")),
    ("import", re.compile(r"POST .*/me/games")),
    ("compute", re.compile(r"GET .*/(?:lab/.*|advice|review|me/scores|qr\.svg)|POST (?:/verify|.*/lab/.*)")),
)
_FREE: Final = "free"  # not counted: who watches over the service must always be answered
_EVENTS: Final = "/events"


def kind_of(method: str, template: str, *, is_known: bool = True) -> str:
    """The kind of a request, by which it is counted; ``is_known`` if it comes from a player.

    >>> kind_of("POST", "/api/v1/games/{id}/moves"), kind_of("GET", "/api/v1/lab/solve"), kind_of("GET", "/")
    ('move', 'compute', 'read')
    >>> kind_of("POST", "/api/v1/games"), kind_of("POST", "/api/v1/games", is_known=False)
    ('make', 'new')
    """
    asked = "GET" if method == "HEAD" else method  # it is answered in the same way, at the same cost
    for kind, rule in _RULES:
        if rule.fullmatch(f"{asked} {template}") or rule.fullmatch(template):
            return kind
    return "read" if method in _SAFE else "make" if is_known else "new"


class _Buckets:
    """The buckets of all players, or of all addresses, for one kind of request."""

    __slots__ = ("_full_at", "_most", "interval", "slack")

    def __init__(self, bucket: Bucket, most: int) -> None:
        self.interval = 1 / bucket.each_second
        self.slack = (bucket.burst - 0.999) * self.interval  # sums of intervals are rounded
        self._full_at: OrderedDict[str, float] = OrderedDict()
        self._most = most

    def __len__(self) -> int:
        return len(self._full_at)

    def wait(self, key: str, now: float) -> float:
        """For how many seconds there is no token; 0 or less where there is one."""
        return self._full_at.get(key, now) - now - self.slack

    def take(self, key: str, now: float) -> None:
        full_at = self._full_at
        at = full_at.get(key, now)
        full_at[key] = (at if at > now else now) + self.interval
        full_at.move_to_end(key)
        if len(full_at) > self._most:
            full_at.popitem(last=False)


class Rates:
    """The layer that refuses what comes too often, with the seconds to wait."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        kinds: Mapping[str, Allowance] = KINDS,
        streams: Streams = STREAMS,
        most_buckets: int = MOST_BUCKETS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._app = app
        self._kinds = kinds
        self._streams = streams
        self._clock = clock
        self._by_player = {name: _Buckets(kind.player, most_buckets) for name, kind in kinds.items() if kind.player}
        self._by_address = {name: _Buckets(kind.address, most_buckets) for name, kind in kinds.items()}
        self._kind_of: dict[tuple[str, str, bool], str] = {}
        self._open: dict[str, int] = {}

    @property
    def buckets(self) -> int:
        """How many buckets are remembered."""
        return sum(len(buckets) for kinds in (self._by_player, self._by_address) for buckets in kinds.values())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or refuse it."""
        visit: Visit = scope["visit"]
        player = visit.player
        asked = (visit.method, visit.template, player is not None)
        if (kind := self._kind_of.get(asked)) is None:
            kind = kind_of(visit.method, visit.template, is_known=player is not None)
            if visit.method in _METHODS:  # there is no end of those that are none
                self._kind_of[asked] = kind
        if kind != _FREE and (wait := self._wait(kind, player, visit.address)) > 0:
            allowance = self._kinds[kind]
            seconds = max(1, ceil(wait))
            limits = f"an address may send {allowance.address}"
            if allowance.player is not None:
                limits = f"a player may send {allowance.player}; {limits}"
            detail = f"too many requests of this kind; try again in {seconds} s ({limits})"
            await refuse(send, Problem("too-many", detail, headers={"Retry-After": str(seconds)}))
        elif visit.template.endswith(_EVENTS):
            await self._stream(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _wait(self, kind: str, player: str | None, address: str) -> float:
        """Take a token of the player's and one of the address's, or none and say for how long there is none."""
        now = self._clock()
        home = household(address)
        addresses = self._by_address[kind]
        wait = addresses.wait(home, now)
        players = self._by_player.get(kind) if player is not None else None
        if players is not None and player is not None and (own := players.wait(player, now)) > wait:
            wait = own
        if wait <= 0:
            addresses.take(home, now)
            if players is not None and player is not None:
                players.take(player, now)
        return wait

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit: Visit = scope["visit"]
        most = {f"address {household(visit.address)}": self._streams.address}
        if visit.player is not None:
            most[f"player {visit.player}"] = self._streams.player
        if any(self._open.get(key, 0) >= limit for key, limit in most.items()):
            limits = f"{self._streams.player} of a player, {self._streams.address} of an address"
            detail = f"too many streams of events are open ({limits}); close some, or ask for the game itself"
            await refuse(send, Problem("too-many", detail, headers={"Retry-After": str(STREAM_RETRY)}))
            return
        for key in most:
            self._open[key] = self._open.get(key, 0) + 1
        try:
            await self._app(scope, receive, send)
        finally:
            for key in most:
                self._open[key] -= 1
                if not self._open[key]:
                    del self._open[key]


_METHODS: Final = frozenset({*_SAFE, "DELETE", "PATCH", "POST", "PUT"})
