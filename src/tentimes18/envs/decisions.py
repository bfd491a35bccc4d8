"""All decisions of a small game by the mean, in tables over the free sets: what `worths` says of each, to the last bit.

Losses and lucks are summed up in integers, at once for all sets of so many free slots, and rounded once; what is summed
up in floats is so in the same order as there.
"""

import numpy as np

from tentimes18.envs.worths import MeanWorths
from tentimes18.kernels.small_environment import DecisionTables
from tentimes18.kernels.types import Floats, Ints
from tentimes18.solve.lattice import lattice_of
from tentimes18.storage.cache import solved

__all__ = ["Decisions", "decisions_of"]


class Decisions:
    """The tables of a game.

    >>> from tentimes18.envs.worths import worths_of
    >>> from tentimes18.game import Game
    >>> worths = worths_of(Game.parse("1d6", "1,2"), None)
    >>> tables = decisions_of(worths).tables
    >>> int(tables.best[3, 4]), float(tables.lucks[3, 4]), tables.losses[3, 4].tolist()
    (1, 2.25, [1.5, 0.0])
    """

    def __init__(self, worths: MeanWorths) -> None:
        game = worths.game
        n, rolls = game.size, len(game.dice.support)
        sets = 1 << n
        self.tables = DecisionTables(
            losses=np.zeros((sets, rolls, n)),
            lucks=np.zeros((sets, rolls)),
            best=np.zeros((sets, rolls), dtype=np.int8),
            worths=np.zeros(sets),
            illegal_rewards=np.zeros(sets),
        )
        masks = np.arange(sets)
        is_free = (masks[:, np.newaxis] >> np.arange(n) & 1).astype(np.bool_)
        lows = np.array([float(low) for low in lattice_of(game).lows])
        for k in range(1, n + 1):
            chosen = masks[is_free.sum(axis=1) == k]
            self._fill(worths, chosen, np.nonzero(is_free[chosen])[1].reshape(-1, k), lows)

    @property
    def nbytes(self) -> int:
        """The memory of its tables."""
        return sum(table.nbytes for table in self.tables)

    def _fill(self, worths: MeanWorths, masks: Ints, free: Ints, lows: Floats) -> None:
        """The decisions in these sets, of k slots each, which are listed in ``free``."""
        losses, lucks, best, worth, illegal_rewards = self.tables
        _, _, goals, expected, _, _, multipliers = worths.tables
        k, dice, unit = free.shape[1], worths.game.dice, worths.denominator
        here = worths.rows[k - 1]
        least = np.zeros(len(masks))
        for t in range(k):
            least += lows[free[:, t]]
            worth[masks] += multipliers[free[:, t]] * expected[k, t]
        illegal_rewards[masks] = np.minimum(0.0, least)

        scale = here.denominator // dice.total  # of the row below; all that follows are integers of any size
        below = np.array(worths.rows[k - 2].numerators if k > 1 else (), dtype=object)
        parts = np.array(worths.parts, dtype=object)[free]  # [set, rank]
        between = parts[:, 1:] - parts[:, :-1]
        means = np.array(here.numerators, dtype=object)
        sets = masks[:, np.newaxis]
        first = np.repeat(np.arange(k)[np.newaxis], len(masks), axis=0)  # of the ranks with the same multiplier
        for t in range(1, k):
            first[:, t] = np.where(between[:, t - 1] == 0, first[:, t - 1], t)
        for place, roll in enumerate(dice.support):
            goal, x = int(goals[k, place]), roll * scale
            steps = between * np.abs(x - below)
            lost = np.zeros(free.shape, dtype=object)
            for t in range(goal, k - 1):
                lost[:, t + 1] = lost[:, t] + steps[:, t]
            for t in range(goal - 1, -1, -1):
                lost[:, t] = lost[:, t + 1] + steps[:, t]
            losses[sets, place, free] = lost / (unit * scale)
            clamped = np.insert(below, goal, x)
            lucks[masks, place] = parts @ (dice.total * clamped - means) / (unit * here.denominator)
            best[masks, place] = free[np.arange(len(masks)), first[:, goal]]


def decisions_of(worths: MeanWorths) -> Decisions:
    """All decisions of a small game, made once for all its environments."""
    return solved.get(("all decisions by the mean", worths.game), lambda: Decisions(worths))
