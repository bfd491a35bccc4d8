"""The documentation under /docs: the files of the site, where it was built."""

from html import escape
from typing import Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from tentimes18.web.etags import is_known
from tentimes18.web.reference.page import STYLE_PATH
from tentimes18.web.site_files import SiteFiles
from tentimes18.web.state import Shared

__all__ = ["router"]

ASKED_AGAIN: Final = "public, no-cache"
KEPT: Final = "public, max-age=3600"
STEADY: Final = "assets/"  # below it a file that changes gets another name
NOT_BUILT: Final = (
    "The documentation is not built here: make site does it in a clone of the project, and TEN18_SITE names the folder "
    "where it lies elsewhere."
)
NO_PAGE: Final = "There is no such page in the documentation."

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
<p class="lead">%s</p>
<p>%s</p></header>
</main>
</div>
</body>
</html>
"""

router = APIRouter(include_in_schema=False)


@router.get("/docs")
async def first(request: Request) -> Response:
    """To the folder, so that relative links lead where they should."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/docs/{query}", 308)


@router.get("/docs/{path:path}")
async def file(path: str, request: Request, shared: Shared) -> Response:
    """A file of the site; 404 with a line where there is none."""
    site = _site(request, shared)
    found = await run_in_threadpool(site.find, path)
    if found is None:
        if not site.is_built:
            return _missing(NOT_BUILT, '<a href="/api/docs">The API of this service</a>')
        if site.has_folder(path):
            return RedirectResponse(f"/docs/{path}/", 308)
        return _missing(NO_PAGE, '<a href="/docs/">All of it</a>')
    headers = {"ETag": found.etag, "Cache-Control": KEPT if path.startswith(STEADY) else ASKED_AGAIN}
    if is_known(request.headers.getlist("if-none-match"), found.etag):
        return Response(status_code=304, headers=headers)
    return Response(found.content, headers={**headers, "Content-Type": found.media_type})


def _site(request: Request, shared: Shared) -> SiteFiles:
    state = request.app.state
    if not hasattr(state, "site"):
        state.site = SiteFiles(shared.service.site)
    site: SiteFiles = state.site
    return site


def _missing(line: str, link: str) -> Response:
    return Response(PAGE % (escape(line), link), 404, media_type="text/html")
