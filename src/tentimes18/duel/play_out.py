"""Duels followed from two empty boards: the positions that two players come to, and what becomes of them.

Most positions of a duel cannot come about once the moves of both players are fixed, so these are followed layer by
layer: an equilibrium and its opponent, or a best response and the rule that it answers. Where the duel is decided, the
best response plays for the mean whatever the other board is, so that such positions differ in my free set alone. With
i = i(p, x) the slot of the best response at position p, and p' the position after it, the points still to come have the
distribution

    L_p = Σ_x P(x) · (L_p' shifted by λ_i x),    L at the end = the distribution of 0 points.
"""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from tentimes18.arrays import Bools, Floats, Ints, Moves, Slots
from tentimes18.compiled import compiled
from tentimes18.duel.best_response import FollowedRound, Response, no_hunter
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.duel.lead_windows import (
    EQUAL,
    DuelLayer,
    DuelTable,
    DuelWindows,
    Outcome,
    Standing,
    check_duel_size,
    list_slots,
)
from tentimes18.duel.matrix_games import mixed_move
from tentimes18.duel.slot_choice import ANY, BEST_REPLY, HUNTER, MIXED, Hunter, choose_response, read_game
from tentimes18.limits import check_size
from tentimes18.solve.float_distributions import distribution_of_array
from tentimes18.solve.move_arrays import rule_slots, same_everywhere, subset_sums
from tentimes18.solve.parallel import Progress, interruptible
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import Rule, optimal_rule

BYTES_PER_POINT = 16.0  # of the score distributions of a response


@dataclass(frozen=True, slots=True)
class PathRound:
    """A round: how many open positions come about, and the chance that one does, with a move off the rule, or mixed."""

    positions: int
    is_open: float
    departs: float
    mixed: float


class ResponsePath:
    """A best response and the rule it answers, followed from two empty boards."""

    def __init__(self, response: Response, progress: Progress | None = None) -> None:
        self.windows = windows = response.windows
        self._progress = progress
        free = windows.game.all_free
        self.followed: list[FollowedRound] = []
        for one in response.follow(free, free, 0):
            self.followed.append(one)
            if progress:
                progress(len(self.followed), 2 * windows.game.size)

    @property
    def positions(self) -> int:
        """How many open positions can come about."""
        return sum(int((one.positions[:, 0] >= 0).sum()) for one in self.followed)

    @cached_property
    def distribution(self) -> ScoreDistribution:
        """The distribution of the best response's score.

        Floats; no term is ever subtracted, so that even the rarest scores have a small relative error.
        """
        windows = self.windows
        widths = subset_sums(windows.shifts.max(axis=1))
        rounds, ends = len(self.followed), len(self.followed[-1].next_keys)
        smaller = np.arange(ends + 1), np.ones(ends)  # distribution s is weights[starts[s] : starts[s + 1]]
        for done, (positions, slots, after, _) in enumerate(reversed(self.followed), start=1):
            starts = np.concatenate([[0], np.cumsum(widths[positions[:, 1]] + 1)])
            points = float(starts[-1])
            check_size(
                "the score distribution of this best response",
                bytes=BYTES_PER_POINT * points,
                operations=points * len(windows.P),
            )
            larger = starts, np.empty(starts[-1])
            interruptible(partial(add_moves, windows.moves, slots, after, smaller, larger))
            smaller = larger
            if self._progress:
                self._progress(rounds + done, 2 * rounds)
        return distribution_of_array(windows.lattice, windows.game.all_free, smaller[1])


class EquilibriumPath:
    """An equilibrium and its opponent, followed from two empty boards.

    The opponent plays a rule, a best response to one, by a number of `duel.slot_choice`, or (None) the same
    equilibrium. ``outcome`` is the opponent's. ``rounds`` says how often the equilibrium departs from `optimal`, and
    mixes.
    """

    def __init__(
        self, table: Equilibrium, opponent: Rule | Response | int | None = None, progress: Progress | None = None
    ) -> None:
        game = table.game
        check_duel_size(game, values=0.25, power=2)
        windows = DuelWindows(game, half=False)  # those of all pairs
        usual = rule_slots(game, optimal_rule(game))
        hunter = opponent.hunter if isinstance(opponent, Response) else no_hunter(windows)
        number = MIXED if opponent is None else HUNTER if isinstance(opponent, Response) else opponent
        theirs = same_everywhere(game, number) if isinstance(number, int) else rule_slots(game, number)
        here = np.ones((1, 1), dtype=np.bool_), np.ones(1)
        self.rounds: list[PathRound] = []
        win, loss, still_open = 0.0, 0.0, 1.0
        for k in range(game.size, 0, -1):
            sizes = windows.sizes[k - 1]
            after = np.zeros(sizes.shape, dtype=np.bool_), np.zeros(int(sizes.sum()))
            follow = partial(
                follow_equilibrium, table.table, windows.moves, windows.layer(k), usual, theirs, hunter, here, after
            )
            positions, mixed, departed, won, lost, left = interruptible(follow)
            self.rounds.append(PathRound(positions, still_open, departed, mixed))
            win, loss, still_open, here = win + lost, loss + won, left, after
            if progress:
                progress(len(self.rounds), game.size)
        draw = min(1.0, still_open)  # what is open after the last round
        self.outcome = Outcome(win + draw / 2, win, draw, loss)


@compiled()
def add_moves(
    moves: Moves, slots: Slots, after: Ints, smaller: tuple[Ints, Floats], larger: tuple[Ints, Floats]
) -> None:
    """The distribution of each position's points: those of the positions after it, moved by the points of the roll."""
    P, shifts = moves
    smaller_starts, smaller_weights = smaller
    starts, weights = larger
    for s in range(len(slots)):
        distribution = weights[starts[s] : starts[s + 1]]
        distribution[:] = 0.0
        for x in range(len(P)):
            source = smaller_weights[smaller_starts[after[s, x]] : smaller_starts[after[s, x] + 1]]
            shift = shifts[slots[s, x], x]
            for j in range(len(source)):
                distribution[shift + j] += P[x] * source[j]


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
    theirs: Slots,
    hunter: Hunter,
    here: tuple[Bools, Floats],
    after: tuple[Bools, Floats],
) -> tuple[int, float, float, float, float, float]:
    """The chances of the positions after a round in which I play an equilibrium.

    A layer is which pairs have any chance, and the chances, window after window. The opponent takes the slots
    theirs[B, x], or what a number of `duel.slot_choice` means. My moves are compared with the rule. Returns how many
    positions came about, and the chances that my move was mixed, that it departed from the rule, that the duel was won
    and lost for me in this round, and that it is still open.
    """
    P, shifts = moves
    k, ranks, sets = layer.k, layer.ranks, layer.sets
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
                e = lows[a, b] + t
                for x in range(len(P)):
                    read_game(table, shifts, Standing(A, B, k, e), x, my_slots, their_slots, M)
                    mixed_move(M, row)
                    slot = theirs[B, x]
                    if slot == MIXED:
                        turned[:] = 1.0 - M.T
                        mixed_move(turned, column)
                    else:
                        if slot == HUNTER:
                            slot = choose_response(hunter, shifts, Standing(B, A, k, -e), x)
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
                                u = e + shifts[i, x] - shifts[j, x] - smaller_lows[pair]
                                if u < 0:
                                    lost += moved
                                elif u >= smaller_sizes[pair]:
                                    won += moved
                                else:
                                    still_open += moved
                                    reached_after[pair] = True
                                    chances_after[smaller_offsets[pair] - smaller_offsets[0, 0] + u] += moved
    return count, mixed, departed, won, lost, still_open
