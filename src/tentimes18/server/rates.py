"""Rate limits: token buckets by player and by address, for each kind of request.

A bucket holds a number of tokens; a request takes one, and some come back each second. It is kept as one number, the
time at which it will be full again (the generic cell rate algorithm): a bucket that is full need not be remembered, and
the one that was used longest ago is forgotten when there are too many.

Each process has its own buckets. A server of n processes lets through up to n times as much, since the system spreads
connections over all of them.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import ceil
from time import monotonic
from typing import NamedTuple

from tentimes18.server.identity import household
from tentimes18.server.problems import NotFound, Problem
from tentimes18.server.request import SAFE_METHODS, RequestInfo

MAX_BUCKETS = 20_000  # of one kind, by player or by address, in one process: about 4 MB each


class Bucket(NamedTuple):
    """How many at once, and how many per second after that."""

    burst: int
    per_second: float

    def __str__(self) -> str:
        after = f"one every {1 / self.per_second:g} s" if self.per_second < 1 else f"{self.per_second:g} per second"
        return f"{self.burst:,} at once, then {after}"


class Allowance(NamedTuple):
    """What one player and what one address may do of a kind of request; None where a player is not counted."""

    player: Bucket | None
    address: Bucket
    what: str


RATES: Mapping[str, Allowance] = {
    "new": Allowance(None, Bucket(200, 2.0), "anything that creates something, without a player's cookie"),
    "make": Allowance(
        Bucket(60, 1.0), Bucket(600, 2.0), "games, duels, invitations, names: everything else that writes"
    ),
    "import": Allowance(Bucket(10, 0.05), Bucket(30, 0.005), "imports of two megabytes each"),
    "move": Allowance(Bucket(200, 20.0), Bucket(2000, 200.0), "moves"),
    "export": Allowance(Bucket(10, 0.2), Bucket(30, 0.5), "exports of all games"),
    "compute": Allowance(Bucket(60, 3.0), Bucket(300, 20.0), "advice, reviews, the lab, checking games"),
    "guess": Allowance(Bucket(20, 0.1), Bucket(200, 0.5), "codes of groups that do not exist"),
    "file": Allowance(None, Bucket(6000, 300.0), "files of the pages, several dozen on a first visit"),
    "read": Allowance(Bucket(200, 20.0), Bucket(1500, 200.0), "everything else"),
}
"""The limits by the kind of a request, which is the option ``rate`` of its handler; "free" is not counted."""


class Streams(NamedTuple):
    player: int
    address: int


STREAMS = Streams(player=8, address=120)
STREAM_RETRY = 5  # seconds


class _Buckets:
    __slots__ = ("_full_at", "_size", "interval", "slack")

    def __init__(self, bucket: Bucket, size: int) -> None:
        self.interval = 1 / bucket.per_second
        self.slack = (bucket.burst - 0.999) * self.interval  # sums of intervals are rounded
        self._full_at: OrderedDict[str, float] = OrderedDict()
        self._size = size

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
        if len(full_at) > self._size:
            full_at.popitem(last=False)

    def give_back(self, key: str) -> None:
        if key in self._full_at:
            self._full_at[key] -= self.interval


class RateLimiter:
    def __init__(
        self,
        rates: Mapping[str, Allowance] = RATES,
        streams: Streams = STREAMS,
        size: int = MAX_BUCKETS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._rates = rates
        self._streams = streams
        self._clock = clock
        self._by_player = {name: _Buckets(kind.player, size) for name, kind in rates.items() if kind.player}
        self._by_address = {name: _Buckets(kind.address, size) for name, kind in rates.items()}
        self._open: Counter[str] = Counter()

    def check(self, info: RequestInfo, kind: str | None = None) -> None:
        """Count a request of this kind, or of that of its method; raises a ``Problem`` where there were too many."""
        if kind is None:
            kind = "read" if info.method in SAFE_METHODS else "make" if info.player is not None else "new"
        if kind == "free":
            return
        now, home, player = self._clock(), household(info.address), info.player
        addresses, players = self._by_address[kind], self._by_player.get(kind)
        wait = addresses.wait(home, now)
        if players is not None and player is not None:
            wait = max(wait, players.wait(player, now))
        if wait <= 0:  # a token of each, or none
            addresses.take(home, now)
            if players is not None and player is not None:
                players.take(player, now)
            return
        allowance = self._rates[kind]
        seconds = max(1, ceil(wait))
        of_player = "" if allowance.player is None else f"a player may send {allowance.player}; "
        limits = f"{of_player}an address may send {allowance.address}"
        detail = f"too many requests of this kind; try again in {seconds} s ({limits})"
        raise Problem("too-many", detail, headers={"Retry-After": str(seconds)})

    @contextmanager
    def guess(self, info: RequestInfo) -> Iterator[None]:
        """Count what the block looks up where it raises ``NotFound``; raises a ``Problem`` after too many of those."""
        self.check(info, "guess")  # before the block: else a thousand guesses could be sent at once
        is_wrong = False
        try:
            yield
        except NotFound:
            is_wrong = True
            raise
        finally:
            if not is_wrong:
                self._by_address["guess"].give_back(household(info.address))
                if info.player is not None:
                    self._by_player["guess"].give_back(info.player)

    @contextmanager
    def stream(self, info: RequestInfo) -> Iterator[None]:
        """Count a stream of events while it is open; raises a ``Problem`` where too many are."""
        limits = {f"address {household(info.address)}": self._streams.address}
        if info.player is not None:
            limits[f"player {info.player}"] = self._streams.player
        if any(self._open[key] >= limit for key, limit in limits.items()):
            rates = f"{self._streams.player} of a player, {self._streams.address} of an address"
            detail = f"too many streams of events are open ({rates}); close some, or ask for the game itself"
            raise Problem("too-many", detail, headers={"Retry-After": str(STREAM_RETRY)})
        self._open.update(limits.keys())
        try:
            yield
        finally:
            self._open -= Counter(limits.keys())
