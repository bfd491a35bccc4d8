"""What is counted of every request: how many by method, route and status, and how long the answer took to begin."""

from typing import Final

from tentimes18.web.edge.metrics import Registry
from tentimes18.web.edge.visits import Visit

__all__ = ["RequestMetrics"]

_METHODS: Final = {name: name for name in ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")}


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
        self._seconds = registry.histogram(
            "ten18_http_request_seconds", "From the arrival of a request to the start of its answer.", ("route",)
        )

    def __call__(self, visit: Visit) -> None:
        """Count a visit that has ended."""
        self._requests.add(1, _METHODS.get(visit.method, "other"), visit.template, str(visit.status))
        self._seconds.observe(visit.answered - visit.began, visit.template)
