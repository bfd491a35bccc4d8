"""The chances of a duel.

An equilibrium and its opponent followed from two empty boards, round by round.

Duels followed from the start: the moves at the positions that two players come to, and the points they make.

Duels against an equilibrium: my chances with moves of my own, layer by layer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from tentimes18.compiled import compiled
from tentimes18.duel.lead_windows import (
    EQUAL,
    Chances,
    DuelLayer,
    DuelTable,
    DuelWindows,
    Pair,
    Standing,
    Stored,
    copy_mirrored,
    copy_window,
    list_slots,
    read,
)
from tentimes18.duel.matrix_games import SADDLE, mixed_move
from tentimes18.duel.slot_choice import ANY, BEST_REPLY, HUNTER, Hunter, OpponentSlots, choose_response
from tentimes18.kernels.types import Bools, Floats, Ints, Moves, Slots
from tentimes18.solve.layers import apart


class Laws(NamedTuple):
    """Laws one after the other: number s stands from starts[s] up to starts[s + 1]."""

    starts: Ints
    weights: Floats


class LayerChances(NamedTuple):
    """The chances of the positions of a layer, whose windows stand one after the other; and at which pairs are any."""

    reached: Bools
    chances: Floats


class Followed(NamedTuple):
    """A round of an equilibrium: how many positions came about, and the chances of what happened.

    My move was mixed; it departed from a rule; the duel was won, and lost, for me in this round; it is still open.
    """

    positions: int
    mixed: float
    departed: float
    won: float
    lost: float
    still_open: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The chances of a duel for one player; equity is win + draw times what a draw is worth.

    >>> Outcome(equity=0.75, win=0.5, draw=0.5, loss=0.0).win
    0.5
    """

    equity: float
    win: float
    draw: float
    loss: float

    @classmethod
    def of(cls, equity: float, draw: float, draw_worth: float) -> "Outcome":
        """From the equity and the chance of a draw; what rounding leaves outside of 0 to 1 is cut."""
        win = min(1.0, max(0.0, equity - draw_worth * draw))
        return cls(equity, win, draw, max(0.0, 1.0 - win - draw))


class EquilibriumRound(NamedTuple):
    """A round: what happened in it, and the chance that the duel was open before it."""

    found: Followed
    before: float


def follow_rounds(
    equilibrium: DuelTable, windows: DuelWindows, rule: Slots, opponent: OpponentSlots
) -> Iterator[EquilibriumRound]:
    """The rounds from the first on; moves are compared with the rule. ``windows`` are those of all pairs.

    What is open after the last round is drawn.

    >>> from tentimes18.game import Game
    >>> from tentimes18.duel.slot_choice import ANY
    >>> from tentimes18.duel.best_response import nobody
    >>> from tentimes18.solve.rule_slots import same_everywhere
    >>> windows = DuelWindows(Game.parse("1d2", "1"), half=False)
    >>> any_slots = same_everywhere(windows.game, ANY)
    >>> table = windows.table(np.full(windows.cells, 0.5))
    >>> rounds = follow_rounds(table, windows, any_slots, OpponentSlots(any_slots, nobody(windows)))
    >>> [(one.before, one.found.still_open) for one in rounds]
    [(1.0, 1.0)]
    """
    here, before = LayerChances(np.ones((1, 1), dtype=np.bool_), np.ones(1)), 1.0
    for k in range(windows.game.size, 0, -1):
        sizes = windows.sizes[k - 1]
        after = LayerChances(np.zeros(sizes.shape, dtype=np.bool_), np.zeros(int(sizes.sum())))
        layer = windows.layer(k)
        follow = partial(follow_equilibrium, equilibrium, windows.moves, layer, rule, opponent, here, after)
        found = apart(follow)
        yield EquilibriumRound(found, before)
        here, before = after, found.still_open


def outcome_of(rounds: Sequence[EquilibriumRound]) -> Outcome:
    """The opponent's chances, of all rounds from the first on.

    >>> outcome_of([EquilibriumRound(Followed(1, 0.0, 0.0, won=0.25, lost=0.5, still_open=0.25), before=1.0)])
    Outcome(equity=0.625, win=0.5, draw=0.25, loss=0.25)
    """
    win, loss = sum(one.found.lost for one in rounds), sum(one.found.won for one in rounds)
    draw = rounds[-1].found.still_open
    return Outcome(win + draw / 2, win, draw, loss)


