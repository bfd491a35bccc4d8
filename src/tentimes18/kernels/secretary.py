"""The passes of `assignment.secretary` in float64: backwards for what is taken, forwards for who is.

`thresholds[c-1, t-1]` is e_c(t), `taken[c-1, t-1]` how many of the relative ranks 1, 2, ... arrival t is taken for
where c choices are left.
"""

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.compiled import compiled

__all__ = ["chosen_arrivals", "chosen_ranks", "rank_pass", "reward_pass"]

TIE = 1e-12  # worths closer than this share of them are equal, but for rounding: then the arrival is refused


@compiled()
def reward_pass(rewards: Floats, e: Floats, thresholds: Floats, taken: Ints) -> None:
    """For rewards of the final ranks 1..m, not increasing, those beyond being 0; e_c(0) is left in e."""
    choices, n = thresholds.shape
    X = rewards.copy()  # X_t, what an arrival of relative rank 1..m is worth
    e[:] = 0.0
    for t in range(n, 0, -1):
        seen = min(t, len(X))
        above = 0.0  # E[max(X_t - e_{c-1}(t), 0)]
        for c in range(choices):
            bound = e[c]
            thresholds[c, t - 1] = bound
            excess = 0.0
            r = 0
            while r < seen and X[r] > bound:
                excess += X[r] - bound
                r += 1
            while r > 0 and X[r - 1] - bound <= TIE * X[r - 1]:
                r -= 1
            taken[c, t - 1] = r
            excess /= t
            e[c] = bound + excess - above
            above = excess
        for r in range(len(X)):  # X_{t-1}(r) = (1 - r/t) X_t(r) + r/t X_t(r + 1)
            beyond = X[r + 1] if r + 1 < len(X) else 0.0
            X[r] += (r + 1) / t * (beyond - X[r])


@compiled()
def rank_pass(a: Floats, thresholds: Floats, taken: Ints) -> None:
    """For the least sum of ranks; e_c(t) stands for an expected rank here, and a_c(0) is left in a."""
    choices, n = thresholds.shape
    a[:] = np.inf
    for t in range(n, 0, -1):
        q = (n + 1) / (t + 1)
        lower = 0.0  # a_{c-1}(t) - E[min(X_t, a_{c-1}(t))], 0 for c = 1
        for c in range(choices):
            bound = a[c]
            thresholds[c, t - 1] = bound
            if bound == np.inf:
                taken[c, t - 1] = t
                least = (n + 1) / 2
            else:
                taken[c, t - 1] = min(t, max(0, int(np.ceil(bound / q * (1 - TIE))) - 1))
                s = min(t, int(bound / q))
                least = (q * s * (s + 1) / 2 + (t - s) * bound) / t
            a[c] = least + lower
            lower = bound - least


@compiled()
def chosen_arrivals(taken: Ints, out: Floats) -> None:
    """out[t-1] = the chance that arrival t is chosen."""
    choices, n = taken.shape
    left = np.zeros(choices + 1)  # left[c]: the chance that c choices are left
    left[choices] = 1.0
    for t in range(1, n + 1):
        out[t - 1] = 0.0
        for c in range(1, choices + 1):
            chance = left[c] * taken[c - 1, t - 1] / t
            out[t - 1] += chance
            left[c] -= chance
            left[c - 1] += chance  # not looked at again for this arrival


@compiled()
def chosen_ranks(taken: Ints, out: Floats) -> None:
    """out[r-1] = the chance that the arrival of final rank r is chosen, for as many ranks as there is room."""
    choices, n = taken.shape
    left = np.zeros(choices + 1)
    left[choices] = 1.0
    out[:] = 0.0  # at time t: the chance that whoever has rank r among t was chosen
    for t in range(1, n + 1):
        for r in range(min(t, len(out)), 0, -1):  # the new one comes before rank r with chance r/t
            stay = (t - r) / t * out[r - 1]
            out[r - 1] = stay + ((r - 1) / t * out[r - 2] if r > 1 else 0.0)
        for c in range(1, choices + 1):
            s = taken[c - 1, t - 1]
            for r in range(min(s, len(out))):
                out[r] += left[c] / t
            chance = left[c] * s / t
            left[c] -= chance
            left[c - 1] += chance
