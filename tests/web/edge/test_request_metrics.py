"""What is counted of requests: bounded, whatever is sent."""

import asyncio

from tentimes18.server.edge.exposition import exposition
from tentimes18.server.edge.metrics import Registry
from tentimes18.server.edge.request_metrics import RequestMetrics
from tests.support.asgi import asked, echo, http_scope, sent, visited
from tests.support.prometheus import read_exposition


def test_requests_are_counted_by_route_and_not_by_path() -> None:
    registry = Registry()
    times = iter(range(1000))
    app = visited(echo, watchers=[RequestMetrics(registry)], clock=lambda: float(next(times)))

    async def scene() -> None:
        for number in range(20):
            await asked(app, http_scope("GET", f"/api/v1/games/{number}"), sent())
            await asked(app, http_scope(f"BREW{number}", f"/{number}"), sent())

    asyncio.run(scene())
    found = read_exposition(exposition(registry.families()))
    requests = found["ten18_http_requests_total"]
    assert requests.value(method="GET", route="/api/v1/games/{id}", status="200") == 20
    assert requests.value(method="other", route="unknown", status="200") == 20
    assert len(requests.samples) == 2
    sums = found["ten18_http_request_seconds"].samples
    assert sums["ten18_http_request_seconds_sum", (("route", "unknown"),)] == 20, "a second each, to the start"
