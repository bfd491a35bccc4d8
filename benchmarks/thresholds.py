"""Claim: the last row of thresholds takes a fraction of a nanosecond a cell, and two rows of memory."""

from functools import partial

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.harness import Claim, Section, Table, best_of, memory, peak_allocation, seconds
from benchmarks.plain import numpy_last_row
from tentimes18.dice import Dice
from tentimes18.solve.float_thresholds import last_row

GOALS = {10_000: 0.2, 100_000: 15.0}  # seconds
SIZES = (100, 1_000, 10_000, 100_000)
NUMPY_MOST = 10_000
ROWS = 3  # of memory allowed


def run() -> Section:
    dice = Dice.parse("3d6")
    last_row(dice, 10)
    _copy_rows(10, np.ones(10), np.ones(10))
    ours = {n: best_of(partial(last_row, dice, n))[0] for n in SIZES}
    copying = {n: best_of(partial(_copy_rows, n, np.ones(n), np.ones(n)))[0] for n in SIZES}
    by_numpy = {n: best_of(partial(numpy_last_row, dice, n))[0] for n in SIZES if n <= NUMPY_MOST}

    ratio = by_numpy[NUMPY_MOST] / ours[NUMPY_MOST]
    peer = f"NumPy, {NUMPY_MOST:,} slots: {seconds(by_numpy[NUMPY_MOST])}, {ratio:.0f} times ours"
    largest = max(SIZES)
    claims = [
        Claim(
            f"last row, {n:,} slots",
            goal,
            ours[n],
            f"{_cells(n):.2g} cells, {ours[n] / _cells(n) * 1e9:.2g} ns per cell; copying the rows: "
            f"{seconds(copying[n])}, ours is {ours[n] / copying[n]:.1f} times that",
            peer,
        )
        for n, goal in GOALS.items()
    ]
    claims.append(
        Claim(
            f"memory of the last row, {largest:,} slots",
            ROWS * 8 * largest,
            peak_allocation(partial(last_row, dice, largest)),
            f"two rows of float64 are {memory(2 * 8 * largest)}; all rows would be {memory(8 * _cells(largest))}",
            show=memory,
        )
    )
    rows = [
        [f"{n:,}", *(seconds(times[n]) if n in times else "" for times in (ours, copying, by_numpy))] for n in SIZES
    ]
    return Section(
        "Thresholds",
        "The row E_n for 3d6 in float64. Copying: rows of the lengths 1 to n, each copied once by compiled code, the "
        "least work of a program that writes them all. NumPy: the same recurrence, a row at a time, by `np.interp`.",
        claims,
        [Table(("slots", "ours", "copying", "NumPy"), rows)],
    )


def _cells(n: int) -> int:
    return n * (n + 1) // 2


@njit(cache=True)
def _copy_rows(n: int, row: NDArray[np.float64], following: NDArray[np.float64]) -> None:
    for j in range(1, n + 1):
        for i in range(j):
            following[i] = row[i]
