"""The bytes of a file as blocks of whole lines, and the lines of them as text.

A line ends with a line feed, a carriage return, or a carriage return and a line feed; in a block with a line feed.
"""

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Final, Protocol

__all__ = ["BLOCK", "Readable", "line_blocks", "text_of", "texts_of"]

BLOCK: Final = 1 << 20  # bytes


class Readable(Protocol):
    """What bytes can be read from."""

    def read(self, size: int, /) -> bytes:
        """So many bytes, fewer at the end only."""


def line_blocks(source: Readable, size: int = BLOCK) -> Iterator[bytes]:
    r"""Blocks of about so many bytes; only the last line of the last one may have no end.

    >>> list(line_blocks(BytesIO(b"one\r\ntwo\rthree"), size=6))
    [b'one\n', b'two\n', b'three']
    """
    parts: list[bytes] = []
    while piece := source.read(size):
        # A carriage return that is the last byte may be half of a line's end.
        cut = max(piece.rfind(b"\n"), piece.rfind(b"\r", 0, len(piece) - 1)) + 1
        if parts and parts[-1].endswith(b"\r") and not piece.startswith(b"\n"):
            yield _with_line_feeds(b"".join(parts))
            parts = []
        if cut:
            yield _with_line_feeds(b"".join([*parts, piece[:cut]]))
            parts = []
        if cut < len(piece):
            parts.append(piece[cut:])
    if parts:
        yield _with_line_feeds(b"".join(parts))


def _with_line_feeds(block: bytes) -> bytes:
    return block.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in block else block


def text_of(line: bytes) -> str:
    r"""The text of a line; bytes that are none stand as a replacement sign.

    >>> ascii(text_of(b"Ad\xffa"))
    "'Ad\\ufffda'"
    """
    return line.decode("utf-8", errors="replace")


def texts_of(blocks: Iterable[bytes]) -> Iterator[str]:
    r"""The lines of blocks as text.

    >>> list(texts_of([b"one\ntwo\n", b"three"]))
    ['one\n', 'two\n', 'three']
    """
    for block in blocks:
        yield from map(text_of, BytesIO(block))
