"""Values that are seen in batches: b of them together, each given to a slot or refused before the next batch.

The new row is that of the i-th largest of what is expected and the batch: with g_r the excess of the r-th largest of b
values (`order_law`) and e_0 = ∞,

    e_i <- e_i + Σ_{m = max(0, i-b)}^{i-1} (g_{i-m}(e_{m+1}) - g_{i-m}(e_m)).

One batch of all values is hindsight.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, inf
from typing import Any

import numpy as np

from tentimes18.assignment.courses.course import Course, HindsightRow, Real
from tentimes18.assignment.courses.exact_rounds import exact_hindsight
from tentimes18.assignment.courses.fates import admit_fates, batch_fates, chance_above, exact_above
from tentimes18.assignment.courses.rounds import RoundsPlan, float_hindsight
from tentimes18.assignment.laws.cells import ROUNDING, Cells, joined, smooth_cells
from tentimes18.assignment.laws.finite import FiniteLaw
from tentimes18.assignment.laws.law import ValueLaw, fractions_of
from tentimes18.assignment.laws.reading import is_number
from tentimes18.errors import Ten18Error
from tentimes18.kernels import assignment as count_kernel
from tentimes18.kernels.batches import play_batches, run_batches
from tentimes18.kernels.excess import quantiles
from tentimes18.kernels.types import Floats, Rounds
from tentimes18.plan import Plan, admit

__all__ = ["BatchCourse", "ExactBatches", "FloatBatches", "order_law"]


class _OrderLaw(ValueLaw):
    """The r-th largest of b values of a law that is not finite."""

    def __init__(self, law: ValueLaw, b: int, r: int) -> None:
        self._law, self._b, self._r = law, b, r

    def __str__(self) -> str:
        return f"the largest but {self._r - 1} of {self._b} values of {self._law}"

    @property
    def mean(self) -> float:
        """E[X]."""
        low = float(self.cells.left[1])
        return low + float(self._excess(np.array([low]))[0])

    @property
    def support(self) -> tuple[float, float]:
        """That of the law."""
        return self._law.support

    def _tails(self, bounds: Floats) -> Floats:
        flat = np.ascontiguousarray(bounds.ravel())
        out = np.empty((len(flat), self._r))
        count_kernel.equal_count_tails(self._law.above(flat), float(self._b), out)
        found: Floats = out[:, self._r - 1].reshape(bounds.shape)
        return found

    def _cells(self) -> Cells:
        breaks = self._law.cells.left[1:].tolist()
        cells = smooth_cells(self._tails, breaks, 0.0, error=self._law.error * self._b, noise=1e-15)
        first = cells.coefficients[1] @ (-1.0) ** np.arange(cells.coefficients.shape[1])  # at the first break
        cells.coefficients[0, :2] = first, -1.0
        return cells._replace(floor=1e-15 * max(1.0, float(first)) + 4 * ROUNDING * abs(breaks[0]))


def order_law(law: ValueLaw, b: int, r: int) -> ValueLaw:
    """The law of the r-th largest of b values.

    >>> from tentimes18.assignment.laws.uniform import UniformLaw
    >>> round(order_law(UniformLaw(0, 1), 3, 1).mean, 12)
    0.75
    """
    if b == 1:
        return law
    if not isinstance(law, FiniteLaw):
        return _OrderLaw(law, b, r)
    above = np.append(1.0, law.above(law.values))
    out = np.empty((len(above), r))
    count_kernel.equal_count_tails(np.minimum(above, 1.0), float(b), out)
    chances = np.maximum(-np.diff(out[:, r - 1]), 0.0)
    exact = _exact_order(law, b, r) if law.is_exact else None
    return FiniteLaw(law.values, chances, exact, f"the largest but {r - 1} of {b} values of {law}")


def _exact_order(law: ValueLaw, b: int, r: int) -> list[tuple[Fraction, Fraction]]:
    found, left, before = [], Fraction(1), Fraction(1)
    for value, chance in law.exact_atoms():
        left -= chance
        now = sum((comb(b, m) * left**m * (1 - left) ** (b - m) for m in range(r, b + 1)), Fraction(0))
        found.append((value, before - now))
        before = now
    return found


class BatchCourse(Course):
    """What both kinds share: sizes of the batches, in order, and a factor from each to the next."""

    def __init__(self, n: int, law: ValueLaw, sizes: Sequence[int], factor: Real, must_fill: bool) -> None:
        self._n, self._law, self._sizes, self._factor, self._must_fill = n, law, tuple(sizes), factor, must_fill

    def lefts(self) -> range:
        """Numbers of batches still to come."""
        return range(len(self._sizes))

    def _verify_left(self, left: Any) -> int:
        most = len(self._sizes) - 1
        if isinstance(left, bool) or not isinstance(left, int | np.integer) or not 0 <= left <= most:
            raise Ten18Error(f"is no number of batches still to come; accepted: 0 to {most}", "left", left)
        return int(left)

    def _beside(self, row: list[Real], known: Any) -> list[Real]:
        """A row, beside values of this batch that are still to be placed: the n largest of both.

        So a batch can be placed value by value: what is known of it is expected, too.
        """
        if known is None:
            return row
        if not isinstance(known, Sequence) or not all(is_number(value) for value in known):
            raise Ten18Error("accepted: the values of this batch that are still to be placed", "known", known)
        return sorted([*row, *known], reverse=True)[: self._n]

    def _alone(self) -> RoundsPlan:
        """The values one by one: hindsight does not care when they were seen."""
        N, ones = sum(self._sizes), [1] * sum(self._sizes)
        scales = [self._factor**batch for batch, size in enumerate(self._sizes) for _ in range(size)]
        ends = [0] * (N - 1) + [1]
        return RoundsPlan(self._n, (self._law,), [0] * N, ones, ones, scales, ends, 1, self._must_fill)

    def _admit_fates(self, groups: Sequence[int], exact: bool) -> None:
        most, n = max(self._sizes), len(groups)
        admit_fates(len(self._sizes) * n, 1, min(most, n) ** 2 + most // 4, groups, exact=exact)

    @property
    def length(self) -> int:
        """How many values a simulated game has."""
        return sum(self._sizes)


class FloatBatches(BatchCourse):
    """In float64."""

    def __init__(self, n: int, law: ValueLaw, sizes: Sequence[int], factor: Real, must_fill: bool) -> None:
        super().__init__(n, law, sizes, factor, must_fill)
        most = max(min(size, n) for size in self._sizes)
        N = len(self._sizes)
        admit(Plan("these rows", seconds=3e-8 * N * n * most + 0.02 * most, memory=8.0 * N * n), field="batches")
        # Only the n largest of a batch matter.
        laws: list[ValueLaw] = []
        starts: dict[int, int] = {}
        for size in self._sizes:
            if size not in starts:
                starts[size] = len(laws)
                laws += [order_law(law, size, r) for r in range(1, min(size, n) + 1)]
        rounds = Rounds(
            np.array([starts[size] for size in reversed(self._sizes)]),
            np.ones(N),
            np.append(1.0, np.full(N - 1, float(factor))),
            np.array([law.mean for law in laws]),
            np.array([law.error for law in laws]),
            np.array([law.cells.floor for law in laws]),
        )
        self._kept = np.empty((N + 1, n))
        self._kept[0] = -inf if must_fill else 0.0
        sizes_ = np.array([min(size, n) for size in reversed(self._sizes)], dtype=np.float64)
        self.error = run_batches(joined([law.cells for law in laws]), rounds, sizes_, self._kept)
        self.error += 2.0**-50 * float(np.abs(self._kept[N]).max())

    def begin(self) -> list[float]:
        """The row before the first batch."""
        return [float(e) for e in self._kept[-1]]

    def row(self, left: Any, known: Any = None) -> list[Real]:
        """The row after a batch, or after a value of it with these still to be placed, and so many batches to come."""
        j = self._verify_left(left)
        return self._beside([(float(self._factor) if j else 1.0) * float(e) for e in self._kept[j]], known)

    def _rows(self) -> Floats:
        """The bounds of all batches, in order of arrival."""
        rows: Floats = np.array([self.row(left) for left in reversed(self.lefts())])
        return rows

    def hindsight(self) -> HindsightRow:
        """The k-th largest values on average."""
        return float_hindsight(self._alone())

    def fates(self, groups: Sequence[int], times: Sequence[float] | None = None) -> list[list[Real]]:
        """The chances [batch, k] that the k-th best slot is filled by a batch."""
        self.verify_no_times(times)
        self._admit_fates(groups, exact=False)
        return batch_fates(chance_above(self._law, self._rows()[:, : len(groups)]), self._sizes, groups)

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Add what games are worth."""
        games = len(worths)
        words = fractions_of(seed, "values", first, self.length, games)
        values = np.empty((self.length, games))
        quantiles(self._law.table, np.zeros(words.size, dtype=np.int64), words.ravel(), values.ravel())
        scales: Floats = float(self._factor) ** np.arange(len(self._sizes), dtype=np.float64)
        play_batches(self._rows(), np.array(self._sizes), scales, values, multipliers, worths)


