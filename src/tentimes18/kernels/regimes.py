"""Sequential assignment where the law depends on a regime, a Markov chain: a row a regime.

With E(s) the row before an arrival in regime s and T(s) = f Σ P(s, s') E(s') that after it,

    E(s)[k] <- T(s)[k] + q (g_s(T(s)[k]) - g_s(T(s)[k-1])),   g_s(T(s)[0]) = 0.
"""

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.compiled import compiled
from tentimes18.kernels.excess import above, cell_of, excess
from tentimes18.kernels.types import Exceedances, ExcessTable, Rounds

__all__ = ["play_regimes", "regime_count_tails", "regime_paths", "run_regimes"]

UNIT = 2.0**-53


@compiled()
def run_regimes(table: ExcessTable, rounds: Rounds, transitions: Floats, kept: Floats, after: Floats) -> float:
    """From kept[0] on: kept[j, s] with j rounds to come, after[j, s] what that is worth a round earlier; the error.

    Regime s has law s; chances and factors are those of the rounds, from the last on.
    """
    starts, left, mid, inverse, coefficients, degrees = table
    _, chances, factors, means, errors, floors = rounds
    N, S, n = after.shape
    bound = 0.0
    for j in range(N):
        f, q = factors[j], chances[j]
        worst = 0.0
        for s in range(S):
            for k in range(n):
                total = 0.0
                for other in range(S):
                    if transitions[s, other] > 0.0:
                        total += transitions[s, other] * kept[j, other, k]
                after[j, s, k] = f * total
            previous = 0.0
            largest = 0.0
            kept[j + 1, s, :] = after[j, s, :]
            for k in range(n):
                t = after[j, s, k]
                if t == -np.inf:
                    kept[j + 1, s, k] = means[s] - previous
                    largest = max(largest, abs(means[s]))
                    break
                c = cell_of(left, starts[s], starts[s + 1], t, starts[s])
                here = excess(coefficients, c, degrees[s], (t - mid[c]) * inverse[c])
                kept[j + 1, s, k] = t + q * (here - previous)
                previous = here
                largest = max(largest, abs(t))
            worst = max(worst, 2.0 * (errors[s] * previous + floors[s]) + UNIT * ((S + 6.0) * largest + 4.0 * previous))
        bound = f * bound + worst
    return bound


@compiled()
def regime_count_tails(
    table: ExcessTable, rounds: Exceedances, begin: Floats, transitions: Floats, bounds: Floats, out: Floats
) -> None:
    """out[m, k - 1] = the chance that at least k of the values exceed bounds[m], for k = 1..n."""
    starts, left, mid, inverse, coefficients, degrees = table
    _, chances, scales, ends = rounds
    n = out.shape[1]
    S = len(begin)
    count = np.empty((S, n + 1))
    moved = np.empty((S, n + 1))
    for m in range(len(bounds)):
        count[:] = 0.0
        count[:, 0] = begin
        out[m] = 0.0
        for r in range(len(chances)):
            t = bounds[m] / scales[r]
            for s in range(S):
                c = cell_of(left, starts[s], starts[s + 1], t, starts[s])
                p = chances[r] * above(coefficients, c, degrees[s], (t - mid[c]) * inverse[c], inverse[c])
                count[s, n] += p * count[s, n - 1]
                for k in range(n - 1, 0, -1):
                    count[s, k] = (1.0 - p) * count[s, k] + p * count[s, k - 1]
                count[s, 0] *= 1.0 - p
            if ends[r] > 0.0:
                tail = 0.0
                for k in range(n, 0, -1):
                    tail += count[:, k].sum()
                    out[m, k - 1] += ends[r] * tail
            for s in range(S):
                for k in range(n + 1):
                    total = 0.0
                    for other in range(S):
                        total += count[other, k] * transitions[other, s]
                    moved[s, k] = total
            count[:] = moved


@compiled()
def regime_paths(begin: Floats, transitions: Floats, fractions: Floats, paths: Ints) -> None:
    """paths[round, game]: the regimes that these fractions of 1 lead through."""
    rounds, games = paths.shape
    S = len(begin)
    for g in range(games):
        for r in range(rounds):
            chances = begin if r == 0 else transitions[paths[r - 1, g]]
            rest = fractions[r, g]
            s = 0
            while s < S - 1 and rest >= chances[s]:
                rest -= chances[s]
                s += 1
            paths[r, g] = s


@compiled()
def play_regimes(
    after: Floats, worths: Floats, values: Floats, paths: Ints, multipliers: Floats, scores: Floats
) -> None:
    """Values [round, game] by the bounds after[round, regime, k], best slot first; -∞ is no value."""
    rounds, games = values.shape
    n = after.shape[2]
    slots = np.empty(n, dtype=np.int64)
    for g in range(games):
        f = n
        for i in range(n):
            slots[i] = i
        for r in range(rounds):
            x, s = values[r, g], paths[r, g]
            rank = 0
            while rank < f and after[r, s, rank] >= x:
                rank += 1
            if rank < f:
                scores[g] += worths[r] * multipliers[slots[rank]] * x
                for i in range(rank, f - 1):
                    slots[i] = slots[i + 1]
                f -= 1
