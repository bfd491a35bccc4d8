"""Duels played: single positions read from solved tables, and the games of two players on the same rolls."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tentimes18.kernels.matrix import mixed_move

__all__ = ["EQUAL", "Hunter", "Table", "choose_response", "list_slots", "play_duel", "read"]

EQUAL = 1e-14  # equities that are closer than that are the same

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Slots = NDArray[np.int8]
Table = tuple[Ints, Ints, Ints, Ints, Ints, Floats]
"""Where each layer starts, its number of sets, offsets, lows and sizes of all pairs, and the values."""
Hunter = tuple[Slots, Slots, Table]
"""The choices [B, x] that are hunted, the slots [A, x] by their mean, and the equities of the best reply."""


@njit(cache=True, nogil=True)
def list_slots(A: int, slots: Ints) -> None:
    """The slots, from 0, of a set."""
    r = 0
    for i in range(64):
        if A >> i & 1:
            slots[r] = i
            r += 1


@njit(cache=True, nogil=True)
def read(table: Table, ranks: Ints, half: bool, A: int, B: int, k: int, e: int) -> float:
    """The value of a position, from a table with the windows of all layers one after the other."""
    starts, counts, offsets, lows, sizes, values = table
    a, b = ranks[A], ranks[B]
    mirrored = half and a > b
    if mirrored:
        a, b, e = b, a, -e
    pair = starts[k] + a * counts[k] + b
    t = e - lows[pair]
    value = 0.0 if t < 0 else 1.0
    if 0 <= t < sizes[pair]:
        value = values[offsets[pair] + t]
    return 1.0 - value if mirrored else value


@njit(cache=True, nogil=True)
def choose_response(hunter: Hunter, ranks: Ints, shifts: Ints, A: int, B: int, k: int, e: int, x: int) -> int:
    """The slot, from 0, of the best reply to the choices ``theirs``: the first in order[A, x] with the best equity."""
    theirs, order, table = hunter
    j = theirs[B, x]
    best, chosen = -1.0, 0
    for i in order[A, x, :k]:
        value = read(table, ranks, False, A ^ (1 << i), B ^ (1 << j), k - 1, e + shifts[i, x] - shifts[j, x])
        if value > best + EQUAL:
            best, chosen = value, i
    return chosen


@njit(cache=True, nogil=True)
def _choose_equilibrium(
    table: Table, ranks: Ints, shifts: Ints, A: int, B: int, k: int, e: int, x: int, chance: float
) -> int:
    """The slot, from 0, that the mixed move of an equilibrium takes for a number ``chance`` between 0 and 1."""
    M = np.empty((k, k))
    slots = np.empty(k, dtype=np.int64)
    move = np.empty(k)
    r = 0
    for i in range(len(shifts)):
        if A >> i & 1:
            slots[r] = i
            c = 0
            for j in range(len(shifts)):
                if B >> j & 1:
                    lead = e + shifts[i, x] - shifts[j, x]
                    M[r, c] = read(table, ranks, True, A ^ (1 << i), B ^ (1 << j), k - 1, lead)
                    c += 1
            r += 1
    mixed_move(M, move)
    last = 0
    for r in range(k):
        if move[r] > 0.0:
            last = r
            chance -= move[r]
            if chance < 0.0:
                break
    slot: int = slots[last]
    return slot


@njit(cache=True, nogil=True)
def play_duel(
    kinds: tuple[int, int],
    choices: tuple[Slots, Slots],
    hunter: Hunter,
    equilibrium: Table,
    ranks: Ints,
    shifts: Ints,
    rolls: NDArray[np.uint8],
    chances: Floats,
    scores: NDArray[np.int32],
) -> None:
    """Two players on the same rolls, each of a kind: 0 a rule, 1 the best reply to a rule, 2 an equilibrium."""
    rounds, games = rolls.shape
    for g in range(games):
        A = B = (1 << rounds) - 1
        e = 0
        scores[:, g] = 0
        for r in range(rounds):
            x = rolls[r, g]
            k = rounds - r
            i = choices[0][A, x] if kinds[0] == 0 else 0
            j = choices[1][B, x] if kinds[1] == 0 else 0
            if kinds[0] == 1:
                i = choose_response(hunter, ranks, shifts, A, B, k, e, x)
            elif kinds[0] == 2:
                i = _choose_equilibrium(equilibrium, ranks, shifts, A, B, k, e, x, chances[2 * r, g])
            if kinds[1] == 1:
                j = choose_response(hunter, ranks, shifts, B, A, k, -e, x)
            elif kinds[1] == 2:
                j = _choose_equilibrium(equilibrium, ranks, shifts, B, A, k, -e, x, chances[2 * r + 1, g])
            scores[0, g] += shifts[i, x]
            scores[1, g] += shifts[j, x]
            e += shifts[i, x] - shifts[j, x]
            A ^= 1 << i
            B ^= 1 << j
