"""The certificate of an equilibrium: bounds for what any response gains on its values.

It looks at the mixed moves that the table prescribes. With the stored values as entries, those of the second player
leave me at most u_x(e) for roll x. So whatever I do, from a pair of free sets I gain on the stored values at most

    G[A, B] = max_e (Σ_x P(x) u_x(e) - V[A, B][e]) + max_{i ∈ A, j ∈ B} G[A - i, B - j],    G[∅, ∅] = 0,

and no less than nothing, which is right of decided duels. The second player gains at most G[B, A] on me. So all stored
values are right to the largest G, for either player, and the moves give up no more. It takes one number per pair, and
the time of the equilibrium.

A pair of free sets and the same pair with the players exchanged have the same matrix games: at every lead and for every
roll the prescribed moves of both players are found at once. That of the second player leaves me at most u, that of the
first secures at least l; both are compared with the stored value of the lead.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tentimes18.arrays import Floats, Ints, Moves
from tentimes18.compiled import compiled
from tentimes18.duel.equilibrium import Equilibrium, pair_parts
from tentimes18.duel.lead_windows import DuelLayer, Outcome, Pair, Stored, check_duel_size
from tentimes18.duel.matrix_games import (
    LANES,
    MARGIN,
    SADDLE,
    TILE,
    Mix,
    copy_half,
    find_four,
    find_lines,
    find_open,
    is_only,
    less,
    list_entries,
    load_game,
    more,
    new_bounds,
    new_entries,
    new_mix,
    place_entries,
    solve_matrix,
    try_four,
)
from tentimes18.duel.play_out import best_reply_outcome
from tentimes18.solve.parallel import LayerPool, Progress


@dataclass(frozen=True, slots=True)
class Certificate:
    """What no response to the moves of an equilibrium exceeds: its gain from the start, and over any stored value.

    ``response`` has the chances of the response that is best by the stored values, from the start: what can be had.
    ``positions`` is the number of positions, each looked at from the side of both players.
    """

    response: Outcome
    start: float
    largest: float
    positions: int


def certify(table: Equilibrium, progress: Progress | None = None) -> Certificate:
    """Bounds for what any response gains over the value of every stored position."""
    windows, largest = table.windows, 0.0
    check_duel_size(table.game, values=0.5, power=2)
    gains = np.zeros((1, 1))
    with LayerPool(windows.cells - 1, progress) as pool:
        for k in range(1, table.game.size + 1):
            smaller, gains = gains, np.zeros((len(windows.sets[k]),) * 2)
            bound = partial(bound_gains, windows.moves, windows.layer(k), table.values, smaller, gains)
            pool.run(bound, pair_parts(windows, k), work=int(windows.sizes[k].sum()))
            largest = max(largest, float(gains.max()))
    return Certificate(best_reply_outcome(table), float(gains[0, 0]), largest, windows.cells - 1)


@compiled()
def bound_gains(moves: Moves, layer: DuelLayer, values: Floats, smaller: Floats, gains: Floats, pairs: Ints) -> None:
    """gains[a, b]: the most that any response gains on the stored values from pairs (a, b), a <= b, and from (b, a).

    ``smaller`` has the same of the pairs with a slot less.
    """
    P, shifts = moves
    k, ranks, sets = layer.k, layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    entries, mix = new_entries(k, len(P), layer.after), new_mix(k)
    width, _, _, moved, starts, ends, places, lost, won = entries
    rows, columns, maximin, minimax = new_bounds(k)
    _, _, four, M, turned, _, _ = mix
    cells = np.empty(k * k * width)
    least, most = np.empty(TILE + LANES), np.empty(TILE + LANES)
    lower_total, upper_total = np.empty(TILE + LANES), np.empty(TILE + LANES)
    fours = np.empty((len(P), 4), dtype=np.int64)
    half = Stored(layer.after, values)
    for pair_number in range(len(pairs)):
        a, b = pairs[pair_number, 0], pairs[pair_number, 1]
        size = sizes[a, b]
        pair = Pair(sets[a], sets[b], lows[a, b], size)
        stored = values[offsets[a, b] : offsets[a, b] + size]
        list_entries(pair, shifts, ranks, layer.after, entries)
        copy_half(pair, ranks, half, entries, cells)
        fours[:, 0], fours[:, 1], fours[:, 2], fours[:, 3] = 0, k - 1, 0, k - 1
        mine, theirs = 0.0, 0.0
        for first in range(0, size, TILE):
            count = min(TILE, size - first)
            lower_total[:], upper_total[:] = 0.0, 0.0
            for x in range(len(P)):
                begin, leads = find_open(first, count, lost[x], won[x])
                p_x = P[x]
                for t in range(begin + leads, count):
                    lower_total[t] += p_x
                    upper_total[t] += p_x
                if leads == 0:
                    continue
                place_entries(first + begin, moved[x], starts, ends, width, places)
                find_lines(cells, places, k, leads, rows, columns)
                _hold_rows(rows, k, leads, maximin, least)
                _hold_columns(columns, k, leads, minimax, most)
                four[:] = fours[x]
                for t in range(min(leads, count - begin)):
                    if minimax[t] - maximin[t] > SADDLE:
                        lower, upper, _, _, is_sure = try_four(cells, places, t, k, four)
                        if upper - lower > SADDLE:
                            lower, upper, _, _, is_sure = find_four(cells, places, t, four, M, turned)
                        if upper - lower > SADDLE or not is_sure:
                            lower, upper = _prescribed(cells, places, t, mix)
                        least[t], most[t] = lower, upper
                fours[x] = four
                at = np.uint64(begin)
                for t in range(np.uint64(leads)):
                    lower_total[at + t] += p_x * least[t]
                    upper_total[at + t] += p_x * most[t]
            for t in range(count):
                value = stored[first + t]
                mine, theirs = max(mine, upper_total[t] - value), max(theirs, value - lower_total[t])
                if not (value > -MARGIN and value < 1.0 + MARGIN):  # no chance, perhaps not even a number
                    mine, theirs = 1.0, 1.0
        after_mine, after_theirs = 0.0, 0.0
        for i in entries.mine:
            for j in entries.theirs:
                after = ranks[pair.A ^ (1 << i)], ranks[pair.B ^ (1 << j)]
                after_mine = max(after_mine, smaller[after])
                after_theirs = max(after_theirs, smaller[after[1], after[0]])
        gains[a, b] = mine + after_mine
        gains[b, a] = theirs + after_theirs if a != b else max(mine + after_mine, theirs + after_theirs)


@compiled()
def _hold_rows(rows: Floats, k: int, count: int, maximin: Floats, least: Floats) -> None:
    """By lead max min, and the least entry of the row that is prescribed: the first that has it but for rounding."""
    last, leads = k - 1, np.uint64(count)
    e, f, g = np.uint64(min(1, last) * TILE), np.uint64(min(2, last) * TILE), np.uint64(min(3, last) * TILE)
    h = np.uint64(min(4, last) * TILE)
    for t in range(leads):
        one, two, three, four, five = rows[t], rows[e + t], rows[f + t], rows[g + t], rows[h + t]
        maximin[t] = more(more(more(one, two), more(three, four)), five)
        least[t] = _better(_better(_better(_better(one, two), three), four), five)
    for row in range(5, k):
        e = np.uint64(row * TILE)
        for t in range(leads):
            maximin[t], least[t] = more(maximin[t], rows[e + t]), _better(least[t], rows[e + t])


@compiled()
def _hold_columns(columns: Floats, k: int, count: int, minimax: Floats, most: Floats) -> None:
    """The same for the other player: min max, and the largest entry of the column that is prescribed."""
    last, leads = k - 1, np.uint64(count)
    e, f, g = np.uint64(min(1, last) * TILE), np.uint64(min(2, last) * TILE), np.uint64(min(3, last) * TILE)
    h = np.uint64(min(4, last) * TILE)
    for t in range(leads):
        one, two, three, four, five = columns[t], columns[e + t], columns[f + t], columns[g + t], columns[h + t]
        minimax[t] = less(less(less(one, two), less(three, four)), five)
        most[t] = -_better(_better(_better(_better(-one, -two), -three), -four), -five)
    for column in range(5, k):
        e = np.uint64(column * TILE)
        for t in range(leads):
            minimax[t], most[t] = less(minimax[t], columns[e + t]), -_better(-most[t], -columns[e + t])


@compiled()
def _better(held: float, value: float) -> float:
    """Of two lines the second where it is better, and not by rounding alone: as `mixed_move` chooses."""
    return value if value > held + SADDLE else held


@compiled()
def _prescribed(cells: Floats, places: Ints, t: int, mix: Mix) -> tuple[float, float]:
    """What the mixed moves guarantee that `mixed_move` has for either player in a game without a saddle point.

    The simplex method gives both; the second player's are found from that side unless no others are as good.
    """
    row, column, _, M, turned, tableau, labels = mix
    load_game(cells, places, t, M, turned)
    lower, upper = solve_matrix(M, tableau, labels, row, column)
    if not is_only(tableau):
        for r in range(len(M)):
            for c in range(len(M)):
                turned[c, r] = 1.0 - M[r, c]
        secured, _ = solve_matrix(turned, tableau, labels, column, row)
        upper = 1.0 - secured
    return lower, upper
