"""Matrix games without a saddle point where two moves a side are enough: nine of ten in a duel.

With rows r, s and columns c, d the game of these four entries is solved by

    p = (M[s, d] - M[s, c]) / D,   q = (M[s, d] - M[r, d]) / D,   D = M[r, c] - M[r, d] - M[s, c] + M[s, d],

p being the share of row r and q that of column c. Against all columns, and all rows, they guarantee a lower and an
upper bound of the value, and these four are believed only where the bounds meet. The games of leads next to each other
mostly have the same four. Else two rows against all columns give the two columns that hold them, these against all rows
two rows, and so on.
"""

from typing import NamedTuple, SupportsIndex

import numpy as np

from tentimes18.kernels.matrix import MARGIN, SADDLE
from tentimes18.kernels.types import Floats, Ints
from tentimes18.storage.compiled import compiled

__all__ = ["Mix", "find_four", "load_game", "new_mix", "try_four"]

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
    """Room for games of k moves a side."""
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
    """The first of the least entries of a row."""
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
