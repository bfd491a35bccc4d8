"""Which of the slots that an objective finds equally good is taken: the one with the best mean, all the way down.

N[A][j] is the mean of the points to come under the play that is best for the objective and, among such plays, has the
best mean. Slot i of A for the roll x makes shift units and leads to N[A - i]; those that are best for the objective
(``ties``, from `kernels.objectives`) are compared by their sum, and of equal ones the first is taken. Beyond the ends
of an array the objective is decided, or is the mean itself: N is then what it is at index 0, the best mean.

The numbers are integers over total^|A| in as many limbs as it takes, or floats (`kernels.types.Means`). A choice
between two slots needs only the sign of a difference, limb by limb from the highest on.
"""

import numpy as np

from tentimes18.compiled import compiled
from tentimes18.kernels.objectives import FIRST, exact_ties, float_ties
from tentimes18.kernels.types import Floats, Ints, Limbs, Means, Objective, Slots, Spans

__all__ = ["exact_means", "exact_slots", "float_means", "float_slots"]

DECIDED = 4  # a difference so large in its leading limbs keeps its sign, whatever the limbs after them are


@compiled()
def exact_means(weights: Ints | Floats, shifts: Ints, spans: Spans, limbs: Limbs, means: Means, sets: Ints) -> None:
    """N of these sets, all with equally many slots, for an exact objective; ``weights`` of the rolls."""
    slots = np.empty(spans.widths[sets].max() + 1, dtype=np.int64)
    for A in sets:
        row = slots[: spans.widths[A] + 1]
        for x in range(len(weights)):
            exact_ties(shifts[:, x], spans, limbs, A, FIRST, row)
            _choose(shifts[:, x], spans, means, A, x, FIRST, row)
            _add(weights[x], shifts[:, x], spans, means, A, x, row)
        _carry(spans, means, A)


@compiled()
def float_means(
    weights: Ints | Floats, shifts: Ints, spans: Spans, objective: Objective, V: Floats, means: Means, sets: Ints
) -> None:
    """The same for an objective in floats."""
    slots = np.empty(spans.widths[sets].max() + 1, dtype=np.int64)
    for A in sets:
        row = slots[: spans.widths[A] + 1]
        for x in range(len(weights)):
            float_ties(shifts[:, x], spans, objective, V, A, FIRST, row)
            _choose(shifts[:, x], spans, means, A, x, FIRST, row)
            _add(weights[x], shifts[:, x], spans, means, A, x, row)
        _carry(spans, means, A)


@compiled()
def exact_slots(shifts: Ints, spans: Spans, limbs: Limbs, means: Means, A: int, first: int, slots: Slots) -> None:
    """slots[x, s]: the slot for the roll of position x at index first + s, for an exact objective."""
    row = np.empty(slots.shape[1], dtype=np.int64)
    for x in range(len(slots)):
        exact_ties(shifts[:, x], spans, limbs, A, first, row)
        _choose(shifts[:, x], spans, means, A, x, first, row)
        slots[x] = row


@compiled()
def float_slots(
    shifts: Ints, spans: Spans, objective: Objective, V: Floats, means: Means, place: tuple[int, int], slots: Slots
) -> None:
    """The same for an objective in floats; ``place`` is A and the first index."""
    A, first = place
    row = np.empty(slots.shape[1], dtype=np.int64)
    for x in range(len(slots)):
        float_ties(shifts[:, x], spans, objective, V, A, first, row)
        _choose(shifts[:, x], spans, means, A, x, first, row)
        slots[x] = row


@compiled()
def _choose(shift: Ints, spans: Spans, means: Means, A: int, x: int, first: int, row: Ints) -> None:
    """In place of each mask of tied slots, the slot that is taken: the first one that no other is above."""
    widths, offsets = spans
    step, bits, near, points, N = means
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
                        more = N[0, cell] - N[0, best] + points[0, i, x] - points[0, slot, x]
                        for limb in range(1, len(N)):
                            if abs(more) >= DECIDED:
                                break
                            rest = N[limb, cell] - N[limb, best] + points[limb, i, x] - points[limb, slot, x]
                            more = more * (1 << bits) + rest
                        is_above = more > near
                    if is_above:
                        slot, best = i, cell
            if ties == 1 << slot:
                until = len(row)
        row[s] = slot


@compiled()
def _add(weight: float, shift: Ints, spans: Spans, means: Means, A: int, x: int, row: Ints) -> None:
    """Add what the slots of a row lead to, one run of equal slots after the other; the first roll begins anew."""
    widths, offsets = spans
    step, _, _, points, N = means
    size = len(row)
    sums = N[:, offsets[A] : offsets[A] + size]
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
        for limb in range(len(N)):
            made = points[limb, i, x]
            known = weight * (N[limb, here] + made)
            for j in range(start, inside):
                sums[limb, j] += known
            target = sums[limb, inside:beyond]
            source = N[limb, here + inside + move : here + beyond + move]
            for j in range(len(target)):
                target[j] += weight * (source[j] + made)
            for j in range(beyond, end):
                sums[limb, j] += known
        start = end


@compiled()
def _carry(spans: Spans, means: Means, A: int) -> None:
    """What is above the bits of a limb goes to the next; a float is one limb, and has nothing to carry."""
    widths, offsets = spans
    bits = means.bits
    limbs = means.N.view(np.int64)[:, offsets[A] : offsets[A] + widths[A] + 1]
    for limb in range(len(limbs) - 1, 0, -1):
        low, high = limbs[limb], limbs[limb - 1]
        for j in range(len(low)):
            high[j] += low[j] >> bits
            low[j] &= (1 << bits) - 1
