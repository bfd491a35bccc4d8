"""Answers packed with gzip, for whoever takes them so: another form of the same thing, with an ETag of its own."""

import gzip
import re
from typing import Final

__all__ = ["BEST", "QUICK", "accepts_gzip", "pack", "packed_etag"]

BEST: Final = 9  # for what is packed once
QUICK: Final = 5  # for what is packed as it is asked for
WORTH_IT: Final = 0.9  # of its size, or less
_REFUSED: Final = re.compile(r"q=0(\.0*)?$")


def accepts_gzip(given: str) -> bool:
    """Whether a header Accept-Encoding takes gzip.

    >>> [accepts_gzip(text) for text in ("gzip, br", "br;q=1, gzip; q=0.5", "gzip;q=0", "identity", "")]
    [True, True, False, False, False]
    """
    for part in given.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == "gzip":
            return _REFUSED.match(weight.strip()) is None
    return False


def pack(data: bytes, level: int = BEST) -> bytes | None:
    """The data packed, or None where that is not much smaller.

    >>> pack(b"x"), len(pack(b"x" * 1000) or b"")
    (None, 29)
    """
    packed = gzip.compress(data, level, mtime=0)
    return packed if len(packed) < WORTH_IT * len(data) else None


def packed_etag(etag: str) -> str:
    """The ETag of the packed form of what has this one.

    >>> packed_etag('"abc"')
    '"abc-gz"'
    """
    return f'{etag[:-1]}-gz"'
