"""The documentation as a site, if it was built: its files by their addresses.

Only what a walk through the folder has found is ever read: an address is looked up, never made into a path. The walk is
done again when the first page has changed, so a site that is built anew while the service runs is shown.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

__all__ = ["INDEX", "TYPES", "SiteFiles", "own_site"]

INDEX: Final = "index.html"
FOLDER: Final = "site"
TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".ndjson": "application/x-ndjson",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
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


class SiteFiles:
    """The files of a built site; none where there is no folder, or nothing was built in it."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._state: tuple[int, int] | None = None
        self._paths: dict[str, Path] = {}

    @property
    def state(self) -> tuple[int, int] | None:
        """Another one for each site that was built here; None where there is none."""
        if self._folder is None:
            return None
        try:
            first = (self._folder / INDEX).stat()
        except OSError:
            return None
        return first.st_ino, first.st_mtime_ns

    def path_of(self, address: str) -> Path | None:
        """The file of an address below that of the site; a folder, with its slash, stands for its first page."""
        state = self.state
        if state != self._state:
            self._paths, self._state = {} if state is None else dict(self._walk()), state
        return self._paths.get(address)

    def _walk(self) -> Iterator[tuple[str, Path]]:
        assert self._folder is not None
        for folder, _, names in os.walk(self._folder):  # it follows no link to a folder
            for name in names:
                path = Path(folder, name)
                if path.suffix in TYPES and not path.is_symlink():
                    address = path.relative_to(self._folder).as_posix()
                    yield address, path
                    if name == INDEX:
                        yield address.removesuffix(INDEX), path
