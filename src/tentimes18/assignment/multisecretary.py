"""The multisecretary problem: N values of one law, and every number of slots k = 0..N at once.

With k slots of multiplier 1, all to be filled, the best play is worth V_k = e_1 + ... + e_k: the sum of the k best
thresholds of one and the same row E_N. Hindsight takes the k largest values, H_k = E[X_(1)] + ... + E[X_(k)]. What it
has more is the regret of not knowing the future, H_k - V_k: bounded in N for a law with finitely many values (Arlotto
and Gurvich 2019), of the order of log N for a uniform one (Bray 2019).

The row takes N²/2 cells of work: blocks of slots through spans of arrivals (`kernels.assignment_rows`). A tile needs
the tile before it in both directions, so the tiles of a diagonal are independent, and threads share them.

For hindsight let B_t be the number of values above t, binomial with chance P(X > t). Then

    E[X_(k)] = c + ∫_c^∞ P(B_t >= k) dt,        c the least value,

and with M_b = ∫ P(B_t = b) dt that is c + M_k + M_{k+1} + ... for all k at once. Where the law is finite, P(X > t) is
constant between two values. Elsewhere the integral is taken by Gauss's rule on pieces in which P(X > t) moves by
little more than the spread of B_t / N: arcsin √(B_t / N) has about the same spread everywhere, 1/√(4N).
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, comb, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.assignment.laws.reading import as_law
from tentimes18.assignment.laws.uniform import UniformLaw
from tentimes18.errors import Ten18Error
from tentimes18.kernels import assignment_rows as kernel
from tentimes18.kernels import excess as excess_kernel
from tentimes18.kernels.types import Floats
from tentimes18.plan import Plan, admit, fraction_seconds, largest, thread_count

__all__ = ["Multisecretary", "multisecretary", "multisecretary_plan"]

BLOCK: Final = 4096  # slots of a tile: 32 kB, which stay in the nearest cache
SPAN: Final = 2048  # arrivals of a tile
SECONDS_A_CELL: Final = {1: 3e-10, 2: 5e-10}  # by the degree of the law's polynomials
SECONDS_A_CELL_OTHERWISE: Final = 2e-9
SECONDS_A_LEVEL: Final = 4e-8  # of P(X > t), times the root of the number of arrivals
NODES: Final = 12
STEP: Final = 0.7  # of arcsin √P(X > t), in spreads
FALL: Final = 4.0  # the most by which P(X > t) falls on a piece where hardly any value is larger
NEGLIGIBLE: Final = 1e-18  # chance that any value is larger
ROUNDING: Final = 2.0**-53


@dataclass(frozen=True, eq=False)
class Multisecretary:
    """What k of N values are worth by the best play and in hindsight, for k = 0, 1, 2, ...

    ``value[k]``, ``hindsight[k]`` and ``regret[k]`` are for k slots of multiplier 1 that must all be filled;
    ``thresholds`` are those of the row E_N, increasing, the last k of them adding up to ``value[k]``. In float64
    ``error`` bounds how far a value is off; exact results are arrays of Fractions.

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


def multisecretary_plan(law: Any, arrivals: int, most: int | None = None, *, exact: bool = False) -> Plan:
    """What the row for so many arrivals takes, of which the ``most`` best slots are wanted.

    >>> multisecretary_plan([0, 1], 1000).seconds < 0.1
    True
    """
    read = as_law(law)
    slots = min(arrivals, arrivals if most is None else most)
    cells = slots * (arrivals - slots / 2)
    what = f"{arrivals:,} arrivals for every number of slots up to {slots:,}"
    if exact:
        bits = arrivals * float(read.exact_mean().denominator.bit_length() + 8)
        return Plan(what, 4 * cells * fraction_seconds(bits), 2 * slots * (bits / 4 + 100))
    degree = int(read.table.degrees[0])
    seconds = SECONDS_A_CELL.get(degree, SECONDS_A_CELL_OTHERWISE) * cells / thread_count()
    levels = len(read.cells.left) if degree == 1 else NODES * (len(read.cells.left) + 3 * sqrt(arrivals))
    seconds += SECONDS_A_LEVEL * levels * sqrt(arrivals)
    return Plan(what, seconds, 8.0 * (6 * arrivals + 5 * slots + 2 * levels))


