"""Every file of the app: its path, its bytes, what it is, and a digest; read once, for the service and for an export.

The files lie in `static/`; the colours are those of `show/style`, shared with the report, and `starts.json` is made by
`starts`. Ours go without their comments (`lean`), libraries as they stand. All of them together have a version: an
address that has it in its path never changes what it gives.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from tentimes18.pages.lean import lean
from tentimes18.pages.starts import starts_json
from tentimes18.show.colours import style_sheet

__all__ = ["TYPES", "VERSION_DIGITS", "AppFile", "app_files", "version_of"]

TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
SHARED_STYLES: Final = ("tokens", "dark")
VERSION_DIGITS: Final = 12


@dataclass(frozen=True)
class AppFile:
    """A file of the app; ``path`` is the one below `static`."""

    path: str
    data: bytes

    @property
    def content_type(self) -> str:
        """What it is, for a browser.

        >>> AppFile("app/main.js", b"").content_type
        'text/javascript; charset=utf-8'
        """
        return TYPES[self.path[self.path.rindex(".") :]]

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of its bytes, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()


@lru_cache(1)
def app_files() -> Mapping[str, AppFile]:
    """All files of the app by their paths, in order.

    >>> app_files()["app/main.js"].path, "style/tokens.css" in app_files()
    ('app/main.js', True)
    """
    found = dict(_below(files("tentimes18.pages").joinpath("static"), ""))
    found |= {f"style/{name}.css": style_sheet(name).encode() for name in SHARED_STYLES}
    found["starts.json"] = starts_json()
    return MappingProxyType({path: AppFile(path, _sent(path, data)) for path, data in sorted(found.items())})


def _sent(path: str, data: bytes) -> bytes:
    is_ours = path.endswith((".js", ".css")) and not path.startswith("vendor/")
    return lean(data.decode()).encode() if is_ours else data


def _below(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _below(entry, f"{prefix}{entry.name}/")
        elif entry.name[0] != "." and not entry.name.endswith("~"):  # what editors leave
            yield prefix + entry.name, entry.read_bytes()


def version_of(found: Mapping[str, AppFile]) -> str:
    """The version of these files: another one as soon as a byte of them differs.

    >>> version_of({}), version_of({"a.js": AppFile("a.js", b"1")}) == version_of({"a.js": AppFile("a.js", b"2")})
    ('e3b0c44298fc', False)
    """
    told = "".join(f"{path} {found[path].digest}\n" for path in sorted(found))
    return hashlib.sha256(told.encode()).hexdigest()[:VERSION_DIGITS]
