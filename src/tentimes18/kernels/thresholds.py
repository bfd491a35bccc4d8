"""The recurrence of `solve.thresholds` in float64.

Between two rolls φ is a straight line, φ(t) = S(t) + (1 - C(t)) t with S and C the sum and count up to t. Where
E_j[i-1] and E_j[i] lie on the same line the recurrence is just

    E_{j+1}[i] = (1 - C) E_j[i] + C E_j[i-1],

a weighted mean: no look-up, no cancellation, and one fused loop that the compiler vectorises. A row is a few such runs,
one for each line that it meets; their ends are found by bisection.
"""

import numpy as np

from tentimes18.compiled import compiled
from tentimes18.kernels.types import Floats, RollLaw

__all__ = ["all_rows", "last_row"]


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
def _next_row(law: RollLaw, j: int, E: Floats, out: Floats) -> None:
    """Out[:j+1] = E_{j+1} from E[:j] = E_j."""
    rolls, C, S = law
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
def last_row(law: RollLaw, first: int, last: int, rows: Floats) -> None:
    """From E_first in rows[first % 2] to E_last in rows[last % 2]."""
    for j in range(first, last):
        _next_row(law, j, rows[j & 1], rows[1 - (j & 1)])


@compiled()
def all_rows(law: RollLaw, n: int, table: Floats) -> None:
    """Write E_1, ..., E_n one after the other into the table."""
    for j in range(n):
        _next_row(law, j, table[j * (j - 1) // 2 :], table[j * (j + 1) // 2 :])
