"""The least expected shortfall below a level, and the best mean of the worst share of games.

V[A][j] = -min E[(d - points)^+] for d = low_A + unit · j, one table for all levels d. It is 0 for j <= 0, and M[A] - d
beyond what A can give. The mean of the worst share α of the score is, for any law, the maximum over c of
c - E[(c - S)^+]/α (Rockafellar and Uryasev 2000), attained at a score that can happen. So the best worst-share mean is
the maximum over c of c + V[B][c]/α, B being the whole board, and both maxima are taken together: no gap remains.
"""

from fractions import Fraction

import numpy as np

from tentimes18.game import Game, Number
from tentimes18.solve.float_subsets import subset_values
from tentimes18.solve.layers import Progress
from tentimes18.solve.objectives.best_play import BestPlay
from tentimes18.solve.objectives.table import FloatTable, NeededTable, verify_share

__all__ = ["ShortfallTable", "best_worst_share"]


class ShortfallTable(NeededTable, FloatTable):
    """The least expected shortfall below every level, from every position.

    >>> table = ShortfallTable(Game.parse("1d6", "1-3"))
    >>> round(table.shortfall(30), 9)
    6.912037037
    """

    below = 0.0

    def __init__(self, game: Game, progress: Progress | None = None) -> None:
        super().__init__(game, 8)
        self.unit = float(self.lattice.unit)
        self.slope = -self.unit
        self.base = subset_values(game) - np.array([float(self.lattice.low(int(A))) for A in self.masks])
        self.V = np.zeros(self.cells)
        self._fill_floats(progress)

    def shortfall(self, level: Number, free: int | None = None, score: Number = 0) -> float:
        """The least E[(level - final score)^+]; the level must be a score that the lattice has."""
        free = self.game.all_free if free is None else free
        j = self.index(free, score, level)
        if j <= 0:
            return 0.0
        inside = j <= self.widths[free]
        return -float(self.V[self.offsets[free] + j] if inside else self.base[free] + self.slope * j)


def best_worst_share(table: ShortfallTable, share: Fraction | float) -> BestPlay:
    """The strategy whose worst share of games has the best mean; its value is that mean.

    >>> play = best_worst_share(ShortfallTable(Game.parse("1d6", "1-3")), Fraction(1, 10))
    >>> abs(play.value - play.law().lower_mean(Fraction(1, 10))) < 1e-12
    True
    """
    verify_share("cvar", share)

    def find() -> tuple[Number, float]:
        lattice, free = table.lattice, table.game.all_free
        levels = (lattice.score(free, j) for j in range(lattice.width(free) + 1))
        value, level = max((float(level) - table.shortfall(level) / float(share), level) for level in levels)
        return level, value

    return BestPlay(table, *table.remembered(("worst share", share), find))
