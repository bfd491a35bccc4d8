"""Small matrix games: mixed moves, and the bounds of the value that they guarantee; for a duel, in tiles of leads.

In nine of ten games of a duel without a saddle point two moves per player are enough. With rows r, s and columns c, d
the game of these four entries is solved by

    p = (M[s, d] - M[s, c]) / D,   q = (M[s, d] - M[r, d]) / D,   D = M[r, c] - M[r, d] - M[s, c] + M[s, d],

p being the share of row r and q that of column c. Against all columns, and all rows, they guarantee a lower and an
upper bound of the value, and these four are believed only where the bounds meet. The games of leads next to each other
mostly have the same four. Else two rows against all columns give the two columns that hold them, these against all rows
two rows, and so on. The other games are solved by the simplex method.

The matrix games of a pair of free sets are solved for a tile of leads and one roll after another. A move of both
players leads to a smaller pair, whose window is copied once: with TILE zeros before it and TILE ones after it, so that
whatever a roll makes of a lead, the entries of TILE consecutive leads are contiguous in the copy. Leads are the
innermost loop, which a processor does several at a time.

Entry (r, c) of the games, r and c counting the free slots of either player, is number r k + c.
"""

from typing import NamedTuple, SupportsIndex

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.compiled import compiled
from tentimes18.duel.lead_windows import Windows, list_slots

SADDLE = 1e-13  # where max min and min max are closer than that, the move is pure
CLOSE = 1e-12  # bounds that are wider are computed again, more carefully
MARGIN = 1e-9  # of shares, and of what another move must lose, where no other moves are as good
STEEP_STEPS = 50


@compiled(error_model="numpy")
def _simplex(
    M: Floats, patience: int, tableau: Floats, labels: Ints, row: Floats, column: Floats
) -> tuple[float, float]:
    """Bounds for the value of a matrix game with entries in [0, 1], from mixed moves of both players.

    The simplex method for: maximise Σ y subject to (M + 1) y <= 1, y >= 0. ``row`` and ``column`` get the mixed moves;
    the bounds are what these guarantee, so they hold whatever rounding did on the way. The tableau has only the columns
    outside of the basis; the first m labels name the variables of the basis, the others those of the columns.
    """
    m = len(M)
    least_entry = M.min()
    scale = M.max() - least_entry
    for r in range(m):
        for c in range(m):
            tableau[r, c] = (M[r, c] - least_entry) / scale + 1.0
        tableau[r, m], tableau[m, r] = 1.0, -1.0
        labels[r], labels[m + r] = m + r, r
    tableau[m, m] = 0.0
    for step in range(200):
        # The steepest column; after many steps the first one, which never cycles (Bland's rule).
        enter = -1
        steepest = -1e-13
        for c in range(m):
            is_first = enter < 0 or labels[m + c] < labels[m + enter]
            if tableau[m, c] < steepest or (tableau[m, c] == steepest and is_first and enter >= 0):
                if step < patience:
                    enter, steepest = c, tableau[m, c]
                elif is_first:
                    enter = c
        if enter < 0:
            break
        leave = -1
        least = np.inf
        for r in range(m):
            if tableau[r, enter] > 1e-11:
                ratio = tableau[r, m] / tableau[r, enter]
                if leave < 0 or ratio < least or (ratio == least and labels[r] < labels[leave]):
                    least = ratio
                    leave = r
        if leave < 0:
            break
        pivot, tableau[leave, enter] = tableau[leave, enter], 1.0
        for c in range(m + 1):
            tableau[leave, c] /= pivot
        for r in range(m + 1):
            if r != leave:
                factor, tableau[r, enter] = tableau[r, enter], 0.0
                for c in range(m + 1):
                    tableau[r, c] -= factor * tableau[leave, c]
        labels[leave], labels[m + enter] = labels[m + enter], labels[leave]
    row[:], column[:] = 0.0, 0.0
    for r in range(m):
        if labels[r] < m:
            column[labels[r]] = max(0.0, tableau[r, m])
        if labels[m + r] >= m:
            row[labels[m + r] - m] = max(0.0, tableau[m, r])
    row_sum, column_sum = row.sum(), column.sum()
    for r in range(m):
        row[r], column[r] = row[r] / row_sum, column[r] / column_sum
    lower, upper = np.inf, -np.inf
    for c in range(m):
        mine, theirs = 0.0, 0.0
        for r in range(m):
            mine += row[r] * M[r, c]
            theirs += column[r] * M[c, r]
        lower = min(lower, mine)
        upper = max(upper, theirs)
    return lower, upper