@compiled()
def follow_response(hunter: Hunter, shifts: Ints, layer: DuelLayer, positions: Ints, slots: Slots, after: Ints) -> None:
    """Of each position (key, A, B, e) and roll x the slot of the best response, and the key of the position after it.

    The key of an open position is its place in the table; that of a decided one is -1 - A, all else being past.
    """
    theirs, order, _ = hunter
    ranks, k = layer.ranks, layer.k
    offsets, lows, sizes = layer.after
    for s in range(len(positions)):
        key, A, B, e = positions[s]
        for x in range(shifts.shape[1]):
            i = order[A, x, 0] if key < 0 else choose_response(hunter, shifts, Standing(A, B, k, e), x)
            slots[s, x] = i
            after[s, x] = -1 - (A ^ (1 << i))
            if key >= 0:
                j = theirs[B, x]
                pair = ranks[A ^ (1 << i)], ranks[B ^ (1 << j)]
                t = e + shifts[i, x] - shifts[j, x] - lows[pair]
                if 0 <= t < sizes[pair]:
                    after[s, x] = offsets[pair] + t


@compiled()
def add_moves(moves: Moves, slots: Slots, after: Ints, smaller: Laws, larger: Laws) -> None:
    """The law of each position's points: those of the positions after it, moved by the points of the roll."""
    P, shifts = moves
    smaller_starts, smaller_weights = smaller
    starts, weights = larger
    for s in range(len(slots)):
        law = weights[starts[s] : starts[s + 1]]
        law[:] = 0.0
        for x in range(len(P)):
            source = smaller_weights[smaller_starts[after[s, x]] : smaller_starts[after[s, x] + 1]]
            shift = shifts[slots[s, x], x]
            for j in range(len(source)):
                law[shift + j] += P[x] * source[j]


@compiled()
def _reply(M: Floats, row: Floats) -> int:
    """The first column that is best against a mixed move of the rows, but for rounding."""
    least, chosen = 2.0, 0
    for c in range(len(M)):
        value = 0.0
        for r in range(len(M)):
            value += row[r] * M[r, c]
        if value < least - EQUAL:
            least, chosen = value, c
    return chosen


@compiled()
def follow_equilibrium(
    table: DuelTable,
    moves: Moves,
    layer: DuelLayer,
    rule: Slots,
    opponent: OpponentSlots,
    here: LayerChances,
    after: LayerChances,
) -> Followed:
    """The chances of the positions after a round in which I play an equilibrium.

    Without slots of its own the opponent plays the equilibrium as well. My moves are compared with the rule.
    """
    P, shifts = moves
    k, ranks, sets = layer.k, layer.ranks, layer.sets
    theirs, hunter = opponent
    reached, chances = here
    reached_after, chances_after = after
    won, lost, still_open = 0.0, 0.0, 0.0
    offsets, lows, sizes = layer.here
    smaller_offsets, smaller_lows, smaller_sizes = layer.after
    M, turned = np.empty((k, k)), np.empty((k, k))
    row, column = np.empty(k), np.empty(k)
    my_slots, their_slots = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    count, mixed, departed = 0, 0.0, 0.0
    for a in range(len(sets)):
        A = sets[a]
        list_slots(A, my_slots)
        for b in range(len(sets)):
            if not reached[a, b]:
                continue
            B = sets[b]
            list_slots(B, their_slots)
            for t in range(sizes[a, b]):
                chance = chances[offsets[a, b] - offsets[0, 0] + t]
                if chance == 0.0:
                    continue
                count += 1
                for x in range(len(P)):
                    for r in range(k):
                        for c in range(k):
                            i, j = my_slots[r], their_slots[c]
                            e = lows[a, b] + t + shifts[i, x] - shifts[j, x]
                            M[r, c] = read(table, True, Standing(A ^ (1 << i), B ^ (1 << j), k - 1, e))
                            turned[c, r] = 1.0 - M[r, c]
                    mixed_move(M, row)
                    if len(theirs) == 0:
                        mixed_move(turned, column)
                    else:
                        slot = theirs[B, x]
                        if slot == HUNTER:
                            turned_round = Standing(B, A, k, -(lows[a, b] + t))
                            slot = choose_response(hunter, shifts, turned_round, x)
                        if slot == BEST_REPLY:
                            slot = their_slots[_reply(M, row)]
                        for c in range(k):
                            column[c] = 1.0 if their_slots[c] == slot else 1.0 / k if slot == ANY else 0.0
                    if row.max() < 1.0:
                        mixed += chance * P[x]
                    for r in range(k):
                        i = my_slots[r]
                        if rule[A, x] != i:
                            departed += chance * P[x] * row[r]
                        for c in range(k):
                            j = their_slots[c]
                            moved = chance * P[x] * row[r] * column[c]
                            if moved > 0.0:
                                pair = ranks[A ^ (1 << i)], ranks[B ^ (1 << j)]
                                u = lows[a, b] + t + shifts[i, x] - shifts[j, x] - smaller_lows[pair]
                                if u < 0:
                                    lost += moved
                                elif u >= smaller_sizes[pair]:
                                    won += moved
                                else:
                                    still_open += moved
                                    reached_after[pair] = True
                                    chances_after[smaller_offsets[pair] - smaller_offsets[0, 0] + u] += moved
    return Followed(count, mixed, departed, won, lost, still_open)


