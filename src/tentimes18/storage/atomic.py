"""Files that are written: by their ending, and as a whole or not at all."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tentimes18.errors import Ten18Error

__all__ = ["verify_ending", "whole_file", "write_whole"]


def verify_ending(path: Path, endings: Sequence[str], field: str = "output") -> str:
    """The ending of a file, in small letters; raises ``Ten18Error`` unless it is one of these.

    >>> verify_ending(Path("fan.PNG"), (".png", ".svg"))
    '.png'
    """
    ending = path.suffix.lower()
    if ending not in endings:
        raise Ten18Error(f"cannot write {path.name[:60]!r}; accepted endings: {', '.join(endings)}", field)
    return ending


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to; where that fails or is stopped, whatever was there before stays.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder) / "fan.svg") as file:
    ...         _ = file.write(b"<svg/>")
    ...     [(file.name, file.read_bytes()) for file in Path(folder).iterdir()]
    [('fan.svg', b'<svg/>')]
    """
    path = path.resolve()  # a link stays a link
    if path.exists() and not path.is_file():  # a device or a pipe stays one
        with path.open("wb") as file:
            yield file
        return
    part = path.with_name(f".{os.urandom(8).hex()}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


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
