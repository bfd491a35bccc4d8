"""Our two algorithms, written down plainly, as anyone would at first: the baselines."""

import numpy as np
from numpy.typing import NDArray

from tentimes18.dice import Dice
from tentimes18.game import Game

__all__ = ["numpy_last_row", "python_last_row", "python_subset_value"]


def numpy_last_row(dice: Dice, n: int) -> NDArray[np.float64]:
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


def python_last_row(dice: Dice, n: int) -> list[float]:
    """E_n by the paper's recurrence as it stands: each roll goes to its place, and moves the others."""
    law = [(roll, count / dice.total) for roll, count in zip(dice.support, dice.counts, strict=True)]
    row: list[float] = []
    for j in range(n):
        following = [0.0] * (j + 1)
        for roll, chance in law:
            place = sum(threshold < roll for threshold in row)
            for i, expected in enumerate([*row[:place], roll, *row[place:]]):
                following[i] += chance * expected
        row = following
    return row


def python_subset_value(game: Game) -> float:
    """M of all slots by the paper's Eq. (1) as it stands: for every set and roll, the maximum over the free slots."""
    law = [(roll, count / game.dice.total) for roll, count in zip(game.dice.support, game.dice.counts, strict=True)]
    slots = [(1 << i, float(multiplier)) for i, multiplier in enumerate(game.multipliers)]
    values = [0.0]
    for free in range(1, 1 << game.size):
        lines = [(multiplier, values[free ^ bit]) for bit, multiplier in slots if free & bit]
        values.append(sum(chance * max(slope * roll + height for slope, height in lines) for roll, chance in law))
    return values[-1]
