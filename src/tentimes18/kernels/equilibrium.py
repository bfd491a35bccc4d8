"""The equilibrium of the duel: values over (my free set, the opponent's, lead), one layer from the one before."""

import numpy as np

from tentimes18.kernels.matrix import SADDLE, solve_matrix
from tentimes18.kernels.supports import find_four, new_mix, try_four
from tentimes18.kernels.tiles import (
    LANES,
    TILE,
    copy_half,
    find_bounds,
    find_lines,
    find_open,
    list_entries,
    new_bounds,
    new_entries,
    place_entries,
)
from tentimes18.kernels.types import DuelLayer, Floats, Ints, Moves, Pair, Stored
from tentimes18.storage.compiled import compiled

__all__ = ["fill_equilibrium"]


@compiled()
def fill_equilibrium(moves: Moves, layer: DuelLayer, value: Floats, pairs: Ints) -> tuple[int, float]:
    """The values of these pairs (a, b), a <= b; returns how many games had no saddle point, and the widest bounds."""
    P, shifts = moves
    k, sets, ranks = layer.k, layer.sets, layer.ranks
    offsets, lows, sizes = layer.here
    half = Stored(layer.after, value)
    entries, bounds, mix = new_entries(k, len(P), layer.after), new_bounds(k), new_mix(k)
    row, column, four, M, turned, tableau, labels = mix
    rows, columns, maximin, minimax = bounds
    width, _, _, moved, starts, ends, places, lost, won = entries
    cells = np.empty(k * k * entries.width)
    total = np.empty(TILE + LANES)
    fours = np.empty((len(P), 4), dtype=np.int64)
    mixed = 0
    widest = 0.0
    for p in range(len(pairs)):
        a, b = pairs[p, 0], pairs[p, 1]
        size = sizes[a, b]
        pair = Pair(sets[a], sets[b], lows[a, b], size)
        list_entries(pair, shifts, ranks, layer.after, entries)
        copy_half(pair, ranks, half, entries, cells)
        fours[:, 0], fours[:, 1], fours[:, 2], fours[:, 3] = 0, k - 1, 0, k - 1
        values = value[offsets[a, b] : offsets[a, b] + size]
        for first in range(0, size, TILE):
            count = min(TILE, size - first)
            total[:] = 0.0
            for x in range(len(P)):
                begin, leads = find_open(first, count, lost[x], won[x])
                p_x = P[x]
                for t in range(begin + leads, count):
                    total[t] += p_x
                if leads == 0:
                    continue
                place_entries(first + begin, moved[x], starts, ends, width, places)
                find_lines(cells, places, k, leads, rows, columns)
                find_bounds(rows, columns, k, leads, maximin, minimax)
                four[:] = fours[x]
                for t in range(min(leads, count - begin)):
                    if minimax[t] - maximin[t] > SADDLE:
                        lower, upper, _, _, _ = try_four(cells, places, t, k, four)
                        if upper - lower > SADDLE:
                            lower, upper, _, _, _ = find_four(cells, places, t, four, M, turned)
                            if upper - lower > SADDLE:
                                lower, upper = solve_matrix(M, tableau, labels, row, column)
                        maximin[t] = (lower + upper) / 2
                        widest = max(widest, upper - lower)
                        mixed += 1
                fours[x] = four
                at = np.uint64(begin)
                for t in range(np.uint64(leads)):
                    total[at + t] += p_x * maximin[t]
            for t in range(count):
                values[first + t] = total[t]
    return mixed, widest
