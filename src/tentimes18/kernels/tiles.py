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
    "find_bounds",
    "find_lines",
    "find_open",
    "less",
    "list_entries",
    "more",
    "new_bounds",
    "new_entries",
    "place_entries",
]

TILE = 64  # leads: the entries of six slots a side fit into the fastest memory
LAST = 1 << 60  # beyond all leads
LANES = 8  # leads that a processor does at once: leads are done up to a whole number of these


class Entries(NamedTuple):
    """Where the entries of a pair stand in copies of ``width`` numbers each, one after the other.

    ``mine`` and ``theirs`` are the free slots, and moved[x] what roll x makes of a lead. ``starts`` are the places of
    the pair's first lead before a roll, ``ends`` the last ones where a tile can begin, and ``places`` those where the
    present tile begins for the present roll. By roll, leads before ``lost`` are lost and those from ``won`` on are won,
    with a single move against all of the other player's, counted from the pair's first lead.
    """

    width: int
    mine: Ints
    theirs: Ints
    moved: Ints
    starts: Ints
    ends: Ints
    places: Ints
    lost: Ints
    won: Ints


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
    lost, won = np.empty(rolls, dtype=np.int64), np.empty(rolls, dtype=np.int64)
    return Entries(after.sizes.max() + 2 * TILE, mine, theirs, moved, starts, ends, places, lost, won)


@compiled()
def new_bounds(k: int) -> Bounds:
    """Room for the bounds of a tile."""
    return Bounds(np.empty(k * TILE), np.empty(k * TILE), np.empty(TILE), np.empty(TILE))


@compiled()
def list_entries(pair: Pair, shifts: Ints, ranks: Ints, after: Windows, entries: Entries) -> None:
    """The slots of a pair, and where the windows after a move have its first lead.

    Of (a, b) and (b, a), windows that mirror each other, the one with a <= b is looked at.
    """
    width, mine, theirs, moved, starts, ends, _, lost, won = entries
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
    k = len(mine)
    for x in range(len(moved)):
        won[x], lost[x] = LAST, -LAST
        for line in range(k):
            row_won, column_lost = -LAST, LAST
            for other in range(k):
                q = line * k + other
                row_won = max(row_won, ends[q] - starts[q] - moved[x, q])
                q = other * k + line
                column_lost = min(column_lost, q * width + TILE - starts[q] - moved[x, q])
            won[x], lost[x] = min(won[x], row_won), max(lost[x], column_lost)


@compiled()
def find_open(first: int, count: int, lost: int, won: int) -> tuple[int, int]:
    """Of a tile's leads from ``first`` on, the first that is open for a roll, and how many are done from there."""
    begin = min(max(lost - first, 0), count)
    return begin, (max(min(won - first, count) - begin, 0) + LANES - 1) // LANES * LANES


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
def place_entries(first: int, moved: Ints, starts: Ints, ends: Ints, width: int, places: Ints) -> None:
    """Where the tile of leads low + first, low + first + 1, ... begins for the roll that moves leads by ``moved``."""
    for q in range(len(places)):
        places[q] = min(max(starts[q] + first + moved[q], q * width), ends[q])


@compiled()
def less(one: float, other: float) -> float:
    """As min, which minds numbers that are none: one instruction for several leads."""
    return one if one < other else other


@compiled()
def more(one: float, other: float) -> float:
    """The same for max."""
    return one if one > other else other


@compiled()
def find_lines(cells: Floats, places: Ints, k: int, count: int, rows: Floats, columns: Floats) -> None:
    """By lead the least of each row and the most of each column, those of a line after those of the one before it."""
    last, leads = k - 1, np.uint64(count)
    for line in range(k):
        # Five entries at once, then two at a time; where there are not as many, the last one again.
        at, begin = np.uint64(line * TILE), line * k
        e, f = np.uint64(places[begin]), np.uint64(places[begin + min(1, last)])
        g, h = np.uint64(places[begin + min(2, last)]), np.uint64(places[begin + min(3, last)])
        i = np.uint64(places[begin + min(4, last)])
        for t in range(leads):
            least = less(less(cells[e + t], cells[f + t]), less(cells[g + t], cells[h + t]))
            rows[at + t] = less(least, cells[i + t])
        for c in range(5, k, 2):
            e, f = np.uint64(places[begin + c]), np.uint64(places[begin + min(c + 1, last)])
            for t in range(leads):
                rows[at + t] = less(rows[at + t], less(cells[e + t], cells[f + t]))
        e, f = np.uint64(places[line]), np.uint64(places[min(1, last) * k + line])
        g, h = np.uint64(places[min(2, last) * k + line]), np.uint64(places[min(3, last) * k + line])
        i = np.uint64(places[min(4, last) * k + line])
        for t in range(leads):
            most = more(more(cells[e + t], cells[f + t]), more(cells[g + t], cells[h + t]))
            columns[at + t] = more(most, cells[i + t])
        for r in range(5, k, 2):
            e, f = np.uint64(places[r * k + line]), np.uint64(places[min(r + 1, last) * k + line])
            for t in range(leads):
                columns[at + t] = more(columns[at + t], more(cells[e + t], cells[f + t]))


@compiled()
def find_bounds(rows: Floats, columns: Floats, k: int, count: int, maximin: Floats, minimax: Floats) -> None:
    """By lead max min and min max: the most of the rows, and the least of the columns."""
    last, leads = k - 1, np.uint64(count)
    e, f, g = np.uint64(min(1, last) * TILE), np.uint64(min(2, last) * TILE), np.uint64(min(3, last) * TILE)
    h = np.uint64(min(4, last) * TILE)
    for t in range(leads):
        most = more(more(rows[t], rows[e + t]), more(rows[f + t], rows[g + t]))
        least = less(less(columns[t], columns[e + t]), less(columns[f + t], columns[g + t]))
        maximin[t], minimax[t] = more(most, rows[h + t]), less(least, columns[h + t])
    for line in range(5, k):
        e = np.uint64(line * TILE)
        for t in range(leads):
            maximin[t], minimax[t] = more(maximin[t], rows[e + t]), less(minimax[t], columns[e + t])