class Saddles(NamedTuple):
    """By lead: max min, min max, and the first column that holds me to the latter; two lines for use meanwhile."""

    maximin: Floats
    minimax: Floats
    column: Ints
    line: Floats
    held: Floats


@compiled()
def new_saddles(widest: int) -> Saddles:
    """Room for so many leads."""
    return Saddles(
        np.empty(widest), np.empty(widest), np.empty(widest, dtype=np.int64), np.empty(widest), np.empty(widest)
    )


@compiled()
def list_matrices(moves: Moves, x: int, pair: Pair, ranks: Ints, half: Stored, cells: Floats) -> None:
    """cells[r, c, t]: the matrix games of roll x at leads low + t, from the stored half of the smaller pairs."""
    shifts, values = moves.shifts, half.values
    offsets, lows, sizes = half.windows
    n = len(shifts)
    size = pair.size
    r = 0
    for i in range(n):
        if not pair.A >> i & 1:
            continue
        a = ranks[pair.A ^ (1 << i)]
        c = 0
        for j in range(n):
            if not pair.B >> j & 1:
                continue
            b = ranks[pair.B ^ (1 << j)]
            start = pair.low + shifts[i, x] - shifts[j, x]
            if a <= b:
                copy_window(values, offsets[a, b], lows[a, b], sizes[a, b], start, cells[r, c, :size])
            else:
                copy_mirrored(values, offsets[b, a], lows[b, a], sizes[b, a], start, cells[r, c, :size])
            c += 1
        r += 1


@compiled()
def find_saddles(cells: Floats, size: int, found: Saddles) -> None:
    """Max min and min max of the matrix games cells[:, :, t], and the first column that holds me to the latter.

    First as in `mixed_move`: of columns that are equal but for rounding.
    """
    maximin, minimax, column, line, held = found
    k = len(cells)
    held[:size] = 2.0
    maximin[:size] = -1.0
    minimax[:size] = 2.0
    for r in range(k):
        line[:size] = 2.0
        for c in range(k):
            entry = cells[r, c]
            for t in range(size):
                line[t] = min(line[t], entry[t])
        for t in range(size):
            maximin[t] = max(maximin[t], line[t])
    for c in range(k):
        line[:size] = -1.0
        for r in range(k):
            entry = cells[r, c]
            for t in range(size):
                line[t] = max(line[t], entry[t])
        for t in range(size):
            lower = line[t] < held[t] - SADDLE
            held[t] = line[t] if lower else held[t]
            column[t] = c if lower else column[t]
            minimax[t] = min(minimax[t], line[t])


