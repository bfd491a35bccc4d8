"""L_A of `solve.scores.exact_laws` in float64, one layer of free sets from the layer with one slot less."""

import numpy as np

from tentimes18.compiled import compiled
from tentimes18.kernels.types import Floats, Ints, Moves, Slots, Spans

__all__ = ["fill_laws", "optimal_slots"]


@compiled()
def optimal_slots(ranks: Ints, groups: Ints, slots: Slots) -> None:
    """slots[A, x]: the slot (from 0) that takes the roll of position x; ranks[k, x] from 0, with k free slots.

    Of free slots with the same multiplier, which have the same number in groups, the first is taken.
    """
    members = np.empty(64, dtype=np.int8)
    for A in range(1, len(slots)):
        k = 0
        i = 0
        rest = A
        while rest:
            if rest & 1:
                members[k] = i
                k += 1
            rest >>= 1
            i += 1
        for x in range(ranks.shape[1]):
            rank = ranks[k, x]
            while rank > 0 and groups[members[rank - 1]] == groups[members[rank]]:
                rank -= 1
            slots[A, x] = members[rank]


@compiled()
def fill_laws(moves: Moves, slots: Slots, spans: Spans, smaller: Floats, larger: Floats, sets: Ints) -> None:
    """Laws of these sets, all with equally many slots, into ``larger``; a law of A starts at offsets[A]."""
    P, shifts = moves
    widths, offsets = spans
    for A in sets:
        law = larger[offsets[A] : offsets[A] + widths[A] + 1]
        law[:] = 0.0
        for x in range(len(P)):
            i = slots[A, x]
            B = A ^ (1 << i)
            source = smaller[offsets[B] : offsets[B] + widths[B] + 1]
            target = law[shifts[i, x] : shifts[i, x] + widths[B] + 1]
            p = P[x]
            for j in range(len(source)):
                target[j] += p * source[j]
