"""The inner loops of `solve.aim_tables`: one layer of free sets from the layer with one slot less.

A table holds, for each free set A, an array over an index j of the score (`solve.aim_tables`). Placing a roll moves
the index by ``step * shift``; beyond the ends of the smaller set's array its value is known (`Objective`, `Limbs`).

The exact kernels hold integers over total^|A| in two limbs, value = high · 2^bits + low with low < 2^bits: the sum over
the dice of count · limb fits in 63 bits, so nothing is ever rounded. Their tables are of what is needed: step is -1.

N[A][j] is the mean of the points to come under the play that is best for the objective and, among such plays, has the
best mean, in float64. Slot i of A for the roll x makes shift units and leads to N[A - i]; those that are best for the
objective (``ties``) are compared by their sum, and of equal ones the first is taken. Beyond the ends of an array the
objective is decided, or is the mean itself: N is then what it is at index 0, the best mean.
"""

from typing import Any, NamedTuple

import numpy as np

from tentimes18.arrays import Floats, Ints, Moves, Slots
from tentimes18.compiled import compiled
from tentimes18.solve.move_arrays import Spans


class Objective(NamedTuple):
    """A table V in float64: what one unit of score does to its index, and the values beyond its ends.

    ``below`` the first index; above the last one of free set A the straight line base[A] + slope * index. Values tie
    with the best one where they are within the share ``near`` of it, and ``least`` more.
    """

    step: int
    below: float
    base: Floats
    slope: float
    near: float
    least: float
    V: Floats


class Limbs(NamedTuple):
    """Integers high · 2^bits + low with 0 <= low < 2^bits; those of the sets that a move leads to, beyond their ends.

    ``below`` the first index; above the last one the value falls by ``fall`` a step, and to 0 at once where that is 0.
    """

    bits: int
    high: Ints
    low: Ints
    below: tuple[int, int]
    fall: tuple[int, int]


class Means(NamedTuple):
    """The mean of the points to come in units, N[cell]; ``step`` as in `Objective`.

    points[i, x] is what roll x makes in slot i. Means within ``near`` are equal.
    """

    step: int
    near: float
    points: Floats
    N: Floats


FIRST: Any = np.int64(0)  # with a plain 0, which is a type of its own, what is called would be compiled once more


@compiled()
def fill_values(moves: Moves, spans: Spans, objective: Objective, sets: Ints) -> None:
    """V of these sets: Σ_x P(x) max_i V[A - i]."""
    P, shifts = moves
    V = objective.V
    widths, offsets = spans
    best = np.empty(widths[sets].max() + 1)
    for A in sets:
        end = widths[A] + 1
        value = V[offsets[A] : offsets[A] + end]
        value[:] = 0.0
        for x in range(len(P)):
            _best_values(shifts[:, x], spans, objective, A, A, FIRST, best[:end])
            p = P[x]
            for j in range(end):
                value[j] += p * best[j]


@compiled()
def _best_values(shift: Ints, spans: Spans, objective: Objective, A: int, slots: int, first: int, best: Floats) -> None:
    """best[s]: the largest value that one of these slots of A leads to from index first + s, for a roll's ``shift``."""
    widths, offsets = spans
    step, below, base, slope, _, _, V = objective
    size = len(best)
    best[:] = -np.inf
    for i in range(len(shift)):
        if slots >> i & 1:
            B = A ^ (1 << i)
            start = first + step * shift[i]
            inside = min(max(0, -start), size)
            beyond = max(inside, min(size, widths[B] + 1 - start))
            for s in range(inside):
                best[s] = max(best[s], below)
            source = V[offsets[B] + inside + start : offsets[B] + beyond + start]
            target = best[inside:beyond]
            for s in range(len(target)):
                target[s] = max(target[s], source[s])
            for s in range(beyond, size):
                best[s] = max(best[s], base[B] + slope * (start + s))


