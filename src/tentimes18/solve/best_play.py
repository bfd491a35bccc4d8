"""Best play for an objective, from its table: its slots, and the exact distribution of its score.

Its slots depend on the score so far, so the distribution is followed forwards: that of (free set, score) after each
round.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from tentimes18.arrays import Bools, Floats, Ints, Moves, Slots
from tentimes18.compiled import compiled
from tentimes18.game import Number
from tentimes18.limits import check_size
from tentimes18.solve.aim_tables import ObjectiveTable
from tentimes18.solve.float_distributions import distribution_of_array
from tentimes18.solve.parallel import LayerPool, Progress, part_count
from tentimes18.solve.rule_distributions import Packing, play_size
from tentimes18.solve.score_distribution import ScoreDistribution

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
        states = list(self._states(free, score))
        sizes = np.zeros(free + 1, dtype=np.int64)
        sizes[0] = self.table.lattice.width(free) + 1
        for A, _, size in states:
            sizes[A] = size
        offsets = np.cumsum(sizes) - sizes
        distributions = np.zeros(int(sizes.sum()))
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
        return distribution_of_array(self.table.lattice, free, distributions[: sizes[0]])


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
