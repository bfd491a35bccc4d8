"""Duels followed from the start: the moves at the positions that two players come to, and the points they make."""

import numpy as np

from tentimes18.kernels.duel_play import choose_response
from tentimes18.kernels.matrix import mixed_move
from tentimes18.kernels.types import (
    ANY,
    BEST_REPLY,
    HUNTER,
    DuelLayer,
    DuelTable,
    Floats,
    Followed,
    Hunter,
    Ints,
    Laws,
    LayerChances,
    Moves,
    OpponentSlots,
    Slots,
    Standing,
)
from tentimes18.kernels.windows import EQUAL, list_slots, read
from tentimes18.storage.compiled import compiled

__all__ = ["add_moves", "follow_equilibrium", "follow_response"]


@compiled()
def follow_response(hunter: Hunter, shifts: Ints, layer: DuelLayer, positions: Ints, slots: Slots, after: Ints) -> None:
    """Of each position (key, A, B, e) and roll x the slot of the best response, and the key of the position after it.

    The key of an open position is its place in the table; that of a decided one is -1 - A, all else being past.
    """
    theirs, order, _ = hunter
    ranks, k = layer.ranks, layer.k
    offsets, lows, sizes = layer.after
    for s in range(len(positions)):
        key, A, B, e = positions[s]
        for x in range(shifts.shape[1]):
            i = order[A, x, 0] if key < 0 else choose_response(hunter, shifts, Standing(A, B, k, e), x)
            slots[s, x] = i
            after[s, x] = -1 - (A ^ (1 << i))
            if key >= 0:
                j = theirs[B, x]
                pair = ranks[A ^ (1 << i)], ranks[B ^ (1 << j)]
                t = e + shifts[i, x] - shifts[j, x] - lows[pair]
                if 0 <= t < sizes[pair]:
                    after[s, x] = offsets[pair] + t


@compiled()
def add_moves(moves: Moves, slots: Slots, after: Ints, smaller: Laws, larger: Laws) -> None:
    """The law of each position's points: those of the positions after it, moved by the points of the roll."""
    P, shifts = moves
    smaller_starts, smaller_weights = smaller
    starts, weights = larger
    for s in range(len(slots)):
        law = weights[starts[s] : starts[s + 1]]
        law[:] = 0.0
        for x in range(len(P)):
            source = smaller_weights[smaller_starts[after[s, x]] : smaller_starts[after[s, x] + 1]]
            shift = shifts[slots[s, x], x]
            for j in range(len(source)):
                law[shift + j] += P[x] * source[j]


@compiled()
def _reply(M: Floats, row: Floats) -> int:
    """The first column that is best against a mixed move of the rows, but for rounding."""
    least, chosen = 2.0, 0
    for c in range(len(M)):
        value = 0.0
        for r in range(len(M)):
            value += row[r] * M[r, c]
        if value < least - EQUAL:
            least, chosen = value, c
    return chosen


@compiled()
def follow_equilibrium(
    table: DuelTable,
    moves: Moves,
    layer: DuelLayer,
    rule: Slots,
    opponent: OpponentSlots,
    here: LayerChances,
    after: LayerChances,
) -> Followed:
    """The chances of the positions after a round in which I play an equilibrium.

    Without slots of its own the opponent plays the equilibrium as well. My moves are compared with the rule.
    """
    P, shifts = moves
    k, ranks, sets = layer.k, layer.ranks, layer.sets
    theirs, hunter = opponent
    reached, chances = here
    reached_after, chances_after = after
    won, lost, still_open = 0.0, 0.0, 0.0
    offsets, lows, sizes = layer.here
    smaller_offsets, smaller_lows, smaller_sizes = layer.after
    M, turned = np.empty((k, k)), np.empty((k, k))
    row, column = np.empty(k), np.empty(k)
    my_slots, their_slots = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    count, mixed, departed = 0, 0.0, 0.0
    for a in range(len(sets)):
        A = sets[a]
        list_slots(A, my_slots)
        for b in range(len(sets)):
            if not reached[a, b]:
                continue
            B = sets[b]
            list_slots(B, their_slots)
            for t in range(sizes[a, b]):
                chance = chances[offsets[a, b] - offsets[0, 0] + t]
                if chance == 0.0:
                    continue
                count += 1
                for x in range(len(P)):
                    for r in range(k):
                        for c in range(k):
                            i, j = my_slots[r], their_slots[c]
                            e = lows[a, b] + t + shifts[i, x] - shifts[j, x]
                            M[r, c] = read(table, True, Standing(A ^ (1 << i), B ^ (1 << j), k - 1, e))
                            turned[c, r] = 1.0 - M[r, c]
                    mixed_move(M, row)
                    if len(theirs) == 0:
                        mixed_move(turned, column)
                    else:
                        slot = theirs[B, x]
                        if slot == HUNTER:
                            turned_round = Standing(B, A, k, -(lows[a, b] + t))
                            slot = choose_response(hunter, shifts, turned_round, x)
                        if slot == BEST_REPLY:
                            slot = their_slots[_reply(M, row)]
                        for c in range(k):
                            column[c] = 1.0 if their_slots[c] == slot else 1.0 / k if slot == ANY else 0.0
                    if row.max() < 1.0:
                        mixed += chance * P[x]
                    for r in range(k):
                        i = my_slots[r]
                        if rule[A, x] != i:
                            departed += chance * P[x] * row[r]
                        for c in range(k):
                            j = their_slots[c]
                            moved = chance * P[x] * row[r] * column[c]
                            if moved > 0.0:
                                pair = ranks[A ^ (1 << i)], ranks[B ^ (1 << j)]
                                u = lows[a, b] + t + shifts[i, x] - shifts[j, x] - smaller_lows[pair]
                                if u < 0:
                                    lost += moved
                                elif u >= smaller_sizes[pair]:
                                    won += moved
                                else:
                                    still_open += moved
                                    reached_after[pair] = True
                                    chances_after[smaller_offsets[pair] - smaller_offsets[0, 0] + u] += moved
    return Followed(count, mixed, departed, won, lost, still_open)
