"""Strategies that look at the score: the table of their values, their choices, and their law.

A table holds for each free set A an array V[A] over an index j of the score on the game's lattice (`solve.lattice`).
Raising the score by one unit changes j by ``step``, so placing the roll x in slot i leads from j to
j + step · shift_i(x) in V[A - i]. Beyond the ends of that array the value is known: ``below``, and a straight line
base[A] + slope · j above.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from tentimes18.errors import TooLarge
from tentimes18.game import Game, Number
from tentimes18.kernels import thread_count
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.scores.law import ScoreLaw
from tentimes18.solve.scores.laws import Packing, law_of_array, subset_sums
from tentimes18.solve.thresholds import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BestPlay", "FloatTable", "ObjectiveTable"]

MAX_BYTES: Final = 2e9
MAX_SLOTS: Final = 24


class ObjectiveTable(ABC):
    """The layout of a table; which values it holds is a matter of the aim."""

    step: int

    def __init__(self, game: Game, bytes_a_value: int) -> None:
        import numpy as np

        n = game.size
        self.game = game
        self.lattice = lattice_of(game)
        cells = float(min(self.lattice.width(game.all_free), 10**200) / 2 + 1) * 2.0 ** min(n, 300)
        if n > MAX_SLOTS or cells * bytes_a_value > MAX_BYTES:
            raise TooLarge(
                f"the table of all free sets and scores for {n} slots has {cells:.1e} values "
                f"({cells * bytes_a_value:.1e} bytes); at most {MAX_BYTES:.0e} bytes: use fewer slots or coarser dice",
                field="slots",
            )
        self.masks = np.arange(1 << n)
        self.sizes = np.bitwise_count(self.masks)
        self.shifts = np.array(self.lattice.shifts, dtype=np.int64)
        self.widths = self._widths(subset_sums(np.array(self.lattice.widths, dtype=np.int64)))
        self.offsets = np.cumsum(self.widths + 1) - self.widths - 1
        self.cells = int(self.offsets[-1] + self.widths[-1] + 1)
        self.P = np.array([count / game.dice.total for count in game.dice.counts])
        self._levels: dict[Hashable, tuple[Number, Fraction | float]] = {}

    @property
    def nbytes(self) -> int:
        """The memory of the table."""
        import numpy as np

        return sum(part.nbytes for part in vars(self).values() if isinstance(part, np.ndarray))

    def remembered(
        self, key: Hashable, find: Callable[[], tuple[Number, Fraction | float]]
    ) -> tuple[Number, Fraction | float]:
        """The level to aim at and its value, found once for each key."""
        if key not in self._levels:
            self._levels[key] = find()
        return self._levels[key]

    @abstractmethod
    def _widths(self, free_widths: "NDArray[np.int64]") -> "NDArray[np.int64]":
        """The largest index for each free set, from the width of its points to come."""

    @abstractmethod
    def index(self, free: int, score: Number, level: Number) -> int:
        """The index of this position for an aim at this level, where the aim has one."""

    @abstractmethod
    def choices(self, free: int, start: int, size: int) -> "NDArray[np.int8]":
        """The best slots, from 0, by position of the roll and by score, for ``size`` scores from index ``start`` on."""

    def _fill(self, fill: "Callable[[NDArray[np.int64]], None]", progress: Progress | None) -> None:
        """Fill the table, one number of free slots after the other, the sets of each in several threads."""
        import numpy as np

        n = self.game.size
        with ThreadPoolExecutor(thread_count()) as pool:
            for k in range(1, n + 1):
                parts = np.array_split(self.masks[self.sizes == k], thread_count())
                # list: so that an error in a thread is raised here
                list(pool.map(fill, (part for part in parts if len(part))))
                if progress:
                    progress(k, n)


class FloatTable(ObjectiveTable):
    """A table in float64; values that differ by less than one in 10^12 are taken as equally good."""

    below: float
    base: "NDArray[np.float64]"
    slope: float
    V: "NDArray[np.float64]"

    def _fill_floats(self, progress: Progress | None) -> None:
        from tentimes18.kernels import objectives as kernel

        def fill(sets: "NDArray[np.int64]") -> None:
            known = (self.below, self.base, self.slope)
            kernel.fill_values(self.P, self.shifts, self.step, self.widths, self.offsets, sets, *known, self.V)

        self._fill(fill, progress)

    def choices(self, free: int, start: int, size: int) -> "NDArray[np.int8]":
        """See `ObjectiveTable`."""
        import numpy as np

        from tentimes18.kernels import objectives as kernel

        result = np.zeros((len(self.P), size), dtype=np.int8)
        known = (self.below, self.base, self.slope)
        kernel.best_choices(self.shifts, self.step, self.widths, self.offsets, free, *known, self.V, start, result)
        return result


@dataclass(frozen=True)
class BestPlay:
    """A solved aim: a slot for every free set, score so far and roll; its value from the empty board.

    >>> from tentimes18.solve.objectives.solvers import chance_table
    >>> aim = chance_table(Game.parse("1d6", "1-3")).best_play(30)
    >>> aim.value == aim.law().at_least(30)
    True
    """

    table: ObjectiveTable
    level: Number
    value: Fraction | float

    def choose(self, free: int, score: Number, roll: int) -> int:
        """The best slot; the smaller one of equally good ones."""
        position = self.table.game.dice.support.index(roll)
        start = self.table.index(free, score, self.level)
        return int(self.table.choices(free, start, 1)[position, 0]) + 1

    def choice_table(self) -> "tuple[NDArray[np.int64], NDArray[np.int8]]":
        """The slots, from 0, by free set A, index s of the score so far, and roll x: table[offsets[A] + s, x]."""
        import numpy as np

        free = self.table.game.all_free
        states = {A: (start, size) for A, start, size in self._states(free, 0)}
        sizes = np.array([0] + [states[A][1] for A in range(1, free + 1)])
        offsets = np.cumsum(sizes) - sizes
        table = np.empty((int(sizes.sum()), len(self.table.P)), dtype=np.int8)
        for A, (start, size) in states.items():
            table[offsets[A] : offsets[A] + size] = self.table.choices(A, start, size).T
        return offsets, table

    def law(self, free: int | None = None, score: Number = 0, *, exact: bool = True) -> ScoreLaw:
        """The law of the final score from a position; exact laws are the laws of exactly these choices."""
        free = self.table.game.all_free if free is None else free
        to_come = self._exact_law(free, score) if exact else self._float_law(free, score)
        return to_come.shifted(score)

    def _states(self, free: int, score: Number) -> Iterator[tuple[int, int, int]]:
        """Free sets from the largest on, the index at the least score since the start, and the number of scores."""
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
