"""The rows E_1..E_n of `solve.thresholds` in float64, and the last of them alone for many slots.

The recurrence is an average: what is rounded in one row is not enlarged in the next.
"""

from typing import Final

import numpy as np

from tentimes18.dice import Dice
from tentimes18.kernels import thresholds as kernel
from tentimes18.kernels.types import Floats, RollLaw
from tentimes18.plan import Plan, admit, largest
from tentimes18.solve.layers import Progress, apart

__all__ = ["last_row", "last_row_plan", "roll_law", "thresholds", "thresholds_plan"]

SECONDS_A_STORED_CELL: Final = 1.5e-8
SECONDS_A_CELL: Final = 2e-10  # where two rows stay in the cache
SECONDS_A_RUN: Final = 2.5e-8  # of cells between two rolls
ROWS_A_CALL: Final = 1_000  # between two reports of progress


def thresholds_plan(dice: Dice, n: int) -> Plan:
    """What all rows up to E_n take."""
    cells, runs = n * (n + 1) / 2, n * min(n, len(dice.support))
    return Plan(
        f"the table of all thresholds for {n:,} slots",
        seconds=SECONDS_A_STORED_CELL * cells + SECONDS_A_RUN * runs,
        memory=8 * cells,
    )


def last_row_plan(dice: Dice, n: int) -> Plan:
    """What the row E_n alone takes."""
    cells, runs = n * (n + 1) / 2, n * min(n, len(dice.support))
    return Plan(
        f"the last row of thresholds for {n:,} slots",
        seconds=SECONDS_A_CELL * cells + SECONDS_A_RUN * runs,
        memory=16 * n,
    )


def thresholds(dice: Dice, n: int) -> list[Floats]:
    """Rows E_1..E_n in float64.

    >>> [round(float(t), 3) for t in thresholds(Dice.parse("3d6"), 10)[4]]
    [7.765, 9.254, 10.5, 11.746, 13.235]
    """
    cells = n * (n + 1) // 2
    admit(thresholds_plan(dice, n), instead="the last row, E_n, needs no such table")
    table = np.empty(cells)
    law = roll_law(dice)
    apart(lambda: kernel.all_rows(law, n, table))
    return [table[j * (j - 1) // 2 : j * (j + 1) // 2] for j in range(1, n + 1)]


def last_row(dice: Dice, n: int, progress: Progress | None = None) -> Floats:
    """The row E_n alone: n²/2 cells of work in O(n) memory; progress is told (cells done, cells).

    >>> row = last_row(Dice.parse("3d6"), 1000)
    >>> len(row), round(float(row[499] + row[500]), 9)
    (1000, 21.0)
    """
    admit(
        last_row_plan(dice, n),
        instead=lambda limits: (
            f"{largest(n - 1, lambda fewer: last_row_plan(dice, fewer).fits(limits)):,} slots of these dice fit"
        ),
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
