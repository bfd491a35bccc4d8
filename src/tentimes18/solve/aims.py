"""Best play for aims other than the mean: a target, a quantile, the worst share of games, a utility.

**Target.** V[A][j] = the best chance to make at least low_A + unit · j points from A. It depends on what is still
needed only, so one table serves all targets and all positions: P(score >= t) is V[A] at t minus the score so far. V is
1 for j <= 0 and 0 beyond what A can give. Computed in integers over total^|A| wherever they fit in two limbs
(docs/decisions/0003-chances-in-two-limbs.md).

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

from fractions import Fraction
from math import floor

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.game import Game, Number
from tentimes18.solve.aim_tables import FloatTable, IntegerTable, NeededTable, verify_share
from tentimes18.solve.best_play import BestPlay
from tentimes18.solve.float_subsets import subset_values
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.parallel import Progress
from tentimes18.solve.utilities import Utility


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
        """V in float64, with the array of each free set where ``spans`` says; equal chances are equal there, too."""
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
        chances: Floats = numerators / np.repeat(denominators[self.sizes], self.widths + 1)
        return chances


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
    if bits and exact is not False:
        try:
            return _ExactChances(game, bits, progress)
        except TooLarge:
            if exact:
                raise
    return _FloatChances(game, progress)


def best_quantile(table: ChanceTable, q: Fraction | float) -> BestPlay:
    """The strategy with the best q-quantile; its value is that quantile."""
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
    """The least shortfalls below all levels; exact wherever integers fit, unless asked otherwise."""
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


class UtilityTable(FloatTable):
    """The best expected utility of the final score, from every position that the empty board can lead to."""

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
