"""Best play for an objective that depends on the score: one layer of free sets from the one with a slot less.

A table V holds, for each free set A, an array over an index j of the score (see `solve.objectives.table`). Placing a
roll moves the index by ``step * shift``; beyond the ends of the smaller set's array its value is known
(`kernels.types.Objective`, `kernels.types.Limbs`).

The exact kernels hold integers over total^|A| in two limbs, value = high · 2^bits + low with low < 2^bits: the sum over
the dice of count · limb fits in 63 bits, so nothing is ever rounded. Their tables are of what is needed: step is -1.

Which of the best slots is taken is decided in `kernels.means`.
"""

from typing import Any

import numpy as np

from tentimes18.compiled import compiled
from tentimes18.kernels.types import Floats, Ints, Limbs, Moves, Objective, Slots, Spans

__all__ = ["FIRST", "exact_ties", "fill_exact", "fill_values", "float_ties", "push_law"]

FIRST: Any = np.int64(0)  # with a plain 0, which is a type of its own, what is called would be compiled once more


@compiled()
def fill_values(moves: Moves, spans: Spans, objective: Objective, V: Floats, sets: Ints) -> None:
    """V of these sets: Σ_x P(x) max_i V[A - i]."""
    P, shifts = moves
    widths, offsets = spans
    best = np.empty(widths[sets].max() + 1)
    for A in sets:
        end = widths[A] + 1
        value = V[offsets[A] : offsets[A] + end]
        value[:] = 0.0
        for x in range(len(P)):
            _best_values(shifts[:, x], spans, objective, V, A, FIRST, best[:end])
            p = P[x]
            for j in range(end):
                value[j] += p * best[j]


@compiled()
def _best_values(shift: Ints, spans: Spans, objective: Objective, V: Floats, A: int, first: int, best: Floats) -> None:
    """best[s]: the largest value that a slot of A leads to from index first + s, for the roll that makes ``shift``."""
    widths, offsets = spans
    step, below, base, slope, _, _ = objective
    size = len(best)
    best[:] = -np.inf
    for i in range(len(shift)):
        if A >> i & 1:
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
def float_ties(shift: Ints, spans: Spans, objective: Objective, V: Floats, A: int, first: int, ties: Ints) -> None:
    """ties[s]: the slots of A, as a mask, that lead from index first + s to the best value, as far as floats tell."""
    widths, offsets = spans
    step, below, base, slope, near, least = objective
    size = len(ties)
    best = np.empty(size)
    _best_values(shift, spans, objective, V, A, first, best)
    for s in range(size):
        best[s] -= near * abs(best[s]) + least
    ties[:] = 0
    for i in range(len(shift)):
        if A >> i & 1:
            B = A ^ (1 << i)
            start = first + step * shift[i]
            inside = min(max(0, -start), size)
            beyond = max(inside, min(size, widths[B] + 1 - start))
            for s in range(inside):
                ties[s] |= (below >= best[s]) << i
            source = V[offsets[B] + inside + start : offsets[B] + beyond + start]
            bound = best[inside:beyond]
            target = ties[inside:beyond]
            for s in range(len(target)):
                target[s] |= (source[s] >= bound[s]) << i
            for s in range(beyond, size):
                ties[s] |= (base[B] + slope * (start + s) >= best[s]) << i


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
def exact_ties(shift: Ints, spans: Spans, limbs: Limbs, A: int, first: int, ties: Ints) -> None:
    """ties[s] as in `float_ties`, exactly."""
    best_high = np.empty(len(ties), dtype=np.int64)
    best_low = np.empty(len(ties), dtype=np.int64)
    _best_exact(shift, spans, limbs, A, first, (best_high, best_low), ties)


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
    """The values from so many steps beyond the cell ``last`` on."""
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
def push_law(moves: Moves, offsets: Ints, A: int, law: Floats, slots: Slots, after: Floats) -> None:
    """Add the law of (A, score) to the laws of the smaller sets that its rolls lead to."""
    P, shifts = moves
    for s in range(len(law)):
        if law[s] > 0.0:
            for x in range(len(P)):
                i = slots[x, s]
                after[offsets[A ^ (1 << i)] + s + shifts[i, x]] += P[x] * law[s]
