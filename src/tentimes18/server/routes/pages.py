"""The pages: the HTML of each address, the files of the app, and the documentation.

The app is made when the service starts, the compressed form too; what a stranger sends is looked up, never opened.
A file's address has the version of all files in it and may be cached for good; without the version, and for the HTML, a
browser asks each time whether what it has is still right.

The documentation is a site that `make site` builds. Only files that a walk through its folder has found are read: an
address is looked up, never made into a path. The walk is done again when the first page has changed.
"""

import asyncio
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.response import Redirect

from tentimes18.app.page_html import FRAME, MANIFEST, NO_PAGE, PAGES, WORKER, manifest_json, page_html, worker_script
from tentimes18.app.static_files import TYPES, app_files, version_of
from tentimes18.server.http_caching import BEST, IMMUTABLE, CachedBody
from tentimes18.server.request import Request
from tentimes18.server.routes.plain_pages import DOCS_MISSING
from tentimes18.server.routes.shares import preview_picture, preview_tags

ASK_EACH_TIME = "no-cache"
HTML = "text/html; charset=utf-8"
FAVICON = "icons/icon.svg"
INDEX = "index.html"
MAX_SITE_FILES = 64  # in memory, packed: those that are read most
SITE_TYPES = {
    **TYPES,
    ".html": HTML,
    ".ndjson": "application/x-ndjson",
    ".ipynb": "application/x-ipynb+json",
    ".pdf": "application/pdf",
}
"""What is served of the documentation, and as what; any other file of the folder is not."""


class Prepared(NamedTuple):
    files: Mapping[str, CachedBody]
    pages: Mapping[tuple[str, str], CachedBody]
    at_root: Mapping[str, CachedBody]
    version: str


@lru_cache(1)
def prepare() -> Prepared:
    found = app_files()
    files = {path: CachedBody.of(file.data, file.content_type, BEST) for path, file in found.items()}
    pages = {
        (page.name, lang): CachedBody.of(page_html(page, found, lang=lang).encode(), HTML, BEST)
        for page in (*PAGES, NO_PAGE)
        for lang in FRAME
    }
    at_root = {
        WORKER: CachedBody.of(worker_script(found), TYPES[".js"], BEST),
        MANIFEST: CachedBody.of(manifest_json(found), TYPES[".webmanifest"], BEST),
        "favicon.ico": files[FAVICON],  # what browsers ask for beside pages that name none
    }
    return Prepared(files, pages, at_root, version_of(found))


def _path(request: Request, folder: str) -> str:
    """The path of an address below a folder as it was asked for: the router's has no slash at its end."""
    path = unquote(request.scope["raw_path"].partition(b"?")[0].decode("latin-1"), errors="replace")
    return path.removeprefix(folder)


@get("/static/{path:path}", rate="file", include_in_schema=False)
async def file(request: Request) -> Response[Any]:
    """A file of the app."""
    path, prepared = _path(request, "/static/"), prepare()
    name = path.removeprefix(f"{prepared.version}/")
    if (body := prepared.files.get(name)) is None:
        raise NotFoundException
    return body.response(request, ASK_EACH_TIME if name == path else IMMUTABLE)


@get([f"/{WORKER}", f"/{MANIFEST}", "/favicon.ico"], include_in_schema=False)
async def file_at_root(request: Request) -> Response[Any]:
    """What must be at the root: the worker, whose reach begins where it is, and what browsers look for there."""
    return prepare().at_root[request.scope["path"].removeprefix("/")].response(request, ASK_EACH_TIME)


PAGE_OF = {path.replace("}", ":str}"): page.name for page in PAGES for path in page.paths}


@get(list(PAGE_OF), include_in_schema=False)
async def page(request: Request) -> Response[Any]:
    """A page of the app."""
    name = PAGE_OF[request.scope["path_template"].replace("}", ":str}")]
    body = prepare().pages[name, language_of(request.headers.get("accept-language", ""))]
    if tags := await preview_tags(request, name):
        body = CachedBody.of(body.body.replace(b"</head>", tags.encode() + b"</head>", 1), HTML)
    return _varied(body.response(request, ASK_EACH_TIME))


def language_of(header: str) -> str:
    """The language of the app that a header Accept-Language prefers.

    >>> [language_of(text) for text in ("de-AT,de;q=0.9,en;q=0.8", "fr, en;q=0.5, de;q=0.7", "fr", "de;q=0", "de;q=x")]
    ['de', 'de', 'en', 'en', 'en']
    """
    best, lang = 0.0, "en"
    for name, weight in re.findall(r"\b([a-z]{2})(?:-[^,;]*)?(?:\s*;\s*q=([0-9.]*))?\s*(?:,|$)", header.lower()):
        share = float(weight) if weight.replace(".", "", 1).isdigit() else 0.0 if weight else 1.0
        if name in FRAME and share > best:
            best, lang = share, name
    return lang


def _varied(response: Response[Any]) -> Response[Any]:
    response.headers["vary"] = f"{response.headers.get('vary', '')}, Accept-Language".lstrip(", ")
    return response


def not_found(request: Request) -> Response[Any] | None:
    """The page for an address that leads nowhere; None for who wants no page."""
    if request.scope["path"].startswith("/api") or "text/html" not in request.headers.get("accept", ""):
        return None
    lang = language_of(request.headers.get("accept-language", ""))
    return _varied(prepare().pages[NO_PAGE.name, lang].response(request, ASK_EACH_TIME, 404))


@lru_cache(1)
def _site_paths(folder: Path, _state: tuple[int, int]) -> dict[str, Path]:
    """The files of the site that was built last, by address below it; a folder, with its slash, is its first page."""
    paths = {}
    for place, _, names in os.walk(folder):  # it follows no link to a folder
        for path in (Path(place, name) for name in names):
            address = path.relative_to(folder).as_posix()
            if path.suffix in SITE_TYPES and not path.is_symlink() and "/." not in f"/{address}":
                paths[address] = path
                if path.name == INDEX:
                    paths[address.removesuffix(INDEX)] = path
    return paths


@get(["/docs", "/docs/{path:path}"], include_in_schema=False)
async def documentation(request: Request) -> Response[Any]:
    """A file of the documentation; 404 if there is none, with a line if the site was not built."""
    path = _path(request, "/docs")
    if not path:  # to the folder, so that relative links lead where they should
        return Redirect("/docs/", status_code=307)
    site = request.shared.service.site
    try:
        first = (site / INDEX).stat() if site is not None else None
    except OSError:
        first = None
    if site is None or first is None:
        return Response(DOCS_MISSING, status_code=404, media_type="text/html")
    state = first.st_ino, first.st_mtime_ns
    paths = await asyncio.to_thread(_site_paths, site, state)
    if (place := paths.get(path[1:])) is not None:
        try:
            return (await asyncio.to_thread(_site_file, place, state)).response(request, ASK_EACH_TIME)
        except OSError:  # another one was built just now
            raise NotFoundException from None
    if f"{path[1:]}/" in paths:
        return Redirect(f"/docs{path}/", status_code=307)
    raise NotFoundException


@lru_cache(MAX_SITE_FILES)
def _site_file(path: Path, _: tuple[int, int]) -> CachedBody:
    return CachedBody.of(path.read_bytes(), SITE_TYPES[path.suffix], BEST)


ROUTES = (file, file_at_root, page, preview_picture, documentation)