@compiled()
def solve_matrix(M: Floats, tableau: Floats, labels: Ints, row: Floats, column: Floats) -> tuple[float, float]:
    """Bounds for the value of a matrix game without a saddle point, and mixed moves that guarantee them."""
    lower, upper = 0.0, 1.0
    for patience in range(STEEP_STEPS, -1, -STEEP_STEPS):  # with plain numbers it would be compiled for each of them
        if not upper - lower < CLOSE:
            lower, upper = _simplex(M, patience, tableau, labels, row, column)
    return lower, upper


@compiled()
def is_only(tableau: Floats) -> bool:
    """Whether the moves that `solve_matrix` found are the only best ones, by its last tableau.

    They are where nothing in its last line and column is 0: every share, and what every other move is worse by. Both
    in units of the game's largest difference, and by a margin, so that rounding does not matter.
    """
    m = len(tableau) - 1
    least = 1.0
    for line in range(m):
        least = min(least, min(tableau[line, m], tableau[m, line]))
    return least > MARGIN


@compiled()
def mixed_move(M: Floats, row: Floats) -> float:
    """The value of a matrix game for the player of the rows, whose move goes into ``row``: pure where that is best.

    Of pure moves that are equal up to rounding it is the first, so that it is the same on every machine.
    """
    m = len(M)
    maximin, minimax = -1.0, 2.0
    chosen, held = 0, -1.0
    for r in range(m):
        least, most = M[r, 0], M[0, r]
        for c in range(1, m):
            least, most = min(least, M[r, c]), max(most, M[c, r])
        if least > held + SADDLE:
            chosen, held = r, least
        maximin, minimax = max(maximin, least), min(minimax, most)
    row[:] = 0.0
    if minimax - maximin <= SADDLE:
        row[chosen] = 1.0
        return held
    tableau = np.empty((m + 1, m + 1))
    lower, upper = solve_matrix(M, tableau, np.empty(2 * m, dtype=np.int64), row, np.empty(m))
    return (lower + upper) / 2


TURNS = 2  # of two rows and two columns, before the simplex method


class Mix(NamedTuple):
    """Both players' mixed moves in a game; or four moves that were enough in the last one, two rows and two columns.

    The rest is room: for the game, for the same from the other player's side, and for the simplex method.
    """

    row: Floats
    column: Floats
    four: Ints
    M: Floats
    turned: Floats
    tableau: Floats
    labels: Ints


@compiled()
def new_mix(k: int) -> Mix:
    four = np.zeros(4, dtype=np.int64)
    M, turned = np.empty((k, k)), np.empty((k, k))
    return Mix(np.empty(k), np.empty(k), four, M, turned, np.empty((k + 1, k + 1)), np.empty(2 * k, dtype=np.int64))


@compiled()
def _entry(cells: Floats, places: Ints, number: SupportsIndex, t: np.uint64) -> float:
    """An entry of the game at a lead: its number and the lead without a sign, so that none is counted from the end."""
    value: float = cells[np.uint64(places[number]) + t]
    return value


@compiled(error_model="numpy")
def try_four(cells: Floats, places: Ints, t: int, k: int, four: Ints) -> tuple[float, float, float, float, bool]:
    """The bounds that rows four[:2] and columns four[2:] guarantee, and the shares of the first row and column.

    Bounds that do not meet where one move is better than the other whatever is done against it. And, for bounds that
    meet, whether these mixed moves are the only best ones: each has a share, and every other one is worse, by a margin.
    """
    size, lead = np.uint64(k), np.uint64(t)
    r, s, c, d = np.uint64(four[0]), np.uint64(four[1]), np.uint64(four[2]), np.uint64(four[3])
    row, beside = r * size, s * size
    rc, rd = _entry(cells, places, row + c, lead), _entry(cells, places, row + d, lead)
    sc, sd = _entry(cells, places, beside + c, lead), _entry(cells, places, beside + d, lead)
    D = (rc - rd) + (sd - sc)
    p, q = (sd - sc) / D, (sd - rd) / D
    if not (p >= 0.0 and p <= 1.0 and q >= 0.0 and q <= 1.0):
        return 0.0, 1.0, p, q, False
    low, high = p * rc + (1.0 - p) * sc, q * rc + (1.0 - q) * rd
    lower, upper = 2.0, -1.0  # what the other moves make of it
    for other in range(size):
        across = other * size
        mine = p * _entry(cells, places, row + other, lead) + (1.0 - p) * _entry(cells, places, beside + other, lead)
        theirs = q * _entry(cells, places, across + c, lead) + (1.0 - q) * _entry(cells, places, across + d, lead)
        lower = mine if (mine < lower) & (other != c) & (other != d) else lower
        upper = theirs if (theirs > upper) & (other != r) & (other != s) else upper
    is_sure = (lower > low + MARGIN) & (upper < low - MARGIN)
    is_sure &= min(min(p, 1.0 - p), min(q, 1.0 - q)) > MARGIN
    lower = min(lower, min(low, p * rd + (1.0 - p) * sd))
    upper = max(upper, max(high, q * sc + (1.0 - q) * sd))
    return lower, upper, p, q, is_sure


