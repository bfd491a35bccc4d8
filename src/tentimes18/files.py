"""The folders of this program, and files that are written whole or not at all.

A user without a home has no folders: writing there raises ``OSError``, as in a folder that cannot be written.
"""

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from tentimes18.errors import Ten18Error
from tentimes18.limits import read_size

CACHE_VARIABLE = "TEN18_CACHE"
DATA_VARIABLE = "TEN18_DATA"
LIMIT_VARIABLE = "TEN18_CACHE_LIMIT"
COMPILED = "compiled"  # the folder of compiled code in the cache folder
DEFAULT_LIMIT = "5GB"  # the largest table has 4
NOWHERE = Path(os.devnull)


def cache_folder() -> Path:
    """Return the folder of solved tables and compiled code, which can be made again."""
    if folder := os.environ.get(CACHE_VARIABLE):
        return Path(folder)
    from platformdirs import user_cache_path

    return _own(user_cache_path)


def cache_limit() -> int | None:
    """Return the limit of all solved tables on disk in bytes, or None for no limit."""
    text = os.environ.get(LIMIT_VARIABLE) or DEFAULT_LIMIT
    if text.strip().lower() == "none":
        return None
    try:
        return int(read_size(text))
    except Ten18Error:
        accepted = "5GB, 500MB, 2GiB, 0 to keep none, or none for no limit"
        raise Ten18Error(f"not a size; accepted: {accepted}", LIMIT_VARIABLE, text) from None


def data_folder() -> Path:
    """Return the folder of the player's games."""
    if folder := os.environ.get(DATA_VARIABLE):
        return Path(folder)
    from platformdirs import user_data_path

    return _own(user_data_path)


def _own(find: Callable[..., Path]) -> Path:
    try:
        folder = find("tentimes18", appauthor=False)
    except RuntimeError:  # there is no home; older versions leave "~" in its place
        return NOWHERE / "tentimes18"
    return folder if folder.is_absolute() else NOWHERE / "tentimes18"


DISK_ERRORS = {errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EROFS}
"""Errors of writing to an open file, which do not carry its name."""


def verify_ending(path: Path, endings: Sequence[str], field: str = "output") -> str:
    """Return the ending of a file in lower case; raise ``Ten18Error`` unless it is one of `endings`."""
    ending = path.suffix.lower()
    if ending not in endings:
        raise Ten18Error(f"cannot write {path.name[:60]!r}; accepted endings: {', '.join(endings)}", field)
    return ending


def verify_place(path: Path, field: str = "output") -> None:
    """Raise ``Ten18Error`` if a file of this name cannot be written."""
    try:
        if not path.parent.is_dir():
            raise Ten18Error(f"there is no folder {str(path.parent)!r}; give a file in a folder that exists", field)
        if path.is_dir():
            raise Ten18Error(f"{str(path)!r} is a folder; give a file", field)
        if path.exists() and not path.is_file():  # a device or a pipe, which a try would open
            return
        part = _part_of(path.resolve())
        part.touch(exist_ok=False)
        part.unlink()
    except (OSError, RuntimeError) as error:  # the second of a link that leads to itself
        reason = error.strerror if isinstance(error, OSError) else None
        raise Ten18Error(f"{reason or error}: {str(path)!r}; give another file", field) from None


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing. If that fails or is interrupted, the old file stays, and the error names the file."""
    real = path.resolve()  # a link stays a link
    part = real if real.exists() and not real.is_file() else _part_of(real)  # a device or a pipe stays one
    try:
        with part.open("wb") as file:
            yield file
        if part != real:
            part.replace(real)
    except OSError as error:
        if error.filename == str(part) or (error.filename is None and error.errno in DISK_ERRORS):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
    finally:
        if part != real:
            with suppress(OSError):  # the error before this one is the one to know
                part.unlink(missing_ok=True)


def _part_of(path: Path) -> Path:
    return path.with_name(f".{os.urandom(8).hex()}.part")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file as `whole_file` does."""
    with whole_file(path) as file:
        file.write(content)
