"""Rules as arrays: the slot for every free set and roll, for kernels."""

from typing import Final

import numpy as np

from tentimes18.game import Game, mask_of, slots_of
from tentimes18.kernels import scores as kernel
from tentimes18.kernels.types import Ints, Slots
from tentimes18.solve.layers import Progress, apart
from tentimes18.solve.rules import OptimalRule, Rule
from tentimes18.solve.thresholds import exact_thresholds

__all__ = ["optimal_ranks", "rule_slots", "same_everywhere"]

SETS_A_REPORT: Final = 64


def rule_slots(game: Game, rule: Rule, free: int | None = None, progress: Progress | None = None) -> Slots:
    """The slots that a rule takes, [free set, position of the roll]; slots are counted from 0 within ``free``.

    >>> rule_slots(Game.parse("1d2", "1-2"), lambda free, roll: 1 if free & 1 else 2)[1:].tolist()
    [[0, 0], [1, 1], [0, 0]]
    """
    slots = slots_of(game.all_free if free is None else free)
    table = np.zeros((1 << len(slots), len(game.dice.support)), dtype=np.int8)
    if isinstance(rule, OptimalRule):
        ranks, first_equal = optimal_ranks(game), np.array(rule.first_equal)[[slot - 1 for slot in slots]]
        apart(lambda: kernel.optimal_slots(ranks, first_equal, table))
        return table
    for A in range(1, len(table)):
        mask = mask_of(slots[i] for i in range(len(slots)) if A >> i & 1)
        table[A] = [slots.index(rule(mask, x)) for x in game.dice.support]
        if progress and A % SETS_A_REPORT == 0:
            progress(A, len(table))
    return table


def same_everywhere(game: Game, number: int) -> Slots:
    """In the form of `rule_slots`, one of the numbers of `kernels.types` that stand in place of a slot.

    >>> same_everywhere(Game.parse("1d2", "1"), -1).tolist()
    [[-1, -1], [-1, -1]]
    """
    return np.full((1 << game.size, len(game.dice.support)), number, dtype=np.int8)


def optimal_ranks(game: Game) -> Ints:
    """The rank, from 0, of the free slot that `optimal` takes, [number of free slots, position of the roll].

    >>> optimal_ranks(Game.parse("1d6", "1-2"))[2].tolist()
    [0, 0, 0, 1, 1, 1]
    """
    ranks = np.zeros((game.size + 1, len(game.dice.support)), dtype=np.int64)
    for k, row in enumerate(exact_thresholds(game.dice, game.size)[:-1], start=2):
        ranks[k] = [row.rank(x) - 1 for x in game.dice.support]
    return ranks
