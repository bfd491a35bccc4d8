"""A number of rounds in Fractions: the recurrence of `courses.rounds`, digit by digit."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any

import numpy as np

from tentimes18.assignment.courses.course import Course, HindsightRow, Real
from tentimes18.assignment.courses.fates import admit_fates, chain_fates, exact_above
from tentimes18.assignment.courses.order_statistics import exact_largest
from tentimes18.assignment.courses.rounds import FloatRounds, RoundsPlan
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.assignment.laws.uniform import UniformLaw
from tentimes18.errors import Ten18Error
from tentimes18.kernels.types import Floats
from tentimes18.plan import Plan, admit, fraction_seconds

__all__ = ["ExactRounds", "exact_arrives", "exact_hindsight", "exact_row"]


def exact_row(row: Sequence[Real], law: ValueLaw, chance: Fraction, n: int) -> list[Real]:
    """E_{j+1} from T_j in Fractions; a row that is shorter than n becomes longer."""
    found: list[Real] = []
    previous = Fraction(0)
    for e in row:
        here = law.exact_excess(Fraction(e))
        found.append(e + chance * (here - previous))
        previous = here
    if len(row) < n:
        found.append(law.exact_mean() - previous)
    return found


class ExactRounds(Course):
    """In Fractions."""

    is_exact = True

    def __init__(self, plan: RoundsPlan) -> None:
        self._plan = plan
        N, n = plan.size, plan.n
        for law in plan.laws:
            if not law.is_exact:
                law.exact_mean()
        for what, field in (((plan.starts,), "arrivals"), (plan.chances, "chance"), (plan.factors, "discount")):
            for number in what:
                if not isinstance(number, int | Fraction):
                    raise Ten18Error("exact results need Fractions or integers", field, number)
        admit(Plan("exact rows", seconds=self._seconds(), memory=0.0), instead="float64 takes less", field="arrivals")
        rows: list[list[Real]] = [[] if plan.must_fill else [Fraction(0)] * n]
        for j in range(N):
            law = plan.laws[plan.numbers[N - 1 - j]]
            factor = Fraction(plan.factors[N - 1 - j]) if j else Fraction(1)
            chance = Fraction(plan.chances[N - 1 - j])
            rows.append(exact_row([factor * e for e in rows[-1]], law, chance, n))
        self._rows = rows

    def _seconds(self) -> float:
        """By how fast the digits grow: a round adds those of a finite law, and doubles them where φ is a square."""
        plan = self._plan
        N, n = plan.size, plan.n
        bits = 64.0
        seconds = 0.0
        curved = any(not _is_finite(law) for law in plan.laws)
        for _ in range(min(N, 10_000)):
            bits = 2 * bits if curved else bits + 64
            seconds += n * (4e-6 + 4 * fraction_seconds(min(bits, 1e12)))
            if seconds > 1e9:
                break
        return seconds * max(1.0, N / 10_000) ** 3

    def begin(self) -> list[Real]:
        """The row before the first arrival."""
        return [Fraction(self._plan.starts) * e for e in self._rows[-1]]

    def row(self, left: Any, known: Any = None) -> list[Real]:
        """The row after an arrival, with so many to come at most."""
        self.verify_nothing_known(known)
        j = self._plan.verify_left(left)
        factor = Fraction(self._plan.factors[self._plan.size - 1 - j]) if j else Fraction(1)
        row: list[Real] = [factor * e for e in self._rows[j]]
        return row + [-inf] * (self._plan.n - len(row))

    def lefts(self) -> range:
        """Numbers of arrivals still to come."""
        return range(self._plan.size)

    def hindsight(self) -> HindsightRow:
        """The k-th largest values on average."""
        return HindsightRow(exact_hindsight(self._plan))

    def fates(self, groups: Sequence[int], times: Sequence[float] | None = None) -> list[list[Real]]:
        """The chances [arrival, k] that a value goes to the k-th best slot."""
        self.verify_no_times(times)
        plan, N, n = self._plan, self._plan.size, len(groups)
        admit_fates(N, 1, 1, groups, exact=True)
        above = np.empty((N, 1, n), dtype=object)
        for t in range(N):
            law, chance = plan.laws[plan.numbers[t]], Fraction(plan.chances[t])
            above[t, 0] = [chance * exact_above(law, bound) for bound in self.row(N - 1 - t)[:n]]
        return chain_fates(above, groups, exact_arrives(plan))

    @property
    def length(self) -> int:
        """How many values a simulated game has, at most."""
        return self._plan.size

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Games are played in float64."""
        self._fast.play(seed, first, multipliers, worths)

    @cached_property
    def _fast(self) -> FloatRounds:
        return FloatRounds(self._plan)


def exact_arrives(plan: RoundsPlan) -> list[Fraction]:
    """The chance that a round comes about, given the one before it."""
    found = [Fraction(plan.starts)]
    left = found[0]
    for end in plan.ends[:-1]:
        found.append((left - Fraction(end)) / left if left else Fraction(0))
        left -= Fraction(end)
    return found


def exact_hindsight(plan: RoundsPlan) -> list[Fraction]:
    """The k-th largest values on average, whatever the best play sees of them."""
    if _is_uniform(plan):
        low, high = (Fraction(end) for end in plan.laws[0].support)
        return [high - (high - low) * Fraction(k, plan.size + 1) for k in range(1, plan.n + 1)]
    laws = [plan.laws[number] for number in plan.numbers]
    pairs = zip(laws, plan.chances, plan.scales, strict=True)
    rounds = [(law, Fraction(chance), Fraction(scale)) for law, chance, scale in pairs]
    points = sum(len(law.exact_atoms()) for law in plan.laws)
    different = points if len({scale for _, _, scale in rounds}) == 1 else points * plan.size
    admit(Plan("exact hindsight", seconds=2e-6 * different * plan.size * (plan.n + 4)), field="arrivals")
    return exact_largest(rounds, [Fraction(end) for end in plan.ends], plan.n, plan.must_fill)


def _is_uniform(plan: RoundsPlan) -> bool:
    """Whether the order statistics of the uniform law are all there is to know."""
    simple = all(chance == 1 for chance in plan.chances) and all(scale == 1 for scale in plan.scales)
    known = plan.starts == 1 and not any(plan.ends[:-1]) and plan.n <= plan.size
    law = plan.laws[0]
    return simple and known and len(plan.laws) == 1 and isinstance(law, UniformLaw) and law.support[0] >= 0


def _is_finite(law: ValueLaw) -> bool:
    try:
        return bool(law.exact_atoms())
    except Ten18Error:
        return False
