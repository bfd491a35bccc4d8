"""The rows E_1..E_n of `solve.thresholds` in float64, and the last of them alone for many slots.

Between two rolls φ is a straight line, φ(t) = S(t) + (1 - C(t)) t with S and C the sum and count up to t. Where
E_j[i-1] and E_j[i] lie on the same line the recurrence is just

    E_{j+1}[i] = (1 - C) E_j[i] + C E_j[i-1],

a weighted mean: no look-up, no cancellation, and one fused loop that the compiler vectorises. A row is a few such runs,
one for each line that it meets; their ends are found by bisection.

The recurrence is an average: rounding in one row is not enlarged in the next.
"""

from typing import NamedTuple

import numpy as np

from tentimes18.arrays import Floats
from tentimes18.compiled import compiled
from tentimes18.dice import Dice
from tentimes18.limits import check_size
from tentimes18.solve.parallel import Progress, interruptible

ROWS_PER_CALL = 1_000  # between two reports of progress


class RollDistribution(NamedTuple):
    """The distribution of a roll in floats: the rolls, and count and sum of the first p of them over the total."""

    rolls: Floats
    C: Floats
    S: Floats


def thresholds(dice: Dice, n: int) -> list[Floats]:
    cells = n * (n + 1) // 2
    check_size(f"the table of all thresholds for {n:,} slots", bytes=8 * cells, operations=15 * cells)
    table = np.empty(cells)
    distribution = roll_distribution(dice)
    interruptible(lambda: fill_rows(distribution, n, table))
    return [table[j * (j - 1) // 2 : j * (j + 1) // 2] for j in range(1, n + 1)]


def last_row(dice: Dice, n: int, progress: Progress | None = None) -> Floats:
    """The row E_n alone: n²/2 cells of work in O(n) memory; ``progress`` gets the cells done and all cells."""
    support = min(n, len(dice.support))
    check_size(f"the last row of thresholds for {n:,} slots", bytes=16 * n, operations=n * (n / 10 + 25 * support))
    distribution = roll_distribution(dice)
    rows = np.empty((2, n))
    for first in range(0, n, ROWS_PER_CALL):
        last = min(n, first + ROWS_PER_CALL)
        fill_last_row(distribution, first, last, rows)
        if progress:
            progress(last * last, n * n)
    result: Floats = rows[n & 1]
    return result


def order_statistics(dice: Dice, n: int, progress: Progress | None = None) -> Floats:
    """The order statistics of `solve.hindsight`: E[X_(1)], ..., E[X_(n)].

    Each binomial distribution grows from its largest term outwards, so nothing over- or underflows.
    """
    operations = len(dice.support) * (20_000 + 16.0 * n)
    check_size(f"the order statistics of {n:,} rolls", bytes=80 * n, operations=operations)
    row = np.full(n, float(dice.support[0]))
    b = np.arange(1, n + 1)
    for position in range(1, len(dice.support)):
        count, _ = dice.below(position)
        p, q = count / dice.total, (dice.total - count) / dice.total
        if q == 0.0:
            break
        mode = min(n, int((n + 1) * p))
        up = np.cumprod((n - b[mode:] + 1) / b[mode:] * (p / q))  # ratios of binomial term b to term b - 1
        down = np.cumprod((b[:mode] / (n - b[:mode] + 1) * (q / max(p, 1e-300)))[::-1])[::-1]
        terms = np.concatenate((down, [1.0], up))
        fewer = np.cumsum(terms)[:-1] / terms.sum()
        row += (dice.support[position] - dice.support[position - 1]) * np.minimum(fewer, 1.0)
        if progress:
            progress(position, len(dice.support) - 1)
    return row


def roll_distribution(dice: Dice) -> RollDistribution:
    """The distribution of a roll for kernels, each number rounded once."""
    below = [dice.below(p) for p in range(len(dice.support) + 1)]
    return RollDistribution(
        np.array(dice.support, dtype=np.float64),
        np.array([C / dice.total for C, _ in below]),
        np.array([S / dice.total for _, S in below]),
    )


@compiled(inline="always")
def _position(sorted_values: Floats, low: int, high: int, bound: float) -> int:
    """Number of values <= bound among sorted_values[:high], known to be at least low."""
    while low < high:
        middle = (low + high) >> 1
        if sorted_values[middle] <= bound:
            low = middle + 1
        else:
            high = middle
    return low


@compiled(fastmath={"contract"})
def _next_row(distribution: RollDistribution, j: int, E: Floats, out: Floats) -> None:
    """Out[:j+1] = E_{j+1} from E[:j] = E_j."""
    rolls, C, S = distribution
    s = len(rolls)
    p = 0
    psi = 0.0
    start = 0
    while start < j:
        p = _position(rolls, p, s, E[start])
        end = j if p == s else _position(E, start + 1, j, np.nextafter(rolls[p], -np.inf))
        c = C[p]
        d = 1.0 - c
        out[start] = S[p] + d * E[start] + psi
        upper, lower, target = E[start + 1 : end], E[start : end - 1], out[start + 1 : end]
        for i in range(len(target)):
            target[i] = d * upper[i] + c * lower[i]
        psi = c * E[end - 1] - S[p]
        start = end
    out[j] = S[s] + psi


@compiled()
def fill_last_row(distribution: RollDistribution, first: int, last: int, rows: Floats) -> None:
    for j in range(first, last):
        _next_row(distribution, j, rows[j & 1], rows[1 - (j & 1)])


@compiled()
def fill_rows(distribution: RollDistribution, n: int, table: Floats) -> None:
    for j in range(n):
        _next_row(distribution, j, table[j * (j - 1) // 2 :], table[j * (j + 1) // 2 :])
