"""The matrix games of a pair of free sets, for a tile of leads and one roll after another.

A move of both players leads to a smaller pair, whose window is copied once: with TILE zeros before it and TILE ones
after it, so that whatever a roll makes of a lead, the entries of TILE leads in a row stand side by side in the copy.
Leads are the innermost loop, which a processor does several at a time.

Entry (r, c) of the games, r and c counting the free slots of either player, is number r k + c.
"""

from typing import NamedTuple

import numpy as np

from tentimes18.kernels.types import Floats, Ints, Pair, Stored, Windows
from tentimes18.kernels.windows import list_slots
from tentimes18.storage.compiled import compiled

__all__ = [
    "TILE",
    "Bounds",
    "Entries",
    "copy_half",
    "copy_turned",
    "copy_whole",
    "find_bounds",
    "list_entries",
    "new_bounds",
    "new_entries",
    "place_entries",
]

TILE = 64  # leads: the entries of six slots a side fit into the fastest memory


class Entries(NamedTuple):
    """Where the entries of a pair stand in copies of ``width`` numbers each, one after the other.

    ``mine`` and ``theirs`` are the free slots, and moved[x] what roll x makes of a lead. ``starts`` are the places of
    the pair's first lead before a roll, ``ends`` the last ones where a tile can begin, and ``places`` those where the
    present tile begins for the present roll.
    """

    width: int
    mine: Ints
    theirs: Ints
    moved: Ints
    starts: Ints
    ends: Ints
    places: Ints


class Bounds(NamedTuple):
    """By lead of a tile: the least of each row, the most of each column; max min and min max."""

    rows: Floats
    columns: Floats
    maximin: Floats
    minimax: Floats


@compiled()
def new_entries(k: int, rolls: int, after: Windows) -> Entries:
    """Room for the entries of pairs with k free slots; a copy has the width of the widest window after a move."""
    mine, theirs = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    moved = np.empty((rolls, k * k), dtype=np.int64)
    starts, ends, places = np.empty(k * k, dtype=np.int64), np.empty(k * k, dtype=np.int64), np.zeros(k * k, np.int64)
    return Entries(after.sizes.max() + 2 * TILE, mine, theirs, moved, starts, ends, places)


@compiled()
def new_bounds(k: int) -> Bounds:
    """Room for the bounds of a tile."""
    return Bounds(np.empty((k, TILE)), np.empty((k, TILE)), np.empty(TILE), np.empty(TILE))


@compiled()
def list_entries(pair: Pair, shifts: Ints, ranks: Ints, after: Windows, entries: Entries) -> None:
    """The slots of a pair, and where the windows after a move have its first lead.

    Of (a, b) and (b, a), windows that mirror each other, the one with a <= b is looked at.
    """
    width, mine, theirs, moved, starts, ends, _ = entries
    _, lows, sizes = after
    list_slots(pair.A, mine)
    list_slots(pair.B, theirs)
    q = 0
    for i in mine:
        a = ranks[pair.A ^ (1 << i)]
        for j in theirs:
            b = ranks[pair.B ^ (1 << j)]
            size = sizes[min(a, b), max(a, b)]
            low = lows[a, b] if a <= b else 1 - lows[b, a] - size
            starts[q] = q * width + TILE + pair.low - low
            ends[q] = q * width + TILE + size
            for x in range(len(moved)):
                moved[x, q] = shifts[i, x] - shifts[j, x]
            q += 1


@compiled()
def copy_half(pair: Pair, ranks: Ints, half: Stored, entries: Entries, cells: Floats) -> None:
    """The values after each pair of moves, from the half of them that is stored."""
    (offsets, _, sizes), values = half
    q = 0
    for i in entries.mine:
        a = ranks[pair.A ^ (1 << i)]
        for j in entries.theirs:
            b = ranks[pair.B ^ (1 << j)]
            copy = cells[q * entries.width : (q + 1) * entries.width]
            if a <= b:
                size = sizes[a, b]
                source, target = values[offsets[a, b] : offsets[a, b] + size], copy[TILE : TILE + size]
                for t in range(size):
                    target[t] = source[t]
            else:
                size = sizes[b, a]
                source, target = values[offsets[b, a] : offsets[b, a] + size], copy[TILE : TILE + size]
                for t in range(size):
                    target[t] = 1.0 - source[size - 1 - t]
            copy[:TILE] = 0.0
            copy[TILE + size : 2 * TILE + size] = 1.0
            q += 1


