"""The pages: the HTML of each address, and the files of the app.

All of it is made when the service starts, the compressed form too; what a stranger sends is looked up, never opened.
A file's address has the version of all files in it and may be kept for ever; without the version, and for the HTML, a
browser asks each time whether what it has is still right.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import Final

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from tentimes18.app.page_html import MANIFEST, NO_PAGE, PAGES, WORKER, manifest_json, page_html, worker_script
from tentimes18.app.static_files import TYPES, app_files, version_of
from tentimes18.server.etags import is_known
from tentimes18.server.packing import accepts_gzip, pack, packed_etag
from tentimes18.server.problems import problem_of, problem_response

__all__ = ["Prepared", "Sent", "not_found", "prepare", "router"]

ASKED_EACH_TIME: Final = "no-cache"
KEPT_FOR_EVER: Final = "max-age=31536000, immutable"  # and nobody asks whether it is still right: no ETag
HTML: Final = "text/html; charset=utf-8"
FAVICON: Final = "icons/icon.svg"
_PACKED_TYPES: Final = ("text/", "application/", "image/svg+xml")

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Sent:
    """What is sent for an address: plain, and packed where that is smaller."""

    data: bytes
    content_type: str
    cache: str
    packed: bytes | None = field(init=False)
    etag: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "packed", pack(self.data) if self.content_type.startswith(_PACKED_TYPES) else None)
        object.__setattr__(self, "etag", f'"{sha256(self.data).hexdigest()[:16]}"')

    def answer(self, request: Request, status: int = 200) -> Response:
        """The answer: 304 where the browser has it already."""
        takes_packed = self.packed is not None and accepts_gzip(request.headers.get("accept-encoding", ""))
        body = self.packed if self.packed is not None and takes_packed else self.data
        etag = packed_etag(self.etag) if takes_packed else self.etag
        headers = {"Cache-Control": self.cache} | ({} if self.cache == KEPT_FOR_EVER else {"ETag": etag})
        if self.packed is not None:
            headers["Vary"] = "Accept-Encoding"
        if status == 200 and is_known(request.headers.getlist("if-none-match"), etag):
            return Response(status_code=304, headers=headers)
        if takes_packed:
            headers["Content-Encoding"] = "gzip"
        return Response(body, status, headers={"Content-Type": self.content_type, **headers})


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is sent: files by their paths, pages by their names, and what lies at the root by its name."""

    files: Mapping[str, Sent]
    pages: Mapping[str, Sent]
    at_root: Mapping[str, Sent]


@lru_cache(1)
def prepare() -> Prepared:
    """All that is sent, made once."""
    found = app_files()
    version = version_of(found)
    files = {}
    for path, file in found.items():
        files[path] = Sent(file.data, file.content_type, ASKED_EACH_TIME)
        files[f"{version}/{path}"] = replace(files[path], cache=KEPT_FOR_EVER)
    return Prepared(
        files,
        {page.name: Sent(page_html(page, found).encode(), HTML, ASKED_EACH_TIME) for page in (*PAGES, NO_PAGE)},
        {
            WORKER: Sent(worker_script(found), TYPES[".js"], ASKED_EACH_TIME),
            MANIFEST: Sent(manifest_json(found), TYPES[".webmanifest"], ASKED_EACH_TIME),
            "favicon.ico": files[FAVICON],  # what browsers ask for beside pages that name none
        },
    )


@router.get("/static/{path:path}")
async def file(path: str, request: Request) -> Response:
    """A file of the app."""
    if (found := prepare().files.get(path)) is None:
        raise HTTPException(404)
    return found.answer(request)


@router.get(f"/{WORKER}")
@router.get(f"/{MANIFEST}")
@router.get("/favicon.ico")
async def file_at_root(request: Request) -> Response:
    """What must lie at the root: the worker, whose reach begins where it lies, and what browsers look for there."""
    return prepare().at_root[request.url.path.removeprefix("/")].answer(request)


def _add_page(name: str, path: str) -> None:
    async def page(request: Request) -> Response:
        return prepare().pages[name].answer(request)

    router.add_api_route(path, page, name=name)


for _page in PAGES:
    for _path in _page.paths:
        _add_page(_page.name, _path)


async def not_found(request: Request, error: Exception) -> Response:
    """The answer for an address that leads nowhere: a page for a browser that wants one, a problem for all others."""
    is_api = request.url.path.startswith("/api")
    if not is_api and "text/html" in request.headers.get("accept", ""):
        return prepare().pages[NO_PAGE.name].answer(request, 404)
    return problem_response(problem_of(error))
