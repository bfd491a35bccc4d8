"""How values arrive, as the solver sees it: what n slots can expect, and which arrival fills which slot.

Slots are ordered from the best on. A group of equal multipliers is a..b with groups[a] = ... = groups[b], the number of
its first slot; among equal slots the one with the smaller number, the last in this order, is filled first. For a group
the state is how many slots are free above it, in it, and below it. With P_k = P(X > e_k), e_k the k-th threshold, a
value goes above the group with chance P_a, into it with P_{a+m} - P_a, below it with P_{a+m+b} - P_{a+m}, where a, m, b
are free.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.assignment.arrivals import Regimes
from tentimes18.assignment.distributions import ValueDistribution
from tentimes18.compiled import compiled
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size

EXACT_COST = 1000  # operations of a sum and product of Fractions

Real: TypeAlias = float | Fraction


class HindsightRow(NamedTuple):
    """What the slots get by someone who knows all values, the best slot first, and a bound of the error of each."""

    row: Sequence[Real]
    error: float = 0.0


class Successors(NamedTuple):
    """A Markov chain: the chances of the first regime, and for each the regimes that may follow, with their chances."""

    begin: Floats
    targets: Ints
    chances: Floats


@dataclass(frozen=True)
class Rounds:
    """Rounds in order of arrival: distributions, by number or by regime; the probability of a value; discounts.

    ``factors`` are those of what comes after a round, ``ends`` the probabilities that a round is the last one,
    ``starts`` that there is a first, ``scales`` what a value counts in hindsight.
    """

    n: int
    dists: tuple[ValueDistribution, ...]
    numbers: Any  # one a round, as all that follow: arrays of floats or of Fractions
    chances: Any
    factors: Any
    scales: Any
    ends: Any
    starts: Real
    must_fill: bool
    regimes: Regimes | None = None

    @property
    def size(self) -> int:
        return len(self.numbers)

    @property
    def choices(self) -> Ints:
        if self.regimes is not None:
            return np.tile(np.arange(self.regimes.size), (self.size, 1))
        return np.asarray(self.numbers, dtype=np.int64)[:, None].copy()

    def chain(self, kind: Any) -> tuple[Any, Any]:
        """The chances of the first regime, and of the next one after each; one regime if there are none."""
        begin, transitions = ((1,), ((1,),)) if self.regimes is None else (self.regimes.begin, self.regimes.transitions)
        return np.array(begin, dtype=kind), np.array(transitions, dtype=kind)

    @cached_property
    def floats(self) -> "Rounds":
        """The same in float64."""
        names = ("chances", "factors", "scales", "ends")
        arrays: dict[str, Any] = {name: np.asarray(getattr(self, name), dtype=np.float64) for name in names}
        return replace(self, **arrays, starts=float(self.starts))

    def continues(self) -> Any:
        """The probabilities that each round comes about, given that the one before did."""
        starts: Any = self.starts
        left = np.asarray(self.ends)[::-1].cumsum()[::-1]
        return np.append(starts, left[1:] / left[:-1])


class ArrivalModel(ABC):
    """What n slots can expect: rows of values e_1 >= ... >= e_n, the best slot first."""

    expected: Sequence[Real]  # the row before the first arrival
    length: int  # how many values a simulated game has, at most
    error: float = 0.0  # a bound of the error of every e_k
    is_exact: bool = False
    is_estimate: bool = False  # whether that bound is measured, not proved
    is_batched: bool = False  # whether several values are seen and placed together

    @abstractmethod
    def row(self, left: Any, known: Any = None) -> Sequence[Real]:
        """The row after an arrival, with so much still to come: these are the bounds for its value.

        ``known`` is what is known of the time to come: the regime of this arrival, or the values that are seen ahead.
        """

    @abstractmethod
    def hindsight(self) -> HindsightRow:
        """What the slots get by someone who knows all values."""

    def lefts(self) -> Sequence[Any]:
        """What may still be to come, from the end on: the rows of a table."""
        raise Ten18Error("these arrivals have no end; choose the rows", "lefts")

    def knowns(self, left: Any) -> Iterable[Any]:  # noqa: ARG002
        """What may be known of the time to come at an arrival with so much after it; where nothing is, None."""
        return (None,)

    def placements(self, groups: Sequence[int], times: Sequence[float] | None = None) -> Sequence[Sequence[Real]]:
        """The probabilities [arrival, k] that the value of an arrival goes to the k-th best slot.

        Of batches: that one of its values does; in time: that a value does between two of these times.
        """
        if times is not None:
            raise Ten18Error("arrivals have no times here; accepted: none", "times", times)
        return self._placements(groups)

    def _placements(self, groups: Sequence[int]) -> Sequence[Sequence[Real]]:
        raise NotImplementedError

    @abstractmethod
    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Add what games are worth, from number ``first`` on; the multipliers are those of the best slots first."""

    @staticmethod
    def verify_nothing_known(known: object) -> None:
        if known is not None:
            raise Ten18Error("nothing about the future is known here; accepted: none", "known", known)


