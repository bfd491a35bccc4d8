"""The best chance to reach a target.

V[A][j] = the best chance to make at least low_A + unit · j points from A. It depends on what is still needed only, so
one table serves all targets and all positions: P(score >= t) is V[A] at t minus the score so far. V is 1 for j <= 0 and
0 beyond what A can give. Computed in integers over total^|A| wherever they fit in two limbs
(docs/decisions/0003-chances-in-two-limbs.md).
"""

from fractions import Fraction

import numpy as np

from tentimes18.errors import InvalidGame
from tentimes18.game import Game, Number
from tentimes18.kernels.types import Floats
from tentimes18.solve.layers import Progress
from tentimes18.solve.objectives.best_play import BestPlay
from tentimes18.solve.objectives.plans import chances_plan
from tentimes18.solve.objectives.table import FloatTable, IntegerTable, NeededTable

__all__ = ["ChanceTable", "chance_table"]


class ChanceTable(NeededTable):
    """The best chance of every target from every position; made by `chance_table`."""

    is_exact: bool

    def index(self, free: int, score: Number, level: Number) -> int:
        """As in `NeededTable`, but no further than one beyond the ends, where all slots are equally good."""
        return max(0, min(super().index(free, score, level), int(self.widths[-1]) + 1))

    def chance(self, target: Number, free: int | None = None, score: Number = 0) -> Fraction | float:
        """The best P(final score >= target) from a position."""
        free = self.game.all_free if free is None else free
        j = self.index(free, score, target)
        one: Fraction | float = Fraction(1) if self.is_exact else 1.0
        if j <= 0:
            return one
        return one - one if j > self.widths[free] else self._inside(free, j)

    def _inside(self, free: int, j: int) -> Fraction | float:
        raise NotImplementedError

    def floats(self) -> Floats:
        """V in float64, with the array of each free set where ``spans`` says; equal chances are equal there, too.

        >>> table = chance_table(Game.parse("1d6", "1-3"))
        >>> bool(table.floats()[table.offsets[7] + table.index(7, 0, 30)] == float(table.chance(30)))
        True
        """
        raise NotImplementedError

    def best_play(self, target: Number) -> BestPlay:
        """The strategy that maximises the chance of this target."""
        return BestPlay(self, target, self.chance(target))


class _ExactChances(ChanceTable, IntegerTable):
    is_exact = True
    most = 1
    is_falling = False

    def __init__(self, game: Game, bits: int, progress: Progress | None) -> None:
        super().__init__(game, 16)
        self._fill_integers(bits, progress)

    def _inside(self, free: int, j: int) -> Fraction:
        return self._value(free, j)

    def floats(self) -> Floats:
        """See `ChanceTable`."""
        denominators = np.array([float(self.game.dice.total**k) for k in range(self.game.size + 1)])
        numerators = self.high * float(1 << self.bits) + self.low
        found: Floats = numerators / np.repeat(denominators[self.sizes], self.widths + 1)
        return found


class _FloatChances(ChanceTable, FloatTable):
    is_exact = False
    below = 1.0
    slope = 0.0

    def __init__(self, game: Game, progress: Progress | None) -> None:
        super().__init__(game, 8)
        self.base = np.zeros(len(self.masks))
        self.V = np.ones(self.cells)
        self._fill_floats(progress)

    def _inside(self, free: int, j: int) -> float:
        return float(self.V[self.offsets[free] + j])

    def floats(self) -> Floats:
        """See `ChanceTable`."""
        return self.V


def chance_table(game: Game, progress: Progress | None = None, *, exact: bool | None = None) -> ChanceTable:
    """All best chances; exact wherever integers over total^n fit, unless asked otherwise.

    >>> table = chance_table(Game.parse("1d6", "1-3"))
    >>> table.is_exact, table.chance(30)
    (True, Fraction(41, 216))
    """
    bits = IntegerTable.bits_for(game, _ExactChances.most)
    if exact and not bits:
        raise InvalidGame(f"chances over {game.dice.total}^{game.size} do not fit in two 64-bit numbers", field="dice")
    if bits and exact is not False and (exact or chances_plan(game).fits()):
        return _ExactChances(game, bits, progress)
    return _FloatChances(game, progress)
