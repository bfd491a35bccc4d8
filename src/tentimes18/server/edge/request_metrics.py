"""What is counted of every request: how many by method, route and status, and how long the answer took to begin."""

from bisect import bisect_left
from typing import Final

from tentimes18.server.edge.metrics import SECONDS, Registry
from tentimes18.server.edge.visits import Visit

__all__ = ["RequestMetrics"]

METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})


class RequestMetrics:
    """Counts every visit.

    >>> registry = Registry()
    >>> count = RequestMetrics(registry)
    >>> visit = Visit("GET", "/health", {}, "192.0.2.7", began=0.0)
    >>> visit.status, visit.answered = 200, 0.004
    >>> count(visit)
    >>> registry.families()[0].samples
    {('GET', '/health', '200'): [1]}
    """

    def __init__(self, registry: Registry) -> None:
        self._requests = registry.counter(
            "ten18_http_requests_total",
            "Requests answered, by method, route and status; 499: the sender left before the answer.",
            ("method", "route", "status"),
        )
        self._cells: dict[tuple[str, str, int], tuple[list[float], list[float]]] = {}
        self._seconds = registry.histogram(
            "ten18_http_request_seconds", "From the arrival of a request to the start of its answer.", ("route",)
        )

    def __call__(self, visit: Visit) -> None:
        """Count a visit that has ended; all of them do in the thread of the event loop."""
        key = (visit.method if visit.method in METHODS else "other", visit.template, visit.status)
        if (cells := self._cells.get(key)) is None:
            method, template, status = key
            cells = self._requests.cell(method, template, str(status)), self._seconds.cell(template)
            self._cells[key] = cells
        count, times = cells
        seconds = visit.answered - visit.began
        count[0] += 1
        times[bisect_left(SECONDS, seconds)] += 1
        times[-1] += seconds