@compiled()
def fill_against_equilibrium(
    mine: Slots, hunter: Hunter, half: Stored, moves: Moves, layer: DuelLayer, chances: Chances, pairs: Ints
) -> None:
    """My slots mine[A, x], or ANY or HUNTER, against the mixed moves that an equilibrium prescribes.

    ``half`` has the values of the equilibrium, and where those with a slot less stand.
    """
    P, shifts = moves
    value, draw = chances
    k, ranks, sets = layer.k, layer.ranks, layer.sets
    offsets, lows, sizes = layer.here
    smaller_offsets, smaller_lows, smaller_sizes = layer.after
    widest = sizes.max()
    cells = np.empty((k, k, widest))
    found = new_saddles(widest)
    maximin, minimax, pure = found.maximin, found.minimax, found.column
    best_line = np.empty(widest)
    chosen = np.empty(widest, dtype=np.int64)
    theirs, move = np.empty((k, k)), np.empty(k)
    my_slots, their_slots = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    # Of each pair of moves: the index of lead low in the window that they lead to, where that stands, and its size.
    moved, place, length = np.empty((3, k, k), dtype=np.int64)
    for p in range(len(pairs)):
        a, b = pairs[p, 0], pairs[p, 1]
        A, B = sets[a], sets[b]
        size, low = sizes[a, b], lows[a, b]
        pair = Pair(A, B, low, size)
        list_slots(A, my_slots)
        list_slots(B, their_slots)
        total = value[offsets[a, b] : offsets[a, b] + size]
        drawn = draw[offsets[a, b] : offsets[a, b] + size]
        total[:] = 0.0
        drawn[:] = 0.0
        for x in range(len(P)):
            list_matrices(moves, x, pair, ranks, half, cells)
            find_saddles(cells, size, found)
            chosen[:size] = mine[A, x]
            if mine[A, x] == HUNTER:
                _hunt(hunter, shifts, layer, pair, x, (best_line, found.line), chosen)
            for r in range(k):
                for c in range(k):
                    i, j = my_slots[r], their_slots[c]
                    after = ranks[A ^ (1 << i)], ranks[B ^ (1 << j)]
                    moved[r, c] = low + shifts[i, x] - shifts[j, x] - smaller_lows[after]
                    place[r, c], length[r, c] = smaller_offsets[after], smaller_sizes[after]
            for t in range(size):
                first, last = pure[t], pure[t]
                move[first] = 1.0
                if minimax[t] - maximin[t] > SADDLE:
                    for r in range(k):
                        for c in range(k):
                            theirs[c, r] = 1.0 - cells[r, c, t]
                    mixed_move(theirs, move)
                    first, last = 0, k - 1
                slot = chosen[t]
                share = P[x] / k if slot == ANY else P[x]
                for r in range(k):
                    if slot != ANY and slot != my_slots[r]:
                        continue
                    for c in range(first, last + 1):
                        u = t + moved[r, c]
                        if u >= length[r, c]:
                            total[t] += share * move[c]
                        elif u >= 0:
                            total[t] += share * move[c] * value[place[r, c] + u]
                            drawn[t] += share * move[c] * draw[place[r, c] + u]


@compiled()
def _hunt(
    hunter: Hunter, shifts: Ints, layer: DuelLayer, pair: Pair, x: int, lines: tuple[Floats, Floats], chosen: Ints
) -> None:
    """chosen[t]: the slot at lead low + t of the best response to a rule, as `fill_best_response` takes it."""
    best, line = lines
    theirs, order, table = hunter
    values, ranks = table.values, layer.ranks
    offsets, lows, sizes = layer.after
    size = pair.size
    j = theirs[pair.B, x]
    b = ranks[pair.B ^ (1 << j)]
    best[:size] = -1.0
    for i in order[pair.A, x]:
        if i < 0:
            break
        a = ranks[pair.A ^ (1 << i)]
        start = pair.low + shifts[i, x] - shifts[j, x]
        copy_window(values, offsets[a, b], lows[a, b], sizes[a, b], start, line[:size])
        for t in range(size):
            if line[t] > best[t] + EQUAL:
                best[t], chosen[t] = line[t], i
