"""The best response at a table at play: the slot that it takes, where that leads, and what becomes of many games."""

import numpy as np
from numpy.typing import NDArray

from tentimes18.kernels.table import add_chance
from tentimes18.kernels.types import Floats, Ints, Moves, TablePositions, TableTurn
from tentimes18.kernels.windows import EQUAL
from tentimes18.storage.compiled import compiled

__all__ = ["choose_at_table", "follow_turn", "play_turn"]


@compiled(inline="always")
def choose_at_table(turn: TableTurn, shifts: Ints, q: int, A: int, e: int, x: int) -> tuple[int, int, int]:
    """The first slot in order[A, x] with the best share, from 0; the rank of the set it leaves, the place in a window.

    Below a window nothing is left to win, above it everything is won.
    """
    there, step = turn.nexts[q, x], turn.steps[q, x]
    best, chosen, rank, place = -1.0, 0, 0, 0
    for i in turn.order[A, x]:
        if i < 0:
            break
        b = turn.ranks[A ^ (1 << i)]
        t = e + shifts[i, x] - step - turn.after.lows[there, b]
        value = 0.0
        if t >= turn.after.sizes[there, b]:
            value = 1.0
        elif t >= 0:
            value = turn.smaller[turn.after.offsets[there, b] + t]
        if value > best + EQUAL:
            best, chosen, rank, place = value, int(np.int64(i)), b, t
    return chosen, rank, place


@compiled()
def follow_turn(
    turn: TableTurn,
    moves: Moves,
    at: tuple[int, int],
    here: TablePositions,
    after: TablePositions,
    ends: tuple[Floats, Floats],
) -> tuple[int, int]:
    """The positions after a turn; (where it stopped, how many were added).

    ``at`` are the position to go on from, and how many there can be in the list after one more.

    A position is the number of its window, from 1, in place of free sets, and the place of my lead in it in place of
    points. It stops where the list might get more than half full. Of ends = (won, lost), won[0] gets the chance of
    games that are won, lost[q] that of those lost with the others at position q.
    """
    P, shifts = moves
    first, most = at
    won, lost = ends
    windows, leads, chances = here
    mine, count = len(turn.sets), turn.after.lows.shape[1]
    room, added = len(after.sets) // 2, 0
    for s in range(first, len(windows)):
        if added + most > room:
            return s, added
        q, a = divmod(int(np.int64(windows[s])) - 1, mine)
        A, e = turn.sets[a], np.int64(leads[s]) + turn.here.lows[q, a]
        for x in range(len(P)):
            _, b, t = choose_at_table(turn, shifts, q, A, e, x)
            there, chance = turn.nexts[q, x], chances[s] * P[x]
            if t < 0:
                lost[there] += chance
                continue
            if t >= turn.after.sizes[there, b]:
                won[0] += chance
                continue
            added += add_chance(after, np.uint64(there * count + b + 1), np.uint64(t), chance)
    return len(windows), added


@compiled()
def play_turn(
    turn: TableTurn,
    shifts: Ints,
    rolls: NDArray[np.uint8] | NDArray[np.uint16],
    positions: Ints,
    sets: Ints,
    leads: Ints,
    scores: NDArray[np.int32],
) -> None:
    """One roll of many games: where the others are in each, my free sets, my leads and my score indices change."""
    for g in range(len(rolls)):
        q, A, x = positions[g], sets[g], int(np.int64(rolls[g]))
        i, _, _ = choose_at_table(turn, shifts, q, A, leads[g], x)
        scores[g] += shifts[i, x]
        leads[g] += shifts[i, x] - turn.steps[q, x]
        sets[g] = A ^ (1 << i)
        positions[g] = turn.nexts[q, x]
