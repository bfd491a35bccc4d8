"""Best play for aims other than the mean: a target, a quantile, the worst share of games, a utility.

**Target.** V[A][j] = the best chance to make at least low_A + unit · j points from A. It depends on what is still
needed only, so one table serves all targets and all positions: P(score >= t) is V[A] at t minus the score so far. V is
1 for j <= 0 and 0 beyond what A can give. Computed in integers over total^|A| wherever they fit in two limbs
(docs/decisions/0003-probabilities-in-two-limbs.md).

**Quantile.** The q-quantile of S is at least s exactly if P(S >= s) > 1 - q. So the best q-quantile is the largest s
whose best chance is above 1 - q, and playing for that s attains it.

**Worst share.** V[A][j] = -min E[(d - points)^+] for d = low_A + unit · j, one table for all levels d. It is 0 for
j <= 0, and M[A] - d beyond what A can give. The mean of the worst share α of the score is, for any distribution, the
maximum over c of c - E[(c - S)^+]/α (Rockafellar and Uryasev 2000), attained at a score that can happen. So the best
worst-share mean is the maximum over c of c + V[B][c]/α, B being the whole board, and both maxima are taken together: no
gap remains. Shortfalls are rational. In units V + w, with w the width of the whole board, is between 0 and w wherever
it is looked up, and an integer over total^|A|: exact in two limbs where these fit, else float64.

**Utility** (`solve.utilities`). V[A][j] = best E[u(score)] when the filled slots have made low + unit · j points.
"""

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import TypeVar

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.game import Game, Number
from tentimes18.solve.aim_tables import BestPlay, ObjectiveTable, verify_share
from tentimes18.solve.float_subsets import subset_values
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.parallel import Progress
from tentimes18.solve.utilities import Utility

Table = TypeVar("Table", bound=ObjectiveTable)


class ChanceTable(ObjectiveTable):
    """The best chance of every target from every position; made by `chance_table`."""

    most = 1
    below = 1.0

    def __init__(self, game: Game, bits: int, progress: Progress | None) -> None:
        super().__init__(game, bits)
        self._fill_values([1], progress)

    def index(self, free: int, score: Number, level: Number) -> int:
        """As in `ObjectiveTable`, but no further than one beyond the ends, where all slots are equally good."""
        return max(0, min(super().index(free, score, level), int(self.widths[-1]) + 1))

    def chance(self, target: Number, free: int | None = None, score: Number = 0) -> Fraction | float:
        """The best P(final score >= target) from a position."""
        free = self.game.all_free if free is None else free
        j = self.index(free, score, target)
        if 0 < j <= self.widths[free]:
            return self.value(free, j)
        return Fraction(j <= 0) if self.is_exact else float(j <= 0)

    def floats(self) -> Floats:
        """V in float64, with the array of each free set where ``spans`` says; equal chances are equal there, too."""
        if not self.bits:
            return self.V
        denominators = np.array([float(self.game.dice.total**k) for k in range(self.game.size + 1)])
        numerators = self.high * float(1 << self.bits) + self.low
        chances: Floats = numerators / np.repeat(denominators[self.sizes], self.widths + 1)
        return chances

    def best_play(self, target: Number) -> BestPlay:
        return BestPlay(self, target, self.chance(target))


def chance_table(game: Game, progress: Progress | None = None, *, exact: bool | None = None) -> ChanceTable:
    """All best chances; exact wherever integers over total^n fit, unless asked otherwise.

    >>> table = chance_table(Game.parse("1d6", "1-3"))
    >>> table.is_exact, table.chance(30)
    (True, Fraction(41, 216))
    """
    return _solved(ChanceTable, game, 1, exact, progress)


def shortfall_table(game: Game, progress: Progress | None = None, *, exact: bool | None = None) -> "ShortfallTable":
    """The least shortfalls below all levels; exact wherever integers fit, unless asked otherwise."""
    return _solved(ShortfallTable, game, lattice_of(game).width(game.all_free), exact, progress)


def _solved(
    kind: Callable[[Game, int, Progress | None], Table],
    game: Game,
    most: int,
    exact: bool | None,
    progress: Progress | None,
) -> Table:
    bits = ObjectiveTable.bits_for(game, max(1, most))
    if exact and not bits:
        raise InvalidGame(f"numbers over {game.dice.total}^{game.size} do not fit in two 64-bit numbers", field="dice")
    if bits and exact is not False:
        try:
            return kind(game, bits, progress)
        except TooLarge:
            if exact:
                raise
    return kind(game, 0, progress)


