"""The mean of the points to come under best play for an objective: what decides between slots that are equally good.

Of all plays that are best for an objective, the one to take has the best mean, from every position on. With V the
table of the objective and I(A, j, x) the slots of A that lead to its best value for the roll x,

    N[A][j] = Σ_x P(x) max_{i in I(A, j, x)} (shift_i(x) + N[A - i][j']),

and the slot taken is the first that attains the maximum. N is counted in units above the least that A gives
(`solve.lattice`), so that it is an integer over total^|A|, between 0 and width · total^n. It is kept in as many 64-bit
limbs as that takes, up to four; beyond, in float64, where means within a bound of their rounding are equal.

Where V is known beyond the ends of its arrays, all slots are equally good there or V is the mean itself, and N[A] is
the best mean of A, its value. It stands at index 0, where every play reaches the objective.
"""

from fractions import Fraction
from typing import Final

import numpy as np

from tentimes18.game import Game
from tentimes18.kernels.types import Floats, Ints, Means
from tentimes18.solve.lattice import lattice_of

__all__ = ["MeanTable", "rounding"]

MOST_LIMBS: Final = 4
MOST_BITS: Final = 59  # of a limb, so that a difference of a few units and a limb fits in 63
TOP_BITS: Final = 62  # of the highest limb
LEAST_BITS: Final = 4  # that a limb must have for the others to be negligible against it


class MeanTable:
    """Room for the means of so many cells, and the form that kernels take them in.

    >>> table = MeanTable(Game.classic(), cells=423424, step=-1, most_bytes=1e9)
    >>> table.is_exact, len(table.N)
    (True, 2)
    """

    def __init__(self, game: Game, cells: int, step: int, most_bytes: float) -> None:
        self._game = game
        self._lattice = lattice_of(game)
        self._step = step
        dice = game.dice
        width = self._lattice.width(game.all_free)
        bits = min(MOST_BITS, 62 - dice.total.bit_length())
        limbs = 1 + max(0, -((TOP_BITS - (dice.total**game.size * (width + 1)).bit_length()) // max(bits, 1)))
        self.is_exact = bits >= LEAST_BITS and limbs <= MOST_LIMBS and 8 * limbs * cells <= most_bytes
        self._bits = bits if self.is_exact else 0
        self.N: Ints | Floats
        self.weights: Ints | Floats
        if self.is_exact:
            self._near = 0.0
            self.weights = np.array(dice.counts, dtype=np.int64)
            self.N = np.zeros((limbs, cells), dtype=np.int64)
        else:
            self._near = rounding(game) * width
            self.weights = np.array([count / dice.total for count in dice.counts])
            self.N = np.zeros((1, cells))

        self._points = [self._points_after(size) for size in range(game.size)]

    @property
    def nbytes(self) -> int:
        """The memory of the table."""
        return self.N.nbytes

    def after(self, size: int) -> Means:
        """The means for the moves that lead to sets of ``size`` free slots, for kernels."""
        return Means(self._step, self._bits, self._near, self._points[size], self.N)

    def _points_after(self, size: int) -> Ints | Floats:
        shifts = self._lattice.shifts
        if not self.is_exact:
            return np.array([shifts], dtype=np.float64)
        one = self._game.dice.total**size
        found = [[self._limbs(shift * one) for shift in row] for row in shifts]
        return np.ascontiguousarray(np.array(found, dtype=np.int64).transpose(2, 0, 1))

    def mean(self, cell: int, size: int) -> Fraction | float:
        """The number in a cell of a set of ``size`` free slots."""
        if not self.is_exact:
            return float(self.N[0, cell])
        number = 0
        for limb in self.N[:, cell].tolist():
            number = (number << self._bits) + limb
        return Fraction(number, self._game.dice.total**size)

    def _limbs(self, number: int) -> list[int]:
        """The limbs of a number, the highest first."""
        found = []
        for _ in range(len(self.N) - 1):
            found.append(number & ((1 << self._bits) - 1))
            number >>= self._bits
        return [number, *reversed(found)]


def rounding(game: Game) -> float:
    """A bound of twice the error of a mean over the whole game in float64, as a share of the largest number in it.

    A layer is a sum of as many products as the dice have rolls, each with a rounded chance; all numbers have one sign.

    >>> rounding(Game.classic()) < 1e-13
    True
    """
    return game.size * (len(game.dice.support) + 3) * 2.0**-52
