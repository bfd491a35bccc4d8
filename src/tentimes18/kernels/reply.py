"""The best response to an equilibrium, layer by layer: what its certificate is made of.

A pair of free sets and the same pair with the players exchanged have the same matrix games: the moves of both players
are found at once, and what each does best against the other's. Of the k² entries of a game the replies look at k a
player, at the values of the response; so finding the moves is most of the work, as it is for the equilibrium.
"""

import numpy as np

from tentimes18.kernels.matrix import SADDLE, mixed_move, solve_matrix
from tentimes18.kernels.supports import Mix, entry, find_four, is_only, new_mix, try_four
from tentimes18.kernels.tiles import (
    LANES,
    TILE,
    copy_half,
    copy_whole,
    find_lines,
    find_open,
    list_entries,
    new_bounds,
    new_entries,
    place_entries,
)
from tentimes18.kernels.types import DuelLayer, Floats, Ints, Moves, Pair, Stored
from tentimes18.storage.compiled import compiled

__all__ = ["fill_reply"]


@compiled()
def fill_reply(half: Stored, moves: Moves, layer: DuelLayer, equity: Floats, pairs: Ints) -> None:
    """My equity with the best response to the moves of an equilibrium, for pairs (a, b), a <= b, and for (b, a).

    ``half`` has the values of the equilibrium, and where those with a slot less stand.
    """
    P, shifts = moves
    k, ranks, sets = layer.k, layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    entries, mix = new_entries(k, len(P), half.windows), new_mix(k)
    width, _, _, moved, starts, ends, places, lost, won = entries
    rows, columns, maximin, minimax = new_bounds(k)
    row, column, four, M, turned, _, _ = mix
    cells = np.empty(k * k * width)
    mine, theirs = np.empty(len(cells) + LANES), np.empty(len(cells) + LANES)
    best, their_best = np.empty(TILE + LANES), np.empty(TILE + LANES)
    total, their_total = np.empty(TILE + LANES), np.empty(TILE + LANES)
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
                begin, leads = find_open(first, count, lost[x], won[x])
                p_x = P[x]
                for t in range(begin):
                    their_total[t] += p_x
                for t in range(begin + leads, count):
                    total[t] += p_x
                if leads == 0:
                    continue
                place_entries(first + begin, moved[x], starts, ends, width, places)
                find_lines(cells, places, k, leads, rows, columns)
                _first_lines(rows, 1.0, k, leads, maximin, held, first_rows)
                _first_lines(columns, -1.0, k, leads, minimax, held, first_columns)
                _reply_to_pure(mine, places, first_columns, leads, (k, 1), best)
                _reply_to_pure(theirs, places, first_rows, leads, (1, k), their_best)
                four[:] = fours[x]
                for t in range(min(leads, count - begin)):
                    if -minimax[t] - maximin[t] > SADDLE:
                        lower, upper, p, q, is_sure = try_four(cells, places, t, k, four)
                        if upper - lower > SADDLE:
                            lower, upper, p, q, is_sure = find_four(cells, places, t, four, M, turned)
                        if upper - lower <= SADDLE and is_sure:
                            best[t] = _against_two(mine, places, t, (k, 1), four[2], four[3], q)
                            their_best[t] = _against_two(theirs, places, t, (1, k), four[0], four[1], p)
                        else:
                            _prescribe(cells, places, t, mix)
                            best[t] = _against_mixed(mine, places, t, (k, 1), column)
                            their_best[t] = _against_mixed(theirs, places, t, (1, k), row)
                fours[x] = four
                at = np.uint64(begin)
                for t in range(np.uint64(leads)):
                    total[at + t] += p_x * best[t]
                    their_total[at + t] += p_x * their_best[t]
            start, end = offsets[a, b] + first, offsets[b, a] + size - 1 - first
            for t in range(count):
                equity[end - t] = their_total[t]
            for t in range(count):
                equity[start + t] = total[t]


@compiled()
def _first_lines(lines: Floats, sign: float, k: int, count: int, most: Floats, held: Floats, found: Ints) -> None:
    """By lead the most of some lines times a sign, and the first line that has it but for rounding, as `mixed_move`.

    Of rows these are the least entries, and the sign is 1; of columns the largest entries, and it is -1.
    """
    last, leads = k - 1, np.uint64(count)
    e, f, g = np.uint64(min(1, last) * TILE), np.uint64(min(2, last) * TILE), np.uint64(min(3, last) * TILE)
    h = np.uint64(min(4, last) * TILE)
    for t in range(leads):
        one, two, three = sign * lines[t], sign * lines[e + t], sign * lines[f + t]
        four, five = sign * lines[g + t], sign * lines[h + t]
        most[t] = _more(_more(_more(one, two), _more(three, four)), five)
        best, line = _first(one, 0, two, 1)
        best, line = _first(best, line, three, 2)
        best, line = _first(best, line, four, 3)
        held[t], found[t] = _first(best, line, five, 4)
    for other in range(5, k):
        e = np.uint64(other * TILE)
        for t in range(leads):
            value = sign * lines[e + t]
            most[t] = _more(most[t], value)
            held[t], found[t] = _first(held[t], found[t], value, other)


@compiled()
def _first(held: float, line: int, value: float, other: int) -> tuple[float, int]:
    """Of two lines the second where it is better, and not by rounding alone; and its value."""
    is_better = value > held + SADDLE
    return (value if is_better else held), (other if is_better else line)


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
    across, along, lead = np.uint64(steps[0]), np.uint64(steps[1]), np.uint64(t)
    beside = np.uint64(other) * along
    most = -1.0
    for move in range(across * along):
        at = move * across
        value = share * entry(values, places, at + np.uint64(one) * along, lead)
        most = _more(most, value + (1.0 - share) * entry(values, places, at + beside, lead))
    return most


@compiled()
def _against_mixed(values: Floats, places: Ints, t: int, steps: tuple[int, int], shares: Floats) -> float:
    """The same against any mixed move."""
    across, along, lead = np.uint64(steps[0]), np.uint64(steps[1]), np.uint64(t)
    most = -1.0
    for move in range(across * along):
        value = 0.0
        for other in range(across * along):
            value += shares[other] * entry(values, places, move * across + other * along, lead)
        most = _more(most, value)
    return most


@compiled()
def _prescribe(cells: Floats, places: Ints, t: int, mix: Mix) -> None:
    """The mixed moves of both players, as `mixed_move` has them in a game without a saddle point.

    The simplex method gives both; the second player's are found from that side unless no others are as good.
    """
    row, column, _, M, turned, tableau, labels = mix
    size, lead = np.uint64(len(M)), np.uint64(t)
    for r in range(size):
        for c in range(size):
            M[r, c] = entry(cells, places, r * size + c, lead)
            turned[c, r] = 1.0 - M[r, c]
    solve_matrix(M, tableau, labels, row, column)
    if not is_only(M, row, column):
        mixed_move(turned, column)
