"""A load generator that costs little: clients who play games over raw HTTP, in a closed or an open loop.

    python -m tools.torture.load_generator PORT --clients 64 --seconds 10 --process 1234
    python -m tools.torture.load_generator PORT --clients 1000 --rate 4000 --give-up 2

**Closed loop**: each client sends the next request as soon as the last one is answered. This measures the capacity.
**Open loop**: requests are due at fixed times, whatever the server does, and latency counts from then. A client gives
up after some seconds: it closes its connection and sends the request again later. If all clients are waiting when a
request is due, nobody sends it.

A client places the roll of round n in slot n, so it need not parse JSON: the server must not be slowed down by its
clients on the same machine. It drives any server that has ``POST /games`` and ``POST /games/{id}/moves``.
"""

import argparse
import asyncio
import re
import sys
from array import array
from collections import Counter, deque
from collections.abc import Coroutine
from dataclasses import dataclass, field
from time import perf_counter, process_time
from typing import NamedTuple

import uvloop

from tests.support.service import processor_seconds

ROUNDS = 10
TICK = 0.002  # seconds between two looks at which requests are due
PROBE_SECONDS = 1.0
PROBES = ("/health", "/metrics")
RECONNECT_SECONDS = 0.05
_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)
_COOKIE = re.compile(rb"\r\nset-cookie: *([^;\r]+)", re.IGNORECASE)


class Load(NamedTuple):
    """What to do: ``rate`` is in requests per second, None for a closed loop; ``give_up`` is in seconds."""

    port: int
    clients: int
    seconds: float
    rate: float | None = None
    give_up: float = 60.0
    addresses: int = 1


