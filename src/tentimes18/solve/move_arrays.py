"""What rolls and rules do, as arrays for kernels.

Everywhere A and B are free sets as masks, i and j slots from 0, x the place of a roll in the support of the dice, and k
a number of free slots. A kernel unpacks a tuple once, at its top: looking up an array by name inside of a loop counts a
reference each time.
"""

from typing import NamedTuple

import numpy as np

from tentimes18.arrays import Ints, Moves, Slots
from tentimes18.game import Game, mask_of, slots_of
from tentimes18.limits import check_size, power_of_two
from tentimes18.solve.lattice import lattice_of, lattice_width
from tentimes18.solve.parallel import Progress
from tentimes18.solve.thresholds import OptimalRule, Rule, exact_thresholds

SETS_PER_REPORT = 64
SETS_AT_ONCE = 1 << 16
DIGITS = 13  # of a mean, as a share of the largest score; means with the same digits are the same


class Spans(NamedTuple):
    """An array for each free set in one flat array: that of A has the indices 0..widths[A], from offsets[A] on."""

    widths: Ints
    offsets: Ints


def moves_of(game: Game, free: int | None = None) -> Moves:
    """The moves of a game, or those into the slots of a free set, counted from 0 within it."""
    dice, shifts = game.dice, lattice_of(game).shifts
    slots = slots_of(game.all_free if free is None else free)
    return Moves(
        np.array([count / dice.total for count in dice.counts]),
        np.array([shifts[slot - 1] for slot in slots], dtype=np.int64).reshape(len(slots), len(dice.support)),
    )


def subset_sums(values: Ints) -> Ints:
    """The sum of the values of each set, by its mask."""
    sums = np.zeros(1 << len(values), dtype=np.int64)
    for i, value in enumerate(values):
        sums[1 << i : 2 << i] = sums[: 1 << i] + value
    return sums


def sets_by_size(n: int) -> tuple[list[Ints], Ints]:
    """The sets of n slots by their size, as masks, and the rank of each set among those of its size."""
    masks = np.arange(1 << n)
    sizes = np.bitwise_count(masks)
    sets, ranks = [masks[sizes == k] for k in range(n + 1)], np.zeros(1 << n, dtype=np.int64)
    for group in sets:
        ranks[group] = np.arange(len(group))
    return sets, ranks


def rule_slots(game: Game, rule: Rule, free: int | None = None, progress: Progress | None = None) -> Slots:
    """The slots that a rule takes, [free set, position of the roll]; slots are counted from 0 within ``free``."""
    slots = slots_of(game.all_free if free is None else free)
    entries = power_of_two(len(slots)) * len(game.dice.support)
    operations = entries * (6 if isinstance(rule, OptimalRule) else 2000)
    check_size(f"the table of a rule for {len(slots):,} slots", bytes=entries, operations=operations)
    table = np.zeros((1 << len(slots), len(game.dice.support)), dtype=np.int8)
    if isinstance(rule, OptimalRule):
        ranks, groups = optimal_ranks(game), np.array(rule.first_equal)[[slot - 1 for slot in slots]]
        equal = np.searchsorted(groups, groups)  # the first slot with the same multiplier
        for k, group in enumerate(sets_by_size(len(slots))[0][1:], start=1):
            for sets in np.array_split(group, 1 + len(group) // SETS_AT_ONCE):
                free_slots = np.nonzero(sets[:, np.newaxis] >> np.arange(len(slots)) & 1)[1].reshape(-1, k)
                rest = sets[:, np.newaxis] & -(1 << equal[free_slots[:, ranks[k]]])
                table[sets] = np.bitwise_count((rest & -rest) - 1)  # of equal slots the first that is free
        return table
    for A in range(1, len(table)):
        mask = mask_of(slots[i] for i in range(len(slots)) if A >> i & 1)
        table[A] = [slots.index(rule(mask, x)) for x in game.dice.support]
        if progress and A % SETS_PER_REPORT == 0:
            progress(A, len(table))
    return table


def same_everywhere(game: Game, number: int) -> Slots:
    """In the form of `rule_slots`, a number that means a way to choose in place of a slot."""
    return np.full((1 << game.size, len(game.dice.support)), number, dtype=np.int8)


def optimal_ranks(game: Game) -> Ints:
    """The rank, from 0, of the free slot that `optimal` takes, [number of free slots, position of the roll]."""
    ranks = np.zeros((game.size + 1, len(game.dice.support)), dtype=np.int64)
    for k, row in enumerate(exact_thresholds(game.dice, game.size)[:-1], start=2):
        ranks[k] = [row.rank(x) - 1 for x in game.dice.support]
    return ranks


def slot_order(game: Game) -> Slots:
    """[A, x]: the slots of A, from 0, by the mean of what they lead to, the best first; filled up with -1."""
    P, shifts = moves_of(game)
    largest = max(1, lattice_width(game))
    M = np.zeros(1 << game.size)
    order = np.full((1 << game.size, len(P), game.size), -1, dtype=np.int8)
    for A in range(1, 1 << game.size):
        slots = np.array(slots_of(A)) - 1
        means = shifts[slots].T + M[A ^ (1 << slots)]
        M[A] = P @ means.max(axis=1)
        order[A, :, : len(slots)] = slots[np.argsort(-np.round(means / largest, DIGITS), axis=1, kind="stable")]
    return order