@compiled()
def copy_whole(pair: Pair, ranks: Ints, stored: Stored, won: float, entries: Entries, cells: Floats) -> None:
    """What is stored for all pairs, after each pair of moves; ``won`` stands above a window, 0 below it."""
    (offsets, _, sizes), values = stored
    q = 0
    for i in entries.mine:
        a = ranks[pair.A ^ (1 << i)]
        for j in entries.theirs:
            b = ranks[pair.B ^ (1 << j)]
            copy = cells[q * entries.width : (q + 1) * entries.width]
            size = sizes[a, b]
            copy[:TILE] = 0.0
            copy[TILE : TILE + size] = values[offsets[a, b] : offsets[a, b] + size]
            copy[TILE + size : 2 * TILE + size] = won
            q += 1


@compiled()
def copy_turned(pair: Pair, ranks: Ints, stored: Stored, won: float, entries: Entries, cells: Floats) -> None:
    """The same from the other player's side: what is stored for the players exchanged, at the lead turned round."""
    (offsets, _, sizes), values = stored
    q = 0
    for i in entries.mine:
        a = ranks[pair.A ^ (1 << i)]
        for j in entries.theirs:
            b = ranks[pair.B ^ (1 << j)]
            copy = cells[q * entries.width : (q + 1) * entries.width]
            size = sizes[b, a]
            copy[:TILE] = won
            copy[TILE : TILE + size] = values[offsets[b, a] : offsets[b, a] + size][::-1]
            copy[TILE + size : 2 * TILE + size] = 0.0
            q += 1


@compiled()
def place_entries(x: int, first: int, entries: Entries) -> None:
    """Where the tile of leads low + first, low + first + 1, ... begins for roll x."""
    width, _, _, moved, starts, ends, places = entries
    for q in range(len(places)):
        places[q] = min(max(starts[q] + first + moved[x, q], q * width), ends[q])


@compiled()
def _less(one: float, other: float) -> float:
    """As min, which minds numbers that are none: one instruction for several leads."""
    return one if one < other else other


@compiled()
def _more(one: float, other: float) -> float:
    return one if one > other else other


@compiled()
def find_bounds(cells: Floats, entries: Entries, bounds: Bounds) -> None:
    """Max min and min max of the games of a tile."""
    places = entries.places
    rows, columns, maximin, minimax = bounds
    k = len(rows)
    rows[:], columns[:], maximin[:], minimax[:] = 2.0, -1.0, -1.0, 2.0
    for r in range(k):
        least = rows[r]
        # Two columns at a time: a row is loaded and stored half as often.
        for c in range(0, k - 1, 2):
            place, place_beside = places[r * k + c], places[r * k + c + 1]
            entry, beside = cells[place : place + TILE], cells[place_beside : place_beside + TILE]
            most, most_beside = columns[c], columns[c + 1]
            for t in range(TILE):
                most[t] = _more(most[t], entry[t])
                most_beside[t] = _more(most_beside[t], beside[t])
                least[t] = _less(least[t], _less(entry[t], beside[t]))
        if k % 2 == 1:
            place = places[r * k + k - 1]
            entry, most = cells[place : place + TILE], columns[k - 1]
            for t in range(TILE):
                most[t], least[t] = _more(most[t], entry[t]), _less(least[t], entry[t])
    for r in range(k):
        least, most = rows[r], columns[r]
        for t in range(TILE):
            maximin[t], minimax[t] = _more(maximin[t], least[t]), _less(minimax[t], most[t])
