"""Values that are seen in batches, or ahead: b of them together, each placed or rejected before the next batch.

The new row is that of the i-th largest of what is expected and the batch: with g_r the excess of the r-th largest of b
values (`order_distribution`) and e_0 = ∞,

    e_i <- e_i + Σ_{m = max(0, i-b)}^{i-1} (g_{i-m}(e_{m+1}) - g_{i-m}(e_m)).

One batch of all values is hindsight.

Where values are seen k rounds ahead, there is a row for every window of values that are known. With w = (x_1, ..., x_m)
these values, of which x_1 must be placed, and F(w) the row after it,

    M(w) = the n largest of F(w) and x_1,   F(w) = f E[M(x_2, ..., x_m, Z)],

Z being the value that comes into sight, if there is one. This is a Markov chain whose regimes are the windows, s^(k+1)
of them for a distribution with s values: the distribution must be finite. Where k reaches the end from the beginning,
this is hindsight.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, product
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
    Successors,
    batch_kernel,
    chain_kernel,
    chances_above,
    check_placements,
    placements_of,
    verify_left,
)
from tentimes18.assignment.distributions import FiniteDistribution, ValueDistribution, distribution_error, is_number
from tentimes18.assignment.excess import ROUNDING, Cells, ExcessTable, cell_of, excess, joined, smooth_cells
from tentimes18.assignment.hindsight import equal_count_tails, exact_hindsight_of, hindsight_of
from tentimes18.assignment.rounds import UNIT, RoundArrays, RoundModel, all_free, play_rows, round_arrays
from tentimes18.compiled import compiled
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size


class _OrderDistribution(ValueDistribution):
    """The r-th largest of b values of a distribution that is not finite."""

    def __init__(self, dist: ValueDistribution, b: int, r: int) -> None:
        self._dist, self._b, self._r = dist, b, r
        self._name, self.support = f"the largest but {r - 1} of {b} values of {dist}", dist.support

    @cached_property
    def mean(self) -> float:
        low = float(self.cells.left[1])
        return low + float(self._excess(np.array([low]))[0])

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


def order_distribution(dist: ValueDistribution, b: int, r: int, exact: bool = False) -> ValueDistribution:
    """The distribution of the r-th largest of b values."""
    if b == 1:
        return dist
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
        self._factor: Any = factor
        self.is_exact = exact
        N, largest = len(self._sizes), max(self._sizes)
        most = min(largest, n)
        cost = 20.0 * N * n * most
        if exact:
            cost = EXACT_COST * (N * n * most * (10.0 + N / 5) + len(dist.exact_atoms()) * largest**2)
        check_size("these rows", operations=cost, bytes=8.0 * N * n, field="batches")
        # Only the n largest of a batch matter.
        orders = {
            size: [order_distribution(dist, size, r, exact) for r in range(1, min(size, n) + 1)]
            for size in dict.fromkeys(self._sizes)
        }
        self._rows: Any = self._exact_rows(orders) if exact else self._float_rows(orders)
        self.expected, self.length = list(self._rows[-1]), sum(self._sizes)

    def _float_rows(self, orders: dict[int, list[ValueDistribution]]) -> Floats:
        N, n = len(self._sizes), self._n
        dists = [dist for each in orders.values() for dist in each]
        first = dict(zip(orders, accumulate(map(len, orders.values()), initial=0), strict=False))
        numbers = np.array([[first[size], min(size, n)] for size in reversed(self._sizes)])
        rounds = round_arrays(dists, numbers, np.ones(N), np.full(N - 1, self._factor))
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

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        games = len(worths)
        values = self._dist.drawn(seed, first, self.length, games)
        scales: Floats = float(self._factor) ** np.arange(len(self._sizes), dtype=np.float64)
        rows = np.array(self._bounds(self._n), dtype=np.float64)[:, None]
        batches = np.repeat(np.arange(len(self._sizes)), self._sizes)
        sort_batches(batches, values)
        regimes = np.zeros(values.shape, dtype=np.int64)
        play_rows((batches, rows), scales, values, regimes, multipliers, all_free(self._n, games), worths)


class LookaheadModel(RoundModel):
    """Values that are seen ahead: of one finite distribution; all rounds have the same factor."""

    def __init__(self, rounds: Rounds, ahead: int, exact: bool) -> None:
        super().__init__(rounds)
        self._ahead, self.is_exact = ahead, exact
        self._longest = min(ahead, rounds.size - 1)  # values of a window besides the one that must be placed, at most
        N, n = rounds.size, rounds.n
        dist = rounds.dists[0]
        if not isinstance(dist, FiniteDistribution):
            problem = "values can be seen ahead of a finite distribution only; give samples of it"
            raise distribution_error(problem, str(dist))
        self._dist = dist
        pairs: Any = self._dist.exact_atoms() if exact else zip(self._dist.values, self._dist.chances, strict=True)
        self._values, self._chances = (list(side) for side in zip(*pairs, strict=True))
        s, chances = len(self._values), self._chances
        windows = float(s) ** min(ahead + 1, N)
        check_size(
            "the rows of all windows",
            operations=(EXACT_COST if exact else 10.0) * windows * n * N,
            bytes=(400.0 if exact else 16.0) * windows * n * N,
            field="ahead",
        )
        kind: Any = object if exact else np.float64
        self._x = np.array(self._values, dtype=kind)
        zero: Any = -inf if rounds.must_fill else Fraction(0) if exact else 0.0
        M = np.full(n, zero, dtype=kind)
        self._after: list[Any] = []
        for j in range(N):
            length = min(j + 1, ahead + 1)  # values known, that to be placed among them
            F = M
            if j > ahead:  # the last value of the window behind is not yet in sight
                F = sum(chance * M[..., z, :] for z, chance in enumerate(chances))
            F = F * (rounds.factors[N - 1 - j] if j else 1)
            F = np.broadcast_to(F, (*((s,) * (length - 1)), n))
            self._after.append(F)
            x = self._x.reshape((s,) + (1,) * length)
            before = np.concatenate([np.full((*F.shape[:-1], 1), inf, dtype=kind), F[..., :-1]], axis=-1)
            M = np.maximum(np.minimum(x, before[None]), F[None])
        for _ in range(M.ndim - 1):
            M = sum(chance * M[z] for z, chance in enumerate(chances))
        self.expected = list(M)
        self.error = 0.0 if exact else N * 2.0**-50 * max(1.0, s) * float(np.abs(self._x).max())

    def row(self, left: Any, known: Any = None) -> list[Real]:
        j = verify_left(left, self.rounds.size)
        length = min(j, self._ahead)
        if not isinstance(known, Sequence) or len(known) != length:
            raise Ten18Error(f"accepted: the {length} values that are seen ahead", "known", known)
        for value in known:
            if value not in self._values:
                raise Ten18Error("the distribution has no such value", "known", value)
        return list(self._after[j][tuple(map(self._values.index, known))])

    def knowns(self, left: Any) -> Iterator[tuple[Real, ...]]:
        return product(self._values, repeat=min(verify_left(left, self.rounds.size), self._ahead))

    def _bounds(self, n: int) -> Any:
        """The bounds [round, window, k]: by the values that are seen ahead, those after the end being any."""
        s, longest = len(self._values), self._longest
        found = np.empty((self.rounds.size, s**longest, n), dtype=self._x.dtype)
        for j, F in enumerate(self._after):
            length = min(j, longest)
            wide = F[..., :n].reshape((*((s,) * length), *((1,) * (longest - length)), n))
            found[self.rounds.size - 1 - j] = np.broadcast_to(wide, (*((s,) * longest), n)).reshape(s**longest, n)
        return found

    def _placements(self, groups: Sequence[int]) -> list[list[Real]]:
        N, s, n, longest = self.rounds.size, len(self._values), len(groups), self._longest
        check_placements(N, s ** (longest + 1), s, groups, exact=self.is_exact)
        # A regime is a window with the value to be placed; beyond the end values go on coming, and are never placed.
        ahead = self._bounds(n)[:, None]
        above = (self._x[None, :, None, None] > ahead).reshape(N, s ** (longest + 1), n)
        kind: Any = object if self.is_exact else np.float64
        windows = np.arange(s ** (longest + 1))
        chances = np.array(self._chances, dtype=kind)
        begin = np.ones(1, dtype=kind)
        for _ in range(longest + 1):
            begin = np.multiply.outer(begin, chances).ravel()
        targets = (windows[:, None] % s**longest) * s + np.arange(s)
        chain = Successors(begin, targets, np.tile(chances, (len(windows), 1)))
        return placements_of(chain_kernel, groups, above.astype(np.int64).astype(kind), np.ones(N, dtype=kind), chain)

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        N, s, games, dist = self.rounds.size, len(self._values), len(worths), self._dist
        values = dist.drawn(seed, first, N, games)
        places = np.searchsorted(np.array([float(value) for value in self._values]), values)
        windows = np.zeros((N, games), dtype=np.int64)
        for step in range(1, self._longest + 1):
            windows *= s
            windows[: N - step] += places[step:]
        bounds = self._bounds(self.rounds.n).astype(np.float64)
        plan, free = (np.arange(N), bounds), all_free(self.rounds.n, games)
        play_rows(plan, self.rounds.floats.scales, values, windows, multipliers, free, worths)


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
