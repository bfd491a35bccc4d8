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

    Of slots with the same equity the first in order[A, x] is taken. Without room for the chances of a draw these are
    left out.
    """
    P, shifts = moves
    value, draw = chances
    ranks, sets = layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    smaller_offsets, smaller_lows, smaller_sizes = layer.after
    widest = sizes.max()
    best, best_draw = np.empty(widest), np.empty(widest)
    with_draws = len(draw) > 0
    for a in mine_ranks:
        A = sets[a]
        for b in range(len(sets)):
            size, offset, low = sizes[a, b], offsets[a, b], lows[a, b]
            B = sets[b]
            value[offset : offset + size] = 0.0
            if with_draws:
                draw[offset : offset + size] = 0.0
            for x in range(len(P)):
                j = theirs[B, x]
                rank_b = ranks[B ^ (1 << j)]
                for place_in_order in range(len(shifts)):
                    i = order[A, x, place_in_order]
                    if i < 0:
                        break
                    rank_a = ranks[A ^ (1 << i)]
                    # Lead low + t becomes index t + move in the window of the smaller sets.
                    move = low + shifts[i, x] - shifts[j, x] - smaller_lows[rank_a, rank_b]
                    begin = min(max(0, -move), size)
                    end = max(begin, min(size, smaller_sizes[rank_a, rank_b] - move))
                    place = smaller_offsets[rank_a, rank_b] + move
                    source, target = value[place + begin : place + end], best[begin:end]
                    if place_in_order == 0:
                        best[:begin], best[end:size] = 0.0, 1.0
                        for t in range(len(target)):
                            target[t] = source[t]
                        if with_draws:
                            best_draw[:size] = 0.0
                            best_draw[begin:end] = draw[place + begin : place + end]
                        continue
                    if with_draws:
                        drawn, to_draw = draw[place + begin : place + end], best_draw[begin:end]
                        for t in range(len(target)):
                            to_draw[t] = drawn[t] if source[t] > target[t] + EQUAL else to_draw[t]
                        for t in range(end, size):
                            best_draw[t] = 0.0 if best[t] + EQUAL < 1.0 else best_draw[t]
                    for t in range(len(target)):
                        equity, so_far = source[t], target[t]
                        target[t] = equity if equity > so_far + EQUAL else so_far
                    for t in range(end, size):
                        so_far = best[t]
                        best[t] = 1.0 if so_far + EQUAL < 1.0 else so_far
                p = P[x]
                total = value[offset : offset + size]
                for t in range(size):
                    total[t] += p * best[t]
                if with_draws:
                    drawn = draw[offset : offset + size]
                    for t in range(size):
                        drawn[t] += p * best_draw[t]


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
