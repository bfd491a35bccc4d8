"""Played games measured by the mean, many at once, from the thresholds alone.

With k free slots f_1 < f_2 < ... and E the row of k - 1 thresholds, the best rank of a roll x is 1 + #{i : E[i] < x}.
A move r ranks off the best loses Σ (λ_{f_{t+1}} - λ_{f_t}) |x - E[t]| over the ranks between. Where E[t] = x or the two
multipliers are equal a step costs nothing; which steps those are is told by the exact numbers, not by floats. λ counts
from the smallest multiplier, so that large ones lose no digits; what that leaves out is the same in every slot, and is
luck: base (x - mean).
"""

import numpy as np

from tentimes18.kernels.types import MeasuredMoves, Multipliers, PlayedMoves, RankedRolls
from tentimes18.storage.compiled import compiled

__all__ = ["review_games"]


@compiled()
def review_games(
    thresholds: RankedRolls, multipliers: Multipliers, played: PlayedMoves, measured: MeasuredMoves
) -> None:
    """Best slot, loss, luck, whether it was a choice and the best one, of each move [game, round]; slots from 0."""
    E, low, high = thresholds
    lam, group, base, mean = multipliers
    rounds, rolls, places, slots = played
    best, losses, lucks, is_choice, is_best = measured
    n = len(lam)
    free = np.empty(n, dtype=np.int64)
    for g in range(len(rounds)):
        for i in range(n):
            free[i] = i
        for r in range(rounds[g]):
            k = n - r
            x = rolls[g, r]
            row = E[k - 1]
            rank = 0
            while free[rank] != slots[g, r]:
                rank += 1
            goal, last = low[k - 1, places[g, r]], high[k - 1, places[g, r]]
            loss = 0.0
            is_best[g, r] = True
            for t in range(k - 1):
                if group[free[t + 1]] != group[free[t]] and not goal <= t < last:
                    is_choice[g, r] = True
                    if min(rank, goal) <= t < max(rank, goal):
                        is_best[g, r] = False
                        loss += (lam[free[t + 1]] - lam[free[t]]) * abs(x - row[t])
            losses[g, r] = loss
            before, after = 0.0, lam[free[goal]] * x
            for t in range(k):
                before += lam[free[t]] * E[k, t]
            for t in range(k - 1):
                after += lam[free[t if t < goal else t + 1]] * row[t]
            lucks[g, r] = after - before + base * (x - mean)
            while goal > 0 and group[free[goal - 1]] == group[free[goal]]:
                goal -= 1
            best[g, r] = free[goal]
            for t in range(rank, k - 1):
                free[t] = free[t + 1]
