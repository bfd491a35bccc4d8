"""What makes the app installable: its manifest, and the worker that keeps it ready without a network.

Both name files of one version, so they are made, not kept. The worker gets exactly the app's own files; nothing that
the service answers is among them.
"""

import json
from collections.abc import Mapping
from typing import Final

from tentimes18.pages.files import TYPES, AppFile, version_of
from tentimes18.pages.shell import PAGES
from tentimes18.show.colours import colour_of

__all__ = ["ICONS", "MANIFEST", "WORKER", "is_kept_ready", "manifest_json", "worker_script"]

MANIFEST: Final = "manifest.webmanifest"
WORKER: Final = "worker.js"
ICONS: Final = (
    ("icons/icon.svg", "any", "any"),
    ("icons/icon-192.png", "192x192", "any"),
    ("icons/icon-512.png", "512x512", "any"),
    ("icons/maskable-512.png", "512x512", "maskable"),
)
_PLACE: Final = "/* put in when it is sent */ null"
_NOT_READY: Final = (".txt", "VENDOR.json")


def manifest_json(found: Mapping[str, AppFile]) -> bytes:
    """The manifest; its addresses are relative to itself, which lies at the app's root.

    >>> json.loads(manifest_json({}))["start_url"]
    './'
    """
    base = f"static/{version_of(found)}/"
    return json.dumps(
        {
            "name": "Ten times eighteen",
            "short_name": "10×18",
            "description": PAGES[0].about,
            "id": "./",
            "start_url": "./",
            "scope": "./",
            "display": "standalone",
            "background_color": colour_of("paper"),
            "theme_color": colour_of("felt-lit"),
            "icons": [
                {"src": base + path, "sizes": sizes, "type": TYPES[path[-4:]], "purpose": purpose}
                for path, sizes, purpose in ICONS
            ],
        },
        ensure_ascii=False,
        indent=1,
    ).encode()


def is_kept_ready(path: str) -> bool:
    """Whether the worker keeps this file: all that a page may load.

    >>> is_kept_ready("app/core/worker.js"), is_kept_ready("vendor/htm.LICENCE.txt"), is_kept_ready("worker.js")
    (True, False, False)
    """
    return path != WORKER and not path.endswith(_NOT_READY)


def worker_script(found: Mapping[str, AppFile], *, is_static: bool = False) -> bytes:
    """The worker of these files, its addresses relative to the app's root."""
    version = version_of(found)
    paths = {}
    for page in PAGES:
        if page.is_exported or not is_static:
            first = page.paths[0].removeprefix("/")
            paths[page.name] = f"{first}/" if is_static and first else first
    told = {
        "version": version,
        "files": [f"static/{version}/{path}" for path in found if is_kept_ready(path)],
        "pages": {name: path for name, path in paths.items() if "{" not in path},
    }
    text = found[WORKER].data.decode()
    if _PLACE not in text:
        raise ValueError("the worker has no place for its files")
    return text.replace(_PLACE, json.dumps(told, separators=(",", ":")), 1).encode()
