"""What the service counts, as Prometheus reads it.

Processes of one run share a folder (prometheus_client's multiprocess mode): a counter of a process that has died
stays, a gauge counts while its process lives.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from tentimes18.server.request import RequestInfo
from tentimes18.server.settings import METRICS_VARIABLE

if TYPE_CHECKING:
    from tentimes18.server.store.writer import CommitFigures

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
COMMIT_REQUESTS = (1, 2, 5, 10, 20, 50, 100, 200, 500)

disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """Counters and gauges of one process, for those who do the work to count in."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.moves = Counter("ten18_moves", "Moves acknowledged, repeated ones too.", registry=registry)
        self.games = Counter("ten18_games", "Games begun, by kind.", ["kind"], registry=registry)
        self._questions = Counter(
            "ten18_questions",
            "Questions to the calculators: kept, answered or failed.",
            ["question", "outcome"],
            registry=registry,
        )
        self.streams = _gauge("ten18_streams", "Streams of events that are open.", registry)
        self._commits = Counter("ten18_commits", "Transactions on disk.", registry=registry)
        self._commit_requests = Histogram(
            "ten18_commit_requests",
            "Requests that one transaction has written.",
            registry=registry,
            buckets=COMMIT_REQUESTS,
        )
        self._commit_seconds = Histogram(
            "ten18_commit_seconds", "How long a transaction took.", registry=registry, buckets=SECONDS
        )
        self.waiting = _gauge("ten18_writer_waiting", "Requests that wait to be written.", registry)
        self.in_flight = _gauge("ten18_http_requests_in_flight", "Requests not answered yet.", registry)
        self._requests = Counter(
            "ten18_http_requests",
            "Requests answered, by method, route and status; 499: the sender left before the answer.",
            ["method", "route", "status"],
            registry=registry,
        )
        self._request_seconds = Histogram(
            "ten18_http_request_seconds",
            "From the arrival of a request to the start of its answer.",
            ["route"],
            registry=registry,
            buckets=SECONDS,
        )
        self._cells: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def request(self, info: RequestInfo) -> None:
        """Count a request that has ended."""
        key = (info.known_method, info.route, info.status)
        if (cells := self._cells.get(key)) is None:
            method, route, status = key
            cells = self._requests.labels(method, route, str(status)), self._request_seconds.labels(route)
            self._cells[key] = cells
        count, seconds = cells
        count.inc()
        seconds.observe(info.answered - info.start)

    def commit(self, figures: "CommitFigures") -> None:
        """Count a commit that is done."""
        self._commits.inc()
        self._commit_requests.observe(figures.requests)
        self._commit_seconds.observe(figures.seconds)

    def question(self, question: str, outcome: str) -> None:
        """Count a question to a calculator: kept, answered or failed."""
        self._questions.labels(question, outcome).inc()

    def text(self) -> bytes:
        """What all processes have counted together, in Prometheus' text format."""
        if not (folder := os.environ.get(METRICS_VARIABLE)):
            return generate_latest(self.registry)
        for file in Path(folder).glob("gauge_live*_*.db"):
            if not _is_alive(pid := int(file.stem.rpartition("_")[2])):
                mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]
        registry = CollectorRegistry()
        MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _gauge(name: str, documentation: str, registry: CollectorRegistry) -> Gauge:
    return Gauge(name, documentation, registry=registry, multiprocess_mode="livesum")
