"""The best response to an equilibrium, layer by layer: what its certificate is made of.

A pair of free sets and the same pair with the players exchanged have the same matrix games: the moves of both players
are found at once, and what each does best against the other's. Of the k² entries of a game the replies look at k a
player, at the values of the response; so finding the moves is most of the work, as it is for the equilibrium.
"""

import numpy as np

from tentimes18.kernels.matrix import SADDLE, mixed_move, solve_matrix
from tentimes18.kernels.supports import Mix, are_only, find_four, is_only, new_mix, try_four
from tentimes18.kernels.tiles import (
    LEADS,
    TILE,
    copy_half,
    copy_whole,
    find_bounds,
    list_entries,
    new_bounds,
    new_entries,
    place_entries,
)
from tentimes18.kernels.types import DuelLayer, Floats, Ints, Moves, Pair, Stored
from tentimes18.storage.compiled import compiled

__all__ = ["fill_reply"]

LANES = 8  # leads that a processor does at once: a run of leads is done up to a whole number of these


@compiled()
def fill_reply(half: Stored, moves: Moves, layer: DuelLayer, equity: Floats, pairs: Ints) -> None:
    """My equity with the best response to the moves of an equilibrium, for pairs (a, b), a <= b, and for (b, a).

    ``half`` has the values of the equilibrium, and where those with a slot less stand.
    """
    P, shifts = moves
    k, ranks, sets = layer.k, layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    entries, mix = new_entries(k, len(P), half.windows), new_mix(k)
    width, _, _, moved, starts, ends, places = entries
    rows, columns, maximin, minimax = new_bounds(k)
    row, column, four, M, turned, _, _ = mix
    cells = np.empty(k * k * width)
    mine, theirs = np.empty(len(cells) + LANES), np.empty(len(cells) + LANES)
    best, their_best = np.empty(TILE + LANES), np.empty(TILE + LANES)
    total, their_total = np.empty(TILE), np.empty(TILE)
    first_rows, first_columns = np.empty(TILE, dtype=np.int64), np.empty(TILE, dtype=np.int64)
    held = np.empty(TILE)
    fours = np.empty((len(P), 4), dtype=np.int64)
    responses = Stored(layer.after, equity)
    for pair_number in range(len(pairs)):
        a, b = pairs[pair_number, 0], pairs[pair_number, 1]
        size = sizes[a, b]
        pair = Pair(sets[a], sets[b], lows[a, b], size)
        list_entries(pair, shifts, ranks, half.windows, entries)
        copy_half(pair, ranks, half, entries, cells)
        copy_whole(pair, ranks, responses, False, entries, mine)
        copy_whole(pair, ranks, responses, True, entries, theirs)
        fours[:, 0], fours[:, 1], fours[:, 2], fours[:, 3] = 0, k - 1, 0, k - 1
        for first in range(0, size, TILE):
            count = min(TILE, size - first)
            total[:], their_total[:] = 0.0, 0.0
            for x in range(len(P)):
                place_entries(first, moved[x], starts, ends, width, places)
                find_bounds(cells, places, k, rows, columns, maximin, minimax)
                _first_rows(rows, k, held, first_rows)
                _first_columns(columns, k, held, first_columns)
                _reply_to_pure(mine, places, first_columns, count, (k, 1), best)
                _reply_to_pure(theirs, places, first_rows, count, (1, k), their_best)
                four[:] = fours[x]
                for t in range(count):
                    if minimax[t] - maximin[t] > SADDLE:
                        lower, upper, p, q = try_four(cells, places, t, k, four)
                        if upper - lower > SADDLE:
                            lower, upper, p, q = find_four(cells, places, t, four, M, turned)
                        if upper - lower <= SADDLE and are_only(cells, places, t, k, four, p, q):
                            best[t] = _against_two(mine, places, t, (k, 1), four[2], four[3], q)
                            their_best[t] = _against_two(theirs, places, t, (1, k), four[0], four[1], p)
                        else:
                            _prescribe(cells, places, t, mix)
                            best[t] = _against_mixed(mine, places, t, (k, 1), column)
                            their_best[t] = _against_mixed(theirs, places, t, (1, k), row)
                fours[x] = four
                p_x = P[x]
                for t in range(LEADS):
                    total[t] += p_x * best[t]
                    their_total[t] += p_x * their_best[t]
            start, end = offsets[a, b] + first, offsets[b, a] + size - 1 - first
            for t in range(count):
                equity[end - t] = their_total[t]
            for t in range(count):
                equity[start + t] = total[t]


