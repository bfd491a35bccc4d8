"""ETags: by them whoever has an answer already is told so.

Answers packed with gzip, for whoever takes them so: another form of the same thing, with an ETag of its own.

Answers that stay fresh for some seconds, where to find them anew takes long.
"""

import gzip
import re
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar


def is_known(given: Sequence[str], etag: str) -> bool:
    """Whether this ETag is among those of If-None-Match, which compares weakly (RFC 9110, section 13.1.2).

    >>> is_known(['W/"a", "b"'], '"a"'), is_known(["*"], '"a"'), is_known(['"ab"'], '"a"'), is_known([], '"a"')
    (True, True, False, False)
    """
    tags = [tag.strip().removeprefix("W/") for line in given for tag in line.split(",")]
    return "*" in tags or etag in tags


BEST = 9  # for what is packed once
QUICK = 5  # for what is packed as it is asked for
WORTH_IT = 0.9  # of its size, or less
_REFUSED = re.compile(r"q=0(\.0*)?$")


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


Key = TypeVar("Key")
Value = TypeVar("Value")


class Fresh(Generic[Key, Value]):
    """The latest answers, each for so many seconds.

    >>> kept = Fresh[str, int](seconds=5, most=2, clock=lambda: 0.0)
    >>> for number, name in enumerate("abc"):
    ...     kept.put(name, number)
    >>> kept.get("a"), kept.get("c")
    (None, 2)
    """

    def __init__(self, seconds: float, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._most = most
        self._clock = clock
        self._found: dict[Key, tuple[float, Value]] = {}

    def get(self, key: Key) -> Value | None:
        """The answer, while it is fresh."""
        until, value = self._found.get(key, (0.0, None))
        return value if value is not None and self._clock() < until else None

    def put(self, key: Key, value: Value) -> None:
        """Keep an answer, in place of the one that was put longest ago if there are too many."""
        self._found.pop(key, None)
        while len(self._found) >= self._most:
            self._found.pop(next(iter(self._found)), None)
        self._found[key] = (self._clock() + self._seconds, value)
