"""What the service reports: metrics as Prometheus reads them, and the access log.

Processes of one run share a folder (prometheus_client's multiprocess mode): a counter of a process that has died
stays, a gauge counts while its process lives.

The log has one JSON object per line and one line per request, by the logger `tentimes18.access`. A line has no path,
query, cookie or body, so no id, no invite and no roll: the template of the route replaces the path, and a keyed hash
the player (always the same one, which nobody can compute without the service's secret). The address lacks its last
part. Lines go to `logging` together a few times per second: a record of many lines costs as much as one of one.
"""

import asyncio
import hmac
import logging
import os
import socket
from bisect import bisect_left
from collections import Counter as Counts
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache, partial
from math import inf
from pathlib import Path
from time import perf_counter, sleep, time
from types import MappingProxyType

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from tentimes18 import __version__
from tentimes18.server.identity import household, shortened
from tentimes18.server.request import RequestInfo
from tentimes18.server.settings import METRICS_VARIABLE

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BOUNDS = (*SECONDS, inf)
FLUSH_SECONDS = 0.25
COMMIT_REQUESTS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
LOGGER = logging.getLogger("tentimes18.access")
LOG_SECONDS = 0.25
MAX_LINES = 500
HASH_LENGTH = 12  # hex digits
FILES = Path("/proc/self/fd")
WRITE_MILLISECONDS = 30_000  # that a client may read nothing of what was sent
LOOK_SECONDS = 2.0  # between two looks at the connections

FACTS = {
    "ten18_database_bytes": "Size of the database.",
    "ten18_last_backup_timestamp_seconds": "When the last backup was complete, in seconds since 1970; 0: never.",
}
"""What all processes share, by metric: it is looked up when somebody asks."""
INFO = f"""# HELP ten18_info The version of the server.
# TYPE ten18_info gauge
ten18_info{{version="{__version__}"}} 1.0
"""

disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        counter = partial(Counter, registry=registry)
        gauge = partial(Gauge, registry=registry, multiprocess_mode="livesum")
        histogram = partial(Histogram, registry=registry)
        self._moves = counter("ten18_moves", "Moves acknowledged, repeated ones too.")
        self.games = counter("ten18_games", "Games started, by kind.", ["kind"])
        self.finished = counter("ten18_games_finished", "Games finished, by kind.", ["kind"])
        questions = "Questions to the calculators: cached, answered or failed."
        self._questions = counter("ten18_questions", questions, ["question", "outcome"])
        self.streams = gauge("ten18_streams", "Streams of events that are open.")
        self._commits = counter("ten18_commits", "Transactions on disk.")
        requests = "Requests that one transaction has written."
        self._commit_requests = histogram("ten18_commit_requests", requests, buckets=COMMIT_REQUESTS)
        self._commit_seconds = histogram("ten18_commit_seconds", "How long a transaction took.", buckets=SECONDS)
        self.waiting = gauge("ten18_writer_waiting", "Requests that wait to be written.")
        self.connections = gauge("ten18_connections", "Connections that are open.")
        memory = "Memory of the web processes, shared pages by their share (PSS)."
        self.memory = gauge("ten18_process_memory_bytes", memory)
        self.questions_waiting = gauge("ten18_questions_waiting", "Questions that wait for a calculator.")
        self.in_flight = 0  # requests whose answer has not begun
        self.overloaded = 0  # requests rejected because too many were in flight, since the last flush
        self.moves = 0  # moves acknowledged since the last flush
        self._in_flight = gauge("ten18_http_requests_in_flight", "Requests whose answer has not begun.")
        overloaded = "Requests rejected with 503 because too many were in flight."
        self._overloaded = counter("ten18_http_overloaded", overloaded)
        answered = "Requests answered, by method, route and status; 499: the client left before the answer."
        self._requests = counter("ten18_http_requests", answered, ["method", "route", "status"])
        seconds = "From the arrival of a request to the start of its answer."
        self._request_seconds = histogram("ten18_http_request_seconds", seconds, ["route"], buckets=SECONDS)
        self._counts: Counts[tuple[str, str, int]] = Counts()
        self._times: defaultdict[str, list[float]] = defaultdict(list)

    def request(self, info: RequestInfo) -> None:
        """Count a request; the counts go to the registry together, because that costs more than the request's own."""
        if not self._times:
            asyncio.get_running_loop().call_later(FLUSH_SECONDS, self.flush)
        self._counts[info.known_method, info.route, info.status] += 1
        self._times[info.route].append(info.answered - info.start)

    def flush(self) -> None:
        """Bring the registry up to date; in the event loop."""
        self._in_flight.set(self.in_flight)
        self._overloaded.inc(self.overloaded)
        self._moves.inc(self.moves)
        self.overloaded = self.moves = 0
        for (method, route, status), count in self._counts.items():
            self._requests.labels(method, route, str(status)).inc(count)
        self._counts.clear()
        for route, times in self._times.items():
            histogram = self._request_seconds.labels(route)
            histogram._sum.inc(sum(times))  # `observe` would write to the file twice for each of them
            for place, count in Counts(bisect_left(BOUNDS, seconds) for seconds in times).items():
                histogram._buckets[place].inc(count)
        self._times.clear()

    def watch_connections(self, most: int) -> None:
        """Count the connections of this process, and close those that are too many of one address; never returns."""
        while FILES.is_dir():
            began = perf_counter()
            self.connections.set(count_connections([int(path.name) for path in FILES.iterdir()], most))
            self.memory.set(memory_of_process())
            sleep(max(LOOK_SECONDS, 50 * (perf_counter() - began)))

    def commit(self, requests: int, seconds: float) -> None:
        self._commits.inc()
        self._commit_requests.observe(requests)
        self._commit_seconds.observe(seconds)

    def question(self, question: str, outcome: str) -> None:
        self._questions.labels(question, outcome).inc()

    def text(self, facts: Mapping[str, float] = MappingProxyType({})) -> bytes:
        """What all processes have counted together, in Prometheus' text format, and the values of some `FACTS`."""
        shared = [
            f"# HELP {name} {FACTS[name]}\n# TYPE {name} gauge\n{name} {float(value)}\n"
            for name, value in facts.items()
        ]
        registry = self.registry
        if folder := os.environ.get(METRICS_VARIABLE):
            for file in Path(folder).glob("gauge_live*_*.db"):
                process = int(file.stem.rpartition("_")[2])
                try:
                    os.kill(process, 0)
                except ProcessLookupError:
                    mark_process_dead(process, folder)  # type: ignore[no-untyped-call]
            registry = CollectorRegistry()
            MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        return generate_latest(registry) + "".join([INFO, *shared]).encode()


