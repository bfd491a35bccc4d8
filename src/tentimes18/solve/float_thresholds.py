"""The rows E_1..E_n of `solve.thresholds` in float64, and the last of them alone for many slots.

The recurrence is an average: what is rounded in one row is not enlarged in the next.
"""

from typing import Final

import numpy as np

from tentimes18.dice import Dice
from tentimes18.errors import TooLarge
from tentimes18.kernels import thresholds as kernel
from tentimes18.kernels.types import Floats, RollLaw
from tentimes18.solve.layers import Progress

__all__ = ["last_row", "roll_law", "thresholds"]

MAX_CELLS: Final = 50_000_000  # of a table of all rows: 400 MB of float64
MAX_LAST_ROW_SLOTS: Final = 400_000
ROWS_A_CALL: Final = 1_000  # between two reports of progress


def thresholds(dice: Dice, n: int) -> list[Floats]:
    """Rows E_1..E_n in float64.

    >>> [round(float(t), 3) for t in thresholds(Dice.parse("3d6"), 10)[4]]
    [7.765, 9.254, 10.5, 11.746, 13.235]
    """
    cells = n * (n + 1) // 2
    if cells > MAX_CELLS:
        raise TooLarge(
            f"all rows for {n} slots are {cells:,} numbers ({cells * 8 / 1e9:.1f} GB), at most {MAX_CELLS:,}: "
            "take the last row only",
            field="slots",
        )
    table = np.empty(cells)
    kernel.all_rows(roll_law(dice), n, table)
    return [table[j * (j - 1) // 2 : j * (j + 1) // 2] for j in range(1, n + 1)]


def last_row(dice: Dice, n: int, progress: Progress | None = None) -> Floats:
    """The row E_n alone: n²/2 cells of work in O(n) memory; progress is told (cells done, cells).

    >>> row = last_row(Dice.parse("3d6"), 1000)
    >>> len(row), round(float(row[499] + row[500]), 9)
    (1000, 21.0)
    """
    if n > MAX_LAST_ROW_SLOTS:
        raise TooLarge(
            f"{n} slots take {n * n / 2:.1e} steps; at most {MAX_LAST_ROW_SLOTS} slots are solved", field="slots"
        )
    law = roll_law(dice)
    rows = np.empty((2, n))
    for first in range(0, n, ROWS_A_CALL):
        last = min(n, first + ROWS_A_CALL)
        kernel.last_row(law, first, last, rows)
        if progress:
            progress(last * last, n * n)
    result: Floats = rows[n & 1]
    return result


def roll_law(dice: Dice) -> RollLaw:
    """The law of the dice for kernels, each number rounded once.

    >>> roll_law(Dice.parse("1d2")).C.tolist()
    [0.0, 0.5, 1.0]
    """
    below = [dice.below(p) for p in range(len(dice.support) + 1)]
    return RollLaw(
        np.array(dice.support, dtype=np.float64),
        np.array([C / dice.total for C, _ in below]),
        np.array([S / dice.total for _, S in below]),
    )
