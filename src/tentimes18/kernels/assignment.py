"""The recurrence of sequential assignment, from the best slot on, in float64.

With e_k the value that the k-th best slot can expect, g the excess of the law of this round (`kernels.excess`), f the
factor of what comes after and q the chance that a value comes at all,

    e_k <- f e_k + q (g(f e_k) - g(f e_{k-1})),   g(f e_0) = 0,

O(n) a round, n being the number of slots. The sums are compensated, so that a million rounds round no more than a few.
The map does not make distances larger, in the largest of the n coordinates: the errors of the rounds add up, at most.
"""

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.compiled import compiled
from tentimes18.kernels.excess import above, cell_of, excess
from tentimes18.kernels.types import Exceedances, ExcessTable, Rounds

__all__ = ["count_tails", "equal_count_tails", "play_rows", "run_rounds"]

UNIT = 2.0**-53


@compiled()
def run_rounds(
    table: ExcessTable, rounds: Rounds, first: int, last: int, E: Floats, kept: Floats, stride: int
) -> float:
    """From the row E[0] before round ``first``, from the last one, to that after ``last`` - 1; a bound of its error.

    E[1] holds what E[0] was rounded by; -∞ is a slot that has no value yet. Row j is kept where stride divides j.
    """
    starts, left, mid, inverse, coefficients, degrees = table
    laws, chances, factors, means, errors, floors = rounds
    n = E.shape[1]
    hints = np.zeros(n, dtype=np.int64)
    bound = 0.0
    for j in range(first, last):
        law, q, f = laws[j], chances[j], factors[j]
        begin, end, degree = starts[law], starts[law + 1], degrees[law]
        previous = 0.0
        slope = 0.0
        largest = 0.0
        for k in range(n):
            t = f * E[0, k]
            if t == -np.inf:
                E[0, k] = means[law] - previous
                E[1, k] = 0.0
                largest = max(largest, abs(means[law]))
                slope = 1.0
                break
            c = cell_of(left, begin, end, t, hints[k])
            hints[k] = c
            u = (t - mid[c]) * inverse[c]
            here = excess(coefficients, c, degree, u)
            change = q * (here - previous) + f * E[1, k]
            total = t + change
            part = total - t
            E[1, k] = (t - (total - part)) + (change - part)
            E[0, k] = total
            previous = here
            largest = max(largest, abs(t))
            if k == n - 1:
                slope = q * above(coefficients, c, degree, u, inverse[c])
        bound = f * bound + 2.0 * q * (errors[law] * previous + floors[law]) + 2.0 * UNIT * largest * slope
        bound += 4.0 * UNIT * q * previous + (UNIT * largest if f != 1.0 else 0.0)
        if (j + 1) % stride == 0:
            kept[(j + 1) // stride] = E[0]
    return bound


@compiled()
def count_tails(table: ExcessTable, rounds: Exceedances, bounds: Floats, out: Floats) -> None:
    """out[m, k - 1] = the chance that at least k of the values exceed bounds[m], for k = 1..n.

    Sums of products of positive numbers: the relative error of a small chance is small, too.
    """
    starts, left, mid, inverse, coefficients, degrees = table
    laws, chances, scales, ends = rounds
    n = out.shape[1]
    count = np.empty(n + 1)
    for m in range(len(bounds)):
        count[:] = 0.0
        count[0] = 1.0
        out[m] = 0.0
        for r in range(len(laws)):
            law = laws[r]
            t = bounds[m] / scales[r]
            c = cell_of(left, starts[law], starts[law + 1], t, starts[law])
            p = chances[r] * above(coefficients, c, degrees[law], (t - mid[c]) * inverse[c], inverse[c])
            count[n] += p * count[n - 1]
            for k in range(n - 1, 0, -1):
                count[k] = (1.0 - p) * count[k] + p * count[k - 1]
            count[0] *= 1.0 - p
            if ends[r] > 0.0:
                tail = 0.0
                for k in range(n, 0, -1):
                    tail += count[k]
                    out[m, k - 1] += ends[r] * tail


@compiled()
def equal_count_tails(above_bound: Floats, rounds: float, out: Floats) -> None:
    """The same for so many values of one law, each of which exceeds bound m with chance above_bound[m].

    An infinite number of rounds: a Poisson number of values, of which above_bound[m] are to be expected.
    """
    n = out.shape[1]
    for m in range(len(above_bound)):
        p = above_bound[m]
        if p <= 0.0 or (p >= 1.0 and rounds < np.inf):
            for k in range(n):
                out[m, k] = 1.0 if p > 0.0 and k + 1 <= rounds else 0.0
            continue
        # The log of the chance of exactly i values, from none on, and what its sum was rounded by.
        value = -p if rounds == np.inf else rounds * np.log1p(-p)
        log_odds = np.log(p) if rounds == np.inf else np.log(p) - np.log1p(-p)
        mean = p if rounds == np.inf else p * rounds
        lost, tail, i = 0.0, 0.0, 0.0
        while True:
            chance = np.exp(value + lost)
            if i < n:
                out[m, int(i)] = chance
            else:
                tail += chance
            left_over = 1.0 if rounds == np.inf else rounds - i
            if left_over <= 0.0:
                for k in range(int(i) + 1, n):
                    out[m, k] = 0.0
                break
            # Where more than n are to be expected, what is missing of 1 tells enough.
            if (i >= n and chance <= 1e-17 * tail) or (i == n - 1.0 and mean >= n):
                break
            term = log_odds + np.log(left_over / (i + 1.0)) + lost
            total = value + term
            part = total - value
            lost = (value - (total - part)) + (term - part)
            value = total
            i += 1.0
        if mean >= n:
            below = 0.0
            for k in range(n):
                below += out[m, k]
                out[m, k] = max(0.0, 1.0 - below)
        else:
            for k in range(n - 1, -1, -1):
                exactly = out[m, k]
                out[m, k] = tail
                tail += exactly


@compiled()
def play_rows(rows: Floats, worths: Floats, values: Floats, multipliers: Floats, free: Ints, scores: Floats) -> None:
    """Values [round, game], by the rows of bounds [round, k], best slot first; -∞ is no value.

    free[g] holds the free slots of a game, best first, and at its end their number.
    """
    rounds, games = values.shape
    n = rows.shape[1]
    for g in range(games):
        slots = free[g]
        for r in range(rounds):
            f = slots[n]
            x = values[r, g]
            rank = 0
            while rank < f and rows[r, rank] >= x:
                rank += 1
            if rank < f:
                scores[g] += worths[r] * multipliers[slots[rank]] * x
                for i in range(rank, f - 1):
                    slots[i] = slots[i + 1]
                slots[n] = f - 1
