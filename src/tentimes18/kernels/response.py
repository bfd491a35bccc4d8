"""Duels against a rule: equities of the best response, or of a rule of my own, one layer from the one before."""

import numpy as np

from tentimes18.kernels.types import Chances, DuelLayer, Floats, Ints, Moves, Slots
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
    k, ranks, sets = layer.k, layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    smaller_offsets, smaller_lows, smaller_sizes = layer.after
    widest = sizes.max()
    best, best_draw = np.empty(widest), np.empty(widest)
    places, begins = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
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
                inside, won = 0, size
                for line in range(k):
                    i = order[A, x, line]
                    rank_a = ranks[A ^ (1 << i)]
                    # Lead low + t becomes index t + move in the window of the smaller sets.
                    move = low + shifts[i, x] - shifts[j, x] - smaller_lows[rank_a, rank_b]
                    places[line] = smaller_offsets[rank_a, rank_b] + move
                    begins[line] = max(0, -move)
                    inside = max(inside, begins[line])
                    won = min(won, max(0, smaller_sizes[rank_a, rank_b] - move))
                lost = min(inside, won)  # with some of the moves, before this lead
                _take_open(value, places, begins, lost, best)
                _take_inside(value, places, lost, won, best)
                if with_draws:
                    _take_draws(value, draw, places, begins, won, best_draw)
                p, total = P[x], np.uint64(offset)
                for t in range(np.uint64(won)):
                    value[total + t] += p * best[t]
                for t in range(np.uint64(won), np.uint64(size)):
                    value[total + t] += p
                if with_draws:
                    for t in range(np.uint64(won)):
                        draw[total + t] += p * best_draw[t]


@compiled()
def _first(one: float, other: float) -> float:
    """Of two equities the first, unless the other is better and not by rounding alone."""
    return other if other > one + EQUAL else one


@compiled()
def _take_open(value: Floats, places: Ints, begins: Ints, end: int, best: Floats) -> None:
    """The best equity at leads before ``end``, where some of the moves have lost: move after move."""
    best[:end] = 0.0
    for line in range(len(places)):
        place, begin = np.uint64(places[line] + begins[line]), np.uint64(begins[line])
        for t in range(np.uint64(max(0, end - begins[line]))):
            equity = value[place + t]
            best[begin + t] = equity if line == 0 else _first(best[begin + t], equity)


@compiled()
def _take_inside(value: Floats, places: Ints, begin: int, end: int, best: Floats) -> None:
    """The same at leads that every move leaves open: five moves at once, then two at a time."""
    last, at = len(places) - 1, np.uint64(begin)
    e, f = np.uint64(places[0] + begin), np.uint64(places[min(1, last)] + begin)
    g, h = np.uint64(places[min(2, last)] + begin), np.uint64(places[min(3, last)] + begin)
    i = np.uint64(places[min(4, last)] + begin)
    for t in range(np.uint64(max(0, end - begin))):
        one = _first(_first(value[e + t], value[f + t]), value[g + t])
        best[at + t] = _first(_first(one, value[h + t]), value[i + t])
    for line in range(5, last + 1, 2):
        e, f = np.uint64(places[line] + begin), np.uint64(places[min(line + 1, last)] + begin)
        for t in range(np.uint64(max(0, end - begin))):
            best[at + t] = _first(_first(best[at + t], value[e + t]), value[f + t])


@compiled()
def _take_draws(value: Floats, draw: Floats, places: Ints, begins: Ints, end: int, best_draw: Floats) -> None:
    """The chance of a draw with the move that is best."""
    for t in range(end):
        best, drawn = 0.0, 0.0
        for line in range(len(places)):
            if t >= begins[line]:
                equity = value[places[line] + t]
                if line == 0 or equity > best + EQUAL:
                    best, drawn = equity, draw[places[line] + t]
        best_draw[t] = drawn


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
