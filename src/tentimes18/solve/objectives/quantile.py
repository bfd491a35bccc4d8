"""The best quantile of the score.

The q-quantile of S is at least s exactly if P(S >= s) > 1 - q. So the best q-quantile is the largest s whose best
chance is above 1 - q, and playing for that s attains it.
"""

from fractions import Fraction

from tentimes18.game import Number
from tentimes18.solve.objectives.best_play import BestPlay
from tentimes18.solve.objectives.chances import ChanceTable
from tentimes18.solve.objectives.table import verify_share

__all__ = ["best_quantile"]


def best_quantile(table: ChanceTable, q: Fraction | float) -> BestPlay:
    """The strategy with the best q-quantile; its value is that quantile.

    >>> from tentimes18.game import Game
    >>> from tentimes18.solve.objectives.chances import chance_table
    >>> play = best_quantile(chance_table(Game.parse("1d6", "1-3")), Fraction(1, 2))
    >>> play.value == play.law().median
    True
    """
    verify_share("quantile", q)

    def find() -> tuple[Number, Fraction]:
        lattice, free = table.lattice, table.game.all_free
        low, high = 0, lattice.width(free)  # the chance of index 0 is 1
        while low < high:
            middle = (low + high + 1) // 2
            if table.chance(lattice.score(free, middle)) > 1 - Fraction(q):
                low = middle
            else:
                high = middle - 1
        quantile = lattice.score(free, low)
        return quantile, Fraction(quantile)

    return BestPlay(table, *table.remembered(("quantile", q), find))