def multisecretary(
    law: Any,
    arrivals: int,
    most: int | None = None,
    *,
    exact: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Multisecretary:
    """The best play and hindsight for every number of slots, from none to ``most``, or to as many as arrivals.

    ``law`` is whatever describes a value; ``progress`` is told (work done, work).

    >>> found = multisecretary([1, 2, 3, 4, 5, 6], 1000)
    >>> [round(float(found.regret[slots]), 3) for slots in (1, 10, 100, 500)]
    [0.0, 0.0, 0.0, 2.016]
    """
    read = as_law(law)
    for count, field in ((arrivals, "arrivals"), (arrivals if most is None else most, "most")):
        if not isinstance(count, int | np.integer) or isinstance(count, bool) or count < 1:
            raise Ten18Error("must be a whole number, at least 1", field, count)
    slots = min(arrivals, arrivals if most is None else most)
    admit(
        multisecretary_plan(read, arrivals, most, exact=exact),
        instead=lambda limits: (
            f"{largest(arrivals - 1, lambda fewer: multisecretary_plan(read, fewer, most, exact=exact).fits(limits)):,}"
            " arrivals fit"
        ),
        field="arrivals",
    )
    if exact:
        return _exactly(read, arrivals, slots)
    row = _row(read, arrivals, slots, progress)
    order = _order_statistics(read, arrivals)[:slots]
    # In the wider floats that some machines have: what is left is a small difference of sums of many numbers.
    worth, known = (np.cumsum(numbers, dtype=np.longdouble) for numbers in (row[::-1], order))
    regret = np.maximum(np.cumsum(order.astype(np.longdouble) - row[::-1]), 0.0)
    scale = float(np.abs(row).max())
    error = arrivals * (read.error * abs(float(read.mean - row[0])) + 2 * ROUNDING * slots * scale)
    return Multisecretary(arrivals, row, _from_none(worth), _from_none(known), _from_none(regret), error)


def _from_none(sums: Any) -> Floats:
    found: Floats = np.concatenate([[0.0], sums.astype(np.float64)])
    return found


def _row(law: ValueLaw, arrivals: int, slots: int, progress: Callable[[int, int], None] | None) -> Floats:
    """The best slots of E_N, increasing."""
    blocks, spans = ceil(slots / BLOCK), ceil(arrivals / SPAN)
    row = np.zeros(blocks * BLOCK)
    # What passes from block b to the next during a span; two spans of it are in use at a time.
    passed = np.zeros((2, blocks + 1, SPAN))
    table, mean = law.table, law.mean

    def tile(b: int, span: int) -> None:
        first = span * SPAN
        count = min(SPAN, arrivals - first)
        block = row[(blocks - 1 - b) * BLOCK : (blocks - b) * BLOCK]
        better, worst = passed[span % 2, b, :count], passed[span % 2, b + 1, :count]
        kernel.advance(table, mean, block, b * BLOCK + 1, first, better, worst)

    with ThreadPoolExecutor(thread_count()) as pool:
        for diagonal in range(blocks + spans - 1):
            tiles = [(b, diagonal - b) for b in range(blocks) if 0 <= diagonal - b < spans]
            busy = [(b, span) for b, span in tiles if (span + 1) * SPAN > b * BLOCK]  # others have no slots yet
            list(pool.map(lambda place: tile(*place), busy))
            if progress:
                progress(diagonal + 1, blocks + spans - 1)
    return row[len(row) - slots :]


def _order_statistics(law: ValueLaw, arrivals: int) -> Floats:
    """E[X_(1)] >= E[X_(2)] >= ..., the expected values from the largest down."""
    chances, widths, tail = _levels(law, arrivals)
    counts = np.zeros(arrivals + 1)
    kernel.counts_above(chances, widths, counts)
    counts[1] += arrivals * tail  # beyond the last cell there is at most one
    expected: Floats = law.cells.left[1] + np.cumsum(counts[:0:-1])[::-1]
    return expected


def _levels(law: ValueLaw, arrivals: int) -> tuple[Floats, Floats, float]:
    """Values of P(X > t) with weights that add up to ∫ dt, from the least value on; and what is beyond the last."""
    cells = law.cells
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
    inner = np.empty_like(levels)
    excess_kernel.quantiles(law.table, np.zeros(len(levels), dtype=np.int64), levels, inner)
    edges = np.unique(np.concatenate([cells.left[1:], inner]))
    edges = edges[(edges >= left[0]) & (edges <= right[-1])]
    half = np.diff(edges)[:, None] / 2
    points = (edges[:-1, None] + half * (1 + nodes)).ravel()
    return law.above(points), (half * weights).ravel(), tail


# Exactly.


def _exactly(law: ValueLaw, arrivals: int, slots: int) -> Multisecretary:
    order = _exact_order_statistics(law, arrivals)[:slots]
    mean = law.exact_mean()
    row: list[Fraction] = []  # from the best
    for _ in range(arrivals):
        excess = [Fraction(0), *map(law.exact_excess, row)]
        row = [e + excess[k + 1] - excess[k] for k, e in enumerate(row)]
        if len(row) < slots:
            row.append(mean - excess[-1])
    value, hindsight = ([sum(numbers[:k], Fraction(0)) for k in range(slots + 1)] for numbers in (row, order))
    worth, known = np.array(value, dtype=object), np.array(hindsight, dtype=object)
    return Multisecretary(arrivals, np.array(row[::-1], dtype=object), worth, known, known - worth, 0.0)


def _exact_order_statistics(law: ValueLaw, arrivals: int) -> Sequence[Fraction]:
    if isinstance(law, UniformLaw):
        low, high = map(Fraction, law.support)
        return [high - (high - low) * Fraction(k, arrivals + 1) for k in range(1, arrivals + 1)]
    atoms = law.exact_atoms()
    expected = [atoms[0][0]] * arrivals
    above = Fraction(1)
    for (value, chance), (after, _) in pairwise(atoms):
        above -= chance
        at_least = Fraction(0)
        for k in range(arrivals, 0, -1):
            at_least += comb(arrivals, k) * above**k * (1 - above) ** (arrivals - k)
            expected[k - 1] += (after - value) * at_least
    return expected
