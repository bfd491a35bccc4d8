"""All decisions of a small game by the mean, in tables over the free sets: what `worths` says of each, to the last bit.

Sums are taken over the ranks one by one and in the same order as there, at once for all sets of so many free slots.
"""

from typing import Final

import numpy as np

from tentimes18.envs.worths import MeanWorths
from tentimes18.game import Game
from tentimes18.kernels.small_environment import DecisionTables
from tentimes18.kernels.types import Floats, Ints
from tentimes18.solve.lattice import lattice_of
from tentimes18.storage.cache import solved

__all__ = ["Decisions", "decisions_of", "has_decisions"]

LARGEST: Final = 8 << 20  # bytes: what is beyond stays in no cache of a processor, and is better summed up each time


class Decisions:
    """The tables of a game.

    >>> from tentimes18.envs.worths import worths_of
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
        gaps, changes, goals, expected, between, base_lucks, multipliers = worths.tables
        k = free.shape[1]
        goal = goals[k]
        least = np.zeros(len(masks))
        lucks[masks] = base_lucks
        for t in range(k):
            slot = free[:, t]
            least += lows[slot]
            worth[masks] += multipliers[slot] * expected[k, t]
            lucks[masks] += between[0, slot][:, np.newaxis] * changes[k, :, t]
        illegal_rewards[masks] = np.minimum(0.0, least)

        steps = between[free[:, :-1], free[:, 1:]][:, np.newaxis, :] * gaps[k, :, : k - 1]  # [set, roll, rank]
        is_above = np.arange(k - 1) >= goal[:, np.newaxis]
        rolls = np.arange(len(goal))
        above = np.cumsum(np.where(is_above, steps, 0.0), axis=2)
        below = np.cumsum(np.where(is_above, 0.0, steps)[:, :, ::-1], axis=2)[:, :, ::-1]
        for t in range(k - 1):
            losses[masks[:, np.newaxis], rolls, free[:, t + 1, np.newaxis]] += above[:, :, t]
            losses[masks[:, np.newaxis], rolls, free[:, t, np.newaxis]] += below[:, :, t]

        first = np.repeat(np.arange(k)[np.newaxis], len(masks), axis=0)  # of the ranks with the same multiplier
        for t in range(1, k):
            first[:, t] = np.where(between[free[:, t - 1], free[:, t]] == 0.0, first[:, t - 1], t)
        best[masks] = np.take_along_axis(free, first[:, goal], axis=1)


def has_decisions(game: Game) -> bool:
    """Whether all decisions of a game are few enough for a table.

    >>> has_decisions(Game.classic()), has_decisions(Game.parse("3d6", "1-18"))
    (True, False)
    """
    return game.size < 24 and len(game.dice.support) * (game.size + 2) * 8 << game.size <= LARGEST


def decisions_of(worths: MeanWorths) -> Decisions:
    """All decisions of a small game, made once for all its environments."""
    return solved.get(("all decisions by the mean", worths.game), lambda: Decisions(worths))
