"""The documentation under /docs: the files of the site, where it was built."""

from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from tentimes18.server.reference.page import STYLE_PATH
from tentimes18.server.routes.pages import ASKED_EACH_TIME, Sent
from tentimes18.server.site_files import TYPES, SiteFiles
from tentimes18.server.state import Shared, WebState

__all__ = ["router"]

MOST_KEPT: Final = 64  # files in memory, packed: those that are read most
NOT_BUILT: Final = (
    "The documentation is not built here: make site does it in a clone of the project, and TEN18_SITE names the folder "
    "where it lies elsewhere."
)
PAGE: Final = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ten times eighteen: documentation</title>
<link rel="stylesheet" href="{STYLE_PATH}">
</head>
<body>
<div class="page">
<main>
<header><h1>Documentation</h1>
<p class="lead">{escape(NOT_BUILT)}</p>
<p>There is <a href="/api/docs">the reference of the API</a>, and <a href="/">the game</a>.</p></header>
</main>
</div>
</body>
</html>
"""

router = APIRouter(include_in_schema=False)


@router.get("/docs")
async def first() -> Response:
    """To the folder, so that relative links lead where they should."""
    return RedirectResponse("/docs/", 307)


@router.get("/docs/{path:path}")
async def file(path: str, request: Request, shared: Shared) -> Response:
    """A file of the site; 404 where there is none, with a line where the site was not built."""
    site = _site(request, shared)
    if (state := site.state) is None:
        return Response(PAGE, 404, media_type="text/html")
    if (found := await run_in_threadpool(site.path_of, path)) is not None:
        try:
            return (await run_in_threadpool(_sent, found, state)).answer(request)
        except OSError:  # another one was built just now
            raise HTTPException(404) from None
    if await run_in_threadpool(site.path_of, f"{path}/") is not None:
        return RedirectResponse(f"/docs/{path}/", 307)
    raise HTTPException(404)


def _site(request: Request, shared: WebState) -> SiteFiles:
    state = request.app.state
    if not hasattr(state, "site"):
        state.site = SiteFiles(shared.service.site)
    site: SiteFiles = state.site
    return site


@lru_cache(MOST_KEPT)
def _sent(path: Path, _: tuple[int, int]) -> Sent:
    return Sent(path.read_bytes(), TYPES[path.suffix], ASKED_EACH_TIME)