@compiled(error_model="numpy")
def _hold(M: Floats, r: int, s: int) -> tuple[int, int]:
    """The two columns that hold the best mix of rows r and s down.

    The mix with share p of row r is worth min_c (M[s, c] + p (M[r, c] - M[s, c])): the peak of a roof, climbed from the
    lines that are lowest at either end.
    """
    k = len(M)
    rising, falling = 0, 0
    for c in range(1, k):
        rising = c if M[s, c] < M[s, rising] else rising
        falling = c if M[r, c] < M[r, falling] else falling
    for _ in range(k):
        slope, drop = M[r, rising] - M[s, rising], M[s, falling] - M[r, falling]
        if slope <= 0.0 or drop <= 0.0:
            break
        p = (M[s, falling] - M[s, rising]) / (slope + drop)
        lowest, least = rising, M[s, rising] + p * slope
        for c in range(k):
            height = M[s, c] + p * (M[r, c] - M[s, c])
            lowest, least = (c, height) if height < least else (lowest, least)
        if lowest in (rising, falling):
            break
        if M[r, lowest] > M[s, lowest]:
            rising = lowest
        else:
            falling = lowest
    return rising, falling


@compiled()
def _lowest(M: Floats, r: int) -> int:
    found = 0
    for c in range(1, len(M)):
        found = c if M[r, c] < M[r, found] else found
    return found


@compiled()
def load_game(cells: Floats, places: Ints, t: int, M: Floats, turned: Floats) -> None:
    """The game at a lead; and the same from the other player's side, its sign changed."""
    size, lead = np.uint64(len(M)), np.uint64(t)
    for i in range(size):
        for j in range(size):
            M[i, j] = _entry(cells, places, i * size + j, lead)
            turned[j, i] = -M[i, j]


@compiled()
def find_four(
    cells: Floats, places: Ints, t: int, four: Ints, M: Floats, turned: Floats
) -> tuple[float, float, float, float, bool]:
    """The same as `try_four` where the last four do not meet: with another four, as good as one is found.

    The game is then in M, and from the other player's side, its sign changed, in ``turned``.
    """
    k = len(M)
    load_game(cells, places, t, M, turned)
    lower, upper, p, q, is_sure = 0.0, 1.0, 0.0, 0.0, False
    for _ in range(TURNS):
        # Where one line holds both, the other is the best reply to the best reply to it.
        c, d = _hold(M, four[0], four[1])
        if c == d:
            d = _lowest(M, _lowest(turned, c))
        r, s = _hold(turned, c, d)
        if r == s:
            s = _lowest(turned, _lowest(M, r))
        four[0], four[1], four[2], four[3] = r, s, c, d
        lower, upper, p, q, is_sure = try_four(cells, places, t, k, four)
        if upper - lower <= SADDLE:
            break
    return lower, upper, p, q, is_sure


TILE = 64  # leads: the entries of six slots a side fit into the fastest memory
LAST = 1 << 60  # beyond all leads
LANES = 8  # leads that a processor does at once: leads are done up to a whole number of these


class Games(NamedTuple):
    """The matrix games of a pair of free sets, and the bounds of those of a tile.

    ``mine`` and ``theirs`` are the free slots, and moved[x] what roll x makes of a lead. The entries are in ``cells``,
    in consecutive copies of ``width`` numbers each. ``starts`` are the places of the pair's first lead before a roll,
    ``ends`` the last ones where a tile can begin, and ``places`` those where the present tile begins for the present
    roll. By roll, leads before ``lost`` are lost and those from ``won`` on are won, with a single move against all of
    the other player's, counted from the pair's first lead.

    ``rows`` and ``columns`` are, by lead of a tile, the least of each row and the most of each column, those of each
    line after those of the line before; ``maximin`` and ``minimax`` are max min and min max.
    """

    width: int
    cells: Floats
    mine: Ints
    theirs: Ints
    moved: Ints
    starts: Ints
    ends: Ints
    places: Ints
    lost: Ints
    won: Ints
    rows: Floats
    columns: Floats
    maximin: Floats
    minimax: Floats


@compiled()
def new_games(k: int, rolls: int, after: Windows) -> Games:
    """Room for the games of pairs with k free slots; a copy has the width of the widest window after a move."""
    width = after.sizes.max() + 2 * TILE
    cells, moved = np.zeros(k * k * width), np.empty((rolls, k * k), dtype=np.int64)
    mine, theirs = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    starts, ends, places = np.empty(k * k, dtype=np.int64), np.empty(k * k, dtype=np.int64), np.zeros(k * k, np.int64)
    lost, won = np.empty(rolls, dtype=np.int64), np.empty(rolls, dtype=np.int64)
    rows, columns, maximin, minimax = np.empty(k * TILE), np.empty(k * TILE), np.empty(TILE), np.empty(TILE)
    return Games(width, cells, mine, theirs, moved, starts, ends, places, lost, won, rows, columns, maximin, minimax)


