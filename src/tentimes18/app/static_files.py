"""The files of the app, read once, for the service and for an export.

They are in `static/`; the colours are in `style/`, shared with the pictures. Our modules and style sheets are sent
without the comments that have lines of their own, a fifth of their bytes. All files together have a version: an address
with the version in its path is immutable.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType

from tentimes18.pictures.colours import style_sheet

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
STATIC = Path(__file__).parent / "static"
SHARED_STYLES = ("tokens", "dark")
VERSION_DIGITS = 12


@dataclass(frozen=True)
class AppFile:
    """A file of the app; ``path`` is the one below `static`."""

    path: str
    data: bytes

    @property
    def content_type(self) -> str:
        return TYPES[self.path[self.path.rindex(".") :]]

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


@lru_cache(1)
def app_files() -> Mapping[str, AppFile]:
    """All files of the app by their paths, in order."""
    paths = [path for path in STATIC.rglob("*") if path.is_file()]
    names = {path.relative_to(STATIC).as_posix(): path for path in paths if path.name[0] != "."}
    contents = {name: path.read_bytes() for name, path in names.items() if name[-1] != "~"}  # a backup of an editor
    contents |= {f"style/{name}.css": style_sheet(name).encode() for name in SHARED_STYLES}
    for path, data in contents.items():
        if path.endswith((".js", ".css")) and not path.startswith("vendor/"):
            contents[path] = lean(data.decode()).encode()
    return MappingProxyType({path: AppFile(path, data) for path, data in sorted(contents.items())})


def version_of(app: Mapping[str, AppFile]) -> str:
    """A digest of all these files."""
    digests = "".join(f"{path} {app[path].digest}\n" for path in sorted(app))
    return hashlib.sha256(digests.encode()).hexdigest()[:VERSION_DIGITS]


_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)$", re.MULTILINE | re.DOTALL)


def lean(text: str) -> str:
    r"""The text without comments on lines of their own; those lines are empty.

    >>> lean("// What it is for.\nlet a = 1; // stays\n/** @type {number}\n *  of it */\nlet b;\n")
    '\nlet a = 1; // stays\n\n\nlet b;\n'
    """
    return _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
