"""Values that are seen in batches: b of them together, each given to a slot or rejected before the next batch.

The new row is that of the i-th largest of what is expected and the batch: with g_r the excess of the r-th largest of b
values (`order_distributions`) and e_0 = ∞,

    e_i <- e_i + Σ_{m = max(0, i-b)}^{i-1} (g_{i-m}(e_{m+1}) - g_{i-m}(e_m)).

One batch of all values is hindsight.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
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
    batch_kernel,
    chances_above,
    check_placements,
    placements_of,
    verify_left,
)
from tentimes18.assignment.distributions import FiniteDistribution, ValueDistribution, is_number
from tentimes18.assignment.excess import ROUNDING, Cells, ExcessTable, cell_of, excess, joined, smooth_cells
from tentimes18.assignment.hindsight import equal_count_tails, exact_hindsight_of, hindsight_of
from tentimes18.assignment.rounds import UNIT, RoundArrays, all_free, play_rows
from tentimes18.compiled import compiled
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size


class _OrderDistribution(ValueDistribution):
    """The r-th largest of b values of a distribution that is not finite."""

    def __init__(self, dist: ValueDistribution, b: int, r: int) -> None:
        self._dist, self._b, self._r = dist, b, r
        self._name = f"the largest but {r - 1} of {b} values of {dist}"

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
        return out[:, self._r - 1].reshape(bounds.shape)

    def _cells(self) -> Cells:
        breaks = self._dist.cells.left[1:].tolist()
        cells = smooth_cells(self._tails, breaks, error=self._dist.error * self._b, noise=1e-15)
        first = float(cells.coefficients[0, 0])  # the excess at the first break
        return cells._replace(floor=1e-15 * max(1.0, first) + 4 * ROUNDING * abs(breaks[0]))


def order_distributions(dist: ValueDistribution, b: int, most: int, exact: bool = False) -> list[ValueDistribution]:
    """The distributions of the largest of b values, of the next largest, and so on."""
    return [dist] if b == 1 else [_order_distribution(dist, b, r, exact) for r in range(1, most + 1)]


def _order_distribution(dist: ValueDistribution, b: int, r: int, exact: bool) -> ValueDistribution:
    if not isinstance(dist, FiniteDistribution):
        return _OrderDistribution(dist, b, r)
    above = np.append(1.0, dist.above(dist.values))
    out = np.empty((len(above), r))
    equal_count_tails(np.minimum(above, 1.0), float(b), out)
    chances = np.maximum(-np.diff(out[:, r - 1]), 0.0)
    atoms = _exact_order(dist, b, r) if exact else None
    return FiniteDistribution(dist.values, chances, atoms, f"the largest but {r - 1} of {b} values of {dist}")


def _exact_order(dist: ValueDistribution, b: int, r: int) -> list[tuple[Fraction, Fraction]]:
    found, left, before = [], Fraction(1), Fraction(1)
    for value, chance in dist.exact_atoms():
        left -= chance
        now = sum((comb(b, m) * left**m * (1 - left) ** (b - m) for m in range(r, b + 1)), Fraction(0))
        found.append((value, before - now))
        before = now
    return found


class BatchModel(ArrivalModel):
    """Sizes of the batches, in order, and a factor from each to the next; in float64, or in Fractions."""

    is_batched = True

    def __init__(
        self, n: int, dist: ValueDistribution, sizes: Sequence[int], factor: Real, must_fill: bool, exact: bool
    ) -> None:
        self._n, self._dist, self._sizes, self._must_fill = n, dist, tuple(sizes), must_fill
        self._factor: Any = Fraction(factor) if exact else float(factor)
        self.is_exact = exact
        N, largest = len(self._sizes), max(self._sizes)
        most = min(largest, n)
        cost = 20.0 * N * n * most
        if exact:
            cost = EXACT_COST * (N * n * most * (10.0 + N / 5) + len(dist.exact_atoms()) * largest**2)
        check_size("these rows", operations=cost, bytes=8.0 * N * n, field="batches")
        # Only the n largest of a batch matter.
        orders = {size: order_distributions(dist, size, min(size, n), exact) for size in dict.fromkeys(self._sizes)}
        self._rows: Any = self._exact_rows(orders) if exact else self._float_rows(orders)

    def _float_rows(self, orders: dict[int, list[ValueDistribution]]) -> Floats:
        N, n = len(self._sizes), self._n
        dists = [dist for each in orders.values() for dist in each]
        first = dict(zip(orders, accumulate(map(len, orders.values()), initial=0), strict=False))
        rounds = RoundArrays(
            np.array([[first[size], min(size, n)] for size in reversed(self._sizes)]),
            np.ones(N),
            np.append(1.0, np.full(N - 1, self._factor)),
            np.array([dist.mean for dist in dists]),
            np.array([dist.error for dist in dists]),
            np.array([dist.cells.floor for dist in dists]),
        )
        rows = np.empty((N + 1, n))
        rows[0] = -inf if self._must_fill else 0.0
        self.error = run_batches(joined([dist.cells for dist in dists]), rounds, rows)
        self.error += 2.0**-50 * float(np.abs(rows[N]).max())
        return rows

    def _exact_rows(self, orders: dict[int, list[ValueDistribution]]) -> list[list[Real]]:
        rows: list[list[Real]] = [[-inf if self._must_fill else Fraction(0)] * self._n]
        for size in reversed(self._sizes):
            e = self._discounted(rows[-1], len(rows) - 1)
            known = sum(t > -inf for t in e)
            row: list[Any] = [*e[:known], *([Fraction(0)] * size), *e[known:]][: self._n]
            row[known + size :] = [-inf] * len(row[known + size :])
            for r, dist in enumerate(orders[size]):
                before = Fraction(0)
                for k in range(min(known, self._n - r)):
                    here = dist.exact_excess(Fraction(e[k]))
                    row[k + r] += here - before
                    before = here
                if known + r < self._n:
                    row[known + r] += dist.exact_mean() - before
            rows.append(row)
        return rows

    def _discounted(self, row: Any, j: int) -> list[Real]:
        factor = self._factor if j else self._factor**0
        return [factor * e for e in (row if self.is_exact else row.tolist())]

    def begin(self) -> list[Real]:
        return list(self._rows[-1])

    def lefts(self) -> range:
        return range(len(self._sizes))

    def row(self, left: Any, known: Any = None) -> list[Real]:
        """The row after a batch, or after one of its values, with this many batches to come.

        A batch can be placed value by value: what is known of it is expected, too. So the row has the n largest of
        what is expected and of the values that are still to be placed.
        """
        j = verify_left(left, len(self._sizes), "batches")
        row = self._discounted(self._rows[j], j)
        if known is None:
            return row
        if not isinstance(known, Sequence) or not all(is_number(value) for value in known):
            raise Ten18Error("accepted: the values of this batch that are still to be placed", "known", known)
        return sorted([*row, *known], reverse=True)[: self._n]

    def hindsight(self) -> HindsightRow:
        """The k-th largest values on average: it does not matter when they were seen."""
        N, ones = self.length, [1] * self.length
        scales = [self._factor**batch for batch, size in enumerate(self._sizes) for _ in range(size)]
        ends = [0] * (N - 1) + [1]
        alone = Rounds(self._n, (self._dist,), [0] * N, ones, ones, scales, ends, 1, self._must_fill)
        return HindsightRow(exact_hindsight_of(alone)) if self.is_exact else hindsight_of(alone)

    def _bounds(self, n: int) -> list[list[Real]]:
        """The thresholds of the n best slots for the batches in their order."""
        return [self.row(left)[:n] for left in reversed(self.lefts())]

    def _placements(self, groups: Sequence[int]) -> list[list[Real]]:
        most, n = max(self._sizes), len(groups)
        check_placements(len(self._sizes) * n, 1, min(most, n) ** 2 + most // 4, groups, exact=self.is_exact)
        bounds = np.array(self._bounds(n), dtype=object if self.is_exact else np.float64)
        above = chances_above(self._dist, bounds.reshape(len(self._sizes), n))
        return placements_of(batch_kernel, groups, above, np.array(self._sizes))

    @property
    def length(self) -> int:
        return sum(self._sizes)

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        games = len(worths)
        values = self._dist.drawn(seed, first, self.length, games)
        scales: Floats = float(self._factor) ** np.arange(len(self._sizes), dtype=np.float64)
        rows = np.array(self._bounds(self._n), dtype=np.float64)[:, None]
        batches = np.repeat(np.arange(len(self._sizes)), self._sizes)
        sort_batches(batches, values)
        regimes = np.zeros(values.shape, dtype=np.int64)
        play_rows((batches, rows), scales, values, regimes, multipliers, all_free(self._n, games), worths)


@compiled()
def run_batches(table: ExcessTable, rounds: RoundArrays, rows: Floats) -> float:
    """rows[j + 1] from rows[j], for batches from the last on; a bound of the error.

    rounds.dists[j] has the distribution of the largest value of batch j, those of the next largest follow it, and how
    many these are. -∞ stands for a slot that has no value yet.
    """
    starts, left, mid, inverse, coefficients, degrees = table
    dists, _, factors, means, errors, floors = rounds
    N, n = len(dists), rows.shape[1]
    bound = 0.0
    e, spent = np.empty(n), np.empty(n)
    for j in range(N):
        first, b = dists[j]
        row = rows[j + 1]
        known = 0
        for k in range(n):
            e[k] = factors[j] * rows[j, k]
            row[k] = e[k]
            if e[k] > -np.inf:
                known = k + 1
        row[known : known + b] = 0.0
        spent[:] = 0.0
        for r in range(b):
            dist = first + r
            before = 0.0
            for k in range(min(known, n - r)):
                c = cell_of(left, starts[dist], starts[dist + 1], e[k], starts[dist])
                here = excess(coefficients, c, degrees[dist], (e[k] - mid[c]) * inverse[c])
                row[k + r] += here - before
                spent[k + r] += errors[dist] * (here + before) + 2.0 * floors[dist] + UNIT * (abs(row[k + r]) + here)
                before = here
            if known + r < n:
                row[known + r] += means[dist] - before
                spent[known + r] += errors[dist] * before + floors[dist] + 2.0 * UNIT * (abs(means[dist]) + before)
        worst = 0.0
        for k in range(min(n, known + b)):
            worst = max(worst, spent[k] + 2.0 * UNIT * abs(row[k]))
        bound = factors[j] * bound + worst
    return bound


@compiled()
def sort_batches(batches: Ints, values: Floats) -> None:
    """Sort values [arrival, game] within each batch, the largest first."""
    for g in range(values.shape[1]):
        first = 0
        for last in range(1, len(batches) + 1):
            if last == len(batches) or batches[last] != batches[first]:
                values[first:last, g] = np.sort(values[first:last, g])[::-1]
                first = last
