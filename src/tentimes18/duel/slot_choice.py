"""Duels played: the slots that solved tables choose, and the games of two players on the same rolls."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Floats, Ints, Slots
from tentimes18.compiled import compiled
from tentimes18.duel.lead_windows import EQUAL, DuelTable, Standing, list_slots, read
from tentimes18.duel.matrix_games import mixed_move

# In a table of slots, in place of a slot:
ANY = -1  # each free one with the same chance
HUNTER = -2  # that of the best response to another rule
MIXED = -3  # those of an equilibrium's mixed move
BEST_REPLY = -4  # the best one against such a move, by the equilibrium's values


class Hunter(NamedTuple):
    """A best response to the rule theirs[B, x]: the slots order[A, x] by their mean, and the equities it leads to."""

    theirs: Slots
    order: Slots
    table: DuelTable


class DuelPlayers(NamedTuple):
    """Two players, who take slots[A, x]: HUNTER is the move of the hunter, MIXED that of the equilibrium."""

    slots: tuple[Slots, Slots]
    hunter: Hunter
    equilibrium: DuelTable


@compiled()
def choose_response(hunter: Hunter, shifts: Ints, at: Standing, x: int) -> int:
    """The slot, from 0, of the best response to a rule: the first in order[A, x] with the best equity."""
    theirs, order, table = hunter
    A, B, k, e = at
    j = theirs[B, x]
    best, chosen = -1.0, 0
    for i in order[A, x, :k]:
        value = read(table, False, Standing(A ^ (1 << i), B ^ (1 << j), k - 1, e + shifts[i, x] - shifts[j, x]))
        if value > best + EQUAL:
            best, chosen = value, i
    return chosen


@compiled(inline="always")
def read_game(table: DuelTable, shifts: Ints, at: Standing, x: int, mine: Ints, theirs: Ints, M: Floats) -> None:
    """The matrix game for a roll; ``mine`` and ``theirs`` are the slots, from 0, of both players."""
    A, B, k, e = at
    for r in range(k):
        for c in range(k):
            i, j = mine[r], theirs[c]
            after = Standing(A ^ (1 << i), B ^ (1 << j), k - 1, e + shifts[i, x] - shifts[j, x])
            M[r, c] = read(table, True, after)


@compiled()
def equilibrium_move(table: DuelTable, shifts: Ints, at: Standing, x: int, slots: Ints, move: Floats) -> None:
    """The slots, from 0, of my free set, and the chance of each in the mixed move of an equilibrium."""
    M, theirs = np.empty((at.k, at.k)), np.empty(at.k, dtype=np.int64)
    list_slots(at.A, slots)
    list_slots(at.B, theirs)
    read_game(table, shifts, at, x, slots, theirs, M)
    mixed_move(M, move[: at.k])


@compiled()
def choose_equilibrium(table: DuelTable, shifts: Ints, at: Standing, x: int, chance: float) -> int:
    """The slot, from 0, that the mixed move of an equilibrium takes for a number ``chance`` between 0 and 1."""
    k = at.k
    slots = np.empty(k, dtype=np.int64)
    move = np.empty(k)
    equilibrium_move(table, shifts, at, x, slots, move)
    last = 0
    for r in range(k):
        if move[r] > 0.0:
            last = r
            chance -= move[r]
            if chance < 0.0:
                break
    slot: int = slots[last]
    return slot


@compiled()
def play_duel(
    players: DuelPlayers,
    shifts: Ints,
    at: Standing,
    given: int,
    chosen: NDArray[np.uint16],
    rolls: NDArray[np.uint8] | NDArray[np.uint16],
    chances: Floats,
    scores: NDArray[np.int32],
) -> None:
    """The score indices [player, game] of two players on the same rolls.

    They go on from a position, and ``scores`` hold the units that its boards have made. The first player's first slot
    is ``given``, from 0, unless that is below 0. The second player takes the slots chosen[round, game] whatever
    happens, unless there are none. ``chances`` are for mixed moves, in each round one for each player who chooses.
    """
    slots, hunter, equilibrium = players
    rounds, games = rolls.shape
    for g in range(games):
        A, B, k, e = at
        for r in range(rounds):
            x: Any = np.int64(rolls[r, g])  # one form of what it calls, whatever the rolls are kept in
            i: Any = np.int64(slots[0][A, x])
            j: Any = np.int64(chosen[r, g] if len(chosen) else slots[1][B, x])
            first = r if len(chosen) else 2 * r
            if r == 0 and given >= 0:
                i = given
            elif i == HUNTER:
                i = choose_response(hunter, shifts, Standing(A, B, k, e), x)
            elif i == MIXED:
                i = choose_equilibrium(equilibrium, shifts, Standing(A, B, k, e), x, chances[first, g])
            if j == HUNTER:
                j = choose_response(hunter, shifts, Standing(B, A, k, -e), x)
            elif j == MIXED:
                j = choose_equilibrium(equilibrium, shifts, Standing(B, A, k, -e), x, chances[first + 1, g])
            scores[0, g] += shifts[i, x]
            scores[1, g] += shifts[j, x]
            e += shifts[i, x] - shifts[j, x]
            A ^= 1 << i
            B ^= 1 << j
            k -= 1