class ExactBatches(BatchCourse):
    """In Fractions."""

    is_exact = True

    def __init__(self, n: int, law: ValueLaw, sizes: Sequence[int], factor: Real, must_fill: bool) -> None:
        super().__init__(n, law, sizes, factor, must_fill)
        atoms = len(law.exact_atoms())
        most = max(min(size, n) for size in self._sizes)
        cost = (
            1e-5 * len(self._sizes) * n * most * max(1.0, len(self._sizes) / 50) + 1e-6 * atoms * max(self._sizes) ** 2
        )
        admit(Plan("exact rows", seconds=cost), instead="float64 takes less", field="batches")
        row: list[Fraction] = [] if must_fill else [Fraction(0)] * n
        self._rows = [row]
        orders: dict[int, list[FiniteLaw]] = {}
        for size in reversed(self._sizes):
            if size not in orders:
                known = [(r, _exact_order(law, size, r)) for r in range(1, min(size, n) + 1)]
                orders[size] = [FiniteLaw(np.zeros(1), np.ones(1), exact, f"rank {r}") for r, exact in known]
            scaled = [Fraction(factor if len(self._rows) > 1 else 1) * e for e in self._rows[-1]]
            self._rows.append(_merged(scaled, orders[size], n))

    def begin(self) -> list[Real]:
        """The row before the first batch."""
        return list(self._rows[-1])

    def row(self, left: Any, known: Any = None) -> list[Real]:
        """The row after a batch, or after a value of it with these still to be placed, and so many batches to come."""
        j = self._verify_left(left)
        row = [Fraction(self._factor if j else 1) * e for e in self._rows[j]]
        return self._beside([*row, *([-inf] * (self._n - len(row)))], known)

    def hindsight(self) -> HindsightRow:
        """The k-th largest values on average."""
        return HindsightRow(exact_hindsight(self._alone()))

    def fates(self, groups: Sequence[int], times: Sequence[float] | None = None) -> list[list[Real]]:
        """The chances [batch, k] that the k-th best slot is filled by a batch."""
        self.verify_no_times(times)
        self._admit_fates(groups, exact=True)
        rows = [self.row(left)[: len(groups)] for left in reversed(self.lefts())]
        above = np.empty((len(rows), len(groups)), dtype=object)
        for t, row in enumerate(rows):
            above[t] = [exact_above(self._law, bound) for bound in row]
        return batch_fates(above, self._sizes, groups)

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Games are played in float64."""
        self._fast.play(seed, first, multipliers, worths)

    @cached_property
    def _fast(self) -> FloatBatches:
        return FloatBatches(self._n, self._law, self._sizes, self._factor, self._must_fill)


def _merged(e: list[Fraction], orders: Sequence[ValueLaw], n: int) -> list[Fraction]:
    """The means of the n largest of e and a batch."""
    b, found = len(orders), []
    for i in range(1, min(n, len(e) + b) + 1):
        end = min(i, len(e))
        if i <= len(e):
            total = e[i - 1]
        else:
            law = orders[i - len(e) - 1]
            total = law.exact_mean() - (law.exact_excess(e[-1]) if e else 0)
        for m in range(max(0, i - b), end):
            law = orders[i - m - 1]
            total += law.exact_excess(e[m]) - (law.exact_excess(e[m - 1]) if m else 0)
        found.append(total)
    return found
