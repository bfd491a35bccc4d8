"""The best expected utility of the final score (the utilities themselves: `solve.objectives.utilities`).

V[A][j] = best E[u(score)] when the filled slots have made low + unit · j points.
"""

from math import floor

import numpy as np

from tentimes18.errors import InvalidGame
from tentimes18.game import Game, Number
from tentimes18.kernels.types import Ints
from tentimes18.solve.layers import Progress
from tentimes18.solve.objectives.best_play import BestPlay
from tentimes18.solve.objectives.table import FloatTable
from tentimes18.solve.objectives.utilities import Utility

__all__ = ["UtilityTable"]


class UtilityTable(FloatTable):
    """The best expected utility of the final score, from every position that the empty board can lead to.

    >>> near = Utility(lambda score: -((score - 20) ** 2))
    >>> round(UtilityTable(Game.parse("1d6", "1-3"), near).expected(), 6)
    -25.611111
    """

    step = 1
    below = 0.0
    slope = 0.0

    def __init__(self, game: Game, utility: Utility, progress: Progress | None = None) -> None:
        super().__init__(game, 8)
        self.utility = utility
        scores = map(float, self.lattice.scores(game.all_free, range(int(self.widths[0]) + 1)))
        try:
            with np.errstate(all="ignore"):
                final = [float(utility.value(score)) for score in scores]
        except (ArithmeticError, TypeError, ValueError):
            final = [float("nan")]
        if not all(abs(value) < float("inf") for value in final):
            raise InvalidGame("the utility is not a finite number for every score of this game", field="strategy")
        self.base = np.zeros(len(self.masks))
        if min(final) < 0 < max(final):
            self.least = self.near * max(map(abs, final))
        self.V = np.zeros(self.cells)
        self.V[: len(final)] = final
        self._fill_floats(progress)

    def _widths(self, free_widths: Ints) -> Ints:
        result: Ints = free_widths[-1] - free_widths
        return result

    def index(self, free: int, score: Number, level: Number = 0) -> int:  # noqa: ARG002
        """The points made so far above the least that the filled slots give, in units."""
        j = (score - self.lattice.low(self.game.all_free ^ free)) / self.lattice.unit
        if j != floor(j) or not 0 <= j <= self.widths[free]:
            raise InvalidGame(f"{score} cannot be reached with these slots filled", field="score")
        return floor(j)

    def expected(self, free: int | None = None, score: Number = 0) -> float:
        """The best E[u(final score)] from a position."""
        free = self.game.all_free if free is None else free
        return float(self.V[self.offsets[free] + self.index(free, score)])

    def best_play(self) -> BestPlay:
        """The strategy that maximises the utility; its value is the certainty equivalent where there is one."""
        expected = self.expected()
        return BestPlay(self, 0, self.utility.inverse(expected) if self.utility.inverse else expected)
