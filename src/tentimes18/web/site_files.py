"""The documentation as a site, if it was built: its files by their addresses.

Only what a walk through the folder has found is ever read: an address is looked up, never made into a path. The walk is
done again when the first page has changed, so a site that is built anew while the service runs is shown.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

__all__ = ["INDEX", "SiteFile", "SiteFiles", "own_site"]

INDEX: Final = "index.html"
FOLDER: Final = "site"
TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".gif": "image/gif",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".inv": "application/octet-stream",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".ndjson": "application/x-ndjson",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}
"""What is served, and as what; any other file of the folder is not."""


def own_site() -> Path | None:
    """Where the site is built, for a service that runs from a clone of the project; else None.

    >>> own_site().name
    'site'
    """
    source = Path(__file__).resolve().parents[2]
    is_clone = source.name == "src" and (source.parent / "pyproject.toml").is_file()
    return source.parent / FOLDER if is_clone else None


@dataclass(frozen=True, slots=True)
class SiteFile:
    """A file as it is sent."""

    content: bytes = field(repr=False)
    media_type: str

    @property
    def etag(self) -> str:
        """By which whoever has it is told so."""
        return f'"{sha256(self.content).hexdigest()[:32]}"'


class SiteFiles:
    """The files of a built site; none where there is no folder, or nothing was built in it."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._state: tuple[int, int] | None = None
        self._files: dict[str, Path] = {}

    @property
    def is_built(self) -> bool:
        """Whether there is a first page."""
        return self._current() is not None

    def has_folder(self, address: str) -> bool:
        """Whether this is a folder with a first page, and a slash would lead to it."""
        return f"{address}/" in self._found()

    def find(self, address: str) -> SiteFile | None:
        """The file of an address below that of the site; a folder stands for its first page."""
        path = self._found().get(address)
        try:
            return None if path is None else SiteFile(path.read_bytes(), TYPES[path.suffix])
        except OSError:  # it was built anew just now
            return None

    def _found(self) -> Mapping[str, Path]:
        state = self._current()
        if state != self._state:
            self._files, self._state = {} if state is None else dict(self._walk()), state
        return self._files

    def _current(self) -> tuple[int, int] | None:
        if self._folder is None:
            return None
        try:
            found = (self._folder / INDEX).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    def _walk(self) -> Iterator[tuple[str, Path]]:
        assert self._folder is not None
        for folder, _, names in os.walk(self._folder):
            for name in names:
                path = Path(folder, name)
                if path.suffix in TYPES and not path.is_symlink():
                    address = path.relative_to(self._folder).as_posix()
                    yield address, path
                    if name == INDEX:
                        yield address.removesuffix(INDEX), path
