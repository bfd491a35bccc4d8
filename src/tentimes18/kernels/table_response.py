"""The best play at a table against others who play by their own boards: one layer of positions from the one before."""

import numpy as np

from tentimes18.kernels.types import Floats, Ints, Moves, TableLayer
from tentimes18.storage.compiled import compiled

__all__ = ["fill_table_response"]


@compiled()
def fill_table_response(
    moves: Moves,
    sets: tuple[Ints, Ints],
    others: tuple[Ints, Ints],
    here: TableLayer,
    after: TableLayer,
    values: tuple[Floats, Floats],
    part: Ints,
) -> None:
    """My share of the win at the positions ``part`` of the others, for all of my sets and leads.

    ``sets`` are my free sets by rank, and the ranks of all sets. ``others`` say where roll x leads them from position
    q, and by how much their base rises. ``values`` are those of this layer, and those of the one with a slot less.
    """
    P, shifts = moves
    my_sets, ranks = sets
    nexts, steps = others
    offsets, lows, sizes = here
    after_offsets, after_lows, after_sizes = after
    share, smaller = values
    widest = 0
    for q in part:
        widest = max(widest, sizes[q].max())
    best = np.empty(widest)
    for q in part:
        for a in range(len(my_sets)):
            A, size, low = my_sets[a], sizes[q, a], lows[q, a]
            total = share[offsets[q, a] : offsets[q, a] + size]
            total[:] = 0.0
            if size == 0:
                continue
            for x in range(len(P)):
                there = nexts[q, x]
                best[:size] = 0.0
                for i in range(len(shifts)):
                    if not A >> i & 1:
                        continue
                    b = ranks[A ^ (1 << i)]
                    # Lead low + t becomes index t + move in the window of the smaller set.
                    move = low + shifts[i, x] - steps[q, x] - after_lows[there, b]
                    begin = min(max(0, -move), size)
                    end = max(begin, min(size, after_sizes[there, b] - move))
                    place = after_offsets[there, b] + move
                    source, target = smaller[place + begin : place + end], best[begin:end]
                    for t in range(len(target)):
                        target[t] = max(target[t], source[t])
                    best[end:size] = 1.0
                for t in range(size):
                    total[t] += P[x] * best[t]
