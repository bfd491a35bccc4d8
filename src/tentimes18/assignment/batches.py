"""Values that are seen in batches: b of them together, each given to a slot or rejected before the next batch.

The new row is that of the i-th largest of what is expected and the batch: with g_r the excess of the r-th largest of b
values (`order_distribution`) and e_0 = ∞,

    e_i <- e_i + Σ_{m = max(0, i-b)}^{i-1} (g_{i-m}(e_{m+1}) - g_{i-m}(e_m)).

One batch of all values is hindsight.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, inf
from typing import Any

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.assignment.arrival_models import (
    EXACT_COST,
    ArrivalModel,
    HindsightRow,
    Real,
    Rounds,
    batch_placements,
    chance_above,
    check_placements,
    exact_above,
)
from tentimes18.assignment.distributions import FiniteDistribution, ValueDistribution, fractions_of, is_number
from tentimes18.assignment.excess import ROUNDING, Cells, ExcessTable, cell_of, excess, joined, quantiles, smooth_cells
from tentimes18.assignment.hindsight import equal_count_tails, exact_hindsight_of, hindsight_of
from tentimes18.assignment.rounds import UNIT, RoundArrays
from tentimes18.compiled import compiled
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size


class _OrderDistribution(ValueDistribution):
    """The r-th largest of b values of a distribution that is not finite."""

    def __init__(self, dist: ValueDistribution, b: int, r: int) -> None:
        self._dist, self._b, self._r = dist, b, r

    def __str__(self) -> str:
        return f"the largest but {self._r - 1} of {self._b} values of {self._dist}"

    @property
    def mean(self) -> float:
        low = float(self.cells.left[1])
        return low + float(self._excess(np.array([low]))[0])

    @property
    def support(self) -> tuple[float, float]:
        return self._dist.support

    def _tails(self, bounds: Floats) -> Floats:
        flat = np.ascontiguousarray(bounds.ravel())
        out = np.empty((len(flat), self._r))
        equal_count_tails(self._dist.above(flat), float(self._b), out)
        found: Floats = out[:, self._r - 1].reshape(bounds.shape)
        return found

    def _cells(self) -> Cells:
        breaks = self._dist.cells.left[1:].tolist()
        cells = smooth_cells(self._tails, breaks, 0.0, error=self._dist.error * self._b, noise=1e-15)
        first = cells.coefficients[1] @ (-1.0) ** np.arange(cells.coefficients.shape[1])  # at the first break
        cells.coefficients[0, :2] = first, -1.0
        return cells._replace(floor=1e-15 * max(1.0, float(first)) + 4 * ROUNDING * abs(breaks[0]))


def order_distribution(dist: ValueDistribution, b: int, r: int) -> ValueDistribution:
    if b == 1:
        return dist
    if not isinstance(dist, FiniteDistribution):
        return _OrderDistribution(dist, b, r)
    above = np.append(1.0, dist.above(dist.values))
    out = np.empty((len(above), r))
    equal_count_tails(np.minimum(above, 1.0), float(b), out)
    chances = np.maximum(-np.diff(out[:, r - 1]), 0.0)
    exact = _exact_order(dist, b, r) if dist.is_exact else None
    return FiniteDistribution(dist.values, chances, exact, f"the largest but {r - 1} of {b} values of {dist}")


def _exact_order(dist: ValueDistribution, b: int, r: int) -> list[tuple[Fraction, Fraction]]:
    found, left, before = [], Fraction(1), Fraction(1)
    for value, chance in dist.exact_atoms():
        left -= chance
        now = sum((comb(b, m) * left**m * (1 - left) ** (b - m) for m in range(r, b + 1)), Fraction(0))
        found.append((value, before - now))
        before = now
    return found


class BatchModel(ArrivalModel):
    """What both kinds share: sizes of the batches, in order, and a factor from each to the next."""

    is_batched = True

    def __init__(self, n: int, dist: ValueDistribution, sizes: Sequence[int], factor: Real, must_fill: bool) -> None:
        self._n, self._dist, self._sizes, self._factor, self._must_fill = (
            n,
            dist,
            tuple(sizes),
            factor,
            must_fill,
        )

    def lefts(self) -> range:
        return range(len(self._sizes))

    def _verify_left(self, left: Any) -> int:
        most = len(self._sizes) - 1
        if isinstance(left, bool) or not isinstance(left, int | np.integer) or not 0 <= left <= most:
            raise Ten18Error(f"is not a number of batches still to come; accepted: 0 to {most}", "left", left)
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

    def hindsight(self) -> HindsightRow:
        """The k-th largest values on average: it does not matter when they were seen."""
        N, ones = sum(self._sizes), [1] * sum(self._sizes)
        scales = [self._factor**batch for batch, size in enumerate(self._sizes) for _ in range(size)]
        ends = [0] * (N - 1) + [1]
        alone = Rounds(self._n, (self._dist,), [0] * N, ones, ones, scales, ends, 1, self._must_fill)
        return HindsightRow(exact_hindsight_of(alone)) if self.is_exact else hindsight_of(alone)

    def _check_placements(self, groups: Sequence[int], exact: bool) -> None:
        most, n = max(self._sizes), len(groups)
        check_placements(len(self._sizes) * n, 1, min(most, n) ** 2 + most // 4, groups, exact=exact)

    @property
    def length(self) -> int:
        return sum(self._sizes)


class FloatBatches(BatchModel):
    def __init__(self, n: int, dist: ValueDistribution, sizes: Sequence[int], factor: Real, must_fill: bool) -> None:
        super().__init__(n, dist, sizes, factor, must_fill)
        most = max(min(size, n) for size in self._sizes)
        N = len(self._sizes)
        check_size("these rows", operations=20.0 * N * n * most, bytes=8.0 * N * n, field="batches")
        # Only the n largest of a batch matter.
        dists: list[ValueDistribution] = []
        starts: dict[int, int] = {}
        for size in self._sizes:
            if size not in starts:
                starts[size] = len(dists)
                dists += [order_distribution(dist, size, r) for r in range(1, min(size, n) + 1)]
        rounds = RoundArrays(
            np.array([starts[size] for size in reversed(self._sizes)]),
            np.ones(N),
            np.append(1.0, np.full(N - 1, float(factor))),
            np.array([dist.mean for dist in dists]),
            np.array([dist.error for dist in dists]),
            np.array([dist.cells.floor for dist in dists]),
        )
        self._kept = np.empty((N + 1, n))
        self._kept[0] = -inf if must_fill else 0.0
        sizes_ = np.array([min(size, n) for size in reversed(self._sizes)], dtype=np.float64)
        self.error = run_batches(joined([dist.cells for dist in dists]), rounds, sizes_, self._kept)
        self.error += 2.0**-50 * float(np.abs(self._kept[N]).max())

    def begin(self) -> list[float]:
        return [float(e) for e in self._kept[-1]]

    def row(self, left: Any, known: Any = None) -> list[Real]:
        """The row after a batch, or after one of its values with these unplaced, and this many batches to come."""
        j = self._verify_left(left)
        return self._beside([(float(self._factor) if j else 1.0) * float(e) for e in self._kept[j]], known)

    def _rows(self) -> Floats:
        rows: Floats = np.array([self.row(left) for left in reversed(self.lefts())])
        return rows

    def _placements(self, groups: Sequence[int]) -> list[list[Real]]:
        self._check_placements(groups, exact=False)
        return batch_placements(chance_above(self._dist, self._rows()[:, : len(groups)]), self._sizes, groups)

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        games = len(worths)
        words = fractions_of(seed, "values", first, self.length, games)
        values = np.empty((self.length, games))
        quantiles(self._dist.table, np.zeros(words.size, dtype=np.int64), words.ravel(), values.ravel())
        scales: Floats = float(self._factor) ** np.arange(len(self._sizes), dtype=np.float64)
        play_batches(self._rows(), np.array(self._sizes), scales, values, multipliers, worths)


class ExactBatches(BatchModel):
    is_exact = True

    def __init__(self, n: int, dist: ValueDistribution, sizes: Sequence[int], factor: Real, must_fill: bool) -> None:
        super().__init__(n, dist, sizes, factor, must_fill)
        atoms = len(dist.exact_atoms())
        most = max(min(size, n) for size in self._sizes)
        cost = len(self._sizes) * n * most * (10.0 + len(self._sizes) / 5) + atoms * max(self._sizes) ** 2
        check_size("exact rows", operations=EXACT_COST * cost, field="batches")
        row: list[Fraction] = [] if must_fill else [Fraction(0)] * n
        self._rows = [row]
        orders: dict[int, list[FiniteDistribution]] = {}
        for size in reversed(self._sizes):
            if size not in orders:
                known = [(r, _exact_order(dist, size, r)) for r in range(1, min(size, n) + 1)]
                orders[size] = [FiniteDistribution(np.zeros(1), np.ones(1), exact, f"rank {r}") for r, exact in known]
            scaled = [Fraction(factor if len(self._rows) > 1 else 1) * e for e in self._rows[-1]]
            self._rows.append(_merged(scaled, orders[size], n))

    def begin(self) -> list[Real]:
        return list(self._rows[-1])

    def row(self, left: Any, known: Any = None) -> list[Real]:
        """The row after a batch, or after one of its values with these unplaced, and this many batches to come."""
        j = self._verify_left(left)
        row = [Fraction(self._factor if j else 1) * e for e in self._rows[j]]
        return self._beside([*row, *([-inf] * (self._n - len(row)))], known)

    def _placements(self, groups: Sequence[int]) -> list[list[Real]]:
        self._check_placements(groups, exact=True)
        rows = [self.row(left)[: len(groups)] for left in reversed(self.lefts())]
        above = np.empty((len(rows), len(groups)), dtype=object)
        for t, row in enumerate(rows):
            above[t] = [exact_above(self._dist, bound) for bound in row]
        return batch_placements(above, self._sizes, groups)

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        self._fast.play(seed, first, multipliers, worths)

    @cached_property
    def _fast(self) -> FloatBatches:
        return FloatBatches(self._n, self._dist, self._sizes, self._factor, self._must_fill)


def _merged(e: list[Fraction], orders: Sequence[ValueDistribution], n: int) -> list[Fraction]:
    """The means of the n largest of e and a batch."""
    b, found = len(orders), []
    for i in range(1, min(n, len(e) + b) + 1):
        end = min(i, len(e))
        if i <= len(e):
            total = e[i - 1]
        else:
            dist = orders[i - len(e) - 1]
            total = dist.exact_mean() - (dist.exact_excess(e[-1]) if e else 0)
        for m in range(max(0, i - b), end):
            dist = orders[i - m - 1]
            total += dist.exact_excess(e[m]) - (dist.exact_excess(e[m - 1]) if m else 0)
        found.append(total)
    return found


@compiled()
def _at(table: ExcessTable, dist: int, t: float) -> float:
    starts, left, mid, inverse, coefficients, degrees = table
    c = cell_of(left, starts[dist], starts[dist + 1], t, starts[dist])
    return excess(coefficients, c, degrees[dist], (t - mid[c]) * inverse[c])


@compiled()
def run_batches(table: ExcessTable, rounds: RoundArrays, sizes: Floats, kept: Floats) -> float:
    """kept[j + 1] from kept[j], for batches from the last on; a bound of the error.

    rounds.distributions[j] is the distribution of the largest value of batch j, those of the next largest follow it,
    sizes[j] of them in all. -∞ stands for a slot that has no value yet.
    """
    dists, _, factors, means, errors, floors = rounds
    N, n = len(dists), kept.shape[1]
    bound = 0.0
    e = np.empty(n + 1)
    for j in range(N):
        first, b = dists[j], int(sizes[j])
        e[0] = np.inf
        known = 0
        for k in range(n):
            e[k + 1] = factors[j] * kept[j, k]
            if e[k + 1] > -np.inf:
                known = k + 1
        worst = 0.0
        for i in range(1, n + 1):
            if i > known + b:
                kept[j + 1, i - 1] = -np.inf
                continue
            spent = 0.0
            if i <= known:
                total = e[i]
                end = i
            else:
                dist = first + i - known - 1
                here = _at(table, dist, e[known]) if known > 0 else 0.0
                total = means[dist] - here
                spent += errors[dist] * here + floors[dist] + UNIT * abs(means[dist])
                end = known
            for m in range(max(0, i - b), end):
                dist = first + i - m - 1
                low = _at(table, dist, e[m + 1])
                high = _at(table, dist, e[m]) if m > 0 else 0.0
                total += low - high
                spent += errors[dist] * (low + high) + 2.0 * floors[dist] + UNIT * (abs(total) + low)
            kept[j + 1, i - 1] = total
            worst = max(worst, spent + 2.0 * UNIT * abs(total))
        bound = factors[j] * bound + worst
    return bound


@compiled()
def play_batches(
    rows: Floats, sizes: Ints, worths: Floats, values: Floats, multipliers: Floats, scores: Floats
) -> None:
    """Values [arrival, game] in batches of these sizes, by the rows of bounds [batch, k], best slot first.

    From the largest of a batch on, each goes to the rank that the bounds give it among the slots that are left: those
    above it are kept for what is still to come.
    """
    games, n = values.shape[1], rows.shape[1]
    slots = np.empty(n, dtype=np.int64)
    for g in range(games):
        f = n
        for i in range(n):
            slots[i] = i
        first = 0
        for t in range(len(sizes)):
            batch = np.sort(values[first : first + sizes[t], g])
            first += sizes[t]
            rank = 0
            for place in range(sizes[t] - 1, -1, -1):
                x = batch[place]
                while rank < f and rows[t, rank] >= x:
                    rank += 1
                if rank >= f:
                    break
                scores[g] += worths[t] * multipliers[slots[rank]] * x
                for i in range(rank, f - 1):
                    slots[i] = slots[i + 1]
                f -= 1
