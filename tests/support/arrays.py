"""What kernels take, made in plain NumPy."""

import numpy as np

from tentimes18.dice import Dice
from tentimes18.kernels.types import RollLaw

__all__ = ["roll_law"]


def roll_law(one: Dice) -> RollLaw:
    shares = np.array(one.counts) / one.total
    rolls = np.array(one.support, dtype=np.float64)
    C, S = (np.concatenate([[0.0], np.cumsum(part)]) for part in (shares, shares * rolls))
    return RollLaw(rolls, C, S)
