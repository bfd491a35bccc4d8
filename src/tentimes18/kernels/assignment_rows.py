"""Rows of thresholds of one law for very many arrivals, in tiles that stay in the cache; and what hindsight expects.

From the best slot down, e_1 >= e_2 >= ..., an arrival changes a row by

    e_k <- e_k + g(e_k) - g(e_{k-1}),    g(t) = E[max(X - t, 0)],    g(e_0) = 0,

and adds e_{j+1} = E[X] - g(e_j) at its end. A slot depends on itself and on the next better one alone. So a block of
slots can be taken through many arrivals at once if only g(e_{k-1}) is known for them, e_{k-1} being the worst slot of
the block before: that series of numbers is all that passes from one block to the next.

In memory a block is reversed, the worst slot first. Then a place is read together with the one behind it, and written:
no second row is needed. Places that lie in one cell of the law are a run of one polynomial, and one loop.
"""

import numpy as np

from tentimes18.arrays import Floats
from tentimes18.compiled import compiled
from tentimes18.kernels.excess import cell_of, excess
from tentimes18.kernels.types import ExcessTable

__all__ = ["advance", "counts_above"]

UNROLLED = 9  # the degree of smooth laws, whose polynomials need no inner loop
NEGLIGIBLE = 1e-19


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
        while high < n and room[high] > NEGLIGIBLE:
            room[high + 1] = room[high] * odds * (n - high) / (high + 1)
            high += 1
            total += room[high]
        while low > 0 and room[low] > NEGLIGIBLE:
            room[low - 1] = room[low] / odds * low / (n - low + 1)
            low -= 1
            total += room[low]
        share = widths[m] / total
        for b in range(low, high + 1):
            out[b] += share * room[b]
