"""Sequential assignment where b values are seen together: the i-th largest of what is expected and the batch.

With g_r the excess of the r-th largest of b values, and e_0 = ∞ where every excess is 0,

    e_i <- e_i + Σ_{m = max(0, i-b)}^{i-1} (g_{i-m}(e_{m+1}) - g_{i-m}(e_m)).
"""

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.compiled import compiled
from tentimes18.kernels.excess import cell_of, excess
from tentimes18.kernels.types import ExcessTable, Rounds

__all__ = ["play_batches", "run_batches"]

UNIT = 2.0**-53


@compiled()
def _at(table: ExcessTable, law: int, t: float) -> float:
    starts, left, mid, inverse, coefficients, degrees = table
    c = cell_of(left, starts[law], starts[law + 1], t, starts[law])
    return excess(coefficients, c, degrees[law], (t - mid[c]) * inverse[c])


@compiled()
def run_batches(table: ExcessTable, rounds: Rounds, sizes: Floats, kept: Floats) -> float:
    """kept[j + 1] from kept[j], for batches from the last on; a bound of the error.

    rounds.laws[j] is the law of the largest value of batch j, those of the next largest follow it, sizes[j] of them in
    all. -∞ stands for a slot that has no value yet.
    """
    laws, _, factors, means, errors, floors = rounds
    N, n = len(laws), kept.shape[1]
    bound = 0.0
    e = np.empty(n + 1)
    for j in range(N):
        first, b = laws[j], int(sizes[j])
        e[0] = np.inf
        known = 0
        for k in range(n):
            e[k + 1] = factors[j] * kept[j, k]
            if e[k + 1] > -np.inf:
                known = k + 1
        worst = 0.0
        for i in range(1, n + 1):
            if i > known + b:
                kept[j + 1, i - 1] = -np.inf
                continue
            spent = 0.0
            if i <= known:
                total = e[i]
                end = i
            else:
                law = first + i - known - 1
                here = _at(table, law, e[known]) if known > 0 else 0.0
                total = means[law] - here
                spent += errors[law] * here + floors[law] + UNIT * abs(means[law])
                end = known
            for m in range(max(0, i - b), end):
                law = first + i - m - 1
                low = _at(table, law, e[m + 1])
                high = _at(table, law, e[m]) if m > 0 else 0.0
                total += low - high
                spent += errors[law] * (low + high) + 2.0 * floors[law] + UNIT * (abs(total) + low)
            kept[j + 1, i - 1] = total
            worst = max(worst, spent + 2.0 * UNIT * abs(total))
        bound = factors[j] * bound + worst
    return bound


@compiled()
def play_batches(
    rows: Floats, sizes: Ints, worths: Floats, values: Floats, multipliers: Floats, scores: Floats
) -> None:
    """Values [arrival, game] in batches of these sizes, by the rows of bounds [batch, k], best slot first.

    From the largest of a batch on, each goes to the rank that the bounds give it among the slots that are left: those
    above it are kept for what is still to come.
    """
    games, n = values.shape[1], rows.shape[1]
    slots = np.empty(n, dtype=np.int64)
    for g in range(games):
        f = n
        for i in range(n):
            slots[i] = i
        first = 0
        for t in range(len(sizes)):
            batch = np.sort(values[first : first + sizes[t], g])
            first += sizes[t]
            rank = 0
            for place in range(sizes[t] - 1, -1, -1):
                x = batch[place]
                while rank < f and rows[t, rank] >= x:
                    rank += 1
                if rank >= f:
                    break
                scores[g] += worths[t] * multipliers[slots[rank]] * x
                for i in range(rank, f - 1):
                    slots[i] = slots[i + 1]
                f -= 1
