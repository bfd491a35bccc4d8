"""Small matrix games: mixed moves by the simplex method, with bounds that they guarantee."""

import numpy as np

from tentimes18.kernels.types import Floats, Ints
from tentimes18.storage.compiled import compiled

__all__ = ["MARGIN", "SADDLE", "is_only", "matrix_values", "mixed_move", "solve_matrix"]

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
    least_entry, most_entry = M[0, 0], M[0, 0]
    for r in range(m):
        for c in range(m):
            least_entry, most_entry = min(least_entry, M[r, c]), max(most_entry, M[r, c])
    scale = most_entry - least_entry
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
    row_sum, column_sum = 0.0, 0.0
    for r in range(m):
        if labels[r] < m:
            column[labels[r]] = max(0.0, tableau[r, m])
        if labels[m + r] >= m:
            row[labels[m + r] - m] = max(0.0, tableau[m, r])
    for r in range(m):
        row_sum, column_sum = row_sum + row[r], column_sum + column[r]
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
    in units of the game's largest difference, and by a margin, so that rounding is nothing.
    """
    m = len(tableau) - 1
    least = 1.0
    for line in range(m):
        least = min(least, min(tableau[line, m], tableau[m, line]))
    return least > MARGIN


@compiled()
def mixed_move(M: Floats, row: Floats) -> float:
    """The value of a matrix game for the player of the rows, whose move goes into ``row``: pure where that is best.

    Of pure moves that are equally good but for rounding it is the first, so that it is the same on every machine.
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


@compiled()
def matrix_values(games: Floats, values: Floats) -> None:
    """The values of matrix games [game, row, column] of one size."""
    row = np.empty(games.shape[1])
    for which in range(len(games)):
        values[which] = mixed_move(games[which], row)
