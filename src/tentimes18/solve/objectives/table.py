"""Tables over free sets and scores, from which objectives other than the mean are read.

Each objective is one backward sum over free sets and scores, V[A][j] = Σ_x P(x) max_i V[A - i][j'], j' the index after
placing x in slot i; what V is stands with the objective (`chances`, `shortfall`, `expected_utility`).

A table holds for each free set A an array V[A] over an index j of the score on the game's lattice (`solve.lattice`).
Raising the score by one unit changes j by ``step``, so placing the roll x in slot i leads from j to
j + step · shift_i(x) in V[A - i]. Beyond the ends of that array the value is known: ``below``, and a straight line
base[A] + slope · j above.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Final

import numpy as np

from tentimes18.errors import InvalidGame
from tentimes18.game import Game, Number
from tentimes18.kernels import objectives as kernel
from tentimes18.kernels.types import Floats, Ints, Objective, Slots, Spans
from tentimes18.plan import admit_game
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.layers import LayerPool, Progress, part_count
from tentimes18.solve.moves import moves_of
from tentimes18.solve.objectives.plans import SECONDS_A_STEP, table_plan
from tentimes18.solve.scores.float_laws import subset_sums

__all__ = ["FloatTable", "NeededTable", "ObjectiveTable", "verify_share"]

MOST_LEVELS: Final = 1000  # that a table remembers


class ObjectiveTable(ABC):
    """The layout of a table; which values it holds is a matter of the objective."""

    step: int

    def __init__(self, game: Game, bytes_a_value: int) -> None:
        n = game.size
        admit_game(game, partial(table_plan, bytes_a_value=bytes_a_value))
        self.game = game
        self.lattice = lattice_of(game)
        self.masks = np.arange(1 << n)
        self.sizes = np.bitwise_count(self.masks)
        self.moves = moves_of(game)
        self.widths = self._widths(subset_sums(np.array(self.lattice.widths, dtype=np.int64)))
        self.offsets = np.cumsum(self.widths + 1) - self.widths - 1
        self.cells = int(self.offsets[-1] + self.widths[-1] + 1)
        self._levels: dict[Hashable, tuple[Number, Fraction | float]] = {}

    @property
    def nbytes(self) -> int:
        """The memory of the table."""
        parts = (*self.moves, *vars(self).values())
        return sum(part.nbytes for part in parts if isinstance(part, np.ndarray))

    @property
    def spans(self) -> Spans:
        """Where the array of each free set stands, for kernels."""
        return Spans(self.widths, self.offsets)

    def remembered(
        self, key: Hashable, find: Callable[[], tuple[Number, Fraction | float]]
    ) -> tuple[Number, Fraction | float]:
        """The level to play for and its value, found once for each key while these are not too many."""
        found = self._levels.get(key)
        if found is None:
            found = find()
            if len(self._levels) >= MOST_LEVELS:
                self._levels.clear()
            self._levels[key] = found
        return found

    @abstractmethod
    def _widths(self, free_widths: Ints) -> Ints:
        """The largest index for each free set, from the width of its points to come."""

    @abstractmethod
    def index(self, free: int, score: Number, level: Number) -> int:
        """The index of this position for an objective at this level, where it has one."""

    @abstractmethod
    def best_slots(self, free: int, start: int, size: int) -> Slots:
        """The best slots, from 0, by position of the roll and by score, for ``size`` scores from index ``start`` on."""

    def _fill(self, fill: Callable[[Ints], None], progress: Progress | None) -> None:
        """Fill the table, one number of free slots after the other, the sets of each in several threads."""
        with LayerPool(self.cells - int(self.widths[0]) - 1, progress) as pool:
            for k in range(1, self.game.size + 1):
                sets = self.masks[self.sizes == k]
                work = int(self.widths[sets].sum()) + len(sets)
                parts = part_count(len(sets), SECONDS_A_STEP * float(work) * k * len(self.moves.P))
                pool.run(fill, np.array_split(sets, parts), work)


class FloatTable(ObjectiveTable):
    """A table in float64; values that differ by less than one in 10^12 are taken as equally good."""

    below: float
    base: Floats
    slope: float
    V: Floats

    @property
    def objective(self) -> Objective:
        """What is known of the values beyond the ends, for kernels."""
        return Objective(self.step, self.below, self.base, self.slope)

    def _fill_floats(self, progress: Progress | None) -> None:
        self._fill(partial(kernel.fill_values, self.moves, self.spans, self.objective, self.V), progress)

    def best_slots(self, free: int, start: int, size: int) -> Slots:
        """See `ObjectiveTable`."""
        result = np.zeros((len(self.moves.P), size), dtype=np.int8)
        kernel.best_slots(self.moves.shifts, self.spans, self.objective, self.V, free, start, result)
        return result


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