def best_quantile(table: ChanceTable, q: Fraction | float) -> BestPlay:
    """The strategy with the best q-quantile; its value is that quantile."""
    verify_share("quantile", q)

    def find() -> tuple[Number, Fraction]:
        lattice, free = table.lattice, table.game.all_free
        indexes = range(1, lattice.width(free) + 1)  # the chance of index 0 is 1
        best = bisect_left(indexes, 1, key=lambda j: table.chance(lattice.score(free, j)) <= 1 - Fraction(q))
        quantile = lattice.score(free, best)
        return quantile, Fraction(quantile)

    return BestPlay(table, *table.remembered(("quantile", q), find))


class ShortfallTable(ObjectiveTable):
    """The least expected shortfall below every level, from every position; made by `shortfall_table`."""

    is_falling = True

    def __init__(self, game: Game, bits: int, progress: Progress | None) -> None:
        super().__init__(game, bits)
        self.most = self.lattice.width(game.all_free)
        if not bits:
            self.slope = -float(self.lattice.unit)
            self.base = subset_values(game) - np.array([float(self.lattice.low(int(A))) for A in self.masks])
        self._fill_values([self.most if bits else 0.0], progress)

    @property
    def near(self) -> float:
        """Beyond the ends a shortfall, of a unit or more, is a difference of numbers as large as the largest score."""
        low, width = self.lattice.low(self.game.all_free), self.lattice.width(self.game.all_free)
        return super().near * float(1 + width + abs(low) / self.lattice.unit)

    def shortfall(self, free: int, j: int) -> Fraction | float:
        """The least E[(level - final score)^+], j being what the level is above the least final score, in units."""
        if j <= 0:
            return Fraction(0) if self.is_exact else 0.0
        inside = min(j, int(self.widths[free]))
        if self.is_exact:
            return self.lattice.unit * (self.most - self.value(free, inside) + j - inside)
        return -(self.value(free, j) if inside == j else float(self.base[free] + self.slope * j))


def best_worst_share(table: ShortfallTable, share: Fraction | float) -> BestPlay:
    """The strategy whose worst share of games has the best mean; its value is that mean.

    Where several levels lead to it, the one is taken whose play has the best mean of all games; then the lowest.
    """
    verify_share("cvar", share)

    def find() -> tuple[Number, Fraction | float]:
        lattice, free = table.lattice, table.game.all_free
        part = Fraction(share) if table.is_exact else float(share)
        levels = lattice.scores(free, range(lattice.width(free) + 1))
        values = [level - table.shortfall(free, j) / part for j, level in enumerate(levels)]
        best = max(values)
        tied = [level for level, value in zip(levels, values, strict=True) if value == best]
        if len(tied) == 1:
            return tied[0], best
        means = [table.mean(level) for level in tied]
        least = max(means) - table.means().near * float(lattice.unit)
        return next(level for level, mean in zip(tied, means, strict=True) if mean >= least), best

    return BestPlay(table, *table.remembered(("worst share", share), find))


class UtilityTable(ObjectiveTable):
    """The best expected utility of the final score, from every position that the empty board can lead to.

    Its index is what the filled slots have made.
    """

    step = 1

    def __init__(self, game: Game, utility: Utility, progress: Progress | None = None) -> None:
        super().__init__(game)
        self.utility = utility
        scores = map(float, self.lattice.scores(game.all_free, range(int(self.widths[0]) + 1)))
        try:
            with np.errstate(all="ignore"):
                final = [float(utility.value(score)) for score in scores]
        except (ArithmeticError, TypeError, ValueError):
            final = [float("nan")]
        if not all(abs(value) < float("inf") for value in final):
            raise InvalidGame("the utility is not a finite number for every score of this game", field="strategy")
        if min(final) < 0 < max(final):
            self.least = self.near * max(map(abs, final))
        self._fill_values(final, progress)

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
        free = self.game.all_free if free is None else free
        return float(self.value(free, self.index(free, score)))

    def best_play(self) -> BestPlay:
        """The strategy that maximises the utility; its value is the certainty equivalent where there is one."""
        expected = self.expected()
        return BestPlay(self, 0, self.utility.inverse(expected) if self.utility.inverse else expected)