@compiled()
def _float_ties(shift: Ints, spans: Spans, objective: Objective, A: int, first: int, ties: Ints) -> None:
    """ties[s]: the slots of A, as a mask, that lead from index first + s to the best value, as far as floats tell."""
    best, values = np.empty(len(ties)), np.empty(len(ties))
    _best_values(shift, spans, objective, A, A, first, best)
    for s in range(len(ties)):
        best[s] -= objective.near * abs(best[s]) + objective.least
    ties[:] = 0
    for i in range(len(shift)):
        if A >> i & 1:
            _best_values(shift, spans, objective, A, 1 << i, first, values)
            for s in range(len(ties)):
                ties[s] |= (values[s] >= best[s]) << i


@compiled()
def fill_exact(counts: Ints, shifts: Ints, spans: Spans, limbs: Limbs, sets: Ints) -> None:
    """The integers of these sets, all with equally many slots: Σ_x count(x) max_i V[A - i]."""
    widths, offsets = spans
    bits, high, low, _, _ = limbs
    mask = (1 << bits) - 1
    widest = widths[sets].max() + 1
    best_high = np.empty(widest, dtype=np.int64)
    best_low = np.empty(widest, dtype=np.int64)
    untold = np.empty(0, dtype=np.int64)
    for A in sets:
        end = widths[A] + 1
        value_high = high[offsets[A] : offsets[A] + end]
        value_low = low[offsets[A] : offsets[A] + end]
        value_high[:] = 0
        value_low[:] = 0
        for x in range(len(counts)):
            _best_exact(shifts[:, x], spans, limbs, A, FIRST, (best_high[:end], best_low[:end]), untold)
            count = counts[x]
            for j in range(end):
                value_high[j] += count * best_high[j]
                value_low[j] += count * best_low[j]
        for j in range(end):
            value_high[j] += value_low[j] >> bits
            value_low[j] &= mask


@compiled()
def _best_exact(
    shift: Ints, spans: Spans, limbs: Limbs, A: int, first: int, best: tuple[Ints, Ints], ties: Ints
) -> None:
    """The largest value as in `_best_values`, and the slots that lead to it, where ``ties`` has room for them."""
    widths, offsets = spans
    high, low = limbs.high, limbs.low
    best_high, best_low = best
    size = len(best_high)
    best_high[:] = -1
    best_low[:] = -1
    ends = np.empty((2, size), dtype=np.int64)
    for i in range(len(shift)):
        if A >> i & 1:
            B = A ^ (1 << i)
            start = first - shift[i]
            inside = min(max(0, -start), size)
            beyond = max(inside, min(size, widths[B] + 1 - start))
            a, b = offsets[B] + start + inside, offsets[B] + start + beyond
            if inside:
                ends[0, :inside] = limbs.below[0]
                ends[1, :inside] = limbs.below[1]
                _offer(1 << i, ends[0, :inside], ends[1, :inside], best_high[:inside], best_low[:inside], ties[:inside])
            _offer(1 << i, high[a:b], low[a:b], best_high[inside:beyond], best_low[inside:beyond], ties[inside:beyond])
            if beyond < size:
                _fall(limbs, offsets[B] + widths[B], start + beyond - widths[B], ends[:, beyond:])
                _offer(1 << i, ends[0, beyond:], ends[1, beyond:], best_high[beyond:], best_low[beyond:], ties[beyond:])


@compiled()
def _offer(bit: int, high: Ints, low: Ints, best_high: Ints, best_low: Ints, ties: Ints) -> None:
    """Take what is more than the best so far; with ``ties``, note which slots have it. Without branches: in lanes."""
    if len(ties):
        for s in range(len(ties)):
            more = (high[s] > best_high[s]) | ((high[s] == best_high[s]) & (low[s] > best_low[s]))
            same = (high[s] == best_high[s]) & (low[s] == best_low[s])
            ties[s] = (0 if more else ties[s]) | (bit if more | same else 0)
            best_high[s] = high[s] if more else best_high[s]
            best_low[s] = low[s] if more else best_low[s]
    else:
        for s in range(len(high)):
            more = (high[s] > best_high[s]) | ((high[s] == best_high[s]) & (low[s] > best_low[s]))
            best_high[s] = high[s] if more else best_high[s]
            best_low[s] = low[s] if more else best_low[s]


