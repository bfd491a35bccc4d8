"""Duels on the same rolls: values over (my free set, the opponent's free set, lead), one layer from the one before.

The lead e is the difference of the two score indices (`solve.lattice`). Of each pair of sets only a window of leads is
stored, [low, low + size): those that can be reached and are not yet decided. Above it I have won, below it I have lost.
Pair (a, b) of a layer, by the ranks of its sets, stands at offsets[a, b]; what is not stored has size 0.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tentimes18.kernels.duel_play import EQUAL, list_slots
from tentimes18.kernels.matrix import SADDLE, mixed_move, solve_matrix
from tentimes18.kernels.response import ANY

__all__ = ["BEST", "HUNTER", "fill_equilibrium", "fill_reply", "largest_gain", "largest_gains"]

# In place of a slot in a table of choices, as is ANY.
BEST = -2  # the best one
HUNTER = -3  # that of the best reply to another rule

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Slots = NDArray[np.int8]
Windows = tuple[Ints, Ints, Ints, Ints, Ints, Ints]
"""Offsets, lows and sizes of the layer, and of the one with one slot less."""


@njit(cache=True, nogil=True)
def largest_gains(shifts: Ints, sets: Ints, ranks: Ints, smaller: Ints, gains: Ints) -> None:
    """gains[a, b]: the most that a player with free set a can still gain on one with b, over all rolls and moves."""
    n, rolls = shifts.shape
    difference = np.empty((n, n), dtype=np.int64)
    for i in range(n):
        for j in range(n):
            difference[i, j] = shifts[i, 0] - shifts[j, 0]
            for x in range(1, rolls):
                difference[i, j] = max(difference[i, j], shifts[i, x] - shifts[j, x])
    for a in range(len(sets)):
        for b in range(len(sets)):
            best = -(1 << 60)
            for i in range(n):
                if sets[a] >> i & 1:
                    for j in range(n):
                        if sets[b] >> j & 1:
                            rest = smaller[ranks[sets[a] ^ (1 << i)], ranks[sets[b] ^ (1 << j)]]
                            best = max(best, difference[i, j] + rest)
            gains[a, b] = best


@njit(cache=True, nogil=True)
def _copy(values: Floats, offset: int, low: int, size: int, start: int, out: Floats) -> None:
    """out[t] = the value at lead start + t, from a stored window; 0 below it and 1 above."""
    count = len(out)
    first = min(max(0, low - start), count)
    last = max(first, min(count, low + size - start))
    out[:first] = 0.0
    out[first:last] = values[offset + first + start - low : offset + last + start - low]
    out[last:] = 1.0


@njit(cache=True, nogil=True)
def _copy_mirrored(values: Floats, offset: int, low: int, size: int, start: int, out: Floats) -> None:
    """out[t] = 1 - the value at lead -(start + t), from the stored window of the pair with the players exchanged."""
    for t in range(len(out)):
        e = -(start + t) - low
        if e < 0:
            out[t] = 1.0
        elif e >= size:
            out[t] = 0.0
        else:
            out[t] = 1.0 - values[offset + e]


@njit(cache=True, nogil=True)
def _matrices(
    shifts: Ints,
    x: int,
    A: int,
    B: int,
    low: int,
    size: int,
    ranks: Ints,
    offsets: Ints,
    lows: Ints,
    sizes: Ints,
    values: Floats,
    cells: Floats,
) -> None:
    """cells[r, c, t]: the matrix games of roll x at leads low + t, from the stored half of the smaller pairs."""
    n = len(shifts)
    r = 0
    for i in range(n):
        if not A >> i & 1:
            continue
        a = ranks[A ^ (1 << i)]
        c = 0
        for j in range(n):
            if not B >> j & 1:
                continue
            b = ranks[B ^ (1 << j)]
            start = low + shifts[i, x] - shifts[j, x]
            if a <= b:
                _copy(values, offsets[a, b], lows[a, b], sizes[a, b], start, cells[r, c, :size])
            else:
                _copy_mirrored(values, offsets[b, a], lows[b, a], sizes[b, a], start, cells[r, c, :size])
            c += 1
        r += 1


@njit(cache=True, nogil=True)
def _saddles(
    cells: Floats, size: int, maximin: Floats, minimax: Floats, column: Ints, line: Floats, held: Floats
) -> None:
    """Max min and min max of the matrix games cells[:, :, t], and the first column that holds me to the latter.

    First as in `mixed_move`: of columns that are equal but for rounding; ``line`` and ``held`` are for use here.
    """
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


@njit(cache=True, nogil=True)
def fill_equilibrium(
    P: Floats,
    shifts: Ints,
    sets: Ints,
    ranks: Ints,
    k: int,
    where: Windows,
    value: Floats,
    pairs: Ints,
) -> tuple[int, float]:
    """The values of these pairs (a, b), a <= b; returns how many games had no saddle point, and the widest bounds."""
    offsets, lows, sizes, smaller_offsets, smaller_lows, smaller_sizes = where
    widest = sizes.max()
    cells = np.empty((k, k, widest))
    maximin, minimax, line, held = np.empty((4, widest))
    pure = np.empty(widest, dtype=np.int64)
    M = np.empty((k, k))
    tableau = np.empty((k + 1, 2 * k + 1))
    basis = np.empty(k, dtype=np.int64)
    row, column = np.empty(k), np.empty(k)
    mixed = 0
    widest_gap = 0.0
    for p in range(len(pairs)):
        a, b = pairs[p, 0], pairs[p, 1]
        A, B = sets[a], sets[b]
        size = sizes[a, b]
        total = value[offsets[a, b] : offsets[a, b] + size]
        total[:] = 0.0
        for x in range(len(P)):
            _matrices(
                *(shifts, x, A, B, lows[a, b], size, ranks),
                *(smaller_offsets, smaller_lows, smaller_sizes, value, cells),
            )
            _saddles(cells, size, maximin, minimax, pure, line, held)
            for t in range(size):
                if minimax[t] - maximin[t] > SADDLE:
                    M[:] = cells[:, :, t]
                    lower, upper = solve_matrix(M, tableau, basis, row, column)
                    maximin[t] = (lower + upper) / 2
                    widest_gap = max(widest_gap, upper - lower)
                    mixed += 1
                total[t] += P[x] * maximin[t]
    return mixed, widest_gap


@njit(cache=True, nogil=True)
def fill_reply(
    P: Floats,
    shifts: Ints,
    sets: Ints,
    ranks: Ints,
    k: int,
    mine: Slots,
    hunter: tuple[Slots, Slots, Floats],
    where: Windows,
    half: tuple[Ints, Ints, Ints],
    equilibrium: Floats,
    value: Floats,
    draw: Floats,
    pairs: Ints,
) -> None:
    """My choices mine[A, x], a slot or ANY, BEST or HUNTER, against the mixed moves that an equilibrium prescribes."""
    offsets, lows, sizes, smaller_offsets, smaller_lows, smaller_sizes = where
    half_offsets, half_lows, half_sizes = half
    widest = sizes.max()
    cells = np.empty((k, k, widest))
    maximin, minimax, line, held = np.empty((4, widest))
    best_line = np.empty(widest)
    pure, chosen = np.empty((2, widest), dtype=np.int64)
    theirs, move = np.empty((k, k)), np.empty(k)
    my_slots, their_slots = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    # Of each pair of moves: the index of lead low in the window that they lead to, where that stands, and its size.
    moved, place, length = np.empty((3, k, k), dtype=np.int64)
    for p in range(len(pairs)):
        a, b = pairs[p, 0], pairs[p, 1]
        A, B = sets[a], sets[b]
        size, low = sizes[a, b], lows[a, b]
        list_slots(A, my_slots)
        list_slots(B, their_slots)
        total = value[offsets[a, b] : offsets[a, b] + size]
        drawn = draw[offsets[a, b] : offsets[a, b] + size]
        total[:] = 0.0
        drawn[:] = 0.0
        for x in range(len(P)):
            _matrices(shifts, x, A, B, low, size, ranks, half_offsets, half_lows, half_sizes, equilibrium, cells)
            _saddles(cells, size, maximin, minimax, pure, line, held)
            chosen[:size] = mine[A, x]
            if mine[A, x] == HUNTER:
                _hunt(hunter, shifts, x, A, B, low, size, ranks, where, best_line, line, chosen)
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
                best, best_draw = -1.0, 0.0
                mean, mean_draw = 0.0, 0.0
                for r in range(k):
                    if slot >= 0 and slot != my_slots[r]:
                        continue
                    equity, chance = 0.0, 0.0
                    for c in range(first, last + 1):
                        u = t + moved[r, c]
                        if u >= length[r, c]:
                            equity += move[c]
                        elif u >= 0:
                            equity += move[c] * value[place[r, c] + u]
                            chance += move[c] * draw[place[r, c] + u]
                    mean += equity / k
                    mean_draw += chance / k
                    if equity > best:
                        best, best_draw = equity, chance
                if slot == ANY:
                    best, best_draw = mean, mean_draw
                total[t] += P[x] * best
                drawn[t] += P[x] * best_draw


@njit(cache=True, nogil=True)
def _hunt(
    hunter: tuple[Slots, Slots, Floats],
    shifts: Ints,
    x: int,
    A: int,
    B: int,
    low: int,
    size: int,
    ranks: Ints,
    where: Windows,
    best: Floats,
    line: Floats,
    chosen: Ints,
) -> None:
    """chosen[t]: the slot at lead low + t of the best reply to the rule ``theirs``, as `fill_response` takes it."""
    theirs, order, value = hunter
    _, _, _, offsets, lows, sizes = where
    j = theirs[B, x]
    b = ranks[B ^ (1 << j)]
    best[:size] = -1.0
    for i in order[A, x]:
        if i < 0:
            break
        a = ranks[A ^ (1 << i)]
        _copy(value, offsets[a, b], lows[a, b], sizes[a, b], low + shifts[i, x] - shifts[j, x], line[:size])
        for t in range(size):
            if line[t] > best[t] + EQUAL:
                best[t], chosen[t] = line[t], i


@njit(cache=True, nogil=True)
def largest_gain(
    half: tuple[Ints, Ints, Ints], equilibrium: Floats, where: tuple[Ints, Ints, Ints], reply: Floats
) -> float:
    """The most that the best reply gains over the stored values of a layer, for either player."""
    half_offsets, _, half_sizes = half
    offsets, _, _ = where
    largest = -1.0
    for a in range(len(half_sizes)):
        for b in range(a, len(half_sizes)):
            size = half_sizes[a, b]
            stored = equilibrium[half_offsets[a, b] : half_offsets[a, b] + size]
            mine = reply[offsets[a, b] : offsets[a, b] + size]
            # Lead -e of the players exchanged: the same window from its other end.
            theirs = reply[offsets[b, a] : offsets[b, a] + size][::-1]
            for t in range(size):
                largest = max(largest, mine[t] - stored[t], theirs[t] - (1.0 - stored[t]))
    return largest
