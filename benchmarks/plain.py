"""Our algorithms in NumPy, as a researcher would write them: the baselines."""

import numpy as np

from tentimes18.arrays import Floats
from tentimes18.dice import Dice
from tentimes18.game import Game, slots_of
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.move_arrays import rule_slots
from tentimes18.solve.thresholds import optimal_rule


def numpy_last_row(dice: Dice, n: int) -> Floats:
    """E_n by the recurrence E_{j+1}[i] = φ(E_j[i]) + ψ(E_j[i-1]), a whole row at a time.

    φ is a straight line between two rolls, and all E_j[i] lie between the least and the greatest: ``np.interp`` is φ.
    """
    rolls = np.array(dice.support, dtype=np.float64)
    corners = np.array([float(dice.phi(roll)) for roll in dice.support])
    mean = float(dice.mean)
    row = np.array([mean])
    for j in range(1, n):
        phi = np.interp(row, rolls, corners)
        following = np.empty(j + 1)
        following[:j] = phi
        following[j] = mean
        following[1:] += row - phi
        row = following
    return row


def numpy_subset_value(game: Game) -> float:
    """M of all slots by the paper's Eq. (1), for all sets of one size at a time."""
    n = game.size
    multipliers = np.array([float(multiplier) for multiplier in game.multipliers])
    masks = np.arange(1 << n)
    sizes = np.bitwise_count(masks)
    values = np.zeros(1 << n)
    for k in range(1, n + 1):
        sets = masks[sizes == k]
        slots = np.ascontiguousarray(np.nonzero(sets[:, None] >> np.arange(n) & 1)[1].reshape(-1, k).T)
        slopes, heights = multipliers[slots], values[sets ^ (1 << slots)]
        layer = np.zeros(len(sets))
        for roll, count in zip(game.dice.support, game.dice.counts, strict=True):
            layer += count / game.dice.total * (slopes * roll + heights).max(axis=0)
        values[sets] = layer
    return float(values[-1])


def numpy_distribution(game: Game) -> Floats:
    """The probabilities of the scores of `optimal`, from the least score on: an array per set of free slots."""
    lattice, slots = lattice_of(game), rule_slots(game, optimal_rule(game)).tolist()
    chances = [count / game.dice.total for count in game.dice.counts]
    tables = [np.ones(1)]
    for free in range(1, 1 << game.size):
        table = np.zeros(lattice.width(free) + 1)
        for position, chance in enumerate(chances):
            slot = slots[free][position]
            smaller, shift = tables[free ^ 1 << slot], lattice.shifts[slot][position]
            table[shift : shift + len(smaller)] += chance * smaller
        tables.append(table)
    return tables[-1]


def numpy_chances(game: Game) -> Floats:
    """The best chance of every target, from the least score on: an array over what is needed for each set."""
    lattice = lattice_of(game)
    chances = [count / game.dice.total for count in game.dice.counts]
    tables = [np.ones(1)]
    for free in range(1, 1 << game.size):
        slots = slots_of(free)
        table = np.zeros(lattice.width(free) + 1)
        for position, chance in enumerate(chances):
            best = np.zeros(len(table))
            for slot in slots:
                smaller, shift = tables[free ^ 1 << (slot - 1)], lattice.shifts[slot - 1][position]
                best[:shift] = 1.0
                part = best[shift : shift + len(smaller)]
                np.maximum(part, smaller, out=part)
            table += chance * best
        tables.append(table)
    return tables[-1]
