"""Best play for other aims than the mean: a chance, a utility, a quantile, the worst share.

Each aim is one backward sum over free sets and scores, V[A][j] = Σ_x P(x) max_i V[A - i][j'], j the index of the score
on the game's lattice (`solve.lattice`), j' the index after placing x in slot i.

- *Chance.* V[A][j] = the best chance to make at least low_A + unit · j points from A. It depends on what is still
  needed only, so one table serves all targets and all positions: P(score >= t) is V[A] at t minus the score so far.
  V is 1 for j <= 0 and 0 beyond what A can give. Computed in integers over total^|A| wherever they fit in two limbs.
- *Shortfall.* V[A][j] = -min E[(d - points)^+] for d = low_A + unit · j, one table for all levels d. It is 0 for
  j <= 0, and M[A] - d beyond what A can give. The mean of the worst share α of the score is, for any law, the maximum
  over c of c - E[(c - S)^+]/α (Rockafellar and Uryasev 2000), attained at a score that can happen. So the best
  worst-share mean is the maximum over c of c + V[B][c]/α, and both maxima are taken together: no gap remains.
- *Utility.* V[A][j] = best E[u(score)] when the filled slots have made low + unit · j points.
- *Quantile.* The q-quantile of S is at least s exactly if P(S >= s) > 1 - q. So the best q-quantile is the largest s
  whose best chance is above 1 - q, and aiming at that s attains it.

The laws of these strategies are followed forwards from their choices (`solve.aim`), exactly or in float64.
"""

from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Final

from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.game import Game, Number
from tentimes18.solve.objectives.table import BestPlay, FloatTable, ObjectiveTable
from tentimes18.solve.objectives.utilities import Utility
from tentimes18.solve.subsets import subset_values
from tentimes18.solve.thresholds import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ChanceTable", "ShortfallTable", "UtilityTable", "best_quantile", "best_worst_share", "chance_table"]

LIMB_BITS: Final = 62


class NeededTable(ObjectiveTable):
    """A table over what is still needed to reach a level."""

    step = -1

    def _widths(self, free_widths: "NDArray[np.int64]") -> "NDArray[np.int64]":
        return free_widths

    def index(self, free: int, score: Number, level: Number) -> int:
        """What is still needed above the least that the free slots give, in units."""
        return ceil((level - score - self.lattice.low(free)) / self.lattice.unit)


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

    def best_play(self, target: Number) -> BestPlay:
        """The strategy that maximises the chance of this target."""
        return BestPlay(self, target, self.chance(target))


class _ExactChances(ChanceTable):
    """Integers over total^|A| in two limbs: high · 2^bits + low."""

    is_exact = True

    def __init__(self, game: Game, bits: int, progress: Progress | None) -> None:
        import numpy as np

        from tentimes18.kernels import objectives as kernel

        super().__init__(game, 16)
        self.bits = bits
        self.high, self.low = np.zeros(self.cells, dtype=np.int64), np.zeros(self.cells, dtype=np.int64)
        self.high[0], self.low[0] = self._sure(0)
        counts = np.array(game.dice.counts, dtype=np.int64)

        def fill(sets: "NDArray[np.int64]") -> None:
            sure = self._sure(int(sets[0]).bit_count() - 1)
            kernel.exact_chances(counts, self.shifts, self.widths, self.offsets, sets, *sure, bits, self.high, self.low)

        self._fill(fill, progress)

    def _sure(self, size: int) -> tuple[int, int]:
        """Chance 1 with so many free slots."""
        one = self.game.dice.total**size
        return one >> self.bits, one & ((1 << self.bits) - 1)

    def _inside(self, free: int, j: int) -> Fraction:
        place = int(self.offsets[free]) + j
        value = (int(self.high[place]) << self.bits) + int(self.low[place])
        return Fraction(value, self.game.dice.total ** free.bit_count())

    def choices(self, free: int, start: int, size: int) -> "NDArray[np.int8]":
        """See `ObjectiveTable`."""
        import numpy as np

        from tentimes18.kernels import objectives as kernel

        result = np.zeros((len(self.P), size), dtype=np.int8)
        sure = self._sure(free.bit_count() - 1)
        kernel.exact_choices(self.shifts, self.widths, self.offsets, free, *sure, self.high, self.low, start, result)
        return result


