"""The best response to an equilibrium, layer by layer: what its certificate is made of.

A pair of free sets and the same pair with the players exchanged have the same matrix games: the moves of both players
are found at once, and what each does best against the other's.
"""

import numpy as np

from tentimes18.kernels.matrix import SADDLE, mixed_move
from tentimes18.kernels.supports import Mix, are_only, find_mix, is_only, new_mix, try_four
from tentimes18.kernels.tiles import (
    TILE,
    Bounds,
    copy_half,
    copy_turned,
    copy_whole,
    find_bounds,
    list_entries,
    new_bounds,
    new_entries,
    place_entries,
)
from tentimes18.kernels.types import Chances, DuelLayer, Floats, Ints, Moves, Pair, Stored
from tentimes18.storage.compiled import compiled

__all__ = ["fill_reply"]


@compiled()
def fill_reply(half: Stored, moves: Moves, layer: DuelLayer, chances: Chances, pairs: Ints) -> None:
    """My chances with the best response to the moves of an equilibrium, for pairs (a, b), a <= b, and for (b, a).

    ``half`` has the values of the equilibrium, and where those with a slot less stand.
    """
    P, shifts = moves
    k, ranks, sets = layer.k, layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    equity, draw = chances
    entries, bounds, mix = new_entries(k, len(P), half.windows), new_bounds(k), new_mix(k)
    length = k * k * entries.width
    cells = np.empty(length)
    mine, theirs = Chances(np.empty(length), np.empty(length)), Chances(np.empty(length), np.empty(length))
    best, their_best = Chances(np.empty(TILE), np.empty(TILE)), Chances(np.empty(TILE), np.empty(TILE))
    total, their_total = Chances(np.empty(TILE), np.empty(TILE)), Chances(np.empty(TILE), np.empty(TILE))
    rows, columns = np.empty(TILE, dtype=np.int64), np.empty(TILE, dtype=np.int64)
    held, kept = np.empty(TILE), np.empty(TILE)
    places, maximin, minimax = entries.places, bounds.maximin, bounds.minimax
    four, row, column = mix.four, mix.row, mix.column
    for pair_number in range(len(pairs)):
        a, b = pairs[pair_number, 0], pairs[pair_number, 1]
        size = sizes[a, b]
        pair = Pair(sets[a], sets[b], lows[a, b], size)
        list_entries(pair, shifts, ranks, half.windows, entries)
        copy_half(pair, ranks, half, entries, cells)
        copy_whole(pair, ranks, Stored(layer.after, equity), 1.0, entries, mine.equity)
        copy_whole(pair, ranks, Stored(layer.after, draw), 0.0, entries, mine.draw)
        copy_turned(pair, ranks, Stored(layer.after, equity), 1.0, entries, theirs.equity)
        copy_turned(pair, ranks, Stored(layer.after, draw), 0.0, entries, theirs.draw)
        four[0], four[1], four[2], four[3] = 0, k - 1, 0, k - 1
        for first in range(0, size, TILE):
            count = min(TILE, size - first)
            _clear(total)
            _clear(their_total)
            for x in range(len(P)):
                place_entries(x, first, entries)
                find_bounds(cells, entries, bounds)
                _pure_moves(bounds, held, kept, rows, columns)
                _reply_to_pure(mine, places, columns[:count], k, 1, best)
                _reply_to_pure(theirs, places, rows[:count], 1, k, their_best)
                for t in range(count):
                    if minimax[t] - maximin[t] > SADDLE:
                        lower, upper, p, q = try_four(cells, places, t, k, four)
                        if upper - lower > SADDLE:
                            lower, upper, p, q = find_mix(cells, places, t, mix)
                        if are_only(cells, places, t, four, p, q):
                            _reply_to_two(mine, places, t, (k, 1), (four[2], four[3], q), best)
                            _reply_to_two(theirs, places, t, (1, k), (four[0], four[1], p), their_best)
                        else:
                            _prescribe(cells, places, t, p, mix)
                            _reply_to_mixed(mine, places, t, (k, 1), column, best)
                            _reply_to_mixed(theirs, places, t, (1, k), row, their_best)
                _add(P[x], best, total)
                _add(P[x], their_best, their_total)
            start, end = offsets[a, b] + first, offsets[b, a] + size - 1 - first
            for t in range(count):
                equity[end - t], draw[end - t] = their_total.equity[t], their_total.draw[t]
            for t in range(count):
                equity[start + t], draw[start + t] = total.equity[t], total.draw[t]


