"""The multisecretary problem: N values of one distribution, and every number of slots k = 0..N at once.

With k slots of multiplier 1, all to be filled, the best play is worth V_k = e_1 + ... + e_k: the sum of the k best
thresholds of one and the same row E_N. Hindsight takes the k largest values, H_k = E[X_(1)] + ... + E[X_(k)]. The
difference is the regret of not knowing the future, H_k - V_k: bounded in N for a distribution with finitely many values
(Arlotto and Gurvich 2019), of the order of log N for a uniform one (Bray 2019).

The row takes N²/2 cells of work: blocks of slots through spans of arrivals. A tile needs the tile before it in both
directions, so the tiles of a diagonal are independent, and threads share them.

For hindsight let B_t be the number of values above t, binomial with chance P(X > t). Then

    E[X_(k)] = c + ∫_c^∞ P(B_t >= k) dt,        c the least value,

and with M_b = ∫ P(B_t = b) dt that is c + M_k + M_{k+1} + ... for all k at once. Where the distribution is finite, P(X
> t) is constant between two values. Elsewhere the integral is taken by Gauss's rule on pieces in which P(X > t) moves
by little more than the spread of B_t / N: arcsin √(B_t / N) has about the same spread everywhere, 1/√(4N).
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil, comb, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Floats
from tentimes18.assignment.as_distribution import as_distribution
from tentimes18.assignment.distributions import FiniteDistribution, UniformDistribution, ValueDistribution, verify_count
from tentimes18.assignment.excess import ROUNDING, ExcessTable, cell_of, excess
from tentimes18.assignment.hindsight import chance_errors
from tentimes18.assignment.policy import verify_error
from tentimes18.compiled import compiled
from tentimes18.limits import check_size

BLOCK = 4096  # slots of a tile: 32 kB, which stay in the nearest cache
SPAN = 2048  # arrivals of a tile
NODES = 12
STEP = 0.7  # of arcsin √P(X > t), in spreads
FALL = 4.0  # the most by which P(X > t) falls on a piece where hardly any value is larger
NEGLIGIBLE = 1e-18  # chance that any value is larger
UNROLLED = 9  # the degree of smooth distributions, whose polynomials need no inner loop
NEGLIGIBLE_COUNT = 1e-19


@dataclass(frozen=True, eq=False)
class Multisecretary:
    """What k of N values are worth by the best play and in hindsight, for k = 0, 1, 2, ...

    ``value[k]``, ``hindsight[k]`` and ``regret[k]`` are for k slots of multiplier 1 that must all be filled;
    ``thresholds`` are those of the row E_N, increasing, the last k of them adding up to ``value[k]``. In float64
    ``error`` bounds how far any value is off, ``hindsight_error`` any number of hindsight, and ``regret_error`` any
    regret. Where the distribution is not finite, the last two are estimates: what the rule of integration misses is
    measured by the sum of all N values, whose mean is known. Exact results are arrays of Fractions.

    >>> found = multisecretary([1, 2, 3], 3, exact=True)
    >>> [str(regret) for regret in found.regret]
    ['0', '1/9', '1/9', '0']
    """

    arrivals: int
    thresholds: NDArray[Any]
    value: NDArray[Any]
    hindsight: NDArray[Any]
    regret: NDArray[Any]
    error: float
    hindsight_error: float

    @property
    def regret_error(self) -> float:
        return self.error + self.hindsight_error


def multisecretary(
    distribution: Any,
    arrivals: int,
    most: int | None = None,
    *,
    exact: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Multisecretary:
    """The best play and hindsight for every number of slots, from none to ``most``, or to as many as arrivals.

    ``distribution`` is anything that describes a value; ``progress`` is called with (work done, work).

    >>> found = multisecretary([1, 2, 3, 4, 5, 6], 1000)
    >>> [round(float(found.regret[slots]), 3) for slots in (1, 10, 100, 500)]
    [0.0, 0.0, 0.0, 2.016]
    """
    read = as_distribution(distribution)
    for count, field in ((arrivals, "arrivals"), (arrivals if most is None else most, "most")):
        verify_count(count, field)
    slots = min(arrivals, arrivals if most is None else most)
    cells = slots * (arrivals - slots / 2)
    bits = arrivals * float(read.exact_mean().denominator.bit_length() + 8) if exact else 0.0
    check_size(
        f"{arrivals:,} arrivals for every number of slots up to {slots:,}",
        operations=cells * (3.0 + 20 * bits + bits**2 / 200),
        bytes=8.0 * (6 * arrivals + 5 * slots) + 2 * slots * bits / 4,
        field="arrivals",
    )
    if exact:
        return _exactly(read, arrivals, slots)
    row = tiled_row(read, arrivals, slots, progress=progress)
    all_ordered, hindsight_error = _order_statistics(read, arrivals)
    order = all_ordered[:slots]
    # In the wider floats that some machines have: what is left is a small difference of sums of many numbers.
    worth, known = (np.cumsum(numbers, dtype=np.longdouble) for numbers in (row[::-1], order))
    regret = np.maximum(np.cumsum(order.astype(np.longdouble) - row[::-1]), 0.0)
    # A round adds g(e_k) to what k slots are worth once they are filled, so that the sum of all g is V_k - k E[X]. No
    # e_k is above the largest or below the least of N values on average.
    scale = max(float(np.abs(all_ordered).max()), read.mean_size)
    gain = float((worth - read.mean * np.arange(1, slots + 1)).max())
    error = read.error * max(gain, 0.0) + 2.0 * arrivals * (read.cells.floor + ROUNDING * (slots + 4) * scale)
    verify_error(float(np.abs(known).max()), hindsight_error, arrivals * read.mean_size)
    verify_error(float(np.abs(worth).max()), error, arrivals * read.mean_size)
    worth, known, regret = (np.concatenate([[0.0], each.astype(np.float64)]) for each in (worth, known, regret))
    return Multisecretary(arrivals, row, worth, known, regret, float(error), hindsight_error)


def tiled_row(
    dist: ValueDistribution,
    arrivals: int,
    slots: int,
    *,
    may_stay_empty: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Floats:
    """The best slots of E_N, increasing: from an empty row, or from a row of zeros if slots may stay empty."""
    blocks, spans = ceil(slots / BLOCK), ceil(arrivals / SPAN)
    row = np.zeros(slots)
    # What passes from block b to the next during a span; two spans of it are in use at a time.
    passed = np.zeros((2, blocks + 1, SPAN))
    table, mean = dist.table, dist.mean

    def tile(b: int, span: int) -> None:
        first = span * SPAN
        count = min(SPAN, arrivals - first)
        block = row[max(0, slots - (b + 1) * BLOCK) : slots - b * BLOCK]
        better, worst = passed[span % 2, b, :count], passed[span % 2, b + 1, :count]
        advance(table, mean, block, b * BLOCK + 1, arrivals + slots if may_stay_empty else first, better, worst)

    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    with ThreadPoolExecutor(threads) as pool:
        for diagonal in range(blocks + spans - 1):
            tiles = [(b, diagonal - b) for b in range(blocks) if 0 <= diagonal - b < spans]
            # The others have no slots yet.
            busy = [(b, span) for b, span in tiles if may_stay_empty or (span + 1) * SPAN > b * BLOCK]
            list(pool.map(lambda place: tile(*place), busy))
            if progress:
                progress(diagonal + 1, blocks + spans - 1)
    return row


def _order_statistics(dist: ValueDistribution, arrivals: int) -> tuple[Floats, float]:
    """E[X_(1)] >= E[X_(2)] >= ..., the expected values from the largest down; how far the sum of some may be off.

    `counts_above` multiplies |b - mode| ratios for P(B = b), three roundings each. That moves a sum of largest values
    by at most 24 roundings of Var B <= N P(X > t), since E(B - mode)² <= 4 Var B. It adds up at most 10 √N + 10 chances
    for each t, because their logarithms have second differences of -4 / (N + 1) or less.
    """
    chances, widths, tail = _levels(dist, arrivals)
    counts = np.zeros(arrivals + 1)
    counts_above(chances, widths, counts)
    counts[1] += arrivals * tail  # beyond the last cell there is at most one
    low = float(dist.cells.left[1])
    expected: Floats = (low + np.cumsum(counts[:0:-1], dtype=np.longdouble)[::-1]).astype(np.float64)
    relative, absolute = chance_errors(dist)
    relative += ROUNDING * (50.0 + 10.0 * sqrt(arrivals) + len(chances))
    relative += arrivals * float(np.finfo(np.longdouble).eps)
    size = max(float(np.abs(expected).max()), dist.mean_size)
    error = arrivals * (relative * (dist.mean - low) + absolute + 4.0 * ROUNDING * size)
    if not isinstance(dist, FiniteDistribution):
        error += abs(float(expected.sum(dtype=np.longdouble)) - arrivals * dist.mean)
    return expected, error


def _levels(dist: ValueDistribution, arrivals: int) -> tuple[Floats, Floats, float]:
    """Values of P(X > t) with weights that add up to ∫ dt, from the least value on; and what is beyond the last."""
    cells = dist.cells
    left, right = cells.left[1:-1], cells.left[2:]
    tail = float(cells.coefficients[-1, 0])
    if cells.coefficients.shape[1] == 2:
        inside = -cells.coefficients[1:-1, 1] * cells.inverse[1:-1]
        return inside, right - left, tail
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    spread = STEP / sqrt(arrivals)
    angles = np.arange(spread, np.pi / 2, spread)
    falling = spread**2 / FALL ** np.arange(1, ceil(np.log(arrivals / NEGLIGIBLE) / np.log(FALL)))
    levels = np.concatenate([np.sin(angles) ** 2, falling])
    edges = np.unique(np.concatenate([cells.left[1:], dist.upper_quantiles(levels)]))
    edges = edges[(edges >= left[0]) & (edges <= right[-1])]
    half = np.diff(edges)[:, None] / 2
    points = (edges[:-1, None] + half * (1 + nodes)).ravel()
    return dist.above(points), (half * weights).ravel(), tail


# Exactly.


def _exactly(dist: ValueDistribution, arrivals: int, slots: int) -> Multisecretary:
    order = _exact_order_statistics(dist, arrivals)[:slots]
    row: list[Any] = []  # from the best
    for _ in range(arrivals):
        row = exact_row(row, dist, 1, slots)
    worth, known = (np.array([*accumulate(numbers, initial=Fraction(0))]) for numbers in (row, order))
    return Multisecretary(arrivals, np.array(row[::-1], dtype=object), worth, known, known - worth, 0.0, 0.0)


def exact_row(row: Sequence[Any], dist: ValueDistribution, chance: int | Fraction, n: int) -> list[Any]:
    """E_{j+1} from T_j in Fractions; a row that is shorter than n becomes longer."""
    longer: list[Any] = []
    previous = Fraction(0)
    for e in row:
        here = dist.exact_excess(Fraction(e))
        longer.append(e + chance * (here - previous))
        previous = here
    return longer if len(row) == n else [*longer, dist.exact_mean() - previous]


def _exact_order_statistics(dist: ValueDistribution, arrivals: int) -> Sequence[Fraction]:
    if isinstance(dist, UniformDistribution):
        low, high = map(Fraction, dist.support)
        return [high - (high - low) * Fraction(k, arrivals + 1) for k in range(1, arrivals + 1)]
    atoms = dist.exact_atoms()
    expected = [atoms[0][0]] * arrivals
    above = Fraction(1)
    for (value, chance), (after, _) in pairwise(atoms):
        above -= chance
        at_least = Fraction(0)
        for k in range(arrivals, 0, -1):
            at_least += comb(arrivals, k) * above**k * (1 - above) ** (arrivals - k)
            expected[k - 1] += (after - value) * at_least
    return expected


# The kernels: a slot depends on itself and on the next better one alone. So a block of slots can be taken through many
# arrivals if only g(e_{k-1}) is known for them, e_{k-1} being the worst slot of the block before. In memory a block is
# reversed, the worst slot first: a place is read together with the one behind it, and written, without a second row.
# Places that lie in one cell of the distribution are a run of one polynomial, and one loop.


@compiled(inline="always")
def _run_end(row: Floats, low: int, bound: float) -> int:
    """The first place from low on that is not below the bound."""
    high = len(row)
    if row[high - 1] < bound:
        return high
    while low < high:
        middle = (low + high) >> 1
        if row[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


@compiled(fastmath={"contract"})
def _line(run: Floats, slope: float) -> None:
    for i in range(len(run) - 1):
        run[i] += slope * (run[i] - run[i + 1])


@compiled(fastmath={"contract"})
def _parabola(run: Floats, mid: float, linear: float, square: float) -> None:
    for i in range(len(run) - 1):
        here, better = run[i] - mid, run[i + 1] - mid
        run[i] += (here - better) * (linear + square * (here + better))


@compiled(fastmath={"contract"})
def _polynomial(run: Floats, mid: float, inverse: float, row: Floats, room: Floats) -> None:
    """The same for the degree UNROLLED: g first, then its differences."""
    c0, c1, c2, c3, c4 = row[0], row[1], row[2], row[3], row[4]
    c5, c6, c7, c8, c9 = row[5], row[6], row[7], row[8], row[9]
    g = room[: len(run)]
    for i in range(len(run)):
        u = (run[i] - mid) * inverse
        high = (((c9 * u + c8) * u + c7) * u + c6) * u + c5
        g[i] = ((((high * u + c4) * u + c3) * u + c2) * u + c1) * u + c0
    for i in range(len(run) - 1):
        run[i] += g[i] - g[i + 1]


@compiled()
def advance(table: ExcessTable, mean: float, row: Floats, best: int, first: int, better: Floats, worst: Floats) -> None:
    """Take a block of slots through some arrivals: from E_first on, one for each number of `better`.

    The block has the slots from number `best` on, counted from the best one as 1; those that E_j has. `better` is
    g(e_{best-1}) before each arrival; `worst` becomes g of the last slot of the block.
    """
    _, left, mid, inverse, coefficients, degrees = table
    degree, cells = degrees[0], len(left)
    size = len(row)
    room = np.empty(size)
    for s in range(len(better)):
        j = first + s
        have = min(size, max(0, j + 1 - best))
        behind = better[s]  # g of the slot that is next better
        if have > 0:
            start = size - have
            c = cell_of(left, 0, cells, row[start], 0)
            g = excess(coefficients, c, degree, (row[start] - mid[c]) * inverse[c])
            behind = g
            while start < size:
                end = size if c + 1 == cells else _run_end(row, start, left[c + 1])
                own = excess(coefficients, c, degree, (row[end - 1] - mid[c]) * inverse[c])
                last = row[end - 1]
                run = row[start:end]
                if degree == 1:
                    _line(run, coefficients[c, 1] * inverse[c])
                elif degree == 2:
                    _parabola(run, mid[c], coefficients[c, 1] * inverse[c], coefficients[c, 2] * inverse[c] ** 2)
                elif degree == UNROLLED:
                    _polynomial(run, mid[c], inverse[c], coefficients[c], room)
                else:
                    for i in range(end - start):
                        room[i] = excess(coefficients, c, degree, (run[i] - mid[c]) * inverse[c])
                    for i in range(end - start - 1):
                        run[i] += room[i] - room[i + 1]
                if end < size:
                    c = cell_of(left, 0, cells, row[end], c)
                    after = excess(coefficients, c, degree, (row[end] - mid[c]) * inverse[c])
                else:
                    after = better[s]
                row[end - 1] = last + own - after
                start = end
        worst[s] = behind
        if have < size and j + 1 >= best:
            row[size - have - 1] = mean - behind


@compiled()
def counts_above(chances: Floats, widths: Floats, out: Floats) -> None:
    """out[b] += Σ widths[m] P(B = b) for B binomial with chance chances[m] in len(out) - 1 trials.

    A window around the most likely number is made by ratios and divided by its sum: no factorials, no cancellation.
    """
    n = len(out) - 1
    room = np.empty(n + 1)
    for m in range(len(chances)):
        p = chances[m]
        if p <= 0.0 or p >= 1.0:
            out[0 if p <= 0.0 else n] += widths[m]
            continue
        mode = min(n, int((n + 1) * p))
        room[mode] = 1.0
        total = 1.0
        low = high = mode
        odds = p / (1.0 - p)
        while high < n and room[high] > NEGLIGIBLE_COUNT:
            room[high + 1] = room[high] * odds * (n - high) / (high + 1)
            high += 1
            total += room[high]
        while low > 0 and room[low] > NEGLIGIBLE_COUNT:
            room[low - 1] = room[low] / odds * low / (n - low + 1)
            low -= 1
            total += room[low]
        share = widths[m] / total
        for b in range(low, high + 1):
            out[b] += share * room[b]
