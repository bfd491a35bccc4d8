"""ETags: by them whoever has an answer already is told so."""

from collections.abc import Sequence

__all__ = ["is_known"]


def is_known(given: Sequence[str], etag: str) -> bool:
    """Whether this ETag is among those of If-None-Match, which compares weakly (RFC 9110, section 13.1.2).

    >>> is_known(['W/"a", "b"'], '"a"'), is_known(["*"], '"a"'), is_known(['"ab"'], '"a"'), is_known([], '"a"')
    (True, True, False, False)
    """
    tags = [tag.strip().removeprefix("W/") for line in given for tag in line.split(",")]
    return "*" in tags or etag in tags
