"""Values whose law depends on a regime, which is a Markov chain and is seen: a row a regime.

With E_j(s) the row before an arrival in regime s, j being still to come, and T_j(s) = f Σ P(s, s') E_j(s') after one,

    E_{j+1}(s)[k] = T_j(s)[k] + q (g_s(T_j(s)[k]) - g_s(T_j(s)[k-1])).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np

from tentimes18.assignment.courses.course import Course, HindsightRow, Real
from tentimes18.assignment.courses.exact_rounds import exact_arrives, exact_row
from tentimes18.assignment.courses.fates import admit_fates, chain_fates, chance_above, exact_above
from tentimes18.assignment.courses.order_statistics import (
    Grows,
    Values,
    bernoulli_growth,
    corners,
    count_rounding,
    expected_largest,
)
from tentimes18.assignment.courses.rounds import RoundsPlan, arrives, leave_out
from tentimes18.assignment.laws.cells import ROUNDING, joined
from tentimes18.assignment.laws.finite import FiniteLaw
from tentimes18.assignment.laws.law import fractions_of
from tentimes18.assignment.laws.mixtures import verified_chances
from tentimes18.errors import Ten18Error
from tentimes18.kernels import regimes as kernel
from tentimes18.kernels.excess import quantiles
from tentimes18.kernels.types import Exceedances, Floats, Rounds, Successors
from tentimes18.plan import Plan, admit

__all__ = ["ExactRegimes", "FloatRegimes", "Regimes"]


@dataclass(frozen=True, slots=True)
class Regimes:
    """A Markov chain: the chances to go from each regime to each, and the first regime, or its chances.

    >>> Regimes([[0.9, 0.1], [0.5, 0.5]], start=1).begin
    (0, 1)
    """

    transitions: tuple[tuple[Real, ...], ...]
    begin: tuple[Real, ...]

    def __init__(self, transitions: Sequence[Sequence[Real]], start: int | Sequence[Real] = 0) -> None:
        given = tuple(transitions) if isinstance(transitions, Iterable) else ()
        rows = tuple(verified_chances(row, "regimes") for row in given)
        if not rows or any(len(row) != len(rows) for row in rows):
            raise Ten18Error("the chances to go from each regime to each are a square", "regimes")
        if isinstance(start, int | np.integer):
            if not 0 <= start < len(rows):
                raise Ten18Error(f"there is no regime {start}; accepted: 0 to {len(rows) - 1}", "start")
            begin: tuple[Real, ...] = tuple(int(start == s) for s in range(len(rows)))
        else:
            begin = verified_chances(start, "start")
            if len(begin) != len(rows):
                raise Ten18Error(f"{len(begin)} chances of the first regime, of {len(rows)} regimes", "start")
        object.__setattr__(self, "transitions", rows)
        object.__setattr__(self, "begin", begin)

    @property
    def size(self) -> int:
        """Number of regimes."""
        return len(self.transitions)

    def verify(self, known: Any) -> int:
        """A regime, by its number."""
        if isinstance(known, bool) or not isinstance(known, int | np.integer) or not 0 <= known < self.size:
            accepted = f"the regime of this arrival, 0 to {self.size - 1}"
            raise Ten18Error(f"is no regime; accepted: {accepted}", "known", known)
        return int(known)


class FloatRegimes(Course):
    """In float64; the plan's laws are those of the regimes."""

    def __init__(self, plan: RoundsPlan, regimes: Regimes) -> None:
        self._plan, self._regimes = plan, regimes
        N, n, S = plan.size, plan.n, regimes.size
        cost = Plan("these rows", seconds=2e-8 * N * n * S * (1 + S / 4), memory=16.0 * N * n * S)
        admit(cost, field="arrivals")
        self._table = joined([law.cells for law in plan.laws])
        self._transitions = np.array(regimes.transitions, dtype=np.float64)
        self._begin = np.array(regimes.begin, dtype=np.float64)
        rounds = Rounds(
            np.zeros(N, dtype=np.int64),
            np.asarray(plan.chances, dtype=np.float64)[::-1].copy(),
            np.concatenate([[1.0], np.asarray(plan.factors[: N - 1], dtype=np.float64)[::-1]]),
            np.array([law.mean for law in plan.laws]),
            np.array([law.error for law in plan.laws]),
            np.array([law.cells.floor for law in plan.laws]),
        )
        kept = np.empty((N + 1, S, n))
        kept[0] = -inf if plan.must_fill else 0.0
        self._after = np.empty((N, S, n))
        bound = kernel.run_regimes(self._table, rounds, self._transitions, kept, self._after)
        self._last: Floats = kept[N]
        self.error = bound + float(np.abs(self._last).max()) * 2.0**-50

    def begin(self) -> list[float]:
        """The row before the first arrival."""
        return [float(self._plan.starts) * float(e) for e in self._begin @ self._last]

    def row(self, left: Any, known: Any = None) -> list[float]:
        """The row after an arrival in this regime."""
        row: list[float] = self._after[self._plan.verify_left(left), self._regimes.verify(known)].tolist()
        return row

    def lefts(self) -> range:
        """Numbers of arrivals still to come."""
        return range(self._plan.size)

    def knowns(self, left: Any) -> range:  # noqa: ARG002
        """The regimes, by number."""
        return range(self._regimes.size)

    def hindsight(self) -> HindsightRow:
        """The k-th largest values on average."""
        plan = self._plan
        scales = np.asarray(plan.scales, dtype=np.float64)
        rounds = Exceedances(
            np.zeros(plan.size, dtype=np.int64),
            np.asarray(plan.chances, dtype=np.float64),
            scales,
            np.asarray(plan.ends, dtype=np.float64),
        )
        points = corners([(law, scales) for law in plan.laws])
        work = 4e-9 * plan.size * plan.n * self._regimes.size**2 * 40 * len(points)
        admit(Plan("hindsight with these laws", seconds=work), field="arrivals")

        def tails(bounds: Floats) -> Floats:
            out = np.empty((len(bounds), plan.n))
            kernel.regime_count_tails(self._table, rounds, self._begin, self._transitions, bounds, out)
            return out

        values = [Values(law, float(plan.size)) for law in plan.laws]
        rounding = count_rounding(plan.size * (2 + self._regimes.size))
        if np.any(scales != 1):  # powers of a discount
            rounding += 4.0 * plan.size * ROUNDING
        grows: Grows | None = None
        if not all(isinstance(law, FiniteLaw) for law in plan.laws):
            laws = np.tile(np.arange(len(plan.laws)), (plan.size, 1))
            is_sure = plan.starts == 1 and not np.any(rounds.ends[:-1])
            kinds = rounds.chances, scales, np.ones(plan.size)
            grows = bernoulli_growth(self._table, laws, kinds, plan.n, is_sure=is_sure)
        return expected_largest(tails, grows, points, values, plan.must_fill, rounding)

    def fates(self, groups: Sequence[int], times: Sequence[float] | None = None) -> list[list[Real]]:
        """The chances [arrival, k] that a value goes to the k-th best slot, whatever the regime is."""
        self.verify_no_times(times)
        plan, S, n = self._plan, self._regimes.size, len(groups)
        admit_fates(plan.size, S, S, groups, exact=False)
        bounds = self._after[::-1, :, :n]
        above = np.stack([chance_above(law, bounds[:, s]) for s, law in enumerate(plan.laws)], axis=1)
        above *= np.asarray(plan.chances, dtype=np.float64)[:, None, None]
        targets = np.tile(np.arange(S), (S, 1))
        return chain_fates(above, groups, arrives(plan), Successors(self._begin, targets, self._transitions))

    @property
    def length(self) -> int:
        """How many values a simulated game has, at most."""
        return self._plan.size

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Add what games are worth: the regimes of each, and values by their laws."""
        plan, games = self._plan, len(worths)
        paths = np.empty((plan.size, games), dtype=np.int64)
        fractions = fractions_of(seed, "regimes", first, plan.size, games)
        kernel.regime_paths(self._begin, self._transitions, fractions, paths)
        values = np.empty((plan.size, games))
        words = fractions_of(seed, "values", first, plan.size, games)
        quantiles(self._table, paths.ravel(), words.ravel(), values.ravel())
        leave_out(plan, seed, first, (0, plan.size), values)
        scales = np.asarray(plan.scales, dtype=np.float64)
        bounds = np.ascontiguousarray(self._after[::-1])
        kernel.play_regimes(bounds, scales, values, paths, multipliers, worths)


class ExactRegimes(Course):
    """In Fractions."""

    is_exact = True

    def __init__(self, plan: RoundsPlan, regimes: Regimes) -> None:
        self._plan, self._regimes = plan, regimes
        N, n, S = plan.size, plan.n, regimes.size
        given = [chance for row in (*regimes.transitions, regimes.begin) for chance in row]
        if not all(isinstance(chance, int | Fraction) for chance in given):
            raise Ten18Error("exact results need chances that are integers or Fractions", "regimes")
        cost = 1e-5 * N * n * S * (1 + S) * max(1.0, N / 100)
        admit(Plan("exact rows", seconds=cost), instead="float64 takes less", field="arrivals")
        rows: list[list[Real]] = [[] if plan.must_fill else [Fraction(0)] * n for _ in range(S)]
        self._after: list[list[list[Real]]] = []
        for j in range(N):
            factor = Fraction(plan.factors[N - 1 - j]) if j else Fraction(1)
            after: list[list[Real]] = []
            for chances in regimes.transitions:
                pairs = [(factor * Fraction(p), row) for p, row in zip(chances, rows, strict=True)]
                after.append([sum((p * e[k] for p, e in pairs), Fraction(0)) for k in range(len(rows[0]))])
            chance = Fraction(plan.chances[N - 1 - j])
            rows = [exact_row(after[s], plan.laws[s], chance, n) for s in range(S)]
            self._after.append(after)
        self._rows = rows

    def begin(self) -> list[Real]:
        """The row before the first arrival."""
        pairs = list(zip(self._regimes.begin, self._rows, strict=True))
        starts = Fraction(self._plan.starts)
        return [starts * sum((Fraction(p) * row[k] for p, row in pairs), Fraction(0)) for k in range(self._plan.n)]

    def row(self, left: Any, known: Any = None) -> list[Real]:
        """The row after an arrival in this regime."""
        row = self._after[self._plan.verify_left(left)][self._regimes.verify(known)]
        return [*row, *([-inf] * (self._plan.n - len(row)))]

    def lefts(self) -> range:
        """Numbers of arrivals still to come."""
        return range(self._plan.size)

    def knowns(self, left: Any) -> range:  # noqa: ARG002
        """The regimes, by number."""
        return range(self._regimes.size)

    def hindsight(self) -> HindsightRow:
        """The k-th largest values on average."""
        plan, regimes, n = self._plan, self._regimes, self._plan.n
        atoms = [law.exact_atoms() for law in plan.laws]
        scales = [Fraction(scale) for scale in plan.scales]
        points = {value * scale for pairs in atoms for value, _ in pairs for scale in set(scales)}
        if not plan.must_fill:
            points = {max(point, Fraction(0)) for point in points} | {Fraction(0)}
        cost = 2e-6 * len(points) * plan.size * n * regimes.size**2
        admit(Plan("exact hindsight", seconds=cost), field="arrivals")
        at = sorted(points)
        total = [at[0]] * n
        for low, high in pairwise(at):
            reached = self._reached(atoms, scales, low)
            total = [so_far + (high - low) * chance for so_far, chance in zip(total, reached, strict=True)]
        return HindsightRow(total)

    def fates(self, groups: Sequence[int], times: Sequence[float] | None = None) -> list[list[Real]]:
        """The chances [arrival, k] that a value goes to the k-th best slot, whatever the regime is."""
        self.verify_no_times(times)
        plan, N, S, n = self._plan, self._plan.size, self._regimes.size, len(groups)
        admit_fates(N, S, S, groups, exact=True)
        above = np.empty((N, S, n), dtype=object)
        for t in range(N):
            for s, law in enumerate(plan.laws):
                bounds = self.row(N - 1 - t, s)[:n]
                above[t, s] = [Fraction(plan.chances[t]) * exact_above(law, bound) for bound in bounds]
        begin, transitions = (
            np.array(given, dtype=object) for given in (self._regimes.begin, self._regimes.transitions)
        )
        chain = Successors(begin, np.tile(np.arange(S), (S, 1)), transitions)
        return chain_fates(above, groups, exact_arrives(plan), chain)

    @property
    def length(self) -> int:
        """How many values a simulated game has, at most."""
        return self._plan.size

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Games are played in float64."""
        self._fast.play(seed, first, multipliers, worths)

    @cached_property
    def _fast(self) -> FloatRegimes:
        return FloatRegimes(self._plan, self._regimes)

    def _reached(self, atoms: Sequence[Any], scales: list[Fraction], bound: Fraction) -> list[Fraction]:
        """The chances that at least k = 1..n values exceed the bound."""
        plan, regimes, n = self._plan, self._regimes, self._plan.n
        count = [[Fraction(p), *([Fraction(0)] * n)] for p in regimes.begin]
        reached = [Fraction(0)] * n
        for scale, chance, end in zip(scales, plan.chances, plan.ends, strict=True):
            for row, pairs in zip(count, atoms, strict=True):
                p = Fraction(chance) * sum((weight for value, weight in pairs if value * scale > bound), Fraction(0))
                row[n] += p * row[n - 1]
                for k in range(n - 1, 0, -1):
                    row[k] += p * (row[k - 1] - row[k])
                row[0] -= p * row[0]
            for k in range(n):
                reached[k] += Fraction(end) * sum((sum(row[k + 1 :], Fraction(0)) for row in count), Fraction(0))
            count = [
                [sum((Fraction(regimes.transitions[o][s]) * count[o][k] for o in range(regimes.size)), Fraction(0))
                 for k in range(n + 1)]
                for s in range(regimes.size)
            ]  # fmt: skip
        return reached
