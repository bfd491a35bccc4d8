"""Duels against an equilibrium: my chances with moves of my own, layer by layer."""

from typing import NamedTuple

import numpy as np

from tentimes18.kernels.matrix import SADDLE, mixed_move
from tentimes18.kernels.types import ANY, HUNTER, Chances, DuelLayer, Floats, Hunter, Ints, Moves, Pair, Slots, Stored
from tentimes18.kernels.windows import EQUAL, copy_mirrored, copy_window, list_slots
from tentimes18.storage.compiled import compiled

__all__ = [
    "Saddles",
    "fill_against_equilibrium",
    "find_saddles",
    "list_matrices",
    "new_saddles",
]


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
def fill_against_equilibrium(
    mine: Slots, hunter: Hunter, half: Stored, moves: Moves, layer: DuelLayer, chances: Chances, pairs: Ints
) -> None:
    """My slots mine[A, x], or ANY or HUNTER, against the mixed moves that an equilibrium prescribes.

    ``half`` has the values of the equilibrium, and where those with a slot less stand.
    """
    P, shifts = moves
    value, draw = chances
    k, ranks, sets = layer.k, layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    smaller_offsets, smaller_lows, smaller_sizes = layer.after
    widest = sizes.max()
    cells = np.empty((k, k, widest))
    found = new_saddles(widest)
    maximin, minimax, pure = found.maximin, found.minimax, found.column
    best_line = np.empty(widest)
    chosen = np.empty(widest, dtype=np.int64)
    theirs, move = np.empty((k, k)), np.empty(k)
    my_slots, their_slots = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    # Of each pair of moves: the index of lead low in the window that they lead to, where that stands, and its size.
    moved, place, length = np.empty((3, k, k), dtype=np.int64)
    for p in range(len(pairs)):
        a, b = pairs[p, 0], pairs[p, 1]
        A, B = sets[a], sets[b]
        size, low = sizes[a, b], lows[a, b]
        pair = Pair(A, B, low, size)
        list_slots(A, my_slots)
        list_slots(B, their_slots)
        total = value[offsets[a, b] : offsets[a, b] + size]
        drawn = draw[offsets[a, b] : offsets[a, b] + size]
        total[:] = 0.0
        drawn[:] = 0.0
        for x in range(len(P)):
            list_matrices(moves, x, pair, ranks, half, cells)
            find_saddles(cells, size, found)
            chosen[:size] = mine[A, x]
            if mine[A, x] == HUNTER:
                _hunt(hunter, shifts, layer, pair, x, (best_line, found.line), chosen)
            for r in range(k):
                for c in range(k):
                    i, j = my_slots[r], their_slots[c]
                    after = ranks[A ^ (1 << i)], ranks[B ^ (1 << j)]
                    moved[r, c] = low + shifts[i, x] - shifts[j, x] - smaller_lows[after]
                    place[r, c], length[r, c] = smaller_offsets[after], smaller_sizes[after]
            for t in range(size):
                first, last = pure[t], pure[t]
                move[first] = 1.0
                if minimax[t] - maximin[t] > SADDLE:
                    for r in range(k):
                        for c in range(k):
                            theirs[c, r] = 1.0 - cells[r, c, t]
                    mixed_move(theirs, move)
                    first, last = 0, k - 1
                slot = chosen[t]
                share = P[x] / k if slot == ANY else P[x]
                for r in range(k):
                    if slot != ANY and slot != my_slots[r]:
                        continue
                    for c in range(first, last + 1):
                        u = t + moved[r, c]
                        if u >= length[r, c]:
                            total[t] += share * move[c]
                        elif u >= 0:
                            total[t] += share * move[c] * value[place[r, c] + u]
                            drawn[t] += share * move[c] * draw[place[r, c] + u]


@compiled()
def _hunt(
    hunter: Hunter, shifts: Ints, layer: DuelLayer, pair: Pair, x: int, lines: tuple[Floats, Floats], chosen: Ints
) -> None:
    """chosen[t]: the slot at lead low + t of the best response to a rule, as `fill_best_response` takes it."""
    best, line = lines
    theirs, order, table = hunter
    values, ranks = table.values, layer.ranks
    offsets, lows, sizes = layer.after
    size = pair.size
    j = theirs[pair.B, x]
    b = ranks[pair.B ^ (1 << j)]
    best[:size] = -1.0
    for i in order[pair.A, x]:
        if i < 0:
            break
        a = ranks[pair.A ^ (1 << i)]
        start = pair.low + shifts[i, x] - shifts[j, x]
        copy_window(values, offsets[a, b], lows[a, b], sizes[a, b], start, line[:size])
        for t in range(size):
            if line[t] > best[t] + EQUAL:
                best[t], chosen[t] = line[t], i