class _FloatChances(ChanceTable, FloatTable):
    is_exact = False
    below = 1.0
    slope = 0.0

    def __init__(self, game: Game, progress: Progress | None) -> None:
        import numpy as np

        super().__init__(game, 8)
        self.base = np.zeros(len(self.masks))
        self.V = np.ones(self.cells)
        self._fill_floats(progress)

    def _inside(self, free: int, j: int) -> float:
        return float(self.V[self.offsets[free] + j])


def chance_table(game: Game, progress: Progress | None = None, *, exact: bool | None = None) -> ChanceTable:
    """All best chances; exact wherever integers over total^n fit, unless asked otherwise.

    >>> table = chance_table(Game.parse("1d6", "1-3"))
    >>> table.is_exact, table.chance(30)
    (True, Fraction(41, 216))
    """
    bits = LIMB_BITS - game.dice.total.bit_length()
    fits = bits > 0 and game.dice.total**game.size < 1 << (bits + LIMB_BITS)
    if exact and not fits:
        raise InvalidGame(f"chances over {game.dice.total}^{game.size} do not fit in two 64-bit numbers", field="dice")
    if fits and exact is not False:
        try:
            return _ExactChances(game, bits, progress)
        except TooLarge:
            if exact:
                raise
    return _FloatChances(game, progress)


class ShortfallTable(NeededTable, FloatTable):
    """The least expected shortfall below every level, from every position.

    >>> table = ShortfallTable(Game.parse("1d6", "1-3"))
    >>> round(table.shortfall(30), 9)
    6.912037037
    """

    below = 0.0

    def __init__(self, game: Game, progress: Progress | None = None) -> None:
        import numpy as np

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
        import numpy as np

        super().__init__(game, 8)
        self.utility = utility
        scores = (float(self.lattice.score(game.all_free, j)) for j in range(int(self.widths[0]) + 1))
        try:
            with np.errstate(all="ignore"):
                final = [float(utility.value(score)) for score in scores]
        except (ArithmeticError, TypeError, ValueError):
            final = [float("nan")]
        if not all(abs(value) < float("inf") for value in final):
            raise InvalidGame("the utility is not a finite number for every score of this game", field="strategy")
        self.base = np.zeros(len(self.masks))
        self.V = np.zeros(self.cells)
        self.V[: len(final)] = final
        self._fill_floats(progress)

    def _widths(self, free_widths: "NDArray[np.int64]") -> "NDArray[np.int64]":
        result: NDArray[np.int64] = free_widths[-1] - free_widths
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


def best_quantile(table: ChanceTable, q: Fraction | float) -> BestPlay:
    """The strategy with the best q-quantile; its value is that quantile.

    >>> aim = best_quantile(chance_table(Game.parse("1d6", "1-3")), Fraction(1, 2))
    >>> aim.value == aim.law().median
    True
    """
    _verify_share("quantile", q)

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


def best_worst_share(table: ShortfallTable, share: Fraction | float) -> BestPlay:
    """The strategy whose worst share of games has the best mean; its value is that mean.

    >>> aim = best_worst_share(ShortfallTable(Game.parse("1d6", "1-3")), Fraction(1, 10))
    >>> abs(aim.value - aim.law().lower_mean(Fraction(1, 10))) < 1e-12
    True
    """
    _verify_share("cvar", share)

    def find() -> tuple[Number, float]:
        lattice, free = table.lattice, table.game.all_free
        levels = (lattice.score(free, j) for j in range(lattice.width(free) + 1))
        value, level = max((float(level) - table.shortfall(level) / float(share), level) for level in levels)
        return level, value

    return BestPlay(table, *table.remembered(("worst share", share), find))


def _verify_share(what: str, share: Fraction | float) -> None:
    if not 0 < share <= 1:
        raise InvalidGame(f"{what} takes a share above 0 and at most 1, not {share}", field="strategy")