@compiled()
def _first_rows(rows: Floats, k: int, held: Floats, found: Ints) -> None:
    """By lead the first row, as `mixed_move` takes it, whose least entry is the most, but for rounding."""
    held[:], found[:] = -1.0, 0
    for line in range(k):
        at = np.uint64(line * TILE)
        for t in range(LEADS):
            is_higher = rows[at + t] > held[t] + SADDLE
            held[t], found[t] = (rows[at + t], line) if is_higher else (held[t], found[t])


@compiled()
def _first_columns(columns: Floats, k: int, held: Floats, found: Ints) -> None:
    """By lead the first column whose largest entry is the least, but for rounding."""
    held[:], found[:] = 2.0, 0
    for line in range(k):
        at = np.uint64(line * TILE)
        for t in range(LEADS):
            is_lower = columns[at + t] < held[t] - SADDLE
            held[t], found[t] = (columns[at + t], line) if is_lower else (held[t], found[t])


@compiled()
def _more(one: float, other: float) -> float:
    """As max, which minds numbers that are none: one instruction for several leads."""
    return one if one > other else other


@compiled()
def _reply_to_pure(values: Floats, places: Ints, lines: Ints, count: int, steps: tuple[int, int], best: Floats) -> None:
    """By lead the best equity against move lines[t] of the other player; leads in a row with the same one at once.

    Entry (my move, other move) is number my move * across + other move * along, ``steps`` being these two. What is
    found beyond the end of a run, to a whole number of LANES, the next one replaces.
    """
    across, along = steps
    last = across * along - 1  # one of them is 1
    begin = 0
    while begin < count:
        line, end = lines[begin], begin + 1
        while end < count and lines[end] == line:
            end += 1
        start, leads = line * along, np.uint64((end - begin + LANES - 1) // LANES * LANES)
        at = np.uint64(begin)
        # Four moves at once, then two at a time; where there are not as many, the last one again.
        e, f = np.uint64(places[start] + begin), np.uint64(places[start + min(1, last) * across] + begin)
        g = np.uint64(places[start + min(2, last) * across] + begin)
        h = np.uint64(places[start + min(3, last) * across] + begin)
        for t in range(leads):
            best[at + t] = _more(_more(values[e + t], values[f + t]), _more(values[g + t], values[h + t]))
        for move in range(4, last + 1, 2):
            e = np.uint64(places[start + move * across] + begin)
            f = np.uint64(places[start + min(move + 1, last) * across] + begin)
            for t in range(leads):
                best[at + t] = _more(best[at + t], _more(values[e + t], values[f + t]))
        begin = end


@compiled()
def _against_two(
    values: Floats, places: Ints, t: int, steps: tuple[int, int], one: int, other: int, share: float
) -> float:
    """The best equity at a lead against two moves, the first of them with this share."""
    across, along = steps
    most = -1.0
    for move in range(across * along):
        place, beside = places[move * across + one * along] + t, places[move * across + other * along] + t
        most = max(most, share * values[place] + (1.0 - share) * values[beside])
    return most


@compiled()
def _against_mixed(values: Floats, places: Ints, t: int, steps: tuple[int, int], shares: Floats) -> float:
    """The same against any mixed move."""
    across, along = steps
    most = -1.0
    for move in range(len(shares)):
        value = 0.0
        for other in range(len(shares)):
            value += shares[other] * values[places[move * across + other * along] + t]
        most = max(most, value)
    return most


@compiled()
def _prescribe(cells: Floats, places: Ints, t: int, mix: Mix) -> None:
    """The mixed moves of both players, as `mixed_move` has them in a game without a saddle point.

    The simplex method gives both; the second player's are found from that side unless no others are as good.
    """
    row, column, _, M, turned, tableau, labels = mix
    k = len(M)
    for r in range(k):
        for c in range(k):
            M[r, c] = cells[places[r * k + c] + t]
            turned[c, r] = 1.0 - M[r, c]
    solve_matrix(M, tableau, labels, row, column)
    if not is_only(M, row, column):
        mixed_move(turned, column)
