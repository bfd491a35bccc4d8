"""How the matrix games of a layer are cut into tiles: by what a block of threads can share on this GPU.

A block holds, for a tile of L leads and some rolls, the windows of the K² smaller pairs that these reach: L values for
each, and as many more as the rolls move the lead, |slope_i - slope_j| for a step. Larger tiles copy less, more blocks
on a multiprocessor wait less; where the windows of all rolls are too wide for one tile, the rolls are cut.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tentimes18.errors import TooLarge
from tentimes18.solve.cuda.gpu import Gpu

__all__ = ["Tiles", "block_shape", "queue_shape", "tableau_bytes", "tiles_of", "widest_moves"]

MOST_ROLLS: Final = 32  # of a tile, as in `equilibrium.cuh`
LEAST_LEADS: Final = 32
RESERVED: Final = 1024  # bytes that a block takes beside its own
QUEUE_THREADS: Final = 64
MOST_QUEUE_BLOCKS: Final = 10


@dataclass(frozen=True, slots=True)
class Tiles:
    """The rolls of each tile are cuts[i] up to cuts[i + 1], their steps differ by ``span``; ``room`` is in doubles."""

    cuts: NDArray[np.int32]
    span: int
    room: int

    @property
    def rolls(self) -> int:
        """The most rolls of a tile."""
        return int(np.diff(self.cuts).max())


def block_shape(k: int) -> tuple[int, int]:
    """The threads of a block, and the blocks that a multiprocessor should have, for k free slots.

    >>> block_shape(4), block_shape(10)
    ((256, 4), (512, 1))
    """
    return (256 if k <= 7 else 512), (4 if k <= 4 else 3 if k <= 6 else 2 if k == 7 else 1)


def queue_shape(gpu: Gpu, k: int) -> tuple[int, int]:
    """The same for the simplex method: a tableau for each thread, in the memory that its block shares."""
    threads = QUEUE_THREADS
    while threads > 1 and tableau_bytes(k, threads) > gpu.block_shared - RESERVED:
        threads //= 2
    return threads, max(1, min(MOST_QUEUE_BLOCKS, gpu.shared // (tableau_bytes(k, threads) + RESERVED)))


def tableau_bytes(k: int, threads: int) -> int:
    """What the tableaus of a block take.

    >>> tableau_bytes(10, 64)
    61952
    """
    return 8 * (k + 1) ** 2 * threads


@lru_cache(maxsize=256)
def widest_moves(slopes: tuple[int, ...], k: int) -> int:
    """The largest sum of |slope_i - slope_j| over two sets of k slots: a convex function, so both lie at the ends.

    >>> widest_moves((0, 1, 2, 3), 2)
    8
    """
    ends = [slopes[:low] + slopes[len(slopes) - (k - low) :] for low in range(k + 1)]
    return max(sum(abs(i - j) for i in mine for j in theirs) for mine, theirs in product(ends, ends))


def tiles_of(gpu: Gpu, static_bytes: int, k: int, steps: NDArray[np.int32], slopes: NDArray[np.int32]) -> Tiles:
    """The tiles of a layer; raises ``TooLarge`` where not even one roll fits."""
    wide, rolls = widest_moves(tuple(slopes.tolist()), k), min(MOST_ROLLS, len(steps))

    def room(blocks: int) -> int:
        return (min(gpu.block_shared, gpu.shared // blocks - RESERVED) - static_bytes) // 8 & ~1

    def need(rolls: int, span: int) -> int:
        return LEAST_LEADS * (k * k + rolls + 1) + LEAST_LEADS * rolls // 2 + span * wide

    if len(steps) <= MOST_ROLLS:
        span = int(steps[-1])
        for blocks in range(block_shape(k)[1], 0, -1):
            if need(rolls, span) <= room(blocks):
                return Tiles(np.array([0, len(steps)], dtype=np.int32), span, room(blocks))
    span = int(steps[-1])
    while span and need(rolls, span) > room(1):
        span //= 2
    while rolls > 1 and need(rolls, span) > room(1):
        rolls //= 2
    if need(rolls, span) > room(1):
        raise TooLarge(f"{k} free slots need more memory for a block of threads than {gpu.name} has", field="slots")
    cuts = [0]
    for x, step in enumerate(steps):
        if step - steps[cuts[-1]] > span or x - cuts[-1] == rolls:
            cuts.append(x)
    cuts.append(len(steps))
    return Tiles(np.array(cuts, dtype=np.int32), span, room(1))
