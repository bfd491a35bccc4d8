"""Duels on the same rolls: the leads that are open, and values read from the windows that hold them.

The lead e is the difference of the two score indices (`solve.lattice`). Of each pair of free sets only a window of
leads is stored (`kernels.types.Windows`): those that can be reached and are not yet decided.
"""

import numpy as np

from tentimes18.kernels.types import DuelTable, Floats, Ints, Standing
from tentimes18.storage.compiled import compiled

__all__ = ["EQUAL", "copy_mirrored", "copy_window", "largest_gains", "list_slots", "read"]

EQUAL = 1e-14  # equities that are closer than that are the same


@compiled()
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


@compiled()
def list_slots(A: int, slots: Ints) -> None:
    """The slots, from 0, of a set."""
    r = 0
    for i in range(64):
        if A >> i & 1:
            slots[r] = i
            r += 1


@compiled()
def copy_window(values: Floats, offset: int, low: int, size: int, start: int, out: Floats) -> None:
    """out[t] = the value at lead start + t, from a stored window; 0 below it and 1 above."""
    count = len(out)
    first = min(max(0, low - start), count)
    last = max(first, min(count, low + size - start))
    out[:first] = 0.0
    out[first:last] = values[offset + first + start - low : offset + last + start - low]
    out[last:] = 1.0


@compiled()
def copy_mirrored(values: Floats, offset: int, low: int, size: int, start: int, out: Floats) -> None:
    """out[t] = 1 - the value at lead -(start + t), from the stored window of the pair with the players exchanged."""
    for t in range(len(out)):
        e = -(start + t) - low
        if e < 0:
            out[t] = 1.0
        elif e >= size:
            out[t] = 0.0
        else:
            out[t] = 1.0 - values[offset + e]


@compiled()
def read(table: DuelTable, half: bool, at: Standing) -> float:
    """The value of a position; with ``half``, only pairs with rank(A) <= rank(B) are in the table."""
    ranks, starts, counts, offsets, lows, sizes, values = table
    A, B, k, e = at
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
