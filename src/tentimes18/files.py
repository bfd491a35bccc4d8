"""The folders of this program, files that are written whole or not at all, and the modules in a package.

For a user without a home, writing to these folders raises ``OSError``, as in a folder that cannot be written.
"""

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import IO, Any

from tentimes18.errors import Ten18Error
from tentimes18.limits import read_size

CACHE_VARIABLE = "TEN18_CACHE"
DATA_VARIABLE = "TEN18_DATA"
LIMIT_VARIABLE = "TEN18_CACHE_LIMIT"
COMPILED = "compiled"  # the folder of compiled code in the cache folder
DEFAULT_LIMIT = "5GB"  # the largest table has 4
NOWHERE = Path(os.devnull)


def cache_folder() -> Path:
    """The folder of solved tables and compiled code, which can be made again."""
    return _folder(CACHE_VARIABLE, "user_cache_path")


def data_folder() -> Path:
    """The folder of the player's games."""
    return _folder(DATA_VARIABLE, "user_data_path")


def _folder(variable: str, function: str) -> Path:
    if path := os.environ.get(variable):
        return Path(path)
    import platformdirs

    try:
        folder: Path = getattr(platformdirs, function)("tentimes18", appauthor=False)
    except RuntimeError:  # there is no home; older versions return a path with "~"
        return NOWHERE / "tentimes18"
    return folder if folder.is_absolute() else NOWHERE / "tentimes18"


def cache_limit() -> int | None:
    """The limit of all solved tables on disk in bytes, or None for no limit."""
    text = os.environ.get(LIMIT_VARIABLE) or DEFAULT_LIMIT
    if text.strip().lower() == "none":
        return None
    try:
        return int(read_size(text))
    except Ten18Error:
        accepted = "5GB, 500MB, 2GiB, 0 to keep none, or none for no limit"
        raise Ten18Error(f"not a size; accepted: {accepted}", LIMIT_VARIABLE, text) from None


DISK_ERRORS = {errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EROFS}
"""Errors of writing to an open file, which do not carry its name."""


def verify_ending(path: Path, endings: Sequence[str], field: str = "output") -> str:
    """Return the ending of a file in lower case; raise ``Ten18Error`` unless it is one of `endings`."""
    ending = path.suffix.lower()
    if ending not in endings:
        name = (path.name or str(path))[:60]
        raise Ten18Error(f"cannot write {name!r}; accepted endings: {', '.join(endings)}", field)
    return ending


def verify_place(path: Path, field: str = "output") -> None:
    """Raise ``Ten18Error`` if a file of this name cannot be written."""
    try:
        if not path.parent.is_dir():
            raise Ten18Error(f"there is no folder {str(path.parent)!r}; give a file in a folder that exists", field)
        if path.is_dir():
            raise Ten18Error(f"{str(path)!r} is a folder; give a file", field)
        if path.exists() and not path.is_file():  # a device or a pipe
            return
        part = _part_of(path.resolve())
        part.touch(exist_ok=False)
        part.unlink()
    except (OSError, RuntimeError) as error:  # RuntimeError: a link that leads to itself
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
            with suppress(OSError):  # the first error is the one to report
                part.unlink(missing_ok=True)


def _part_of(path: Path) -> Path:
    return path.with_name(f".{os.urandom(8).hex()}.part")


def write_whole(path: Path, content: bytes) -> None:
    with whole_file(path) as file:
        file.write(content)


def modules_of(package: str, path: Iterable[str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package, whose modules are imported when they are first used."""

    def names() -> list[str]:
        return sorted(module.name for module in iter_modules(path))

    def module_named(name: str) -> Any:
        if name.startswith("_") or name not in names():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return import_module(f"{package}.{name}")

    return module_named, names
