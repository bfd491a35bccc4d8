"""Tables over free sets and scores, from which objectives other than the mean are read.

Each objective is one backward sum over free sets and scores, V[A][j] = Σ_x P(x) max_i V[A - i][j'], j' the index after
placing x in slot i; what V is stands with the objective (`solve.aims`).

A table holds for each free set A an array V[A] over an index j of the score on the game's lattice (`solve.lattice`).
Raising the score by one unit changes j by ``step``, so placing the roll x in slot i leads from j to
j + step · shift_i(x) in V[A - i]. Beyond the ends of that array the value is known: ``below``, and a straight line
above.

The values are integers over total^|A| in two limbs where they fit (`IntegerTable`), else float64 (`FloatTable`). Slots
whose values tie are told apart by the mean of what they lead to (below), made when a slot is asked for first.

Of all plays that are best for an objective, the one to take has the best mean, from every position on. With V the
table of the objective and I(A, j, x) the slots of A that lead to its best value for the roll x,

    N[A][j] = Σ_x P(x) max_{i in I(A, j, x)} (shift_i(x) + N[A - i][j']),

and the slot taken is the first that attains the maximum. N is counted in units above the least that A gives
(`solve.lattice`), so that it is an integer over total^|A|, between 0 and width · total^n. It is kept in as many 64-bit
limbs as that takes, up to four; beyond, in float64, where means within a bound of their rounding are equal.

Where V is known beyond the ends of its arrays, all slots are equally good there or V is the mean itself, and N[A] is
the best mean of A, its value. It stands at index 0, where every play reaches the objective.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import partial
from math import ceil
from threading import Lock

import numpy as np

from tentimes18.arrays import Floats, Ints, Slots
from tentimes18.errors import InvalidGame
from tentimes18.game import Game, Number
from tentimes18.limits import check_size
from tentimes18.solve.aim_kernels import (
    Limbs,
    Means,
    Objective,
    exact_means,
    exact_slots,
    fill_exact,
    fill_values,
    float_means,
    float_slots,
)
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.move_arrays import Spans, moves_of, subset_sums
from tentimes18.solve.parallel import LayerPool, Progress, part_count
from tentimes18.solve.rule_distributions import table_size

MAX_BYTES = 2e9  # of a table whose means are exact
MAX_LEVELS = 1000  # that a table remembers
LIMB_BITS = 62
NEAR = 1e-12  # the least share within which values in float64 are equally good
MAX_LIMBS = 4
MAX_LIMB_BITS = 59  # of a limb, so that a difference of a few units and a limb fits in 63
TOP_BITS = 62  # of the highest limb
LEAST_BITS = 4  # that a limb must have for the others to be negligible against it


class MeanTable:
    """Room for the means of so many cells, and the form that kernels take them in."""

    def __init__(self, game: Game, cells: int, step: int, most_bytes: float) -> None:
        self._game = game
        self._lattice = lattice_of(game)
        self._step = step
        dice = game.dice
        width = self._lattice.width(game.all_free)
        bits = min(MAX_LIMB_BITS, 62 - dice.total.bit_length())
        limbs = 1 + max(0, -((TOP_BITS - (dice.total**game.size * (width + 1)).bit_length()) // max(bits, 1)))
        self.is_exact = bits >= LEAST_BITS and limbs <= MAX_LIMBS and 8 * limbs * cells <= most_bytes
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
        points = [[self._limbs(shift * one) for shift in row] for row in shifts]
        return np.ascontiguousarray(np.array(points, dtype=np.int64).transpose(2, 0, 1))

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
        low = []
        for _ in range(len(self.N) - 1):
            low.append(number & ((1 << self._bits) - 1))
            number >>= self._bits
        return [number, *reversed(low)]


def rounding(game: Game) -> float:
    """A bound of twice the error of a mean over the whole game in float64, as a share of the largest number in it.

    A layer is a sum of as many products as the dice have rolls, each with a rounded chance; all numbers have one sign.
    """
    return game.size * (len(game.dice.support) + 3) * 2.0**-52


class ObjectiveTable(ABC):
    """The layout of a table; which values it holds is a matter of the objective."""

    step: int

    def __init__(self, game: Game, bytes_per_value: int) -> None:
        n = game.size
        size = table_size(game, bytes_per_value)
        job = f"the table of all free sets and scores on {n:,} slots"
        check_size(job, bytes=size.bytes, operations=size.operations)
        self.game = game
        self.lattice = lattice_of(game)
        self.masks = np.arange(1 << n)
        self.sizes = np.bitwise_count(self.masks)
        self.moves = moves_of(game)
        self.widths = self._widths(subset_sums(np.array(self.lattice.widths, dtype=np.int64)))
        self.offsets = np.cumsum(self.widths + 1) - self.widths - 1
        self.cells = int(self.offsets[-1] + self.widths[-1] + 1)
        self._levels: dict[Hashable, tuple[Number, Fraction | float]] = {}
        self._means: MeanTable | None = None
        self._making = Lock()

    @property
    def nbytes(self) -> int:
        """The memory of the table, and of the means where they are made."""
        parts = (*self.moves, *vars(self).values())
        return sum(part.nbytes for part in parts if isinstance(part, np.ndarray | MeanTable))

    @property
    def spans(self) -> Spans:
        """Where the array of each free set stands, for kernels."""
        return Spans(self.widths, self.offsets)

    def remembered(
        self, key: Hashable, find: Callable[[], tuple[Number, Fraction | float]]
    ) -> tuple[Number, Fraction | float]:
        """The level to play for and its value, searched once per key."""
        level = self._levels.get(key)
        if level is None:
            level = find()
            if len(self._levels) >= MAX_LEVELS:
                self._levels.clear()
            self._levels[key] = level
        return level

    @abstractmethod
    def _widths(self, free_widths: Ints) -> Ints:
        """The largest index for each free set, from the width of its points to come."""

    @abstractmethod
    def index(self, free: int, score: Number, level: Number) -> int:
        """The index of this position for an objective at this level, where it has one."""

    @abstractmethod
    def _fill_means(self, means: MeanTable, sets: Ints) -> None:
        """The means of these sets, all with equally many slots."""

    @abstractmethod
    def _slots(self, means: MeanTable, free: int, first: int, result: Slots) -> None:
        """The best slots, by position of the roll and by index from ``first`` on."""

    def means(self, progress: Progress | None = None) -> MeanTable:
        """The means that decide between equally good slots; made at the first call."""
        with self._making:
            if self._means is None:
                means = MeanTable(self.game, self.cells, self.step, MAX_BYTES - self.nbytes)
                self._fill(partial(self._fill_means, means), progress)
                self._means = means
            return self._means

    def mean(self, level: Number, free: int | None = None, score: Number = 0) -> Fraction | float:
        """The mean of the final score from a position, under best play for this level."""
        free = self.game.all_free if free is None else free
        j = self.index(free, score, level)
        cell = int(self.offsets[free]) + (j if 0 <= j <= self.widths[free] else 0)
        return score + self.lattice.low(free) + self.lattice.unit * self.means().mean(cell, free.bit_count())

    def best_slots(self, free: int, start: int, size: int) -> Slots:
        """The slots to take, from 0, by position of the roll and by score, for ``size`` scores from index ``start`` on.

        Of the slots that are best for the objective the one with the best mean, and of equal ones the first.
        """
        result = np.zeros((len(self.moves.P), size), dtype=np.int8)
        first = start if self.step > 0 else start - size + 1
        self._slots(self.means(), free, first, result)
        return result[:, :: self.step]

    def _fill(self, fill: Callable[[Ints], None], progress: Progress | None) -> None:
        """Fill the table, one number of free slots after the other, the sets of each in several threads."""
        with LayerPool(self.cells - int(self.widths[0]) - 1, progress) as pool:
            for k in range(1, self.game.size + 1):
                sets = self.masks[self.sizes == k]
                work = int(self.widths[sets].sum()) + len(sets)
                parts = part_count(len(sets), float(work) * k * len(self.moves.P))
                pool.run(fill, np.array_split(sets, parts), work)


class IntegerTable(ObjectiveTable):
    """A table of integers over total^|A| in two limbs; its objective is between 0 and ``most``."""

    most: int
    is_falling: bool  # by one unit a step beyond what the free slots can give, or to 0 at once

    @staticmethod
    def bits_for(game: Game, most: int) -> int | None:
        """The bits of the lower limb, where two limbs are enough."""
        bits = LIMB_BITS - game.dice.total.bit_length()
        if bits <= 0 or game.size > 2 * LIMB_BITS:  # the power is taken only where it is small
            return None
        return bits if most * game.dice.total**game.size < 1 << (bits + LIMB_BITS) else None

    def _fill_integers(self, bits: int, progress: Progress | None) -> None:
        self.bits = bits
        self.high, self.low = np.zeros(self.cells, dtype=np.int64), np.zeros(self.cells, dtype=np.int64)
        self.high[0], self.low[0] = self._limbs(self.most)
        counts = np.array(self.game.dice.counts, dtype=np.int64)

        def fill(sets: Ints) -> None:
            fill_exact(counts, self.moves.shifts, self.spans, self._after(int(sets[0])), sets)

        self._fill(fill, progress)

    def _limbs(self, number: int) -> tuple[int, int]:
        return number >> self.bits, number & ((1 << self.bits) - 1)

    def _after(self, free: int) -> Limbs:
        """The integers, for the moves from sets with as many slots as this one."""
        one = self.game.dice.total ** (free.bit_count() - 1)
        fall = one if self.is_falling else 0
        return Limbs(self.bits, self.high, self.low, self._limbs(self.most * one), self._limbs(fall))

    def _value(self, free: int, j: int) -> Fraction:
        """The value at an index that the array of the free set has."""
        place = int(self.offsets[free]) + j
        value = (int(self.high[place]) << self.bits) + int(self.low[place])
        return Fraction(value, self.game.dice.total ** free.bit_count())

    def _fill_means(self, means: MeanTable, sets: Ints) -> None:
        free = int(sets[0])
        after = means.after(free.bit_count() - 1)
        exact_means(means.weights, self.moves.shifts, self.spans, self._after(free), after, sets)

    def _slots(self, means: MeanTable, free: int, first: int, result: Slots) -> None:
        after = means.after(free.bit_count() - 1)
        exact_slots(self.moves.shifts, self.spans, self._after(free), after, free, first, result)


class FloatTable(ObjectiveTable):
    """A table in float64; values within the share ``near`` of the best, and ``least`` more, are equally good to it."""

    below: float
    base: Floats
    slope: float
    least = 0.0
    V: Floats

    @property
    def near(self) -> float:
        """A bound of the error of two values, as a share of them; at least one in 10^12."""
        return max(NEAR, rounding(self.game))

    @property
    def objective(self) -> Objective:
        """What is known of the values beyond the ends, and when they tie, for kernels."""
        return Objective(self.step, self.below, self.base, self.slope, self.near, self.least)

    def _fill_floats(self, progress: Progress | None) -> None:
        self._fill(partial(fill_values, self.moves, self.spans, self.objective, self.V), progress)

    def _fill_means(self, means: MeanTable, sets: Ints) -> None:
        after = means.after(int(sets[0]).bit_count() - 1)
        shifts, spans, objective = self.moves.shifts, self.spans, self.objective
        float_means(means.weights, shifts, spans, objective, self.V, after, sets)

    def _slots(self, means: MeanTable, free: int, first: int, result: Slots) -> None:
        after = means.after(free.bit_count() - 1)
        shifts, spans, objective = self.moves.shifts, self.spans, self.objective
        float_slots(shifts, spans, objective, self.V, after, (free, first), result)


class NeededTable(ObjectiveTable):
    """A table over what is still needed to reach a level."""

    step = -1

    def _widths(self, free_widths: Ints) -> Ints:
        return free_widths

    def index(self, free: int, score: Number, level: Number) -> int:
        """What is still needed above the least that the free slots give, in units."""
        return ceil((level - score - self.lattice.low(free)) / self.lattice.unit)


def verify_share(what: str, share: Fraction | float) -> None:
    """Raise ``InvalidGame`` where this is no share of games that an objective can look at."""
    if not 0 < share <= 1:
        raise InvalidGame(f"{what} takes a share above 0 and at most 1, not {share}", field="strategy")