@dataclass(slots=True)
class Tally:
    """What all clients have seen."""

    statuses: Counter[int] = field(default_factory=Counter)
    moves: int = 0
    timeouts: int = 0
    broken: int = 0  # connections that ended without an answer
    unsent: int = 0  # requests that were due when all clients were waiting
    received: int = 0  # bytes
    seconds: float = 0.0
    own_seconds: float = 0.0  # of the processor, by the load generator
    latencies: "array[float]" = field(default_factory=lambda: array("d"))  # of accepted moves and new games
    probes: "array[float]" = field(default_factory=lambda: array("d"))

    @property
    def requests(self) -> int:
        return self.statuses.total()

    @property
    def rate(self) -> float:
        """Acknowledged moves per second."""
        return self.moves / self.seconds

    @property
    def goodput(self) -> float:
        """Acknowledged moves and new games per second."""
        return (self.statuses[200] + self.statuses[201]) / self.seconds

    def quantile(self, share: float) -> float:
        """The least latency that this share of the moves and new games did not exceed."""
        ordered = sorted(self.latencies)
        return ordered[max(0, -int(-share * len(ordered) // 1) - 1)] if ordered else 0.0


class Client(asyncio.Protocol):
    """A player with one connection, who plays game after game."""

    __slots__ = ("address", "buffer", "cookie", "crowd", "due", "game", "port", "request", "round", "transport")

    def __init__(self, crowd: "Crowd", port: int, address: str) -> None:
        self.crowd = crowd
        self.port = port
        self.address = address
        self.transport: asyncio.Transport | None = None
        self.cookie = self.game = self.buffer = b""
        self.due = 0.0  # of the request under way; 0: none
        self.begin()

    async def connect(self) -> None:
        # Binding to an address is slow while thousands of connections have one: only where it makes a difference.
        local = (self.address, 0) if self.crowd.load.addresses > 1 else None
        while not self.crowd.is_over:
            try:
                await asyncio.get_running_loop().create_connection(
                    lambda: self, "127.0.0.1", self.port, local_addr=local
                )
                return
            except OSError:
                self.crowd.tally.broken += 1
                await asyncio.sleep(RECONNECT_SECONDS)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport, self.buffer = transport, b""  # type: ignore[assignment]
        self.crowd.ready(self)

    def connection_lost(self, _: Exception | None) -> None:
        self.transport = None
        if self.due:
            self.crowd.tally.broken += 1
        self.due = 0.0
        self.crowd.reconnect(self)

    def begin(self) -> None:
        self.round = 0
        self.request = self._post(b"/api/v1/games", b"{}")

    def _post(self, path: bytes, body: bytes) -> bytes:
        cookie = b"Cookie: %s\r\n" % self.cookie if self.cookie else b""
        head = b"POST %s HTTP/1.1\r\nHost: ten18\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        return head % (path, cookie, len(body)) + body

    def send(self, due: float) -> None:
        self.due = due
        assert self.transport is not None
        self.transport.write(self.request)

    def give_up(self) -> None:
        """Close the connection; the request is sent again later."""
        self.due = 0.0
        self.crowd.tally.timeouts += 1
        if self.transport is not None:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if self.buffer:
            data = self.buffer + data
        end = data.find(b"\r\n\r\n")
        length = _LENGTH.search(data, 0, end) if end >= 0 else None
        if length is None or len(data) < end + 4 + int(length[1]):
            self.buffer = data
            return
        self.buffer = b""
        tally, status = self.crowd.tally, int(data[9:12])
        tally.statuses[status] += 1
        tally.received += len(data)
        if status in (200, 201):
            self._play(data, end)
        elif status == 409:  # a move that was made before the client gave up on it
            self.begin()
        self.due = 0.0
        self.crowd.ready(self)

    def _play(self, data: bytes, end: int) -> None:
        self.crowd.tally.latencies.append(perf_counter() - self.due)
        if self.round:
            self.crowd.tally.moves += 1
        else:
            if not self.cookie and (match := _COOKIE.search(data, 0, end)) is not None:
                self.cookie = match[1]
            start = data.index(b'"id":"', end) + 6
            self.game = data[start : data.index(b'"', start)]
        self.round += 1
        if self.round > ROUNDS:
            self.begin()
        else:
            move = b'{"round":%d,"slot":%d}' % (self.round, self.round)
            self.request = self._post(b"/api/v1/games/%s/moves" % self.game, move)


class Crowd:
    """All clients of a load, in one event loop."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.tally = Tally()
        self.is_over = False
        self._is_running = False
        self._idle: deque[Client] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._clients = [
            Client(self, load.port, f"127.0.0.{1 + number % load.addresses}") for number in range(load.clients)
        ]

    def ready(self, client: Client) -> None:
        if self.load.rate is None and self._is_running:
            client.send(perf_counter())
        else:
            self._idle.append(client)

    def reconnect(self, client: Client) -> None:
        if not self.is_over:
            self._keep(client.connect())

    def _keep(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def run(self) -> Tally:
        load = self.load
        for start in range(0, load.clients, 200):
            await asyncio.gather(*(client.connect() for client in self._clients[start : start + 200]))
        self._is_running = True
        began, own = perf_counter(), process_time()
        self._keep(self._probe(began + load.seconds))
        if load.rate is None:
            while self._idle:
                self._idle.popleft().send(perf_counter())
            await asyncio.sleep(load.seconds)
        else:
            await self._dispatch(load.rate, began)
        self.tally.seconds, self.tally.own_seconds = perf_counter() - began, process_time() - own
        self.is_over = True
        for client in self._clients:
            if client.transport is not None:
                client.due = 0.0
                client.transport.abort()
        await asyncio.sleep(0.05)
        return self.tally

    async def _dispatch(self, rate: float, began: float) -> None:
        """Send the requests that are due, and give up those that are too old."""
        number, swept = 0, began
        while (now := perf_counter()) < began + self.load.seconds:
            while (due := began + number / rate) <= now:
                number += 1
                client = self._next_idle()
                if client is None:
                    self.tally.unsent += 1
                else:
                    client.send(due)
            if now - swept > 0.1:
                swept = now
                for client in self._clients:
                    if client.due and now - client.due > self.load.give_up:
                        client.give_up()
            await asyncio.sleep(TICK)

    def _next_idle(self) -> Client | None:
        while self._idle:
            client = self._idle.popleft()
            if client.transport is not None and not client.due:  # the server may have closed its connection meanwhile
                return client
        return None

    async def _probe(self, end: float) -> None:
        """Ask for the health and the metrics now and then, as a monitor does."""
        while perf_counter() < end:
            for path in PROBES:
                began = perf_counter()
                try:
                    async with asyncio.timeout(10):
                        reader, writer = await asyncio.open_connection("127.0.0.1", self.load.port)
                        writer.write(b"GET %s HTTP/1.1\r\nHost: ten18\r\nConnection: close\r\n\r\n" % path.encode())
                        await reader.read()
                        writer.close()
                except (OSError, TimeoutError):
                    pass
                self.tally.probes.append(perf_counter() - began)
            await asyncio.sleep(PROBE_SECONDS)


def run(load: Load) -> Tally:
    return uvloop.run(Crowd(load).run())


def main() -> None:
    parser = argparse.ArgumentParser("python -m tools.torture.load_generator")
    parser.add_argument("port", type=int)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--give-up", type=float, default=60.0)
    parser.add_argument("--addresses", type=int, default=1, help="how many loopback addresses the clients have")
    parser.add_argument("--process", type=int, action="append", default=[], help="a process of the server to measure")
    given = parser.parse_args()
    before = sum(map(processor_seconds, given.process))
    tally = run(Load(given.port, given.clients, given.seconds, given.rate, given.give_up, given.addresses))
    used = sum(map(processor_seconds, given.process)) - before
    requests, statuses = max(1, tally.requests), dict(sorted(tally.statuses.items()))
    lines = (
        f"{tally.rate:,.0f} moves/s, {tally.requests / tally.seconds:,.0f} requests/s: {statuses}",
        f"p50 {1e3 * tally.quantile(0.5):.1f} ms, p99 {1e3 * tally.quantile(0.99):.1f} ms",
        f"{tally.timeouts} timeouts, {tally.broken} broken, {tally.unsent} unsent",
        f"{1e6 * used / requests:.0f} us per request, {1e6 * tally.own_seconds / requests:.0f} us of the generator",
        f"probes up to {max(tally.probes, default=0):.2f} s",
    )
    sys.stdout.write("; ".join(lines) + "\n")


if __name__ == "__main__":
    main()
