"""The reference of the API: a page, and its style sheet."""

from functools import lru_cache
from typing import Final

from fastapi import APIRouter, Request, Response

from tentimes18.server.reference.page import STYLE_PATH, reference_page, reference_style

__all__ = ["router"]

KEPT: Final = {"Cache-Control": "public, max-age=3600"}

router = APIRouter(include_in_schema=False)


@router.get("/api/docs")
async def reference(request: Request) -> Response:
    """The page."""
    app = request.app
    if not hasattr(app.state, "reference"):
        app.state.reference = reference_page(app.openapi())
    return Response(app.state.reference, media_type="text/html", headers=KEPT)


@router.get(STYLE_PATH)
async def style(_: Request) -> Response:
    """The style sheet."""
    return Response(_style(), media_type="text/css", headers=KEPT)


@lru_cache(1)
def _style() -> str:
    return reference_style()
