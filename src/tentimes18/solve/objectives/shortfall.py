"""The least expected shortfall below a level, and the best mean of the worst share of games.

V[A][j] = -min E[(d - points)^+] for d = low_A + unit · j, one table for all levels d. It is 0 for j <= 0, and M[A] - d
beyond what A can give. The mean of the worst share α of the score is, for any law, the maximum over c of
c - E[(c - S)^+]/α (Rockafellar and Uryasev 2000), attained at a score that can happen. So the best worst-share mean is
the maximum over c of c + V[B][c]/α, B being the whole board, and both maxima are taken together: no gap remains.

Shortfalls are rational. In units V + w, with w the width of the whole board, is between 0 and w wherever it is looked
up, and an integer over total^|A|: exact in two limbs where these fit, else float64.
"""

from fractions import Fraction

import numpy as np

from tentimes18.errors import TooLarge
from tentimes18.game import Game, Number
from tentimes18.solve.float_subsets import subset_values
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.layers import Progress
from tentimes18.solve.objectives.best_play import BestPlay
from tentimes18.solve.objectives.table import FloatTable, IntegerTable, NeededTable, verify_share

__all__ = ["ShortfallTable", "best_worst_share", "shortfall_table"]


class ShortfallTable(NeededTable):
    """The least expected shortfall below every level, from every position; made by `shortfall_table`."""

    is_exact: bool

    def shortfall(self, level: Number, free: int | None = None, score: Number = 0) -> Fraction | float:
        """The least E[(level - final score)^+]; the level must be a score that the lattice has."""
        free = self.game.all_free if free is None else free
        j = self.index(free, score, level)
        return self.shortfall_at(free, j)

    def shortfall_at(self, free: int, j: int) -> Fraction | float:
        """The same by index: what the level is above the least final score from there, in units."""
        nothing: Fraction | float = Fraction(0) if self.is_exact else 0.0
        return nothing if j <= 0 else self._shortfall(free, j)

    def _shortfall(self, free: int, j: int) -> Fraction | float:
        raise NotImplementedError


class _ExactShortfalls(ShortfallTable, IntegerTable):
    is_exact = True
    is_falling = True

    def __init__(self, game: Game, bits: int, progress: Progress | None) -> None:
        super().__init__(game, 16)
        self.most = self.lattice.width(game.all_free)
        self._fill_integers(bits, progress)

    def _shortfall(self, free: int, j: int) -> Fraction:
        inside = min(j, int(self.widths[free]))
        return self.lattice.unit * (self.most - self._value(free, inside) + j - inside)


class _FloatShortfalls(ShortfallTable, FloatTable):
    is_exact = False
    below = 0.0

    def __init__(self, game: Game, progress: Progress | None) -> None:
        super().__init__(game, 8)
        self.slope = -float(self.lattice.unit)
        self.base = subset_values(game) - np.array([float(self.lattice.low(int(A))) for A in self.masks])
        self.V = np.zeros(self.cells)
        self._fill_floats(progress)

    @property
    def near(self) -> float:
        """Beyond the ends a shortfall, of a unit or more, is a difference of numbers as large as the largest score."""
        low, width = self.lattice.low(self.game.all_free), self.lattice.width(self.game.all_free)
        return super().near * float(1 + width + abs(low) / self.lattice.unit)

    def _shortfall(self, free: int, j: int) -> float:
        inside = j <= self.widths[free]
        return -float(self.V[self.offsets[free] + j] if inside else self.base[free] + self.slope * j)


def shortfall_table(game: Game, progress: Progress | None = None, *, exact: bool | None = None) -> ShortfallTable:
    """The least shortfalls below all levels; exact wherever integers fit, unless asked otherwise.

    >>> shortfall_table(Game.parse("1d6", "1-3")).shortfall(30)
    Fraction(1493, 216)
    """
    bits = IntegerTable.bits_for(game, max(1, lattice_of(game).width(game.all_free)))
    if bits and exact is not False:
        try:
            return _ExactShortfalls(game, bits, progress)
        except TooLarge:
            if exact:
                raise
    return _FloatShortfalls(game, progress)


def best_worst_share(table: ShortfallTable, share: Fraction | float) -> BestPlay:
    """The strategy whose worst share of games has the best mean; its value is that mean.

    Where several levels lead to it, the one is taken whose play has the best mean of all games; then the lowest.

    >>> play = best_worst_share(shortfall_table(Game.parse("1d6", "1-3")), Fraction(1, 10))
    >>> play.value == play.law().lower_mean(Fraction(1, 10))
    True
    """
    verify_share("cvar", share)

    def find() -> tuple[Number, Fraction | float]:
        lattice, free = table.lattice, table.game.all_free
        part = Fraction(share) if table.is_exact else float(share)
        levels = lattice.scores(free, range(lattice.width(free) + 1))
        values = [_worst_share(level, table.shortfall_at(free, j), part) for j, level in enumerate(levels)]
        best = max(values)
        tied = [level for level, value in zip(levels, values, strict=True) if value == best]
        return max(tied, key=table.mean) if len(tied) > 1 else tied[0], best

    return BestPlay(table, *table.remembered(("worst share", share), find))


def _worst_share(level: Number, shortfall: Fraction | float, share: Fraction | float) -> Fraction | float:
    """What the mean of the worst share comes to where the level is its bound."""
    return level - shortfall / share if isinstance(shortfall, Fraction) else float(level) - shortfall / float(share)