def verify_left(left: object, count: int, what: str = "arrivals") -> int:
    """A number of arrivals, or batches, after this one; there are ``count`` of them."""
    if isinstance(left, bool) or not isinstance(left, int | np.integer) or not 0 <= left < count:
        raise Ten18Error(f"is not a number of {what} still to come; accepted: 0 to {count - 1}", "left", left)
    return int(left)


def equal_slots(groups: Sequence[int]) -> list[tuple[int, int]]:
    """The groups of equal slots: the first slot of each, and how many there are."""
    return [(first, groups.count(first)) for first in sorted(set(groups))]


def states_of(groups: Sequence[int]) -> int:
    """How many states the groups of equal slots have: free slots above, in and below each."""
    n = len(groups)
    return sum((first + 1) * (size + 1) * (n - first - size + 1) for first, size in equal_slots(groups))


def check_placements(rounds: int, regimes: int, moves: int, groups: Sequence[int], exact: bool) -> None:
    """Reject what takes too long: ``regimes`` with ``moves`` each."""
    states = states_of(groups)
    check_size(
        "the placement probabilities",
        operations=(EXACT_COST if exact else 3.0) * rounds * regimes * (1 + moves) * states,
        bytes=(400.0 if exact else 8.0) * (3.0 * rounds * regimes * len(groups) + 2.0 * regimes * states),
        field="arrivals",
    )


def chances_above(dist: ValueDistribution, bounds: Any) -> Any:
    """P(X > t) for an array of floats or Fractions, where t = -∞ is always exceeded."""
    if bounds.dtype != object:
        return np.where(np.isfinite(bounds), dist.above(np.maximum(bounds, -1e308)), 1.0)
    found = np.full(bounds.shape, Fraction(1))
    for place, bound in np.ndenumerate(bounds):
        if bound > -np.inf:
            found[place] = dist.exact_above(Fraction(bound))
    return found


def placements_of(kernel: Any, groups: Sequence[int], above: Any, *arguments: Any) -> list[list[Real]]:
    """The chances [arrival, k], from above[arrival, ..., k], by a kernel for a group of equal slots.

    For Fractions its text is run by Python. Of m equal slots that are free the m-th best is filled.
    """
    zero: Any = Fraction(0) if above.dtype == object else 0.0
    run = kernel.py_func if above.dtype == object else kernel
    out = np.full((len(above), len(groups)), zero)
    for first, size in equal_slots(groups):
        filled = np.full((len(above), size + 1), zero)
        run(above, *arguments, first, filled)
        out[:, first : first + size] = filled[:, 1:]
    return out.tolist()


# These two also run on arrays of Fractions, without compiling: so they call no other kernel, divide no integers and
# write 0 and 1 without a point.


@compiled()
def chain_kernel(above: Floats, arrives: Floats, chain: Successors, first: int, filled: Floats) -> None:
    """filled[t, m]: the chance that round t fills a slot of the group from ``first`` on, of which m are free.

    above[t, s, k] = P(X > e_k) in regime s; arrives[t] is the chance that round t comes about, given that the one
    before did.
    """
    begin, targets, chances = chain
    rounds, S, n = above.shape
    A, M = first, filled.shape[1] - 1
    B = n - A - M
    p = np.zeros((S, A + 1, M + 1, B + 1), dtype=above.dtype)
    p[:, A, M, B] = begin
    for t in range(rounds):
        if t > 0 and S > 1:
            moved = np.zeros((S, A + 1, M + 1, B + 1), dtype=above.dtype)
            for s in range(S):
                for z in range(targets.shape[1]):
                    moved[targets[s, z]] += chances[s, z] * p[s]
            p = moved
        for s in range(S):
            P = above[t, s]
            # In this order every state is read before a move leads into it.
            for a in range(A + 1):
                for m in range(M + 1):
                    for b in range(B + 1):
                        if p[s, a, m, b] == 0:
                            continue
                        here = arrives[t] * p[s, a, m, b]
                        over = P[a - 1] if a > 0 else 0
                        into = P[a + m - 1] if a + m > 0 else 0
                        under = P[a + m + b - 1] if a + m + b > 0 else 0
                        p[s, a, m, b] = here - here * under
                        if a > 0:
                            p[s, a - 1, m, b] += here * over
                        if m > 0:
                            p[s, a, m - 1, b] += here * (into - over)
                            filled[t, m] += here * (into - over)
                        if b > 0:
                            p[s, a, m, b - 1] += here * (under - into)


