"""Best play for an objective that depends on the score: one layer of free sets from the one with a slot less.

A table V holds, for each free set A, an array over an index j of the score (see `solve.objectives.table`). Placing a
roll moves the index by ``step * shift``; beyond the ends of the smaller set's array its value is known
(`kernels.types.Objective`).

The exact kernels hold integers over total^|A| in two limbs, value = high · 2^bits + low with low < 2^bits: the sum over
the dice of count · limb fits in 63 bits, so nothing is ever rounded.
"""

import numpy as np

from tentimes18.kernels.types import Floats, Ints, Limbs, Moves, Objective, Slots, Spans
from tentimes18.storage.compiled import compiled

__all__ = ["best_slots", "exact_chances", "exact_slots", "fill_values", "push_law"]

TIE = 1e-12  # the larger value must be larger by this share to count as better


@compiled()
def fill_values(moves: Moves, spans: Spans, objective: Objective, V: Floats, sets: Ints) -> None:
    """V of these sets: Σ_x P(x) max_i V[A - i]."""
    P, shifts = moves
    widths, offsets = spans
    step, below, base, slope = objective
    n = len(shifts)
    best = np.empty(widths[sets].max() + 1)
    for A in sets:
        end = widths[A] + 1
        value = V[offsets[A] : offsets[A] + end]
        value[:] = 0.0
        for x in range(len(P)):
            best[:end] = -np.inf
            for i in range(n):
                if A >> i & 1:
                    B = A ^ (1 << i)
                    move = step * shifts[i, x]
                    inside = min(max(0, -move), end)
                    beyond = max(inside, min(end, widths[B] + 1 - move))
                    for j in range(inside):
                        best[j] = max(best[j], below)
                    source = V[offsets[B] + inside + move : offsets[B] + beyond + move]
                    target = best[inside:beyond]
                    for j in range(len(target)):
                        target[j] = max(target[j], source[j])
                    for j in range(beyond, end):
                        best[j] = max(best[j], base[B] + slope * (j + move))
            p = P[x]
            for j in range(end):
                value[j] += p * best[j]


@compiled()
def best_slots(shifts: Ints, spans: Spans, objective: Objective, V: Floats, A: int, start: int, slots: Slots) -> None:
    """slots[x, s]: the best slot for the roll of position x, at j = start + step * s."""
    widths, offsets = spans
    step, below, base, slope = objective
    for x in range(slots.shape[0]):
        for s in range(slots.shape[1]):
            best = np.nan
            for i in range(len(shifts)):
                if A >> i & 1:
                    B = A ^ (1 << i)
                    j = start + step * s + step * shifts[i, x]
                    if j < 0:
                        value = below
                    elif j > widths[B]:
                        value = base[B] + slope * j
                    else:
                        value = V[offsets[B] + j]
                    if not value <= best + TIE * abs(best):
                        best = value
                        slots[x, s] = i


@compiled()
def exact_chances(
    counts: Ints, shifts: Ints, spans: Spans, certain: tuple[int, int], bits: int, chances: Limbs, sets: Ints
) -> None:
    """The chances of these sets, all with equally many slots; ``certain`` is chance 1 with one slot less."""
    widths, offsets = spans
    sure_high, sure_low = certain
    high, low = chances
    n = len(shifts)
    mask = (1 << bits) - 1
    widest = widths[sets].max() + 1
    best_high = np.empty(widest, dtype=np.int64)
    best_low = np.empty(widest, dtype=np.int64)
    for A in sets:
        end = widths[A] + 1
        value_high = high[offsets[A] : offsets[A] + end]
        value_low = low[offsets[A] : offsets[A] + end]
        value_high[:] = 0
        value_low[:] = 0
        for x in range(len(counts)):
            sure = 0
            for i in range(n):
                if A >> i & 1:
                    sure = max(sure, shifts[i, x] + 1)
            best_high[:sure] = sure_high
            best_low[:sure] = sure_low
            best_high[sure:end] = 0
            best_low[sure:end] = 0
            for i in range(n):
                if A >> i & 1:
                    B = A ^ (1 << i)
                    move = shifts[i, x]
                    last = min(end, widths[B] + 1 + move)
                    if last > sure:
                        source_high = high[offsets[B] + sure - move : offsets[B] + last - move]
                        source_low = low[offsets[B] + sure - move : offsets[B] + last - move]
                        target_high = best_high[sure:last]
                        target_low = best_low[sure:last]
                        for j in range(len(target_high)):
                            more = source_high[j] > target_high[j] or (
                                source_high[j] == target_high[j] and source_low[j] > target_low[j]
                            )
                            target_high[j] = source_high[j] if more else target_high[j]
                            target_low[j] = source_low[j] if more else target_low[j]
            count = counts[x]
            for j in range(end):
                value_high[j] += count * best_high[j]
                value_low[j] += count * best_low[j]
        for j in range(end):
            value_high[j] += value_low[j] >> bits
            value_low[j] &= mask


@compiled()
def exact_slots(
    shifts: Ints, spans: Spans, certain: tuple[int, int], chances: Limbs, A: int, start: int, slots: Slots
) -> None:
    """slots[x, s] as in `best_slots`, with j = start - s, and the smaller slot where two are exactly equal."""
    widths, offsets = spans
    sure_high, sure_low = certain
    high, low = chances
    for x in range(slots.shape[0]):
        for s in range(slots.shape[1]):
            best_high = -1
            best_low = -1
            for i in range(len(shifts)):
                if A >> i & 1:
                    B = A ^ (1 << i)
                    j = start - s - shifts[i, x]
                    value_high = sure_high
                    value_low = sure_low
                    if j > widths[B]:
                        value_high = 0
                        value_low = 0
                    elif j > 0:
                        value_high = high[offsets[B] + j]
                        value_low = low[offsets[B] + j]
                    if value_high > best_high or (value_high == best_high and value_low > best_low):
                        best_high = value_high
                        best_low = value_low
                        slots[x, s] = i


@compiled()
def push_law(moves: Moves, offsets: Ints, A: int, law: Floats, slots: Slots, after: Floats) -> None:
    """Add the law of (A, score) to the laws of the smaller sets that its rolls lead to."""
    P, shifts = moves
    for s in range(len(law)):
        if law[s] > 0.0:
            for x in range(len(P)):
                i = slots[x, s]
                after[offsets[A ^ (1 << i)] + s + shifts[i, x]] += P[x] * law[s]
