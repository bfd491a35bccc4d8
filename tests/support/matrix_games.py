"""Matrix games, looked at plainly."""

from typing import Final

from tentimes18.arrays import Floats

__all__ = ["are_only"]

MARGIN: Final = 1e-9


def are_only(M: Floats, row: Floats, column: Floats) -> bool:
    """Whether no other mixed moves than these, which are best, are as good, by a margin.

    As many moves a side, each with a share, and every other one worse.
    """
    value, mine, theirs = row @ M @ column, M @ column, row @ M
    is_sure = (row[row > 0] > MARGIN).all() and (column[column > 0] > MARGIN).all()
    is_sure &= (mine[row == 0] < value - MARGIN).all() and (theirs[column == 0] > value + MARGIN).all()
    return bool(is_sure and (row > 0).sum() == (column > 0).sum())
