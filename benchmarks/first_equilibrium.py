"""The equilibrium of the duel as it was solved at first: a roll at a time, every entry copied for it, then the simplex.

Max min and min max are found for a whole window of leads at once, and every game where they differ goes to the simplex
method. It is kept to be measured beside the present kernel, in the same run, and compared with it.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from tentimes18.arrays import Floats, Ints, Moves
from tentimes18.compiled import compiled
from tentimes18.duel.lead_windows import DuelLayer, DuelWindows, Pair, Stored, in_parts
from tentimes18.game import Game
from tentimes18.solve.parallel import LayerPool

__all__ = ["first_equilibrium"]

SADDLE = 1e-13
CLOSE = 1e-12
STEEP_STEPS = 50


def first_equilibrium(game: Game) -> Floats:
    """The values of all stored positions."""
    windows = DuelWindows(game, half=True)
    values = np.empty(windows.cells)
    values[0] = 0.5
    with LayerPool(windows.cells - 1) as pool:
        for k in range(1, game.size + 1):
            fill = partial(_fill_equilibrium, windows.moves, windows.layer(k), values)
            entries = float(windows.sizes[k].sum()) * k**2 * len(windows.P)
            pool.run(fill, in_parts(np.argwhere(windows.sizes[k] > 0), 4 * entries), work=1)
    return values


@compiled()
def _simplex(
    M: Floats, patience: int, tableau: Floats, basis: Ints, row: Floats, column: Floats
) -> tuple[float, float]:
    """Bounds for the value of a matrix game with entries in [0, 1], from mixed moves of both players.

    The simplex method for: maximise Σ y subject to (M + 1) y <= 1, y >= 0. ``row`` and ``column`` get the mixed moves;
    the bounds are what these guarantee, so they hold whatever rounding did on the way.
    """
    m = len(M)
    least_entry, scale = M.min(), M.max() - M.min()
    for r in range(m):
        tableau[r, m:] = 0.0
        for c in range(m):
            tableau[r, c] = (M[r, c] - least_entry) / scale + 1.0
        tableau[r, m + r] = 1.0
        tableau[r, 2 * m] = 1.0
        basis[r] = m + r
    tableau[m, :m] = -1.0
    tableau[m, m:] = 0.0
    for step in range(200):
        # The steepest column; after many steps the first one, which never cycles (Bland's rule).
        enter = -1
        steepest = -1e-13
        for c in range(2 * m):
            if tableau[m, c] < steepest:
                enter = c
                steepest = tableau[m, c]
                if step >= patience:
                    break
        if enter < 0:
            break
        leave = -1
        least = np.inf
        for r in range(m):
            if tableau[r, enter] > 1e-11:
                ratio = tableau[r, 2 * m] / tableau[r, enter]
                if leave < 0 or ratio < least or (ratio == least and basis[r] < basis[leave]):
                    least = ratio
                    leave = r
        if leave < 0:
            break
        tableau[leave] /= tableau[leave, enter]
        for r in range(m + 1):
            factor = tableau[r, enter]
            if r != leave and factor != 0.0:
                for c in range(2 * m + 1):
                    tableau[r, c] -= factor * tableau[leave, c]
        basis[leave] = enter
    column[:] = 0.0
    for r in range(m):
        if basis[r] < m:
            column[basis[r]] = max(0.0, tableau[r, 2 * m])
        row[r] = max(0.0, tableau[m, m + r])
    row /= row.sum()
    column /= column.sum()
    lower, upper = np.inf, -np.inf
    for c in range(m):
        mine, theirs = 0.0, 0.0
        for r in range(m):
            mine += row[r] * M[r, c]
            theirs += column[r] * M[c, r]
        lower = min(lower, mine)
        upper = max(upper, theirs)
    return lower, upper


@compiled()
def _solve_matrix(M: Floats, tableau: Floats, basis: Ints, row: Floats, column: Floats) -> tuple[float, float]:
    """Bounds for the value of a matrix game without a saddle point, and mixed moves that guarantee them."""
    lower, upper = _simplex(M, STEEP_STEPS, tableau, basis, row, column)
    if not upper - lower < CLOSE:
        lower, upper = _simplex(M, 0, tableau, basis, row, column)
    return lower, upper


@compiled()
def _fill_equilibrium(moves: Moves, layer: DuelLayer, value: Floats, pairs: Ints) -> tuple[int, float]:
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
                    lower, upper = _solve_matrix(M, tableau, basis, row, column)
                    maximin[t] = (lower + upper) / 2
                    widest_gap = max(widest_gap, upper - lower)
                    mixed += 1
                total[t] += P[x] * maximin[t]
    return mixed, widest_gap


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
def copy_window(values: Floats, offset: int, low: int, size: int, start: int, out: Floats) -> None:
    """out[t] = the value at lead start + t, from a stored window; 0 below it and 1 above."""
    count = len(out)
    first = min(max(0, low - start), count)
    last = max(first, min(count, low + size - start))
    out[:first] = 0.0
    out[first:last] = values[offset + first + start - low : offset + last + start - low]
    out[last:] = 1.0


@compiled()
def copy_mirrored(values: Floats, offset: int, low: int, size: int, start: int, out: Floats) -> None:
    """out[t] = 1 - the value at lead -(start + t), from the stored window of the pair with the players exchanged."""
    for t in range(len(out)):
        e = -(start + t) - low
        if e < 0:
            out[t] = 1.0
        elif e >= size:
            out[t] = 0.0
        else:
            out[t] = 1.0 - values[offset + e]
