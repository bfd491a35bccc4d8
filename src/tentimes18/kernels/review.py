"""Played games measured by the mean, many at once, from the thresholds alone.

With k free slots f_1 < f_2 < ... and E the row of k - 1 thresholds, the best rank of a roll x is 1 + #{i : E[i] < x}.
A move r ranks off the best loses Σ (λ_{f_{t+1}} - λ_{f_t}) |x - E[t]| over the ranks between: a sum of terms that are
never negative, so that a loss of 0 is exactly 0.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["review_games"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@njit(cache=True, nogil=True)
def review_games(
    E: Floats,
    lam: Floats,
    rounds: Ints,
    rolls: Ints,
    slots: Ints,
    best: Ints,
    losses: Floats,
    lucks: Floats,
    is_choice: NDArray[np.bool_],
) -> None:
    """Best slot, loss, luck, and whether it was a choice, of each move [game, round]; slots are counted from 0.

    E[k] is the row of k thresholds, of game g the first rounds[g] moves are there.
    """
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
            goal = 0
            while goal < k - 1 and row[goal] < x:
                goal += 1
            loss = 0.0
            for t in range(min(rank, goal), max(rank, goal)):
                loss += (lam[free[t + 1]] - lam[free[t]]) * abs(x - row[t])
            losses[g, r] = loss
            for t in range(k - 1):
                if lam[free[t + 1]] > lam[free[t]] and x != row[t]:
                    is_choice[g, r] = True
            before, after = 0.0, lam[free[goal]] * x
            for t in range(k):
                before += lam[free[t]] * E[k, t]
            for t in range(k - 1):
                after += lam[free[t if t < goal else t + 1]] * row[t]
            lucks[g, r] = after - before
            while goal > 0 and lam[free[goal - 1]] == lam[free[goal]]:
                goal -= 1
            best[g, r] = free[goal]
            for t in range(rank, k - 1):
                free[t] = free[t + 1]
