"""The app as plain files, for any static host and in any folder of it: play alone, drill, review, lab, about.

Pages are folders with an `index.html`, all addresses are relative, and nobody is asked for anything. The files lie in a
folder named by their version: whoever has an old page open keeps what belongs to it, as far as the host or the browser
still has it, and never gets a mixture.
"""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

from tentimes18.app.page_html import MANIFEST, PAGES, WORKER, manifest_json, page_html, worker_script
from tentimes18.app.static_files import VERSION_DIGITS, AppFile, app_files, version_of
from tentimes18.errors import Ten18Error
from tentimes18.files import write_whole

FILES = "static"
_VERSION = re.compile(rf"[0-9a-f]{{{VERSION_DIGITS}}}")
_OURS = frozenset({"index.html", WORKER, MANIFEST, FILES})  # by which a folder is known as one of these


class SiteAnswer(TypedDict):
    """What was written: the folder, the version, and how much it is."""

    folder: str
    version: str
    pages: list[str]
    files: int
    bytes: int


def site_files() -> Mapping[str, bytes]:
    """Every file of the app without a service, by its path.

    >>> [path for path in site_files() if path.endswith(".html")]
    ['about/index.html', 'drill/index.html', 'index.html', 'lab/index.html', 'review/index.html']
    """
    found = _without_service(app_files())
    version = version_of(found)
    made = {f"{FILES}/{version}/{path}": file.data for path, file in found.items()}
    for page in PAGES:
        if page.is_exported:
            folder = page.paths[0].strip("/")
            root = "../" if folder else "./"
            text = page_html(page, found, root=root, is_static=True)
            made[f"{folder}/index.html" if folder else "index.html"] = text.encode()
    made[WORKER] = worker_script(found, is_static=True)
    made[MANIFEST] = manifest_json(found)
    return dict(sorted(made.items()))


def _without_service(found: Mapping[str, AppFile]) -> dict[str, AppFile]:
    away = [page.name for page in PAGES if not page.is_exported]
    gone = {path for name in away for path in (f"app/pages/{name}.js", f"style/{name}.css")}
    gone |= {path for path in found if path.startswith("vendor/swagger-ui")}  # it shows the API of a service
    return {path: file for path, file in found.items() if path not in gone}


def verify_folder(folder: Path) -> None:
    """Raise ``Ten18Error`` unless the folder is new, empty, or was written by `write_site` before."""
    accepted = "accepted: a new or empty folder, or one that was written so before"
    if folder.exists() and not folder.is_dir():
        raise Ten18Error(f"{str(folder)!r} is a file; {accepted}", "folder")
    try:
        there = {path.name for path in folder.iterdir()} if folder.exists() else set()
    except OSError as error:
        raise Ten18Error(f"{error.strerror or error}: {str(folder)!r}; give another folder", "folder") from None
    if there and not there >= _OURS:
        raise Ten18Error(f"{str(folder)!r} is not empty; {accepted}", "folder")


def write_site(folder: Path) -> SiteAnswer:
    """Write the app into a folder; one of an earlier version is replaced, and whatever else lies there stays.

    What a page needs is written before the page, so that a host never shows one without its files.
    """
    verify_folder(folder)
    made = site_files()
    version = version_of(_without_service(app_files()))
    try:
        for path in sorted(made, key=lambda path: (not path.startswith(FILES), path == WORKER, path)):
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            write_whole(place, made[path])
        for old in (folder / FILES).iterdir():
            if old.name != version and _VERSION.fullmatch(old.name):
                shutil.rmtree(old)
    except OSError as error:
        raise Ten18Error(f"{error.strerror or error}: {str(folder)!r}; give another folder", "folder") from None
    return {
        "folder": str(folder),
        "version": version,
        "pages": [page.name for page in PAGES if page.is_exported],
        "files": len(made),
        "bytes": sum(map(len, made.values())),
    }
