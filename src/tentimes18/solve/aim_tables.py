"""Tables over free sets and scores, from which objectives other than the mean are read.

Each objective is one backward sum over free sets and scores, V[A][j] = Σ_x P(x) max_i V[A - i][j'], j' the index after
placing x in slot i (`solve.aims` says what V is for each objective).

A table holds for each free set A an array V[A] over an index j of the score on the game's lattice (`solve.lattice`).
Raising the score by one unit changes j by ``step``, so placing the roll x in slot i leads from j to
j + step · shift_i(x) in V[A - i]. Beyond the ends of that array the value is known: ``below``, and a straight line
above.

The values are integers over total^|A| in two limbs where they fit, else float64. Slots
whose values tie are decided by the mean of what they lead to (below), computed when the first slot is needed.

Many plays can be best for an objective. We take the one with the best mean from every position on. With V the
table of the objective and I(A, j, x) the slots of A that lead to its best value for the roll x,

    N[A][j] = Σ_x P(x) max_{i in I(A, j, x)} (shift_i(x) + N[A - i][j']),

and the slot taken is the first that attains the maximum. N is counted in units above the least that A gives
(`solve.lattice`). It is a float64: means that differ by less than a bound of their rounding are equal.

Where V is known beyond the ends of its arrays, all slots are equally good there or V is the mean itself, and N[A] is
the best mean of A, its value. It is the entry at index 0, where every play reaches the objective.

The slots of best play depend on the score so far, so the exact distribution of its score is followed forwards: that of
(free set, score) after each round.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from threading import Lock
from typing import TypeAlias

import numpy as np

from tentimes18.arrays import Bools, Floats, Ints, Moves, Slots
from tentimes18.compiled import compiled
from tentimes18.errors import InvalidGame
from tentimes18.game import Game, Number
from tentimes18.limits import check_size
from tentimes18.solve.aim_kernels import Limbs, Means, Objective, fill_exact, fill_means, fill_slots, fill_values
from tentimes18.solve.float_distributions import distribution_of_array
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.move_arrays import Spans, moves_of, subset_sums
from tentimes18.solve.parallel import LayerPool, Progress, part_count
from tentimes18.solve.rule_distributions import Packing, play_size, table_size
from tentimes18.solve.score_distribution import ScoreDistribution

MAX_LEVELS = 1000  # that a table remembers
LIMB_BITS = 62
NEAR = 1e-12  # the least share within which values in float64 are equally good


def rounding(game: Game) -> float:
    """A bound of twice the error of a mean over the whole game in float64, as a share of the largest number in it.

    A layer is a sum of as many products as the dice have rolls, each with a rounded chance; all numbers have one sign.
    """
    return game.size * (len(game.dice.support) + 3) * 2.0**-52


class ObjectiveTable:
    """A table of an objective, over free sets and what is still needed to reach a level.

    With ``bits`` for the lower of two limbs it holds integers over total^|A|, from 0 to ``most``; without, float64.
    Beyond the last index of A the integers fall by one unit per step (``is_falling``) or to 0 at once; floats are
    ``below`` before the first index and base[A] + slope * index beyond the last. Floats tie within the share ``near``
    of the best, and ``least`` more.
    """

    step = -1
    most = 0
    is_falling = False
    below = 0.0
    slope = 0.0
    least = 0.0

    def __init__(self, game: Game, bits: int = 0) -> None:
        n = game.size
        size = table_size(game, 16 if bits else 8)
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
        self.bits = bits
        self.base = np.zeros(len(self.masks))
        cells = (0, self.cells) if bits else (self.cells, 0)
        self.V = np.zeros(cells[0])
        self.high, self.low = np.zeros(cells[1], dtype=np.int64), np.zeros(cells[1], dtype=np.int64)
        self._levels: dict[Hashable, tuple[Number, Fraction | float]] = {}
        self._means: Means | None = None
        self._making = Lock()

    @staticmethod
    def bits_for(game: Game, most: int) -> int:
        """The bits of the lower limb for integers up to most · total^n; 0 where two limbs are not enough."""
        bits = LIMB_BITS - game.dice.total.bit_length()
        if bits <= 0 or game.size > 2 * LIMB_BITS:  # the power is taken only where it is small
            return 0
        return bits if most * game.dice.total**game.size < 1 << (bits + LIMB_BITS) else 0

    @property
    def is_exact(self) -> bool:
        return self.bits > 0

    @property
    def nbytes(self) -> int:
        parts = (*self.moves, *vars(self).values())
        return sum(part.nbytes for part in (*parts, *(self._means or ())) if isinstance(part, np.ndarray))

    @property
    def spans(self) -> Spans:
        return Spans(self.widths, self.offsets)

    @property
    def near(self) -> float:
        """A bound of the error of two values in float64, as a share of them; at least one in 10^12."""
        return max(NEAR, rounding(self.game))

    def _widths(self, free_widths: Ints) -> Ints:
        """The largest index for each free set, from the width of its points to come."""
        return free_widths

    def index(self, free: int, score: Number, level: Number) -> int:
        """What is still needed to reach a level above the least that the free slots give, in units."""
        return ceil((level - score - self.lattice.low(free)) / self.lattice.unit)

    def value(self, free: int, j: int) -> Fraction | float:
        """The value at an index that the array of the free set has."""
        place = int(self.offsets[free]) + j
        if not self.bits:
            return float(self.V[place])
        value = (int(self.high[place]) << self.bits) + int(self.low[place])
        return Fraction(value, self.game.dice.total ** free.bit_count())

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

    def means(self, progress: Progress | None = None) -> Means:
        """The means that decide between equally good slots; made at the first call."""
        with self._making:
            if self._means is None:
                near = rounding(self.game) * self.lattice.width(self.game.all_free)
                means = Means(self.step, near, self.moves.shifts.astype(np.float64), np.zeros(self.cells))

                def fill(sets: Ints) -> None:
                    limbs = self._limbs(int(sets[0]).bit_count() - 1)
                    fill_means(self.moves, self.spans, limbs, self._objective(), means, sets)

                self._fill(fill, progress)
                self._means = means
            return self._means

    def mean(self, level: Number, free: int | None = None, score: Number = 0) -> float:
        """The mean of the final score from a position, under best play for this level."""
        free = self.game.all_free if free is None else free
        j = self.index(free, score, level)
        cell = int(self.offsets[free]) + (j if 0 <= j <= self.widths[free] else 0)
        return float(score + self.lattice.low(free)) + float(self.lattice.unit) * float(self.means().N[cell])

    def best_slots(self, free: int, start: int, size: int) -> Slots:
        """The slots to take, from 0, by position of the roll and by score, for ``size`` scores from index ``start`` on.

        Of the slots that are best for the objective the one with the best mean, and of equal ones the first.
        """
        result = np.zeros((len(self.moves.P), size), dtype=np.int8)
        first = start if self.step > 0 else start - size + 1
        limbs = self._limbs(free.bit_count() - 1)
        fill_slots(self.moves.shifts, self.spans, limbs, self._objective(), self.means(), (free, first), result)
        return result[:, :: self.step]

    def _fill_values(self, full: Sequence[float], progress: Progress | None) -> None:
        """Fill the table; ``full`` are the values of a full board."""
        if self.bits:
            self.high[0], self.low[0] = _two_limbs(int(full[0]), self.bits)
        else:
            self.V[: len(full)] = full

        def fill(sets: Ints) -> None:
            if (objective := self._objective()) is not None:
                fill_values(self.moves, self.spans, objective, sets)
            elif (limbs := self._limbs(int(sets[0]).bit_count() - 1)) is not None:
                fill_exact(np.array(self.game.dice.counts), self.moves.shifts, self.spans, limbs, sets)

        self._fill(fill, progress)

    def _fill(self, fill: Callable[[Ints], None], progress: Progress | None) -> None:
        """Fill the table, one number of free slots after the other, the sets of each in several threads."""
        with LayerPool(self.cells - int(self.widths[0]) - 1, progress) as pool:
            for k in range(1, self.game.size + 1):
                sets = self.masks[self.sizes == k]
                work = int(self.widths[sets].sum()) + len(sets)
                parts = part_count(len(sets), float(work) * k * len(self.moves.P))
                pool.run(fill, np.array_split(sets, parts), work)

    def _limbs(self, size: int) -> Limbs | None:
        """The integers, for the moves that lead to sets of ``size`` free slots."""
        if not self.bits:
            return None
        one = self.game.dice.total**size
        ends = (_two_limbs(number, self.bits) for number in (self.most * one, one if self.is_falling else 0))
        return Limbs(self.bits, self.high, self.low, *ends)

    def _objective(self) -> Objective | None:
        if self.bits:
            return None
        return Objective(self.step, self.below, self.base, self.slope, self.near, self.least, self.V)


def _two_limbs(number: int, bits: int) -> tuple[int, int]:
    return number >> bits, number & ((1 << bits) - 1)


def verify_share(what: str, share: Fraction | float) -> None:
    if not 0 < share <= 1:
        raise InvalidGame(f"{what} takes a share above 0 and at most 1, not {share}", field="strategy")


State: TypeAlias = tuple[int, int, int]
"""A free set, the index at the least score since the start, and the number of scores."""


@dataclass(frozen=True)
class BestPlay:
    """A solved objective: a slot for every free set, score so far and roll; its value from the empty board."""

    table: ObjectiveTable
    level: Number
    value: Fraction | float

    @property
    def mean(self) -> float:
        """The mean of its score from the empty board: the best one of all plays that reach the value."""
        return self.table.mean(self.level)

    def choose(self, free: int, score: Number, roll: int) -> int:
        """The best slot; of equally good ones the one with the best mean, and of those the smallest."""
        position = self.table.game.dice.support.index(roll)
        start = self.table.index(free, score, self.level)
        return int(self.table.best_slots(free, start, 1)[position, 0]) + 1

    def slot_table(self) -> tuple[Ints, Slots]:
        """The slots, from 0, by free set A, index s of the score so far, and roll x: table[offsets[A] + s, x]."""
        free = self.table.game.all_free
        rolls = len(self.table.moves.P)
        check_size(
            f"the table of slots for all free sets, scores and rolls on {self.table.game.size:,} slots",
            bytes=2 * rolls * self.table.cells,
            operations=1.5 * rolls * self.table.cells * self.table.game.size,
        )
        states = list(self._states(free, 0))
        offsets, cells = _layout(states)
        table = np.empty((cells, len(self.table.moves.P)), dtype=np.int8)

        def fill(part: State) -> None:
            A, start, size = part
            table[offsets[A] : offsets[A] + size] = self.table.best_slots(A, start, size).T

        with LayerPool(1) as pool:
            pool.run(fill, states, work=1)
        return offsets, table

    def distribution(
        self, free: int | None = None, score: Number = 0, *, exact: bool = True, progress: Progress | None = None
    ) -> ScoreDistribution:
        """The distribution of the final score from a position; an exact one is that of exactly these slots."""
        free = self.table.game.all_free if free is None else free
        size = play_size(self.table.game, free, exact=exact)
        job = f"the distribution of the score on {free.bit_count():,} slots"
        check_size(job, bytes=size.bytes, operations=size.operations)
        to_come = (self._exact_distribution if exact else self._float_distribution)(free, score, progress)
        return to_come.shifted(score)

    def _states(self, free: int, score: Number) -> Iterator[State]:
        """Free sets from the largest on, the index at the least score since the start, and the number of scores."""
        lattice = self.table.lattice
        subsets = sorted((A for A in range(1, free + 1) if A & free == A), key=lambda A: A.bit_count(), reverse=True)
        for A in subsets:
            done = free ^ A
            yield A, self.table.index(A, score + lattice.low(done), self.level), lattice.width(done) + 1

    def _exact_distribution(self, free: int, score: Number, progress: Progress | None) -> ScoreDistribution:
        packing = Packing(self.table.game, free)
        distributions = {free: 1}
        for done, (A, start, size) in enumerate(self._states(free, score), start=1):
            distribution = distributions.pop(A, 0)
            if progress:
                progress(done, 1 << free.bit_count())
            if not distribution:
                continue
            for position, row in enumerate(self.table.best_slots(A, start, size)):
                for slot in np.unique(row).tolist():
                    chosen = _only(packing, distribution, row == slot)
                    if chosen:
                        B = A ^ (1 << slot)
                        distributions[B] = distributions.get(B, 0) + packing.placed(chosen, slot + 1, [position])
        return packing.unpack(distributions[0])

    def _float_distribution(self, free: int, score: Number, progress: Progress | None) -> ScoreDistribution:
        states, end = list(self._states(free, score)), (0, 0, self.table.lattice.width(free) + 1)
        offsets, cells = _layout([*states, end])
        distributions = np.zeros(cells)
        distributions[offsets[free]] = 1.0

        def push(part: Sequence[State]) -> None:
            for A, start, size in part:
                distribution = distributions[offsets[A] : offsets[A] + size]
                if distribution.any():
                    _push_distribution(
                        self.table.moves, offsets, A, distribution, self.table.best_slots(A, start, size), distributions
                    )

        # One thread, since sets push into the same smaller ones; this one can be interrupted meanwhile.
        count = part_count(len(states), play_size(self.table.game, free, exact=False).operations)
        step = -(-len(states) // count) if states else 1
        parts = [states[first : first + step] for first in range(0, len(states), step)]
        with LayerPool(len(parts), progress, threads=1) as pool:
            pool.run(push, parts, work=len(parts))
        return distribution_of_array(self.table.lattice, free, distributions[: end[2]])


def _layout(states: Sequence[State]) -> tuple[Ints, int]:
    """Where the scores of each set begin in one flat array, set after set, and its size."""
    sizes = np.zeros(max((A for A, _, _ in states), default=0) + 1, dtype=np.int64)
    for A, _, size in states:
        sizes[A] = size
    return np.cumsum(sizes) - sizes, int(sizes.sum())


def _only(packing: Packing, distribution: int, chosen: Bools) -> int:
    """The part of a packed distribution at the chosen indices."""
    return distribution & int.from_bytes(
        np.repeat(np.where(chosen, 255, 0).astype(np.uint8), packing.size).tobytes(), "little"
    )


@compiled()
def _push_distribution(moves: Moves, offsets: Ints, A: int, distribution: Floats, slots: Slots, after: Floats) -> None:
    """Add the distribution of (A, score) to the distributions of the smaller sets that its rolls lead to."""
    P, shifts = moves
    for s in range(len(distribution)):
        if distribution[s] > 0.0:
            for x in range(len(P)):
                i = slots[x, s]
                after[offsets[A ^ (1 << i)] + s + shifts[i, x]] += P[x] * distribution[s]
