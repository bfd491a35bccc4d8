"""Tables played: the games of one who plays a duel with another at the table, and who is first in a game."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tentimes18.kernels.duel_play import choose_equilibrium, choose_response
from tentimes18.kernels.types import BY_EQUILIBRIUM, DuelPlayers, Floats, Ints, Standing
from tentimes18.storage.compiled import compiled

__all__ = ["add_ranks", "count_first", "play_beside"]

Rolls = NDArray[np.uint8] | NDArray[np.uint16]
Scores = NDArray[np.int32]


@compiled()
def play_beside(
    players: DuelPlayers, shifts: Ints, chosen: NDArray[np.uint16], rolls: Rolls, chances: Floats, scores: Scores
) -> None:
    """The score indices of a player of a duel, whose rival takes the slots chosen[round, game] whatever happens."""
    kinds, _, hunter, equilibrium = players
    rounds, games = rolls.shape
    full = (1 << rounds) - 1
    for g in range(games):
        A, B, e = full, full, 0
        scores[g] = 0
        for r in range(rounds):
            x: Any = np.int64(rolls[r, g])  # as in `duel_play.play_duel`
            j = np.int64(chosen[r, g])
            at = Standing(A, B, rounds - r, e)
            if kinds[0] == BY_EQUILIBRIUM:
                i = choose_equilibrium(equilibrium, shifts, at, x, chances[r, g])
            else:
                i = choose_response(hunter, shifts, at, x)
            scores[g] += shifts[i, x]
            e += shifts[i, x] - shifts[j, x]
            A ^= 1 << i
            B ^= 1 << j


@compiled(inline="always")
def _first(scores: Scores, rows: Ints, g: int) -> int:
    """Who is first in game g, as a mask; rows[p] is the row of seat p, or -1 where nobody sits."""
    best, mask = np.int64(-(1 << 60)), 0
    for p in range(len(rows)):
        if rows[p] >= 0:
            score = np.int64(scores[rows[p], g])
            if score > best:
                best, mask = score, 1 << p
            elif score == best:
                mask |= 1 << p
    return mask


@compiled()
def count_first(scores: Scores, tables: Ints, counts: Ints) -> None:
    """counts[j, W, V]: in how many games W are first at the whole table, and V where seat j is not there.

    tables[0, p] is the row of scores of seat p at the whole table, tables[1 + j, p] that at the table without seat j.
    """
    m = tables.shape[1]
    alike = np.empty(m, dtype=np.bool_)  # whether all others play as they do at the whole table
    for j in range(m):
        alike[j] = True
        for p in range(m):
            alike[j] &= p == j or tables[1 + j, p] == tables[0, p]
    for g in range(scores.shape[1]):
        whole = _first(scores, tables[0], g)
        for j in range(m):
            rest = whole & ~(1 << j)
            if not alike[j] or rest == 0:
                rest = _first(scores, tables[1 + j], g)
            counts[j, whole, rest] += 1


@compiled()
def add_ranks(scores: Scores, rows: Ints, sums: Ints, squares: Ints) -> None:
    """Add up twice the rank of each seat, from 0, equal scores sharing theirs; and its square."""
    games = scores.shape[1]
    ranks = np.empty(games, dtype=np.int32)
    for p in range(len(rows)):
        mine = scores[rows[p]]
        ranks[:] = -1
        for q in range(len(rows)):
            theirs = scores[rows[q]]
            for g in range(games):
                ranks[g] += (theirs[g] > mine[g]) + (theirs[g] >= mine[g])
        total, square = np.int64(0), np.int64(0)
        for g in range(games):
            total += ranks[g]
            square += np.int64(ranks[g]) * np.int64(ranks[g])
        sums[p] += total
        squares[p] += square