@compiled()
def batch_kernel(above: Floats, sizes: Ints, first: int, filled: Floats) -> None:
    """filled[t, m]: the same for batch t, of sizes[t] values; above[t, k] = P(X > e_k).

    The values of a batch go from the largest on: those between the bounds e_{j+1} and e_j fill the free slots from rank
    j on, one after the other. After n of them all slots are filled, or one was rejected, and so are the smaller ones.
    """
    batches, n = above.shape
    A, M = first, filled.shape[1] - 1
    B = n - A - M
    p = np.zeros((A + 1, M + 1, B + 1), dtype=above.dtype)
    p[A, M, B] = 1
    for t in range(batches):
        size = sizes[t]
        most = min(size, n)
        used = np.zeros((most + 1, A + 1, M + 1, B + 1), dtype=above.dtype)  # by how many values were looked at
        used[0] = p
        before = 0 * above[t, 0]
        for j in range(n):
            share, rest = above[t, j] - before, 1 - before
            if share <= 0:
                continue
            before = above[t, j]
            x = share / rest
            # w[v, c]: of v values that are no larger than e_j, c exceed e_{j+1}.
            w = np.zeros((size + 1, most + 1), dtype=above.dtype)
            w[0, 0] = 1
            for v in range(1, size + 1):
                for c in range(min(v, most) + 1):
                    w[v, c] = w[v - 1, c] - x * w[v - 1, c] + (x * w[v - 1, c - 1] if c > 0 else 0)
            then = np.zeros((most + 1, A + 1, M + 1, B + 1), dtype=above.dtype)
            then[most] = used[most]
            for u in range(most):
                left = w[size - u, 0] * 0 + 1
                for c in range(most - u + 1):
                    weight = w[size - u, c] if c < most - u else left
                    left -= weight
                    if weight <= 0:
                        continue
                    for a in range(A + 1):
                        for m in range(M + 1):
                            for b in range(B + 1):
                                if used[u, a, m, b] == 0:
                                    continue
                                here = weight * used[u, a, m, b]
                                da = min(c, max(0, a - j))
                                dm = min(c - da, max(0, min(m, a + m - j)))
                                db = min(c - da - dm, max(0, min(b, a + m + b - j)))
                                then[u + c, a - da, m - dm, b - db] += here
                                for i in range(dm):
                                    filled[t, m - i] += here
            used = then
        p = used.sum(axis=0)


@compiled()
def _flow(p: Floats, F: Floats, change: Floats, filled: Floats) -> None:
    """How the states change, and how fast the slots of the group are filled, by how many of them are free."""
    change[:] = 0.0
    filled[:] = 0.0
    for a in range(p.shape[0]):
        for m in range(p.shape[1]):
            for b in range(p.shape[2]):
                here = p[a, m, b]
                if here == 0.0:
                    continue
                over = F[a - 1] if a > 0 else 0.0
                into = F[a + m - 1] if a + m > 0 else 0.0
                under = F[a + m + b - 1] if a + m + b > 0 else 0.0
                change[a, m, b] -= here * under
                if a > 0:
                    change[a - 1, m, b] += here * over
                if m > 0:
                    change[a, m - 1, b] += here * (into - over)
                    filled[m] += here * (into - over)
                if b > 0:
                    change[a, m, b - 1] += here * (under - into)


@compiled()
def time_placements(flows: Floats, widths: Floats, parts: Ints, p: Floats, out: Floats) -> None:
    """From states p on: out[part, m] grows by the chance that a slot is filled in that part, m of the group being free.

    flows[i] are the rates of values above each bound at the beginning, in the middle and at the end of step i, which is
    widths[i] long and belongs to parts[i]; a step is one of Runge and Kutta's.
    """
    A, M, B = p.shape
    slopes, filled = np.empty((4, A, M, B)), np.empty((4, M))
    for i in range(len(widths)):
        h = widths[i]
        _flow(p, flows[i, 0], slopes[0], filled[0])
        _flow(p + 0.5 * h * slopes[0], flows[i, 1], slopes[1], filled[1])
        _flow(p + 0.5 * h * slopes[1], flows[i, 1], slopes[2], filled[2])
        _flow(p + h * slopes[2], flows[i, 2], slopes[3], filled[3])
        p += h / 6.0 * (slopes[0] + 2.0 * slopes[1] + 2.0 * slopes[2] + slopes[3])
        out[parts[i]] += h / 6.0 * (filled[0] + 2.0 * filled[1] + 2.0 * filled[2] + filled[3])