@compiled()
def _fall(limbs: Limbs, last: int, steps: int, ends: Ints) -> None:
    """The values from this many steps beyond the cell ``last``."""
    bits, high, low, _, fall = limbs
    if fall[0] == 0 and fall[1] == 0:
        ends[:] = 0
        return
    mask = (1 << bits) - 1
    value_high, value_low = high[last], low[last]
    for s in range(1 - steps, ends.shape[1]):
        value_low -= fall[1]
        value_high += (value_low >> bits) - fall[0]  # the shift gives -1 where it borrows
        value_low &= mask
        if s >= 0:
            ends[0, s] = value_high
            ends[1, s] = value_low


@compiled()
def fill_slots(
    shifts: Ints,
    spans: Spans,
    limbs: Limbs | None,
    objective: Objective | None,
    means: Means,
    place: tuple[int, int],
    slots: Slots,
) -> None:
    """slots[x, s]: the slot for the roll of position x at index first + s of A; ``place`` is (A, first).

    Either ``limbs`` or ``objective`` must be None; numba compiles both versions.
    """
    A, first = place
    row, room = np.empty(slots.shape[1], dtype=np.int64), np.empty((2, slots.shape[1]), dtype=np.int64)
    for x in range(len(slots)):
        if limbs is not None:
            _best_exact(shifts[:, x], spans, limbs, A, first, (room[0], room[1]), row)
        elif objective is not None:
            _float_ties(shifts[:, x], spans, objective, A, first, row)
        _choose(shifts[:, x], spans, means, A, x, first, row)
        slots[x] = row


@compiled()
def fill_means(
    moves: Moves, spans: Spans, limbs: Limbs | None, objective: Objective | None, means: Means, sets: Ints
) -> None:
    """N of these sets, all with equally many slots."""
    P, shifts = moves
    for A in sets:
        slots = np.empty((len(P), spans.widths[A] + 1), dtype=np.int8)
        fill_slots(shifts, spans, limbs, objective, means, (A, FIRST), slots)
        for x in range(len(P)):
            _add(P[x], shifts[:, x], spans, means, A, x, slots[x])


@compiled()
def _choose(shift: Ints, spans: Spans, means: Means, A: int, x: int, first: int, row: Ints) -> None:
    """In place of each mask of tied slots, the slot that is taken: the first one that no other is above."""
    widths, offsets = spans
    step, near, points, N = means
    before = 0
    slot = 0
    until = 0  # so far the same ties lead to the same choice
    for s in range(len(row)):
        ties = row[s]
        if ties != before or s > until:
            before = ties
            until = len(row)
            slot = -1
            best = 0
            for i in range(len(shift)):
                if ties >> i & 1:
                    B = A ^ (1 << i)
                    j = first + s + step * shift[i]
                    cell = offsets[B] + (j if 0 <= j <= widths[B] else 0)
                    if j <= widths[B]:
                        until = min(until, s + max(0, -j))
                    is_above = slot < 0
                    if not is_above:
                        more = N[cell] - N[best] + points[i, x] - points[slot, x]
                        is_above = more > near
                    if is_above:
                        slot, best = i, cell
            if ties == 1 << slot:
                until = len(row)
        row[s] = slot


@compiled()
def _add(weight: float, shift: Ints, spans: Spans, means: Means, A: int, x: int, row: Slots) -> None:
    """Add what the slots of a row lead to, one run of equal slots after the other; the first roll clears the sums."""
    widths, offsets = spans
    step, _, points, N = means
    size = len(row)
    sums = N[offsets[A] : offsets[A] + size]
    if x == 0:
        sums[:] = 0
    start = 0
    while start < size:
        i = row[start]
        end = start + 1
        while end < size and row[end] == i:
            end += 1
        B = A ^ (1 << i)
        move = step * shift[i]
        inside = min(max(start, -move), end)
        beyond = max(inside, min(end, widths[B] + 1 - move))
        here = offsets[B]
        made = points[i, x]
        known = weight * (N[here] + made)
        for j in range(start, inside):
            sums[j] += known
        target, source = sums[inside:beyond], N[here + inside + move : here + beyond + move]
        for j in range(len(target)):
            target[j] += weight * (source[j] + made)
        for j in range(beyond, end):
            sums[j] += known
        start = end
