"""Files that are written: by their ending, and as a whole or not at all."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from tentimes18.errors import Ten18Error

__all__ = ["verify_ending", "verify_place", "whole_file", "write_whole"]

OF_THE_DISK: Final = {errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EROFS}
"""What writing to an open file can meet: such an error does not know the name of its file."""


def verify_ending(path: Path, endings: Sequence[str], field: str = "output") -> str:
    """The ending of a file, in small letters; raises ``Ten18Error`` unless it is one of these.

    >>> verify_ending(Path("fan.PNG"), (".png", ".svg"))
    '.png'
    """
    ending = path.suffix.lower()
    if ending not in endings:
        raise Ten18Error(f"cannot write {path.name[:60]!r}; accepted endings: {', '.join(endings)}", field)
    return ending


def verify_place(path: Path, field: str = "output") -> None:
    """Raise ``Ten18Error`` where a file of this name could not be written; nothing is left there.

    >>> verify_place(Path("no such folder/fan.svg"))
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: output: there is no folder 'no such folder'; give a file in a folder that exists
    """
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
    """A file to write to; where that fails or is stopped, whatever was there before stays, and an error has its name.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder) / "fan.svg") as file:
    ...         _ = file.write(b"<svg/>")
    ...     [(file.name, file.read_bytes()) for file in Path(folder).iterdir()]
    [('fan.svg', b'<svg/>')]
    """
    real = path.resolve()  # a link stays a link
    part = real if real.exists() and not real.is_file() else _part_of(real)  # a device or a pipe stays one
    try:
        with part.open("wb") as file:
            yield file
        if part != real:
            part.replace(real)
    except OSError as error:
        if error.filename == str(part) or (error.filename is None and error.errno in OF_THE_DISK):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
    finally:
        if part != real:
            with suppress(OSError):  # the error before this one is the one to know
                part.unlink(missing_ok=True)


def _part_of(path: Path) -> Path:
    return path.with_name(f".{os.urandom(8).hex()}.part")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file in one piece, as `whole_file` does.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "fan.svg", b"<svg/>")
    ...     (Path(folder) / "fan.svg").read_bytes()
    b'<svg/>'
    """
    with whole_file(path) as file:
        file.write(content)
