"""Several players at one table, followed from the start: the positions that they come to together, and who is first.

A position is the free set of every seat and its points. Who is surely behind another at the end is out: all that is
left of such a seat is nothing, unless somebody who may still be first plays by its board. So far behind is a seat that
cannot gain on the other what it is behind.

The loop over positions and rolls is one function that has unpacked all tuples: each of them handed on inside of it
would count references to all of its arrays.
"""

import numpy as np

from tentimes18.kernels.duel_play import choose_response, equilibrium_move
from tentimes18.kernels.types import (
    ANY,
    HUNTER,
    MIXED,
    Floats,
    Ints,
    Moves,
    Standing,
    TableGains,
    TablePositions,
    TableRound,
    TableSeats,
)
from tentimes18.storage.compiled import compiled

__all__ = ["add_chance", "add_positions", "follow_table"]

MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT = np.uint64(31)


@compiled(inline="always")
def _place_of(set_word: np.uint64, point_word: np.uint64, places: int) -> np.uint64:
    """Where a position stands in a list of so many places, a power of two, unless another one is there."""
    word = (set_word ^ (point_word * MIX_1)) * MIX_2
    return (word ^ (word >> SHIFT)) & np.uint64(places - 1)


@compiled(inline="always")
def add_chance(positions: TablePositions, set_word: np.uint64, point_word: np.uint64, chance: float) -> bool:
    """Add to the chance of a position; whether it was not in the list before."""
    sets, points, chances = positions
    place, last = _place_of(set_word, point_word, len(sets)), np.uint64(len(sets) - 1)
    while sets[place] != 0 and (sets[place] != set_word or points[place] != point_word):
        place = (place + np.uint64(1)) & last
    is_new = sets[place] == 0
    sets[place], points[place] = set_word, point_word
    chances[place] += chance
    return bool(is_new)


@compiled()
def add_positions(positions: TablePositions, found: TablePositions) -> None:
    """Put positions, each of which is new, into a larger list."""
    old_sets, old_points, old_chances = positions
    sets, points, chances = found
    last = np.uint64(len(sets) - 1)
    for s in range(len(old_sets)):
        if old_sets[s] != 0:
            place = _place_of(old_sets[s], old_points[s], len(sets))
            while sets[place] != 0:
                place = (place + np.uint64(1)) & last
            sets[place], points[place], chances[place] = old_sets[s], old_points[s], old_chances[s]


@compiled()
def _choices(seats: TableSeats, shifts: Ints, number: int, at: Standing, x: int, slots: Ints, chances: Floats) -> int:
    """The slots that stand behind a number in place of one, and their chances; how many there are."""
    k = at.k
    if number == HUNTER:
        slots[0], chances[0] = choose_response(seats.hunter, shifts, at, x), 1.0
        return 1
    count = 0
    if number == ANY:
        for i in range(len(shifts)):
            if at.A >> i & 1:
                slots[count], chances[count] = i, 1.0 / k
                count += 1
    elif number == MIXED:
        equilibrium_move(seats.equilibrium, shifts, at, x, slots, chances)
        for r in range(k):
            if chances[r] > 0.0:
                slots[count], chances[count] = slots[r], chances[r]
                count += 1
    return count


@compiled()
def follow_table(
    seats: TableSeats,
    moves: Moves,
    gains: TableGains,
    at: TableRound,
    here: TablePositions,
    after: TablePositions,
    ends: Floats,
) -> tuple[int, int]:
    """The positions after a round, from position ``at.first`` on; (where it stopped, how many were added).

    It stops where the list might get more than half full. Of games that are decided, ends[p] gets the chance that seat
    p is first, divided by those who are so together, ends[m + p] that it is so alone.
    """
    P, shifts = moves
    k, n, bits, first, most = at
    table, bases, looks, rivals, competes, _, _ = seats
    ranks, starts, pair_counts, values = gains
    old_sets, old_points, old_chances = here
    m = len(rivals)
    sets, points = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    new_sets, new_points = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    counts, places = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    slots, shares = np.empty((m, n), dtype=np.int64), np.empty((m, n))
    leads, stays = np.empty(m, dtype=np.bool_), np.empty(m, dtype=np.bool_)
    set_mask, point_mask = np.uint64((1 << n) - 1), np.uint64((1 << bits) - 1)
    room = len(after.sets) // 2
    start, width = starts[k - 1], pair_counts[k - 1]
    added = 0
    for s in range(first, len(old_sets)):
        if added + most > room:
            return s, added
        for p in range(m):
            sets[p] = np.int64((old_sets[s] >> np.uint64(n * p)) & set_mask)
            points[p] = np.int64((old_points[s] >> np.uint64(bits * p)) & point_mask)
        for x in range(len(P)):
            branches = 1
            for p in range(m):
                counts[p] = 1
                if sets[p] > 0:
                    slot = int(table[bases[p, sets[p]] + looks[p] * points[p], x])
                    slots[p, 0], shares[p, 0] = slot, 1.0
                    if slot < 0:
                        q = max(0, rivals[p])
                        standing = Standing(sets[p], sets[q], k, points[p] - points[q])
                        counts[p] = _choices(seats, shifts, slot, standing, x, slots[p], shares[p])
                branches *= counts[p]
            for branch in range(branches):
                # The players move.
                chance, rest = old_chances[s] * P[x], branch
                for p in range(m):
                    new_sets[p] = -1
                    if sets[p] > 0:
                        choice = 0
                        if branches > 1:
                            choice = rest % counts[p]
                            rest //= counts[p]
                            chance *= shares[p, choice]
                        i = slots[p, choice]
                        new_sets[p] = sets[p] ^ (1 << i)
                        new_points[p] = points[p] + shifts[i, x]
                        places[p] = ranks[new_sets[p]]
                # Who may still be first?
                alive = 0
                for p in range(m):
                    leads[p] = competes[p] and new_sets[p] >= 0
                    if leads[p]:
                        for q in range(m):
                            if competes[q] and new_sets[q] >= 0 and new_points[q] > new_points[p]:
                                behind = new_points[q] - new_points[p]
                                leads[p] &= behind <= values[start + places[p] * width + places[q]]
                        alive += leads[p]
                if alive == 1 or k == 1:
                    for p in range(m):
                        if leads[p]:
                            ends[p] += chance / alive
                            ends[m + p] += chance if alive == 1 else 0.0
                    continue
                # Whose boards still matter? Points count from the least of them, unless somebody plays by its own.
                stays[:] = leads
                for p in range(m):
                    if leads[p] and rivals[p] >= 0:
                        stays[rivals[p]] = True
                base, by_points = np.int64(1) << 60, False
                for p in range(m):
                    if stays[p]:
                        base = min(base, new_points[p])
                        by_points |= looks[p] > 0
                base = np.int64(0) if by_points else base
                set_word, point_word = np.uint64(0), np.uint64(0)
                for p in range(m):
                    if stays[p]:
                        set_word |= np.uint64(new_sets[p]) << np.uint64(n * p)
                        point_word |= np.uint64(new_points[p] - base) << np.uint64(bits * p)
                added += add_chance(after, set_word, point_word, chance)
    return len(old_sets), added
