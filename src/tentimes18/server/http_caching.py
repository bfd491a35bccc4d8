"""Bodies that many clients request: compressed with gzip once, and with an ETag, so that a client can keep its copy."""

import gzip
import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from litestar import Request, Response

BEST = 9  # for what is packed once
QUICK = 5  # for what is packed while somebody waits
MIN_PACKED = 2_000  # bytes: less is not worth it
MAX_SHARE = 0.9  # of its size
ETAG_BYTES = 16
IMMUTABLE = "max-age=31536000, immutable"  # nobody asks whether it is still right: no ETag
_REJECTED = re.compile(r"q=0(\.0*)?$")
_PACKED_TYPES = ("text/", "application/", "image/svg+xml")


class CachedBody(NamedTuple):
    """A body, packed too where that is worth it, and the ETag of its bytes."""

    body: bytes
    packed: bytes | None
    etag: str
    media_type: str

    @classmethod
    def of(cls, body: bytes, media_type: str = "application/json", level: int = QUICK) -> "CachedBody":
        packed = None
        if media_type.startswith(_PACKED_TYPES) and (level == BEST or len(body) >= MIN_PACKED):
            packed = gzip.compress(body, level, mtime=0)
        if packed is not None and len(packed) >= MAX_SHARE * len(body):
            packed = None
        return cls(body, packed, f'"{blake2b(body, digest_size=ETAG_BYTES).hexdigest()}"', media_type)

    def response(self, request: Request[Any, Any, Any], cache_control: str, status: int = 200) -> Response[Any]:
        headers = {"cache-control": cache_control, "content-type": self.media_type}
        packed = self.packed if accepts_gzip(request.headers.get("accept-encoding", "")) else None
        etag = self.etag if packed is None else f'{self.etag[:-1]}-gz"'  # another form of the same thing
        if cache_control != IMMUTABLE:
            headers["etag"] = etag
        if self.packed is not None:
            headers["vary"] = "Accept-Encoding"
        if status == 200 and is_known(request.headers.getall("if-none-match", []), etag):
            del headers["content-type"]
            return Response(None, status_code=304, headers=headers)
        if packed is not None:
            headers["content-encoding"] = "gzip"
        return Response(packed or self.body, status_code=status, headers=headers)


def is_known(tags: Sequence[str], etag: str) -> bool:
    """Whether this ETag is among those of If-None-Match, which compares weakly (RFC 9110, section 13.1.2)."""
    known = [tag.strip().removeprefix("W/") for line in tags for tag in line.split(",")]
    return "*" in known or etag in known


def accepts_gzip(header: str) -> bool:
    """Whether a header Accept-Encoding takes gzip.

    >>> [accepts_gzip(text) for text in ("gzip, br", "br;q=1, GZIP; q=0.5", "br, gzip;q=0.000", "x-gzip", "")]
    [True, True, False, False, False]
    """
    for part in header.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == "gzip":
            return _REJECTED.match(weight.strip()) is None
    return False
