"""The secretary problem: only ranks are seen, and k of n arrivals may be chosen.

All orders of the n arrivals are equally likely. Then the relative rank of arrival t, its rank among the first t, is one
of 1..t with equal chances, independent of those before it and after it (Rényi 1962). A candidate with final rank R is
worth w(R) if chosen, w(1) >= w(2) >= ... So an arrival with relative rank r is worth

    X_n(r) = w(r),     X_{t-1}(r) = (1 - r/t) X_t(r) + r/t X_t(r+1),

since arrival t comes before it with chance r/t; and the X_t are independent, each with a distribution of its own: the
problem is that of `assignment`, with n arrivals and k slots of multiplier 1. With e_c(t) what the c-th choice is worth
when t have passed, e_0 = +∞, and ψ_t(b) = E[max(X_t - b, 0)],

    e_c(t-1) = E[ clamp(X_t, e_c(t), e_{c-1}(t)) ] = e_c(t) + ψ_t(e_c(t)) - ψ_t(e_{c-1}(t)),

and with c choices left arrival t is chosen where X_t > e_c(t). The value is e_1(0) + ... + e_k(0). X_t(r) rises with t,
by its recurrence, and e_c(t) falls: a relative rank that is taken once is taken ever after, so a rule is a list of
numbers, from which arrival on which rank is taken.

Two rewards have names. *best*: w = 1, 0, 0, ..., the chance that the best of all is among the chosen; X_t(1) = t/n
(Lindley 1961; for several choices Gilbert and Mosteller 1966). *rank*: all k choices must be used, and the sum of the
final ranks must be small: w(R) = -R, X_t(r) = -r(n+1)/(t+1), e_c(n) = -∞ (Chow, Moriguti, Robbins and Samuels 1964
for k = 1). There e_c(t) is shown as a rank, without the minus.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, isfinite, log2
from numbers import Rational
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Floats, Ints
from tentimes18.assignment.distributions import is_number, verify_count
from tentimes18.assignment.excess import ROUNDING
from tentimes18.compiled import compiled
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size

Reward: TypeAlias = Literal["best", "rank"] | Sequence[float | Fraction]

TIE = 1e-12  # worths closer than this share of them are equal, but for rounding: then the arrival is rejected
CELL_OPERATIONS = 10  # of an arrival and a choice, or an arrival and a reward


@dataclass(frozen=True, eq=False)
class Secretary:
    """The best choice of k of n arrivals of which only relative ranks are seen.

    ``value`` is the best expected reward: a chance for "best", the least expected sum of ranks for "rank".
    ``thresholds[c - 1, t - 1]`` is what arrival t must be worth, or the rank that it may have, to be chosen where c
    choices are left; ``taken[c - 1, t - 1]`` how many of the relative ranks 1, 2, ... that is. Exact numbers are
    Fractions; in float64 ``error`` bounds how far ``value`` is off.

    >>> best = secretary(10)
    >>> round(best.value, 4), best.first(rank=1)
    (0.3987, 4)
    """

    n: int
    reward: str | tuple[float | Fraction, ...]
    choices: int
    value: float | Fraction
    thresholds: NDArray[Any]
    taken: Ints
    error: float = 0.0

    def first(self, rank: int = 1, left: int | None = None) -> int | None:
        """From which arrival on this relative rank is taken where this many choices are left; None: never.

        >>> two = secretary(100, choices=2)
        >>> two.first(left=2), two.first(left=1)
        (23, 38)
        """
        row = self.taken[self._left(left) - 1]
        _verify_place(rank, self.n, "rank")
        arrival = int(np.searchsorted(row >= rank, True))
        return arrival + 1 if arrival < self.n else None

    def takes(self, arrival: int, rank: int, left: int | None = None) -> bool:
        """Whether this arrival is chosen if its relative rank is this and this many choices are left."""
        _verify_place(arrival, self.n, "arrival")
        _verify_place(rank, arrival, "rank", ", the number of arrivals so far")
        return rank <= int(self.taken[self._left(left) - 1, arrival - 1])

    def rule(self, left: int | None = None, most: int = 20) -> list[tuple[int, int]]:
        """(relative rank, the first arrival that is taken for it), for the first ranks that are ever taken.

        >>> secretary(10, reward="rank").rule()[:4]
        [(1, 4), (2, 6), (3, 8), (4, 9)]
        """
        row = self.taken[self._left(left) - 1]
        ranks = range(1, min(most, int(row.max(initial=0))) + 1)
        return [(rank, arrival) for rank in ranks if (arrival := self.first(rank, left)) is not None]

    def arrivals(self) -> Floats:
        chances = np.empty(self.n)
        chosen(self.taken, chances, np.empty(0))
        return chances

    def ranks(self, most: int | None = None) -> Floats:
        """The chance that the arrival of final rank R is chosen, R = 1..most; without a number, at most 100."""
        count = min(self.n, 100 if most is None else most)
        if count < 1:
            raise Ten18Error("must be at least 1", "most", most)
        check_size(f"the chances of {count:,} ranks", operations=CELL_OPERATIONS * self.n * count, field="most")
        chances = np.empty(count)
        chosen(self.taken, np.empty(self.n), chances)
        return chances

    def _left(self, left: int | None) -> int:
        left = self.choices if left is None else left
        _verify_place(left, self.choices, "left", ", the number of choices")
        return left


def _verify_place(number: int, most: int, field: str, what: str = "") -> None:
    if not 1 <= number <= most:
        raise Ten18Error(f"must be 1 to {most:,}{what}", field, number)


def secretary(n: int, reward: Reward = "best", choices: int = 1, *, exact: bool = False) -> Secretary:
    """The best choice of k of n arrivals of which only ranks are seen.

    ``reward`` is "best", the chance that the best of all is among the chosen; "rank", the least sum of the ranks of
    exactly k chosen; or what the final ranks 1, 2, ... are worth, not increasing, those not named being worth nothing.

    >>> secretary(3, reward="rank", exact=True).value
    Fraction(5, 3)
    >>> round(secretary(1000, choices=2).value, 4)
    0.5915
    >>> round(secretary(100, reward=[1, 1]).value, 4)  # one of the best two
    0.5796
    """
    verify_count(n, "n")
    verify_count(choices, "choices")
    if choices > n:
        raise Ten18Error(f"must be at most the number of arrivals, {n:,}", "choices", choices)
    rewards = _rewards(reward, n, exact=exact)
    width = 1 if rewards is None else len(rewards)
    bits = n * log2(n + 1) if exact else 0.0
    check_size(
        f"the choice of {choices:,} from {n:,} arrivals",
        operations=n * (choices + width) * (CELL_OPERATIONS + 40 * bits + bits**2 / 50),
        bytes=n * choices * (16 + bits / 4),
        field="n",
    )
    kind = reward if isinstance(reward, str) else tuple(reward)
    taken: Ints = np.zeros((choices, n), dtype=np.int64)
    number: Any = Fraction if exact else float
    thresholds, last = np.empty((choices, n), dtype=object if exact else float), np.full(choices, number(0))
    tie = 0 if exact else TIE
    kernel: Any = rank_pass if rewards is None else reward_pass
    first = number(1) if rewards is None else np.array([number(w) for w in rewards])
    (kernel.py_func if exact else kernel)(first, tie, last, thresholds, taken)
    if exact:
        return Secretary(n, kind, choices, sum(last.tolist(), Fraction(0)), thresholds, taken)
    # An arrival rounds each X_t(r) and e_c, and the sum over the rewards in it, in units of the largest; later ones
    # take averages of what it is off.
    largest = float(n + 1) if rewards is None else float(rewards[0])
    error = choices * n * (2 * width + 20) * ROUNDING * largest
    return Secretary(n, kind, choices, float(last.sum()), thresholds, taken, error)


def _rewards(reward: Reward, n: int, *, exact: bool) -> list[float | Fraction] | None:
    """What the final ranks are worth; None for the ranks themselves."""
    if isinstance(reward, str):
        if reward not in ("best", "rank"):
            raise Ten18Error("not known; accepted: best, rank, or what the ranks 1, 2, ... are worth", "reward", reward)
        return None if reward == "rank" else [Fraction(1)]
    rewards = list(reward)[:n] if isinstance(reward, Iterable) else []
    if not rewards or not all(is_number(w) and isfinite(w) and w >= 0 for w in rewards):
        raise Ten18Error("must be numbers, at least one, none below 0", "reward", reward)
    if any(worse > better for better, worse in pairwise(rewards)):
        raise Ten18Error("must not increase: a better rank is worth at least as much", "reward", reward)
    if exact and not all(isinstance(w, Rational) for w in rewards):
        raise Ten18Error("must be whole numbers or fractions for an exact result", "reward", reward)
    return rewards


# Backwards for what is taken: also on arrays of Fractions, without compiling, and then without ties to round away.


@compiled()
def reward_pass(rewards: Floats, tie: float, e: Floats, thresholds: Floats, taken: Ints) -> None:
    """For rewards of the final ranks 1..m, not increasing, those beyond being 0; e_c(0) is left in e."""
    choices, n = thresholds.shape
    X = rewards.copy()  # X_t, what an arrival of relative rank 1..m is worth
    zero = 0 * X[0]
    e[:] = zero
    for t in range(n, 0, -1):
        seen = min(t, len(X))
        above = zero  # E[max(X_t - e_{c-1}(t), 0)]
        for c in range(choices):
            bound = e[c]
            thresholds[c, t - 1] = bound
            excess = zero
            r = 0
            while r < seen and X[r] > bound:
                excess += X[r] - bound
                r += 1
            while r > 0 and X[r - 1] - bound <= tie * X[r - 1]:
                r -= 1
            taken[c, t - 1] = r
            excess /= t
            e[c] = bound + excess - above
            above = excess
        for r in range(len(X)):  # X_{t-1}(r) = (1 - r/t) X_t(r) + r/t X_t(r + 1)
            beyond = X[r + 1] if r + 1 < len(X) else zero
            X[r] += (r + 1) * (beyond - X[r]) / t


@compiled()
def rank_pass(one: float, tie: float, a: Floats, thresholds: Floats, taken: Ints) -> None:
    """For the least sum of ranks; e_c(t) stands for an expected rank here, and a_c(0) is left in a."""
    choices, n = thresholds.shape
    a[:] = np.inf
    for t in range(n, 0, -1):
        q = (n + one) / (t + 1)
        lower = 0 * one  # a_{c-1}(t) - E[min(X_t, a_{c-1}(t))], 0 for c = 1
        for c in range(choices):
            bound = a[c]
            thresholds[c, t - 1] = bound
            if bound == np.inf:
                taken[c, t - 1] = t
                least = (n + one) / 2
            else:
                taken[c, t - 1] = min(t, max(0, ceil(bound / q * (1 - tie)) - 1))
                s = min(t, floor(bound / q))
                least = (q * s * (s + 1) / 2 + (t - s) * bound) / t
            a[c] = least + lower
            lower = bound - least


# Forwards for who is chosen.


@compiled()
def chosen(taken: Ints, arrivals: Floats, ranks: Floats) -> None:
    """The chances that arrival t is chosen, and the arrival of final rank r, for as many ranks as there is room."""
    choices, n = taken.shape
    left = np.zeros(choices + 1)  # left[c]: the chance that c choices are left
    left[choices] = 1.0
    arrivals[:] = 0.0
    ranks[:] = 0.0  # at time t: the chance that the one of rank r among t was chosen
    for t in range(1, n + 1):
        for r in range(min(t, len(ranks)), 0, -1):  # the new one comes before rank r with chance r/t
            stay = (t - r) / t * ranks[r - 1]
            ranks[r - 1] = stay + ((r - 1) / t * ranks[r - 2] if r > 1 else 0.0)
        for c in range(1, choices + 1):
            s = taken[c - 1, t - 1]
            for r in range(min(s, len(ranks))):
                ranks[r] += left[c] / t
            chance = left[c] * s / t
            arrivals[t - 1] += chance
            left[c] -= chance
            left[c - 1] += chance  # not looked at again for this arrival