@compiled()
def _clear(chances: Chances) -> None:
    equity, draw = chances
    equity[:], draw[:] = 0.0, 0.0


@compiled()
def _add(p: float, chances: Chances, total: Chances) -> None:
    equity, draw = chances
    equity_sum, draw_sum = total
    for t in range(TILE):
        equity_sum[t] += p * equity[t]
        draw_sum[t] += p * draw[t]


@compiled()
def _pure_moves(bounds: Bounds, held: Floats, kept: Floats, rows: Ints, columns: Ints) -> None:
    """By lead the first row and column, as `mixed_move` takes them, that are best where there is a saddle point."""
    least, most, _, _ = bounds
    held[:], kept[:] = -1.0, 2.0
    for line in range(len(least)):
        for t in range(TILE):
            is_higher, is_lower = least[line, t] > held[t] + SADDLE, most[line, t] < kept[t] - SADDLE
            held[t] = least[line, t] if is_higher else held[t]
            rows[t] = line if is_higher else rows[t]
            kept[t] = most[line, t] if is_lower else kept[t]
            columns[t] = line if is_lower else columns[t]


@compiled()
def _reply_to_pure(source: Chances, places: Ints, lines: Ints, across: int, along: int, best: Chances) -> None:
    """By lead the best chances against move lines[t] of the other player; leads in a row with the same one at once.

    Entry (my move, other move) is number my move * across + other move * along.
    """
    values, drawn = source
    equity, draw = best
    k = across * along  # one of them is 1
    begin = 0
    while begin < len(lines):
        end = begin + 1
        while end < len(lines) and lines[end] == lines[begin]:
            end += 1
        for move in range(k):
            place = places[move * across + lines[begin] * along]
            value, chance = values[place + begin : place + end], drawn[place + begin : place + end]
            to, to_draw = equity[begin:end], draw[begin:end]
            if move == 0:
                for t in range(len(to)):
                    to[t], to_draw[t] = value[t], chance[t]
            else:
                for t in range(len(to)):
                    to_draw[t] = chance[t] if value[t] > to[t] else to_draw[t]
                    to[t] = value[t] if value[t] > to[t] else to[t]
        begin = end


@compiled()
def _reply_to_two(
    source: Chances,
    places: Ints,
    t: int,
    steps: tuple[int, int],
    mixed: tuple[int, int, float],
    best: Chances,
) -> None:
    """The best chances at a lead against two moves, the first of them with a share; ``steps`` are across and along."""
    values, drawn = source
    equity, draw = best
    across, along = steps
    one, other, share = mixed
    most, most_draw = -1.0, 0.0
    for move in range(across * along):
        place, beside = places[move * across + one * along] + t, places[move * across + other * along] + t
        value = share * values[place] + (1.0 - share) * values[beside]
        chance = share * drawn[place] + (1.0 - share) * drawn[beside]
        most_draw = chance if value > most else most_draw
        most = value if value > most else most
    equity[t], draw[t] = most, most_draw


@compiled()
def _reply_to_mixed(
    source: Chances, places: Ints, t: int, steps: tuple[int, int], shares: Floats, best: Chances
) -> None:
    """The same against any mixed move."""
    values, drawn = source
    equity, draw = best
    across, along = steps
    most, most_draw = -1.0, 0.0
    for move in range(len(shares)):
        value, chance = 0.0, 0.0
        for other in range(len(shares)):
            place = places[move * across + other * along] + t
            value += shares[other] * values[place]
            chance += shares[other] * drawn[place]
        most_draw = chance if value > most else most_draw
        most = value if value > most else most
    equity[t], draw[t] = most, most_draw


@compiled()
def _prescribe(cells: Floats, places: Ints, t: int, p: float, mix: Mix) -> None:
    """The mixed moves of both players: those of `mixed_move`, found again unless the present ones are the only ones.

    The present ones are in ``mix`` where p is below 0.
    """
    row, column, _, M, turned, _, _ = mix
    k = len(M)
    for r in range(k):
        for c in range(k):
            M[r, c] = cells[places[r * k + c] + t]
            turned[c, r] = 1.0 - M[r, c]
    if p >= 0.0 or not is_only(M, row, column):
        mixed_move(M, row)
        mixed_move(turned, column)
