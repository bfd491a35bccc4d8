"""Files that commands write: checked before any work, and written as a whole or not at all."""

from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex

from tentimes18.errors import Ten18Error

__all__ = ["verify_ending", "verify_output", "write_whole"]


def verify_ending(path: Path, endings: Sequence[str]) -> str:
    """The ending of a file, in small letters; raises ``Ten18Error`` unless it is one of these.

    >>> verify_ending(Path("fan.PNG"), (".png", ".svg"))
    '.png'
    """
    ending = path.suffix.lower()
    if ending not in endings:
        raise Ten18Error(f"output: cannot write {path.name[:60]!r}; accepted endings: {', '.join(endings)}")
    return ending


def verify_output(path: Path, endings: Sequence[str]) -> None:
    """Raise ``Ten18Error`` where the file could not be written.

    >>> verify_output(Path("nowhere/fan.png"), (".png", ".svg"))
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: output: there is no folder 'nowhere'; give a file in a folder that exists
    """
    verify_ending(path, endings)
    try:
        if not path.parent.is_dir():
            raise Ten18Error(f"output: there is no folder {str(path.parent)!r}; give a file in a folder that exists")
        if path.is_dir():
            raise Ten18Error(f"output: {str(path)!r} is a folder; give a file")
    except OSError as error:
        raise Ten18Error(f"output: {error.strerror}: {str(path)[:60]!r}; give another name") from None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file; where that fails or is stopped, whatever was there before stays.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "fan.svg", b"<svg/>")
    ...     [(file.name, file.read_bytes()) for file in Path(folder).iterdir()]
    [('fan.svg', b'<svg/>')]
    """
    path = path.resolve()  # a link stays a link
    part = path.with_name(f".{token_hex(8)}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
