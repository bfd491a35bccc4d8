"""Best play for an objective, from its table: the slots that it takes, and the exact law of its score.

Its slots depend on the score so far, so the law is followed forwards: that of (free set, score) after each round.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import numpy as np

from tentimes18.game import Number
from tentimes18.kernels import objectives as kernel
from tentimes18.kernels.types import Bools, Ints, Slots
from tentimes18.plan import admit_game
from tentimes18.solve.layers import LayerPool, Progress, part_count
from tentimes18.solve.objectives.plans import play_law_plan, slot_table_plan
from tentimes18.solve.objectives.table import ObjectiveTable
from tentimes18.solve.scores.float_laws import law_of_array
from tentimes18.solve.scores.packing import Packing
from tentimes18.solve.scores.plans import admit_law
from tentimes18.solve.scores.score_law import ScoreLaw

__all__ = ["BestPlay"]

State: TypeAlias = tuple[int, int, int]
"""A free set, the index at the least score since the start, and the number of scores."""


@dataclass(frozen=True)
class BestPlay:
    """A solved objective: a slot for every free set, score so far and roll; its value from the empty board.

    >>> from tentimes18.game import Game
    >>> from tentimes18.solve.objectives.chances import chance_table
    >>> play = chance_table(Game.parse("1d6", "1-3")).best_play(30)
    >>> play.value == play.law().at_least(30)
    True
    """

    table: ObjectiveTable
    level: Number
    value: Fraction | float

    def prepare(self, progress: Progress | None = None) -> None:
        """Make now what slots are decided by; else that is done when the first is asked for."""
        self.table.means(progress)

    @property
    def mean(self) -> Fraction | float:
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
        admit_game(self.table.game, slot_table_plan)
        states = list(self._states(free, 0))
        sizes = np.zeros(free + 1, dtype=np.int64)
        for A, _, size in states:
            sizes[A] = size
        offsets = np.cumsum(sizes) - sizes
        table = np.empty((int(sizes.sum()), len(self.table.moves.P)), dtype=np.int8)

        def fill(part: State) -> None:
            A, start, size = part
            table[offsets[A] : offsets[A] + size] = self.table.best_slots(A, start, size).T

        with LayerPool(1) as pool:
            pool.run(fill, states, work=1)
        return offsets, table

    def law(
        self, free: int | None = None, score: Number = 0, *, exact: bool = True, progress: Progress | None = None
    ) -> ScoreLaw:
        """The law of the final score from a position; exact laws are the laws of exactly these slots."""
        free = self.table.game.all_free if free is None else free
        admit_law(self.table.game, free, partial(play_law_plan, exact=exact))
        to_come = (self._exact_law if exact else self._float_law)(free, score, progress)
        return to_come.shifted(score)

    def _states(self, free: int, score: Number) -> Iterator[State]:
        """Free sets from the largest on, the index at the least score since the start, and the number of scores."""
        lattice = self.table.lattice
        subsets = sorted((A for A in range(1, free + 1) if A & free == A), key=lambda A: A.bit_count(), reverse=True)
        for A in subsets:
            done = free ^ A
            yield A, self.table.index(A, score + lattice.low(done), self.level), lattice.width(done) + 1

    def _exact_law(self, free: int, score: Number, progress: Progress | None) -> ScoreLaw:
        packing = Packing(self.table.game, free)
        laws = {free: 1}
        for done, (A, start, size) in enumerate(self._states(free, score), start=1):
            law = laws.pop(A, 0)
            if progress:
                progress(done, 1 << free.bit_count())
            if not law:
                continue
            for position, row in enumerate(self.table.best_slots(A, start, size)):
                for slot in np.unique(row).tolist():
                    chosen = _only(packing, law, row == slot)
                    if chosen:
                        B = A ^ (1 << slot)
                        laws[B] = laws.get(B, 0) + packing.placed(chosen, slot + 1, [position])
        return packing.unpack(laws[0])

    def _float_law(self, free: int, score: Number, progress: Progress | None) -> ScoreLaw:
        states = list(self._states(free, score))
        sizes = np.zeros(free + 1, dtype=np.int64)
        sizes[0] = self.table.lattice.width(free) + 1
        for A, _, size in states:
            sizes[A] = size
        offsets = np.cumsum(sizes) - sizes
        laws = np.zeros(int(sizes.sum()))
        laws[offsets[free]] = 1.0

        def push(part: Sequence[State]) -> None:
            for A, start, size in part:
                law = laws[offsets[A] : offsets[A] + size]
                if law.any():
                    kernel.push_law(self.table.moves, offsets, A, law, self.table.best_slots(A, start, size), laws)

        # One thread, since sets push into the same smaller ones; this one can be interrupted meanwhile.
        count = part_count(len(states), play_law_plan(self.table.game, free, exact=False).seconds)
        step = -(-len(states) // count) if states else 1
        parts = [states[first : first + step] for first in range(0, len(states), step)]
        with LayerPool(len(parts), progress, threads=1) as pool:
            pool.run(push, parts, work=len(parts))
        return law_of_array(self.table.lattice, free, laws[: sizes[0]])


def _only(packing: Packing, law: int, kept: Bools) -> int:
    """The part of a packed law at the indices that are kept."""
    return law & int.from_bytes(np.repeat(np.where(kept, 255, 0).astype(np.uint8), packing.size).tobytes(), "little")
