"""What kernels take, made in plain NumPy."""

import numpy as np

from tentimes18.dice import Dice
from tentimes18.solve.float_thresholds import RollDistribution

__all__ = ["roll_distribution"]


def roll_distribution(one: Dice) -> RollDistribution:
    shares = np.array(one.counts) / one.total
    rolls = np.array(one.support, dtype=np.float64)
    C, S = (np.concatenate([[0.0], np.cumsum(part)]) for part in (shares, shares * rolls))
    return RollDistribution(rolls, C, S)