@compiled()
def load_pair(
    A: int, B: int, low: int, shifts: Ints, ranks: Ints, after: Windows, values: Floats, half: bool, games: Games
) -> None:
    """The games of a pair of free sets whose first lead is ``low``, with the values after each pair of moves.

    With ``half``, of (a, b) and (b, a), windows that mirror each other, only the one with a <= b is stored.
    """
    width, cells, mine, theirs, moved, starts, ends, _, lost, won, _, _, _, _ = games
    offsets, lows, sizes = after
    list_slots(A, mine)
    list_slots(B, theirs)
    k = len(mine)
    q = 0
    for i in mine:
        a = ranks[A ^ (1 << i)]
        for j in theirs:
            b = ranks[B ^ (1 << j)]
            copy = cells[q * width : (q + 1) * width]
            if a <= b or not half:
                size, first = sizes[a, b], lows[a, b]
                source, target = values[offsets[a, b] : offsets[a, b] + size], copy[TILE : TILE + size]
                for t in range(size):
                    target[t] = source[t]
            else:
                size = sizes[b, a]
                first = 1 - lows[b, a] - size
                source, target = values[offsets[b, a] : offsets[b, a] + size], copy[TILE : TILE + size]
                for t in range(size):
                    target[t] = 1.0 - source[size - 1 - t]
            copy[TILE + size : 2 * TILE + size] = 1.0
            starts[q] = q * width + TILE + low - first
            ends[q] = q * width + TILE + size
            for x in range(len(moved)):
                moved[x, q] = shifts[i, x] - shifts[j, x]
            q += 1
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


@compiled(inline="always")
def _better(one: float, other: float, sign: float) -> float:
    """The smaller one, or with sign -1 the larger one; without a check for NaN: one instruction for several leads."""
    return one if (one < other if sign > 0.0 else one > other) else other


@compiled(inline="always")
def _take_best(values: Floats, places: Ints, count: int, sign: float, best: Floats) -> None:
    """best[t] = min over the places of values[place + t], or max with sign -1.

    Five places at once, then two, the last one again where needed.
    """
    last, leads = len(places) - 1, np.uint64(count)
    e, f, g = np.uint64(places[0]), np.uint64(places[min(1, last)]), np.uint64(places[min(2, last)])
    h, i = np.uint64(places[min(3, last)]), np.uint64(places[min(4, last)])
    for t in range(leads):
        two = _better(values[e + t], values[f + t], sign)
        four = _better(two, _better(values[g + t], values[h + t], sign), sign)
        best[t] = _better(four, values[i + t], sign)
    for c in range(5, last + 1, 2):
        e, f = np.uint64(places[c]), np.uint64(places[min(c + 1, last)])
        for t in range(leads):
            best[t] = _better(best[t], _better(values[e + t], values[f + t], sign), sign)


@compiled()
def take_least(values: Floats, places: Ints, count: int, least: Floats) -> None:
    _take_best(values, places, count, 1.0, least)


@compiled()
def take_most(values: Floats, places: Ints, count: int, most: Floats) -> None:
    _take_best(values, places, count, -1.0, most)


@compiled()
def place_tile(
    first: int, count: int, lost: int, won: int, moved: Ints, starts: Ints, ends: Ints, width: int, places: Ints
) -> tuple[int, int]:
    """Where a tile of leads begins for a roll that moves leads by ``moved``: low + first, low + first + 1, ...

    Returns the first of these leads that is open, and how many are done from there.
    """
    begin = min(max(lost - first, 0), count)
    for q in range(len(places)):
        places[q] = min(max(starts[q] + first + begin + moved[q], q * width), ends[q])
    return begin, (max(min(won - first, count) - begin, 0) + LANES - 1) // LANES * LANES


@compiled()
def find_bounds(
    cells: Floats, places: Ints, k: int, count: int, rows: Floats, columns: Floats, maximin: Floats, minimax: Floats
) -> None:
    """By lead the least of each row and the most of each column, and max min and min max.

    Without room for the columns, there are only rows.
    """
    lines = TILE * np.arange(k)
    for line in range(k):
        take_least(cells, places[line * k : (line + 1) * k], count, rows[lines[line] : lines[line] + TILE])
    take_most(rows, lines, count, maximin)
    if len(columns):
        for line in range(k):
            take_most(cells, places[line::k], count, columns[lines[line] : lines[line] + TILE])
        take_least(columns, lines, count, minimax)
