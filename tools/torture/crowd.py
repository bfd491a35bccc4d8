"""Many players at once, in one thread: one loop over all connections, and the latency of every request.

**Closed loop**: each player sends the next request as soon as the answer to the last one is there. That finds how much
the service can take, but a service that stops for a second is asked for nothing during that second.

**Open loop**: requests are due at fixed times, whatever the service does, and one that could not be sent because all
players still wait is late already. Latency counts from when it was due: nobody's waiting is left out.
"""

import selectors
from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from random import Random
from time import perf_counter, process_time
from typing import Final, TypeAlias

from tools.torture.players import Journal, Player, Tally
from tools.torture.wire import Wire

__all__ = ["Crowd", "Latencies", "Tick", "Visit"]

LATER: Final = 0.05  # seconds until a request is sent again that was refused or got no answer
EVERY: Final = 0.5  # seconds between two calls of the tick

Tick: TypeAlias = Callable[[float], bool | None]
"""Called with the seconds since the start; True ends the visit."""


@dataclass(slots=True)
class Latencies:
    """Seconds from when a move was due to when it was acknowledged."""

    seconds: "array[float]" = field(default_factory=lambda: array("d"))

    def quantile(self, share: float) -> float:
        """The least time that this share of the moves did not exceed; 0 where there was none.

        >>> times = Latencies(array("d", [4.0, 1.0, 2.0, 3.0]))
        >>> times.quantile(0.5), times.quantile(0.99), Latencies().quantile(0.5)
        (2.0, 4.0, 0.0)
        """
        ordered = sorted(self.seconds)
        if not ordered:
            return 0.0
        return ordered[max(0, bisect_left(range(1, len(ordered) + 1), share * len(ordered)))]

    @property
    def most(self) -> float:
        """The longest."""
        return max(self.seconds, default=0.0)


@dataclass(frozen=True, slots=True)
class Visit:
    """What a crowd saw in some seconds."""

    seconds: float
    tally: Tally
    latencies: Latencies
    requests: int
    own_time: float  # processor seconds of the crowd itself

    @property
    def rate(self) -> float:
        """Acknowledged moves a second."""
        return self.tally.moves / self.seconds

    @property
    def own_cost(self) -> float:
        """Processor seconds of the crowd for a request."""
        return self.own_time / max(1, self.requests)


class _Seat:
    """A player at a connection."""

    __slots__ = ("due", "number", "player", "waiting", "wire")

    def __init__(self, number: int, player: Player, wire: Wire) -> None:
        self.number, self.player, self.wire = number, player, wire
        self.due = 0.0
        self.waiting = False  # for an answer


class Crowd:
    """Players with a connection each, spread over the ports; they go on where they were from one visit to the next."""

    def __init__(self, ports: Sequence[int], count: int, *, journal: Journal | None = None) -> None:
        self.tally = Tally()
        self._seats = [
            _Seat(number, Player(self.tally, journal), Wire(ports[number % len(ports)])) for number in range(count)
        ]
        self._selector = selectors.DefaultSelector()
        self._later: list[tuple[float, int]] = []  # when which seat tries again
        self._idle: deque[_Seat] = deque()
        self._chance = Random(count)
        self._latencies = Latencies()
        self._requests = 0

    @property
    def players(self) -> list[Player]:
        """Those who play."""
        return [seat.player for seat in self._seats]

    def close(self) -> None:
        """All hang up."""
        for seat in self._seats:
            self._hang_up(seat)
        self._selector.close()

    def visit(
        self, seconds: float, *, rate: float | None = None, tick: Tick | None = None, every: float = EVERY
    ) -> Visit:
        """Play for this long: in a closed loop, or with this many requests due a second; ``tick`` is called meanwhile.

        What was seen is counted anew. Requests without an answer at the end are sent again by the next visit.
        """
        self._start()
        began, own = perf_counter(), process_time()
        end, due = began + seconds, 0
        next_tick = end if tick is None else began + every
        while (now := perf_counter()) < end:
            if tick is not None and now >= next_tick:
                next_tick = now + every
                if tick(now - began):
                    break
            while self._later and self._later[0][0] <= now:
                self._send(self._seats[heappop(self._later)[1]])
            if rate is None:
                while self._idle:
                    self._next(self._idle.popleft(), perf_counter())
                wait = min(end, next_tick) - now
            else:
                while self._idle and (planned := began + due / rate) <= now:
                    self._idle.rotate(self._chance.randrange(len(self._idle)))  # in turn, all games would end at once
                    self._next(self._idle.popleft(), planned)
                    due += 1
                wait = min(end, next_tick, began + due / rate if self._idle else end) - now
            if self._later:
                wait = min(wait, self._later[0][0] - now)
            for key, _ in self._selector.select(max(0.0, wait)):
                self._read(key.data)
        spent = perf_counter() - began
        return Visit(spent, self.tally, self._latencies, self._requests, process_time() - own)

    def _start(self) -> None:
        self.tally = Tally()
        self._latencies, self._requests = Latencies(), 0
        self._later.clear()
        self._idle.clear()
        for seat in self._seats:
            seat.player.tally = self.tally
            if seat.waiting:  # its answer would be counted with a time of another visit
                self._hang_up(seat)
            self._idle.append(seat)

    def _next(self, seat: _Seat, due: float) -> None:
        seat.due = due
        self._send(seat)

    def _send(self, seat: _Seat) -> None:
        try:
            if seat.wire.socket is None:
                self._selector.register(seat.wire.open(), selectors.EVENT_READ, seat)
            seat.wire.send(seat.player.request)
        except OSError:
            self._broke(seat)
            return
        self._requests += 1
        seat.waiting = True

    def _read(self, seat: _Seat) -> None:
        try:
            answer = seat.wire.receive()
        except (OSError, ValueError):
            if not seat.waiting:  # the service closed a connection that nobody used
                self._hang_up(seat)
            else:
                self._broke(seat)
            return
        if answer is None:
            return
        seat.waiting = False
        moving = seat.player.moving
        if b"onnection: close" in answer.head:
            self._hang_up(seat)
        if not seat.player.take(answer):
            heappush(self._later, (perf_counter() + LATER, seat.number))
            return
        if moving:
            self._latencies.seconds.append(perf_counter() - seat.due)
        self._idle.append(seat)

    def _broke(self, seat: _Seat) -> None:
        self.tally.broken += 1
        self._hang_up(seat)
        heappush(self._later, (perf_counter() + LATER, seat.number))

    def _hang_up(self, seat: _Seat) -> None:
        seat.waiting = False
        if seat.wire.socket is not None:
            self._selector.unregister(seat.wire.socket)
        seat.wire.close()
