"""Duels against an equilibrium: my chances with any moves of my own, the best ones as well, layer by layer."""

import numpy as np

from tentimes18.kernels.equilibrium import find_saddles, list_matrices, new_saddles
from tentimes18.kernels.matrix import SADDLE, mixed_move
from tentimes18.kernels.types import ANY, HUNTER, Chances, DuelLayer, Floats, Hunter, Ints, Moves, Pair, Slots, Stored
from tentimes18.kernels.windows import EQUAL, copy_window, list_slots
from tentimes18.storage.compiled import compiled

__all__ = ["fill_against_equilibrium", "largest_excess"]


@compiled()
def fill_against_equilibrium(
    mine: Slots, hunter: Hunter, half: Stored, moves: Moves, layer: DuelLayer, chances: Chances, pairs: Ints
) -> None:
    """My slots mine[A, x], or ANY, BEST or HUNTER, against the mixed moves that an equilibrium prescribes.

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


@compiled()
def largest_excess(half: Stored, responses: Stored) -> float:
    """The most that the best response gains over the stored values of a layer, for either player."""
    (half_offsets, _, half_sizes), values = half
    (offsets, _, _), equities = responses
    largest = -1.0
    for a in range(len(half_sizes)):
        for b in range(a, len(half_sizes)):
            size = half_sizes[a, b]
            stored = values[half_offsets[a, b] : half_offsets[a, b] + size]
            mine = equities[offsets[a, b] : offsets[a, b] + size]
            # Lead -e of the players exchanged: the same window from its other end.
            theirs = equities[offsets[b, a] : offsets[b, a] + size][::-1]
            for t in range(size):
                largest = max(largest, mine[t] - stored[t], theirs[t] - (1.0 - stored[t]))
    return largest
