"""The app as plain files, for any static host and in any folder of it: play alone, drill, review, lab, about.

Pages are folders with an `index.html`, and all addresses are relative. The other files are in a folder named by their
version, so that a page never mixes files of two versions.
"""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

from tentimes18.app.page_html import MANIFEST, PAGES, WORKER, manifest_json, page_html, worker_script
from tentimes18.app.static_files import VERSION_DIGITS, app_files, version_of
from tentimes18.errors import Ten18Error
from tentimes18.files import write_whole

FILES = "static"
_VERSION = re.compile(rf"[0-9a-f]{{{VERSION_DIGITS}}}")
_OURS = frozenset({"index.html", WORKER, MANIFEST, FILES})  # every exported folder has these


class SiteAnswer(TypedDict):
    folder: str
    version: str
    pages: list[str]
    files: int
    bytes: int


def site_files() -> Mapping[str, bytes]:
    """Every file of the app without a service, by its path."""
    names = [page.name for page in PAGES if not page.is_exported]
    missing = {path for name in names for path in (f"app/pages/{name}.js", f"style/{name}.css")}
    app = {
        path: file
        for path, file in app_files().items()
        if path not in missing and not path.startswith(("app/group/", "vendor/swagger-ui"))
    }
    site = {f"{FILES}/{version_of(app)}/{path}": file.data for path, file in app.items()}
    for page in PAGES:
        if page.is_exported:
            folder = page.address(is_static=True)
            text = page_html(page, app, root="../" if folder else "./", is_static=True)
            site[f"{folder}index.html"] = text.encode()
    site[WORKER] = worker_script(app, is_static=True)
    site[MANIFEST] = manifest_json(app)
    return dict(sorted(site.items()))


def verify_folder(folder: Path) -> None:
    """Raise ``Ten18Error`` unless the folder is new, empty, or was written by `write_site` before."""
    accepted = "accepted: a new or empty folder, or one that was written so before"
    if folder.exists() and not folder.is_dir():
        raise Ten18Error(f"{str(folder)!r} is a file; {accepted}", "folder")
    try:
        names = {path.name for path in folder.iterdir()} if folder.exists() else set()
    except OSError as error:
        raise Ten18Error(f"{error.strerror or error}: {str(folder)!r}; give another folder", "folder") from None
    if names and not names >= _OURS:
        raise Ten18Error(f"{str(folder)!r} is not empty; {accepted}", "folder")


def write_site(folder: Path) -> SiteAnswer:
    """Write the app into a folder; an earlier version is replaced, and other files stay.

    The files of a page are written before the page, so that a host never shows one without its files.
    """
    verify_folder(folder)
    site = site_files()
    version = next(path for path in site if path.startswith(f"{FILES}/")).split("/")[1]
    try:
        for path in sorted(site, key=lambda path: (not path.startswith(FILES), path == WORKER, path)):
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            write_whole(place, site[path])
        for old in (folder / FILES).iterdir():
            if old.name != version and _VERSION.fullmatch(old.name):
                shutil.rmtree(old)
    except OSError as error:
        raise Ten18Error(f"{error.strerror or error}: {str(folder)!r}; give another folder", "folder") from None
    return {
        "folder": str(folder),
        "version": version,
        "pages": [page.name for page in PAGES if page.is_exported],
        "files": len(site),
        "bytes": sum(map(len, site.values())),
    }
