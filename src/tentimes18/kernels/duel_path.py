"""Duels followed from the start: the moves at the positions that two players come to, and the points they make."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tentimes18.kernels.duel import HUNTER
from tentimes18.kernels.duel_play import Hunter, Table, choose_response, list_slots, read
from tentimes18.kernels.matrix import mixed_move
from tentimes18.kernels.response import ANY

__all__ = ["add_moves", "follow_equilibrium", "follow_response"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Slots = NDArray[np.int8]
Windows = tuple[Ints, Ints, Ints]
"""Offsets, lows and sizes of the layer with one slot less."""


@njit(cache=True, nogil=True)
def follow_response(
    hunter: Hunter, ranks: Ints, shifts: Ints, k: int, positions: Ints, where: Windows, slots: Slots, after: Ints
) -> None:
    """Of each position (key, A, B, e) and roll x the slot of the best reply, and the key of the position after it.

    The key of an open position is its place in the table; that of a decided one is -1 - A, all else being past.
    """
    theirs, order, _ = hunter
    offsets, lows, sizes = where
    for s in range(len(positions)):
        key, A, B, e = positions[s]
        for x in range(shifts.shape[1]):
            i = order[A, x, 0] if key < 0 else choose_response(hunter, ranks, shifts, A, B, k, e, x)
            slots[s, x] = i
            after[s, x] = -1 - (A ^ (1 << i))
            if key >= 0:
                j = theirs[B, x]
                pair = ranks[A ^ (1 << i)], ranks[B ^ (1 << j)]
                t = e + shifts[i, x] - shifts[j, x] - lows[pair]
                if 0 <= t < sizes[pair]:
                    after[s, x] = offsets[pair] + t


@njit(cache=True, nogil=True)
def add_moves(
    P: Floats,
    shifts: Ints,
    slots: Slots,
    after: Ints,
    starts: Ints,
    smaller_starts: Ints,
    smaller: Floats,
    larger: Floats,
) -> None:
    """The law of each position's points: those of the positions after it, moved by the points of the roll."""
    for s in range(len(slots)):
        law = larger[starts[s] : starts[s + 1]]
        law[:] = 0.0
        for x in range(len(P)):
            source = smaller[smaller_starts[after[s, x]] : smaller_starts[after[s, x] + 1]]
            shift = shifts[slots[s, x], x]
            for j in range(len(source)):
                law[shift + j] += P[x] * source[j]


@njit(cache=True, nogil=True)
def follow_equilibrium(
    table: Table,
    P: Floats,
    shifts: Ints,
    sets: Ints,
    ranks: Ints,
    k: int,
    where: tuple[Windows, Windows],
    rules: tuple[Slots, Slots],
    hunter: Hunter,
    chances: Floats,
    after: Floats,
) -> tuple[int, float, float, float, float]:
    """The chances of the positions after a round in which I play an equilibrium; both arrays begin with their layer.

    The opponent plays the second rule, a slot or ANY or HUNTER, or the equilibrium where that is empty. Returns how
    many positions came about, and the chances that my move was mixed, that it departed from the first rule, and that
    the duel was won and lost for me in this round.
    """
    rule, theirs = rules
    won, lost = 0.0, 0.0
    (offsets, lows, sizes), (smaller_offsets, smaller_lows, smaller_sizes) = where
    M, turned = np.empty((k, k)), np.empty((k, k))
    row, column = np.empty(k), np.empty(k)
    my_slots, their_slots = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    count, mixed, departed = 0, 0.0, 0.0
    for a in range(len(sets)):
        A = sets[a]
        list_slots(A, my_slots)
        for b in range(len(sets)):
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
                            M[r, c] = read(table, ranks, True, A ^ (1 << i), B ^ (1 << j), k - 1, e)
                            turned[c, r] = 1.0 - M[r, c]
                    mixed_move(M, row)
                    if len(theirs) == 0:
                        mixed_move(turned, column)
                    else:
                        slot = theirs[B, x]
                        if slot == HUNTER:
                            slot = choose_response(hunter, ranks, shifts, B, A, k, -(lows[a, b] + t), x)
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
                                    after[smaller_offsets[pair] - smaller_offsets[0, 0] + u] += moved
    return count, mixed, departed, won, lost
