"""Best play for other aims than the mean: a chance, a utility, a quantile, the worst share.

Each aim is one backward sum over free sets and scores, V[A][j] = Σ_x P(x) max_i V[A - i][j'], j the index of the score
on the game's lattice (`solve.lattice`), j' the index after placing x in slot i.

- *Chance.* V[A][j] = the best chance to make at least low_A + unit · j points from A. It depends on what is still needed
  only, so one table serves all targets and all positions: P(score >= t) is V[A] at t minus the score so far. V is 1 for
  j <= 0 and 0 beyond what A can give. Computed in integers over total^|A| wherever they fit in two 64-bit limbs.
- *Shortfall.* V[A][j] = -min E[(d - points)^+] for d = low_A + unit · j, one table for all levels d. It is 0 for j <= 0,
  and M[A] - d beyond what A can give. The mean of the worst share α of the score is, for any law, the maximum over c of
  c - E[(c - S)^+]/α (Rockafellar and Uryasev 2000), attained at a score that can happen. So the best worst-share mean is
  the maximum over c of c + V[B][c]/α, and both maxima are taken together: no gap remains.
- *Utility.* V[A][j] = best E[u(score)] when the filled slots have made low + unit · j points.
- *Quantile.* The q-quantile of S is at least s exactly if P(S >= s) > 1 - q. So the best q-quantile is the largest s whose
  best chance is above 1 - q, and aiming at that s attains it.

The laws of these strategies are followed forwards from their choices, exactly or in float64.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Final, TypeAlias

from tentimes18.errors import InvalidGame, TooLarge
from tentimes18.game import Game, Number
from tentimes18.kernels import thread_count
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.scores import Packing, ScoreLaw, law_of_array
from tentimes18.solve.thresholds import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Aim",
    "ChanceTable",
    "ShortfallTable",
    "UtilityTable",
    "best_quantile",
    "best_worst_share",
]

MAX_BYTES: Final = 2e9
LIMB_BITS: Final = 62
TIE: Final = 1e-12  # values in float64 that differ by less than this share of the largest are taken as equal

Slots: TypeAlias = "NDArray[np.int8]"


class AimTable(ABC):
    """The values of an aim for every free set, each an array over the index of the score."""

    step: int  # how the index changes when the score rises by one unit

    def __init__(self, game: Game, bytes_a_value: int) -> None:
        import numpy as np

        lattice = lattice_of(game)
        n = game.size
        self.game = game
        self.lattice = lattice
        cells = (1 << n) * (lattice.width(game.all_free) // 2 + 1) if n < 64 else 1 << n
        if n > 24 or cells * bytes_a_value > MAX_BYTES:
            raise TooLarge(
                f"slots: the table of all free sets and scores for {n} slots has {cells:.1e} values "
                f"({cells * bytes_a_value:.1e} bytes); at most {MAX_BYTES:.0e} bytes: use fewer slots or coarser dice"
            )
        self.masks = np.arange(1 << n)
        self.sizes = np.bitwise_count(self.masks)
        self.shifts = np.array(lattice.shifts, dtype=np.int64)
        free_widths = sum((self.masks >> i & 1) * lattice.widths[i] for i in range(n))
        self.widths = self._widths(free_widths)
        self.offsets = np.cumsum(self.widths + 1) - self.widths - 1
        self.cells = int(self.offsets[-1] + self.widths[-1] + 1)
        self.P = np.array([count / game.dice.total for count in game.dice.counts])

    @abstractmethod
    def _widths(self, free_widths: "NDArray[np.int64]") -> "NDArray[np.int64]":
        """The largest index for each free set, from the width of its points to come."""

    @abstractmethod
    def index(self, free: int, score: Number, level: Number) -> int:
        """The index of this position, for an aim at this level (a target, a shortfall; unused by a utility)."""

    @abstractmethod
    def choices(self, free: int, start: int, size: int) -> Slots:
        """The best slots, from 0, by position of the roll and score, from index ``start`` on for ``size`` scores."""

    def _fill(self, fill: "Callable[[NDArray[np.int64]], None]", progress: Progress | None) -> None:
        import numpy as np

        n = self.game.size
        with ThreadPoolExecutor(thread_count()) as pool:
            for k in range(1, n + 1):
                parts = np.array_split(self.masks[self.sizes == k], thread_count())
                list(pool.map(fill, (part for part in parts if len(part))))
                if progress:
                    progress(k, n)


class ChanceTable(AimTable):
    """The best chance of every target from every position.

    >>> table = ChanceTable(Game.parse("1d6", "1-3"))
    >>> table.is_exact, table.chance(30)
    (True, Fraction(1, 9))
    """

    step = -1

    def __init__(self, game: Game, progress: Progress | None = None) -> None:
        import numpy as np

        from tentimes18.kernels import objectives as kernel

        T = game.dice.total
        self.bits = LIMB_BITS - T.bit_length()
        self.is_exact = self.bits > 0 and T**game.size < 1 << (self.bits + LIMB_BITS)
        super().__init__(game, 16 if self.is_exact else 8)
        if self.is_exact:
            self.high, self.low = np.zeros(self.cells, dtype=np.int64), np.zeros(self.cells, dtype=np.int64)
            self.high[0], self.low[0] = self._limbs(0)
            counts = np.array(game.dice.counts, dtype=np.int64)

            def fill(sets: "NDArray[np.int64]") -> None:
                sure = self._limbs(int(sets[0]).bit_count() - 1)
                kernel.exact_chances(
                    counts, self.shifts, self.widths, self.offsets, sets, *sure, self.bits, self.high, self.low
                )
        else:
            self.V = np.ones(self.cells)
            self.nothing = np.zeros(len(self.masks))

            def fill(sets: "NDArray[np.int64]") -> None:
                kernel.fill_values(
                    self.P, self.shifts, -1, self.widths, self.offsets, sets, 1.0, self.nothing, 0.0, self.V
                )

        self._fill(fill, progress)

    def _limbs(self, size: int) -> tuple[int, int]:
        sure = self.game.dice.total**size
        return sure >> self.bits, sure & ((1 << self.bits) - 1)

    def _widths(self, free_widths: "NDArray[np.int64]") -> "NDArray[np.int64]":
        return free_widths

    def index(self, free: int, score: Number, level: Number) -> int:
        """What is still needed above the least that the free slots give, in units."""
        return ceil((level - score - self.lattice.low(free)) / self.lattice.unit)

    def chance(self, target: Number, free: int | None = None, score: Number = 0) -> Fraction | float:
        """The best P(final score >= target) from a position; exact where ``is_exact``."""
        free = self.game.all_free if free is None else free
        j = self.index(free, score, target)
        one: Fraction | float = Fraction(1) if self.is_exact else 1.0
        if j <= 0:
            return one
        if j > self.widths[free]:
            return one - one
        place = int(self.offsets[free]) + j
        if self.is_exact:
            value = (int(self.high[place]) << self.bits) + int(self.low[place])
            return Fraction(value, self.game.dice.total ** free.bit_count())
        return float(self.V[place])

    def aim(self, target: Number) -> "Aim":
        """The strategy that maximises the chance of this target."""
        return Aim(self, target, self.chance(target))

    def choices(self, free: int, start: int, size: int) -> Slots:
        """See `AimTable`."""
        import numpy as np

        from tentimes18.kernels import objectives as kernel

        result = np.zeros((len(self.P), size), dtype=np.int8)
        layout = (self.shifts, self.widths, self.offsets)
        if self.is_exact:
            kernel.exact_choices(*layout, free, *self._limbs(free.bit_count() - 1), self.high, self.low, start, result)
        else:
            shifts, *rest = layout
            kernel.best_choices(shifts, -1, *rest, free, 1.0, self.nothing, 0.0, self.V, start, -1, TIE, result)
        return result


class ShortfallTable(AimTable):
    """The least expected shortfall below every level, from every position.

    >>> table = ShortfallTable(Game.parse("1d6", "1-3"))
    >>> round(table.shortfall(30), 9)
    7.458333333
    """

    step = -1

    def __init__(self, game: Game, progress: Progress | None = None) -> None:
        import numpy as np

        from tentimes18.kernels import objectives as kernel
        from tentimes18.solve.subsets import subset_values

        super().__init__(game, 8)
        self.unit = float(self.lattice.unit)
        low = sum((self.masks >> i & 1) * float(low) for i, low in enumerate(self.lattice.lows))
        self.base = subset_values(game) - low
        self.V = np.zeros(self.cells)
        self._fill(
            lambda sets: kernel.fill_values(
                self.P, self.shifts, -1, self.widths, self.offsets, sets, 0.0, self.base, -self.unit, self.V
            ),
            progress,
        )

    _widths = ChanceTable._widths
    index = ChanceTable.index

    def shortfall(self, level: Number, free: int | None = None, score: Number = 0) -> float:
        """The least E[(level - final score)^+]; the level must be on the lattice of scores."""
        free = self.game.all_free if free is None else free
        j = self.index(free, score, level)
        if j <= 0:
            return 0.0
        if j > self.widths[free]:
            return float(self.unit * j - self.base[free])
        return -float(self.V[self.offsets[free] + j])

    def choices(self, free: int, start: int, size: int) -> Slots:
        """See `AimTable`."""
        import numpy as np

        from tentimes18.kernels import objectives as kernel

        result = np.zeros((len(self.P), size), dtype=np.int8)
        tolerance = TIE * self.unit * (float(self.widths[-1]) + 1)
        kernel.best_choices(
            self.shifts,
            -1,
            self.widths,
            self.offsets,
            free,
            0.0,
            self.base,
            -self.unit,
            self.V,
            start,
            -1,
            tolerance,
            result,
        )
        return result


class UtilityTable(AimTable):
    """The best expected utility of the final score, from every position that the empty board can lead to.

    >>> table = UtilityTable(Game.parse("1d6", "1-3"), lambda score: -((score - 20) ** 2))
    >>> round(table.expected(), 6)
    -14.013889
    """

    step = 1

    def __init__(self, game: Game, utility: Callable[[float], float], progress: Progress | None = None) -> None:
        import numpy as np

        from tentimes18.kernels import objectives as kernel

        super().__init__(game, 8)
        self.nothing = np.zeros(len(self.masks))
        self.V = np.zeros(self.cells)
        low = self.lattice.low(game.all_free)
        final = [float(utility(float(low + self.lattice.unit * j))) for j in range(int(self.widths[0]) + 1)]
        if not all(abs(value) < float("inf") for value in final):
            raise InvalidGame("strategy: the utility is not a finite number for every score of this game")
        self.V[: len(final)] = final
        self.tolerance = TIE * max(map(abs, final))
        self._fill(
            lambda sets: kernel.fill_values(
                self.P, self.shifts, 1, self.widths, self.offsets, sets, 0.0, self.nothing, 0.0, self.V
            ),
            progress,
        )

    def _widths(self, free_widths: "NDArray[np.int64]") -> "NDArray[np.int64]":
        result: NDArray[np.int64] = free_widths[-1] - free_widths
        return result

    def index(self, free: int, score: Number, level: Number) -> int:  # noqa: ARG002
        """The points made so far above the least that the filled slots give, in units."""
        j = (score - self.lattice.low(self.game.all_free ^ free)) / self.lattice.unit
        if j != floor(j) or not 0 <= j <= self.widths[free]:
            raise InvalidGame(f"score: {score} cannot be reached with these slots filled")
        return floor(j)

    def expected(self, free: int | None = None, score: Number = 0) -> float:
        """The best E[u(final score)] from a position."""
        free = self.game.all_free if free is None else free
        return float(self.V[self.offsets[free] + self.index(free, score, 0)])

    def aim(self) -> "Aim":
        """The strategy that maximises the utility."""
        return Aim(self, 0, self.expected())

    def choices(self, free: int, start: int, size: int) -> Slots:
        """See `AimTable`."""
        import numpy as np

        from tentimes18.kernels import objectives as kernel

        result = np.zeros((len(self.P), size), dtype=np.int8)
        kernel.best_choices(
            self.shifts,
            1,
            self.widths,
            self.offsets,
            free,
            0.0,
            self.nothing,
            0.0,
            self.V,
            start,
            1,
            self.tolerance,
            result,
        )
        return result


@dataclass(frozen=True)
class Aim:
    """A solved aim: a slot for every free set, score so far and roll; its value from the empty board.

    >>> aim = ChanceTable(Game.parse("1d6", "1-3")).aim(30)
    >>> aim.value == aim.law().at_least(30)
    True
    """

    table: AimTable
    level: Number
    value: Fraction | float

    def choose(self, free: int, score: Number, roll: int) -> int:
        """The best slot; the smaller one of equally good ones."""
        position = self.table.game.dice.support.index(roll)
        start = self.table.index(free, score, self.level)
        return int(self.table.choices(free, start, 1)[position, 0]) + 1

    def law(self, free: int | None = None, score: Number = 0, *, exact: bool = True) -> ScoreLaw:
        """The law of the final score from a position; exact laws are the laws of exactly these choices."""
        free = self.table.game.all_free if free is None else free
        to_come = self._exact_law(free, score) if exact else self._float_law(free, score)
        return to_come.shifted(score)

    def _states(self, free: int, score: Number) -> Iterator[tuple[int, int, int]]:
        """Free sets from the largest on, the index at the least score since the start, and how many scores there are."""
        lattice = self.table.lattice
        subsets = sorted((A for A in range(1, free + 1) if A & free == A), key=lambda A: A.bit_count(), reverse=True)
        for A in subsets:
            done = free ^ A
            yield A, self.table.index(A, score + lattice.low(done), self.level), lattice.width(done) + 1

    def _exact_law(self, free: int, score: Number) -> ScoreLaw:
        import numpy as np

        packing = Packing(self.table.game, free)
        packing.verify_work(1 << free.bit_count())
        laws = {free: 1}
        for A, start, size in self._states(free, score):
            law = laws.pop(A, 0)
            if not law:
                continue
            choices = self.table.choices(A, start, size)
            for position, row in enumerate(choices):
                for slot in np.unique(row).tolist():
                    chosen = packing.only(law, row == slot)
                    if chosen:
                        B = A ^ (1 << slot)
                        laws[B] = laws.get(B, 0) + packing.placed(chosen, slot + 1, [position])
        return packing.unpack(laws[0])

    def _float_law(self, free: int, score: Number) -> ScoreLaw:
        import numpy as np

        from tentimes18.kernels import objectives as kernel

        states = list(self._states(free, score))
        sizes = np.zeros(free + 1, dtype=np.int64)
        sizes[0] = self.table.lattice.width(free) + 1
        for A, _, size in states:
            sizes[A] = size
        offsets = np.cumsum(sizes) - sizes
        laws = np.zeros(int(sizes.sum()))
        laws[offsets[free]] = 1.0
        for A, start, size in states:
            law = laws[offsets[A] : offsets[A] + size]
            if law.any():
                kernel.push_law(
                    self.table.P, self.table.shifts, offsets, A, law, self.table.choices(A, start, size), laws
                )
        return law_of_array(self.table.lattice, free, laws[: sizes[0]])


def best_quantile(table: ChanceTable, q: Fraction | float) -> Aim:
    """The strategy with the best q-quantile: its level is that quantile, its value the chance to reach it.

    >>> aim = best_quantile(ChanceTable(Game.parse("1d6", "1-3")), Fraction(1, 2))
    >>> aim.level == aim.law().median
    True
    """
    _verify_share("quantile", q)
    lattice, free = table.lattice, table.game.all_free
    low, high = 0, lattice.width(free)  # the chance of index 0 is 1
    while low < high:
        middle = (low + high + 1) // 2
        if table.chance(lattice.score(free, middle)) > 1 - Fraction(q):
            low = middle
        else:
            high = middle - 1
    return table.aim(lattice.score(free, low))


def best_worst_share(table: ShortfallTable, share: Fraction | float) -> Aim:
    """The strategy whose worst share of games has the best mean; its value is that mean.

    >>> aim = best_worst_share(ShortfallTable(Game.parse("1d6", "1-3")), Fraction(1, 10))
    >>> abs(aim.value - aim.law().lower_mean(Fraction(1, 10))) < 1e-12
    True
    """
    _verify_share("cvar", share)
    lattice, free = table.lattice, table.game.all_free
    levels = (lattice.score(free, j) for j in range(lattice.width(free) + 1))
    value, level = max((float(level) - table.shortfall(level) / float(share), level) for level in levels)
    return Aim(table, level, value)


def _verify_share(what: str, share: Fraction | float) -> None:
    if not 0 < share <= 1:
        raise InvalidGame(f"strategy: {what} takes a share above 0 and at most 1, not {share}")
