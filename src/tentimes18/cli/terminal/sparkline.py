"""The course of some numbers in one line of text."""

from collections.abc import Sequence
from typing import Final

__all__ = ["sparkline"]

BLOCKS: Final = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float | None]) -> str:
    """The course of some numbers in one line of text; where there is none, a gap.

    >>> sparkline([1, 2, 3, None, 8])
    '▁▂▃ █'
    """
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    step = (high - low) / (len(BLOCKS) - 1) or 1.0
    return "".join(" " if value is None else BLOCKS[round((value - low) / step)] for value in values)
