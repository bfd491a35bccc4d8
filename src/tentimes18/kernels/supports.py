"""Matrix games without a saddle point where two moves a side are enough: nine of ten in a duel.

With rows r, s and columns c, d the game of these four entries is solved by

    p = (M[s, d] - M[s, c]) / D,   q = (M[s, d] - M[r, d]) / D,   D = M[r, c] - M[r, d] - M[s, c] + M[s, d],

p being the share of row r and q that of column c. Against all columns, and all rows, they guarantee a lower and an
upper bound of the value, and these four are believed only where the bounds meet. The games of leads next to each other
mostly have the same four. Else two rows against all columns give the two columns that hold them, these against all rows
two rows, and so on.
"""

from typing import NamedTuple

import numpy as np

from tentimes18.kernels.matrix import SADDLE
from tentimes18.kernels.types import Floats, Ints
from tentimes18.storage.compiled import compiled

__all__ = ["Mix", "are_only", "find_four", "is_only", "new_mix", "try_four"]

TURNS = 2  # of two rows and two columns, before the simplex method
LEAST_SHARE = 1e-9  # of a move, and what another must lose: with less, other mixed moves may be as good


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


@compiled(error_model="numpy")
def try_four(cells: Floats, places: Ints, t: int, k: int, four: Ints) -> tuple[float, float, float, float]:
    """The bounds that rows four[:2] and columns four[2:] guarantee, and the shares of the first row and column.

    Bounds that do not meet where one move is better than the other whatever is done against it.
    """
    r, s, c, d = four[0], four[1], four[2], four[3]
    rc, rd = cells[places[r * k + c] + t], cells[places[r * k + d] + t]
    sc, sd = cells[places[s * k + c] + t], cells[places[s * k + d] + t]
    D = (rc - rd) + (sd - sc)
    p, q = (sd - sc) / D, (sd - rd) / D
    lower, upper = 2.0, -1.0
    if p >= 0.0 and p <= 1.0 and q >= 0.0 and q <= 1.0:
        for other in range(k):
            mine = p * cells[places[r * k + other] + t] + (1.0 - p) * cells[places[s * k + other] + t]
            theirs = q * cells[places[other * k + c] + t] + (1.0 - q) * cells[places[other * k + d] + t]
            lower, upper = min(lower, mine), max(upper, theirs)
    else:
        lower, upper = 0.0, 1.0
    return lower, upper, p, q


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
def find_four(
    cells: Floats, places: Ints, t: int, four: Ints, M: Floats, turned: Floats
) -> tuple[float, float, float, float]:
    """The same as `try_four` where the last four do not meet: with another four, as good as one is found.

    The game is then in M, and from the other player's side, its sign changed, in ``turned``.
    """
    k = len(M)
    for r in range(k):
        for c in range(k):
            M[r, c] = cells[places[r * k + c] + t]
            turned[c, r] = -M[r, c]
    lower, upper, p, q = 0.0, 1.0, 0.0, 0.0
    for _ in range(TURNS):
        # Where one line holds both, the other is the best reply to the best reply to it.
        c, d = _hold(M, four[0], four[1])
        if c == d:
            d = _lowest(M, _lowest(turned, c))
        r, s = _hold(turned, c, d)
        if r == s:
            s = _lowest(turned, _lowest(M, r))
        four[0], four[1], four[2], four[3] = r, s, c, d
        lower, upper, p, q = try_four(cells, places, t, k, four)
        if upper - lower <= SADDLE:
            break
    return lower, upper, p, q


@compiled()
def are_only(cells: Floats, places: Ints, t: int, k: int, four: Ints, p: float, q: float) -> bool:
    """Whether the mixed moves of four, whose bounds meet, are the only best ones: as in `is_only`."""
    r, s, c, d = four[0], four[1], four[2], four[3]
    value = p * cells[places[r * k + c] + t] + (1.0 - p) * cells[places[s * k + c] + t]
    is_sure = min(min(p, 1.0 - p), min(q, 1.0 - q)) > LEAST_SHARE
    for other in range(k):
        mine = p * cells[places[r * k + other] + t] + (1.0 - p) * cells[places[s * k + other] + t]
        theirs = q * cells[places[other * k + c] + t] + (1.0 - q) * cells[places[other * k + d] + t]
        is_sure &= other in (c, d) or mine > value + LEAST_SHARE
        is_sure &= other in (r, s) or theirs < value - LEAST_SHARE
    return is_sure


@compiled()
def is_only(M: Floats, row: Floats, column: Floats) -> bool:
    """Whether no other mixed moves than these, which are best, are as good: by a margin, so that rounding is nothing.

    As many moves a side, each with a share, and every other one worse.
    """
    k = len(M)
    value = 0.0
    for r in range(k):
        for c in range(k):
            value += row[r] * M[r, c] * column[c]
    rows, columns = 0, 0
    is_sure = True
    for line in range(k):
        mine, theirs = 0.0, 0.0
        for other in range(k):
            mine += M[line, other] * column[other]
            theirs += M[other, line] * row[other]
        rows, columns = rows + (row[line] > 0.0), columns + (column[line] > 0.0)
        is_sure &= row[line] > LEAST_SHARE if row[line] > 0.0 else mine < value - LEAST_SHARE
        is_sure &= column[line] > LEAST_SHARE if column[line] > 0.0 else theirs > value + LEAST_SHARE
    return is_sure and rows == columns
