"""Duels on the same rolls: values over (my free set, the opponent's free set, lead), one layer from the one before.

The lead e is the difference of the two score indices (`solve.lattice`). Of each pair of sets only a window of leads is
stored, [low, low + size): those that can be reached and are not yet decided. Above it I have won, below it I have lost.
Pair (a, b) of a layer, by the ranks of its sets, stands at offsets[a, b]; what is not stored has size 0.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tentimes18.kernels.matrix import SADDLE, mixed_move, solve_matrix

__all__ = ["fill_equilibrium", "fill_reply", "fill_response", "largest_gains"]

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
def fill_response(
    P: Floats,
    shifts: Ints,
    sets: Ints,
    ranks: Ints,
    mine: Slots,
    theirs: Slots,
    where: Windows,
    value: Floats,
    draw: Floats,
    mine_ranks: Ints,
) -> None:
    """Equity, and chance of a draw, of my best reply to the choices theirs[B, x], for my sets of these ranks.

    Where ``mine`` is not empty I play mine[A, x] instead of the best.
    """
    offsets, lows, sizes, smaller_offsets, smaller_lows, smaller_sizes = where
    n = len(shifts)
    widest = sizes.max()
    best, best_draw = np.empty(widest), np.empty(widest)
    for a in mine_ranks:
        A = sets[a]
        for b in range(len(sets)):
            size = sizes[a, b]
            if size == 0:
                continue
            B = sets[b]
            total = value[offsets[a, b] : offsets[a, b] + size]
            drawn = draw[offsets[a, b] : offsets[a, b] + size]
            total[:] = 0.0
            drawn[:] = 0.0
            for x in range(len(P)):
                j = theirs[B, x]
                rank_b = ranks[B ^ (1 << j)]
                best[:size] = -1.0
                for i in range(n):
                    if not A >> i & 1 or (len(mine) > 0 and mine[A, x] != i):
                        continue
                    rank_a = ranks[A ^ (1 << i)]
                    length = smaller_sizes[rank_a, rank_b]
                    # Lead lows[a, b] + t becomes index t + move in the window of the smaller sets.
                    move = lows[a, b] + shifts[i, x] - shifts[j, x] - smaller_lows[rank_a, rank_b]
                    begin = min(max(0, -move), size)
                    end = max(begin, min(size, length - move))
                    place = smaller_offsets[rank_a, rank_b] + move
                    source, source_draw = value[place + begin : place + end], draw[place + begin : place + end]
                    target, target_draw = best[begin:end], best_draw[begin:end]
                    for t in range(begin):
                        if best[t] < 0.0:
                            best[t], best_draw[t] = 0.0, 0.0
                    for t in range(len(target)):
                        better = source[t] > target[t] + 1e-14
                        target[t] = source[t] if better else target[t]
                        target_draw[t] = source_draw[t] if better else target_draw[t]
                    for t in range(end, size):
                        if best[t] < 1.0 - 1e-14:
                            best[t], best_draw[t] = 1.0, 0.0
                for t in range(size):
                    total[t] += P[x] * best[t]
                    drawn[t] += P[x] * best_draw[t]


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
def _saddles(cells: Floats, size: int, maximin: Floats, minimax: Floats, line: Floats) -> None:
    """Max min and min max of the matrix games cells[:, :, t]."""
    k = len(cells)
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
    maximin, minimax, line = np.empty(widest), np.empty(widest), np.empty(widest)
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
            _saddles(cells, size, maximin, minimax, line)
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
    where: Windows,
    half: tuple[Ints, Ints, Ints],
    equilibrium: Floats,
    value: Floats,
    draw: Floats,
    pairs: Ints,
) -> None:
    """My best reply, or my rule ``mine``, against the mixed moves that an equilibrium table prescribes the opponent.

    A rule with slot -1 takes each free slot with the same chance.
    """
    offsets, lows, sizes, smaller_offsets, smaller_lows, smaller_sizes = where
    half_offsets, half_lows, half_sizes = half
    n = len(shifts)
    widest = sizes.max()
    cells = np.empty((k, k, widest))
    result, result_draw = np.empty((k, k, widest)), np.empty((k, k, widest))
    theirs = np.empty((k, k))
    move = np.empty(k)
    for p in range(len(pairs)):
        a, b = pairs[p, 0], pairs[p, 1]
        A, B = sets[a], sets[b]
        size = sizes[a, b]
        low = lows[a, b]
        total = value[offsets[a, b] : offsets[a, b] + size]
        drawn = draw[offsets[a, b] : offsets[a, b] + size]
        total[:] = 0.0
        drawn[:] = 0.0
        for x in range(len(P)):
            _matrices(shifts, x, A, B, low, size, ranks, half_offsets, half_lows, half_sizes, equilibrium, cells)
            r = 0
            only = -1
            for i in range(n):
                if A >> i & 1:
                    if len(mine) > 0 and mine[A, x] == i:
                        only = r
                    rank_a = ranks[A ^ (1 << i)]
                    c = 0
                    for j in range(n):
                        if B >> j & 1:
                            rank_b = ranks[B ^ (1 << j)]
                            start = low + shifts[i, x] - shifts[j, x]
                            place = smaller_offsets[rank_a, rank_b]
                            begin, length = smaller_lows[rank_a, rank_b], smaller_sizes[rank_a, rank_b]
                            _copy(value, place, begin, length, start, result[r, c, :size])
                            _copy(draw, place, begin, length, start, result_draw[r, c, :size])
                            # Above the window there is no draw: what _copy takes for won.
                            above = max(0, min(size, begin + length - start))
                            result_draw[r, c, above:size] = 0.0
                            c += 1
                    r += 1
            for t in range(size):
                for r in range(k):
                    for c in range(k):
                        theirs[c, r] = 1.0 - cells[r, c, t]
                mixed_move(theirs, move)
                best, best_draw = -1.0, 0.0
                mean, mean_draw = 0.0, 0.0
                for r in range(k):
                    if only >= 0 and r != only:
                        continue
                    equity, chance = 0.0, 0.0
                    for c in range(k):
                        equity += move[c] * result[r, c, t]
                        chance += move[c] * result_draw[r, c, t]
                    mean += equity / k
                    mean_draw += chance / k
                    if equity > best:
                        best, best_draw = equity, chance
                if len(mine) > 0 and only < 0:
                    best, best_draw = mean, mean_draw
                total[t] += P[x] * best
                drawn[t] += P[x] * best_draw
