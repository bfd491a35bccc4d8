"""Duels against a rule: equities of the best response, or of a rule of my own, one layer from the one before."""

import numpy as np

from tentimes18.kernels.types import Chances, DuelLayer, Ints, Moves, Slots
from tentimes18.kernels.windows import EQUAL
from tentimes18.storage.compiled import compiled

__all__ = ["fill_best_response", "fill_fixed"]


@compiled()
def fill_best_response(
    order: Slots, theirs: Slots, moves: Moves, layer: DuelLayer, chances: Chances, mine_ranks: Ints
) -> None:
    """My chances with the best response to the slots theirs[B, x], for my sets of these ranks.

    Of slots with the same equity the first in order[A, x] is taken.
    """
    P, shifts = moves
    value, draw = chances
    ranks, sets = layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    smaller_offsets, smaller_lows, smaller_sizes = layer.after
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
                for i in order[A, x]:
                    if i < 0:
                        break
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
                        better = source[t] > target[t] + EQUAL
                        target[t] = source[t] if better else target[t]
                        target_draw[t] = source_draw[t] if better else target_draw[t]
                    for t in range(end, size):
                        if best[t] + EQUAL < 1.0:
                            best[t], best_draw[t] = 1.0, 0.0
                for t in range(size):
                    total[t] += P[x] * best[t]
                    drawn[t] += P[x] * best_draw[t]


@compiled()
def fill_fixed(mine: Slots, theirs: Slots, moves: Moves, layer: DuelLayer, chances: Chances, mine_ranks: Ints) -> None:
    """As `fill_best_response`, with my slots mine[A, x], or ANY, instead of the best."""
    P, shifts = moves
    value, draw = chances
    ranks, sets = layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    smaller_offsets, smaller_lows, smaller_sizes = layer.after
    n = len(shifts)
    for a in mine_ranks:
        A = sets[a]
        k = 0
        for i in range(n):
            k += A >> i & 1
        for b in range(len(sets)):
            size = sizes[a, b]
            B = sets[b]
            total = value[offsets[a, b] : offsets[a, b] + size]
            drawn = draw[offsets[a, b] : offsets[a, b] + size]
            total[:] = 0.0
            drawn[:] = 0.0
            for x in range(len(P)):
                j = theirs[B, x]
                rank_b = ranks[B ^ (1 << j)]
                for i in range(n):
                    if not A >> i & 1 or (mine[A, x] >= 0 and mine[A, x] != i):
                        continue
                    p = P[x] if mine[A, x] >= 0 else P[x] / k
                    rank_a = ranks[A ^ (1 << i)]
                    move = lows[a, b] + shifts[i, x] - shifts[j, x] - smaller_lows[rank_a, rank_b]
                    begin = min(max(0, -move), size)
                    end = max(begin, min(size, smaller_sizes[rank_a, rank_b] - move))
                    place = smaller_offsets[rank_a, rank_b] + move
                    for t in range(begin, end):
                        total[t] += p * value[place + t]
                        drawn[t] += p * draw[place + t]
                    total[end:] += p