def count_connections(descriptors: Iterable[int], most: int) -> int:
    """How many of these files are connections; those of one address beyond ``most`` are closed.

    No file is opened or closed here: SQLite loses its locks when its process closes another descriptor of the database.
    """
    homes: Counts[str] = Counts()
    for descriptor in descriptors:
        with suppress(OSError):
            connection = socket.socket(fileno=descriptor)  # an error for what is not a socket
            try:
                if connection.family in (socket.AF_INET, socket.AF_INET6):
                    home = household(connection.getpeername()[0])  # the socket that listens has none
                    homes[home] += 1
                    if hasattr(socket, "TCP_USER_TIMEOUT"):
                        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, WRITE_MILLISECONDS)
                    if homes[home] > most:
                        connection.shutdown(socket.SHUT_RDWR)
            finally:
                connection.detach()
    return homes.total()


def memory_of_process() -> int:
    """The proportional set size in bytes; 0 where the system does not say."""
    with suppress(OSError, IndexError):
        for line in Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return 1024 * int(line.split()[1])
    return 0


class AccessLog:
    def __init__(self, secret: bytes, clock: Callable[[], float] = time) -> None:
        key = hmac.digest(secret, b"ten18 access log", "sha256")
        self._clock = clock
        self._lines: list[str] = []
        self._second = -1
        self._date = ""
        self._hash_of = lru_cache(4096)(lambda player: hmac.digest(key, player.encode(), "sha256").hex()[:HASH_LENGTH])

    def write(self, info: RequestInfo) -> None:
        if not LOGGER.isEnabledFor(logging.INFO):
            return
        self._lines.append(self.line(info))
        if len(self._lines) == 1:
            asyncio.get_running_loop().call_later(LOG_SECONDS, self.flush)
        elif len(self._lines) >= MAX_LINES:
            self.flush()

    def line(self, info: RequestInfo) -> str:
        seconds = info.end - info.start
        began = self._clock() - seconds
        second, part = divmod(int(began * 1000), 1000)
        if second != self._second:
            self._second = second
            self._date = datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        player = "null" if info.player is None else f'"{self._hash_of(info.player)}"'
        return (
            f'{{"time": "{self._date}.{part:03d}Z", "method": "{info.known_method}", '
            f'"route": "{info.route}", "status": {info.status}, "ms": {seconds * 1000:.2f}, '
            f'"bytes": {info.sent}, "player": {player}, "address": "{shortened(info.address)}"}}'
        )

    def flush(self) -> None:
        if self._lines:
            lines, self._lines = self._lines, []
            LOGGER.info("%s", "\n".join(lines))
