"""The equilibrium of the duel: values over (my free set, the opponent's, lead), one layer from the one before."""

from typing import NamedTuple

import numpy as np

from tentimes18.kernels.matrix import SADDLE, solve_matrix
from tentimes18.kernels.types import DuelLayer, Floats, Ints, Moves, Pair, Stored
from tentimes18.kernels.windows import copy_mirrored, copy_window
from tentimes18.storage.compiled import compiled

__all__ = ["Saddles", "fill_equilibrium", "find_saddles", "list_matrices", "new_saddles"]


class Saddles(NamedTuple):
    """By lead: max min, min max, and the first column that holds me to the latter; two lines for use meanwhile."""

    maximin: Floats
    minimax: Floats
    column: Ints
    line: Floats
    held: Floats


@compiled()
def new_saddles(widest: int) -> Saddles:
    """Room for so many leads."""
    return Saddles(
        np.empty(widest), np.empty(widest), np.empty(widest, dtype=np.int64), np.empty(widest), np.empty(widest)
    )


@compiled()
def list_matrices(moves: Moves, x: int, pair: Pair, ranks: Ints, half: Stored, cells: Floats) -> None:
    """cells[r, c, t]: the matrix games of roll x at leads low + t, from the stored half of the smaller pairs."""
    shifts, values = moves.shifts, half.values
    offsets, lows, sizes = half.windows
    n = len(shifts)
    size = pair.size
    r = 0
    for i in range(n):
        if not pair.A >> i & 1:
            continue
        a = ranks[pair.A ^ (1 << i)]
        c = 0
        for j in range(n):
            if not pair.B >> j & 1:
                continue
            b = ranks[pair.B ^ (1 << j)]
            start = pair.low + shifts[i, x] - shifts[j, x]
            if a <= b:
                copy_window(values, offsets[a, b], lows[a, b], sizes[a, b], start, cells[r, c, :size])
            else:
                copy_mirrored(values, offsets[b, a], lows[b, a], sizes[b, a], start, cells[r, c, :size])
            c += 1
        r += 1


@compiled()
def find_saddles(cells: Floats, size: int, found: Saddles) -> None:
    """Max min and min max of the matrix games cells[:, :, t], and the first column that holds me to the latter.

    First as in `mixed_move`: of columns that are equal but for rounding.
    """
    maximin, minimax, column, line, held = found
    k = len(cells)
    held[:size] = 2.0
    maximin[:size] = -1.0
    minimax[:size] = 2.0
    for r in range(k):
        line[:size] = 2.0
        for c in range(k):
            entry = cells[r, c]
            for t in range(size):
                line[t] = min(line[t], entry[t])
        for t in range(size):
            maximin[t] = max(maximin[t], line[t])
    for c in range(k):
        line[:size] = -1.0
        for r in range(k):
            entry = cells[r, c]
            for t in range(size):
                line[t] = max(line[t], entry[t])
        for t in range(size):
            lower = line[t] < held[t] - SADDLE
            held[t] = line[t] if lower else held[t]
            column[t] = c if lower else column[t]
            minimax[t] = min(minimax[t], line[t])


@compiled()
def fill_equilibrium(moves: Moves, layer: DuelLayer, value: Floats, pairs: Ints) -> tuple[int, float]:
    """The values of these pairs (a, b), a <= b; returns how many games had no saddle point, and the widest bounds."""
    P, k, sets, ranks = moves.P, layer.k, layer.sets, layer.ranks
    offsets, lows, sizes = layer.here
    half = Stored(layer.after, value)
    widest = sizes.max()
    cells = np.empty((k, k, widest))
    found = new_saddles(widest)
    maximin, minimax = found.maximin, found.minimax
    M = np.empty((k, k))
    tableau = np.empty((k + 1, 2 * k + 1))
    basis = np.empty(k, dtype=np.int64)
    row, column = np.empty(k), np.empty(k)
    mixed = 0
    widest_gap = 0.0
    for p in range(len(pairs)):
        a, b = pairs[p, 0], pairs[p, 1]
        size = sizes[a, b]
        pair = Pair(sets[a], sets[b], lows[a, b], size)
        total = value[offsets[a, b] : offsets[a, b] + size]
        total[:] = 0.0
        for x in range(len(P)):
            list_matrices(moves, x, pair, ranks, half, cells)
            find_saddles(cells, size, found)
            for t in range(size):
                if minimax[t] - maximin[t] > SADDLE:
                    M[:] = cells[:, :, t]
                    lower, upper = solve_matrix(M, tableau, basis, row, column)
                    maximin[t] = (lower + upper) / 2
                    widest_gap = max(widest_gap, upper - lower)
                    mixed += 1
                total[t] += P[x] * maximin[t]
    return mixed, widest_gap
