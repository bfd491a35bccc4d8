"""A duel of best play for an objective, whose slots depend on its own score, against a rule: exactly, from the start.

Let p(A, s, B, d) be the chance that after some rounds my free set is A with s points placed, the opponent's is B, and
my lead is d, all points in units of the lattice. With i = i(A, s, x) my slot and j = j(B, x) that of the rule,

    p(A - i, s + shift_i(x), B - j, d + shift_i(x) - shift_j(x))  gains  P(x) p(A, s, B, d).

Only what comes about is listed, round by round; what is decided is counted and left out: I have won with d > width(B),
the most that the opponent can still gain, and lost with d < -width(A). No term is ever subtracted.
"""

from functools import partial

import numpy as np

from tentimes18.arrays import Floats, Ints, Slots
from tentimes18.duel.lead_windows import Outcome
from tentimes18.limits import check_size
from tentimes18.solve.aim_tables import BestPlay
from tentimes18.solve.move_arrays import rule_slots, subset_sums
from tentimes18.solve.parallel import Progress, interruptible
from tentimes18.solve.thresholds import Rule

BYTES_PER_MOVE = 60.0
AT_ONCE = 1 << 22  # moves


def aimed_duel(play: BestPlay, theirs: Rule, progress: Progress | None = None) -> Outcome:
    """My chances with best play for an objective against a rule, on the same rolls, draws worth one half.

    >>> from tentimes18.game import Game
    >>> from tentimes18.solve.aims import chance_table
    >>> from tentimes18.solve.thresholds import optimal_rule
    >>> game = Game.parse("1d6", "1-3")
    >>> outcome = aimed_duel(chance_table(game).best_play(25), optimal_rule(game))
    >>> round(outcome.win, 6), round(outcome.loss, 6)
    (0.027778, 0.041667)
    """
    game, moves = play.table.game, play.table.moves
    P, shifts = moves.P, moves.shifts
    offsets, mine = play.slot_table()
    their_slots = rule_slots(game, theirs)
    widths = subset_sums(shifts.max(axis=1))
    span = int(widths[-1]) + 1
    sets = game.all_free + 1  # a key of all four fits into 64 bits wherever the table of the objective is admitted
    positions, chances = np.array([[game.all_free, 0, game.all_free, 0]], dtype=np.int64), np.ones(1)
    win = loss = 0.0
    for done in range(1, game.size + 1):
        count = len(positions) * len(P)
        check_size("the list of the positions that these two come to", bytes=BYTES_PER_MOVE * count)
        keys, weights = [], []
        step = max(1, AT_ONCE // len(P))
        for first in range(0, len(positions), step):
            part = positions[first : first + step]
            after, gained = interruptible(
                partial(_moved, part, chances[first : first + step], P, shifts, offsets, mine, their_slots)
            )
            A, s, B, d = after
            won, lost = d > widths[B], d < -widths[A]
            win, loss = win + float(gained[won].sum()), loss + float(gained[lost].sum())
            is_open = ~(won | lost)
            key = ((A * span + s) * sets + B) * (2 * span) + d + span
            found, weight = _merged(key[is_open], gained[is_open])
            keys.append(found)
            weights.append(weight)
        found, chances = _merged(np.concatenate(keys), np.concatenate(weights))
        rest, d = np.divmod(found, 2 * span)
        rest, B = np.divmod(rest, sets)
        A, s = np.divmod(rest, span)
        positions = np.stack([A, s, B, d - span], axis=1)
        if progress:
            progress(done, game.size)
    draw = float(chances.sum())  # the rest has a lead of 0
    return Outcome(win + draw / 2, win, draw, loss)


def _moved(
    positions: Ints, chances: Floats, P: Floats, shifts: Ints, offsets: Ints, mine: Slots, theirs: Slots
) -> tuple[tuple[Ints, Ints, Ints, Ints], Floats]:
    """Where every roll leads from these positions, and the chance of that."""
    A, s, B, d = (column[:, np.newaxis] for column in positions.T)
    x = np.arange(len(P))
    i = mine[offsets[A] + s, x].astype(np.int64)
    j = theirs[B, x].astype(np.int64)
    own, other = shifts[i, x], shifts[j, x]
    after = (A ^ (1 << i), s + own, B ^ (1 << j), d + own - other)
    return tuple(part.ravel() for part in after), (chances[:, np.newaxis] * P).ravel()


def _merged(keys: Ints, weights: Floats) -> tuple[Ints, Floats]:
    """Each key once, increasing, with the sum of its weights."""
    found, where = np.unique(keys, return_inverse=True)
    return found, np.bincount(where, weights, len(found)).astype(np.float64)
