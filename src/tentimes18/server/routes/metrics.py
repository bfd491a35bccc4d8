"""The metrics of all processes of the service, as Prometheus reads them."""

from fastapi import APIRouter, Response
from starlette.concurrency import run_in_threadpool

from tentimes18.server.edge.exposition import CONTENT_TYPE, exposition
from tentimes18.server.problems import documented
from tentimes18.server.state import Shared

__all__ = ["router"]

router = APIRouter(tags=["service"])


@router.get(
    "/metrics",
    response_class=Response,
    responses=documented()
    | {200: {"description": "Metrics", "content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(shared: Shared) -> Response:
    """Counters, gauges and histograms of all processes together, in the text format of Prometheus."""
    return Response(
        exposition(await run_in_threadpool(shared.metrics.families)), headers={"content-type": CONTENT_TYPE}
    )
