"""The equilibrium of the duel on a GPU: the table of `duel.equilibrium`, layer by layer in the GPU's memory.

Three kernels a layer (`gpu/equilibrium.cuh`): saddle points and two moves a side, a block for each pair of
free sets; what is left by the simplex method, a thread a game; and its values added. A queue connects the first
two: a layer is cut into launches so that it has room for all games of one.

How the matrix games of a layer are cut into tiles: by what a block of threads can share on this GPU.

A block holds, for a tile of L leads and some rolls, the windows of the K² smaller pairs that these reach: L values for
each, and as many more as the rolls move the lead, |slope_i - slope_j| for a step. Larger tiles copy less, more blocks
on a multiprocessor wait less; where the windows of all rolls are too wide for one tile, the rolls are cut.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Floats
from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.gpu.device import Array, Gpu, check_gpu_memory, kernel_struct, struct_type
from tentimes18.gpu.duel_windows import GpuWindows, table_name
from tentimes18.solve.move_arrays import moves_of
from tentimes18.solve.parallel import Progress

ADDING_THREADS = 256
MAX_QUEUE = 64 << 20  # games that wait for the simplex method
QUEUED_BYTES = 24  # of one of them, with its value
QUEUE_SHARE = 8  # one part in this many of the free memory
MIN_QUEUE = 1 << 20
QUEUED = np.dtype([(name, "u4") for name in ("pair", "lead", "roll", "unused")])
SOLVING = struct_type(
    "sets ranks slopes bases steps P cuts here after before values queue solved queued counts",
    "N smaller_N first tiles rolls span room",
)


@dataclass(frozen=True, eq=False)
class GpuEquilibrium:
    """The values of all stored positions, on the GPU; and of what there was to solve, as `LayerCount` has it.

    ``queued`` are the games that took the simplex method, by the number of free slots.
    """

    windows: GpuWindows
    values: Array
    counts: list[tuple[int, int, int, int]]
    queued: list[int]
    widest: float

    def to_host(self) -> Floats:
        """The table, in the order of `duel.lead_windows`."""
        values: Floats = self.windows.gpu.to_host(self.values)
        return values


class _Work:
    """What the layers of one game share: arrays on the GPU, and the queue."""

    def __init__(self, gpu: Gpu, game: Game) -> None:
        self.gpu, self.game = gpu, game
        self.windows = windows = GpuWindows(gpu, game, half=True)
        xp = gpu.xp
        self.rolls = len(game.dice.support)
        room = max(MIN_QUEUE, gpu.memory_left() // QUEUE_SHARE // QUEUED_BYTES)
        self.capacity = max(max(windows.widest) * self.rolls, min(MAX_QUEUE, room))
        check_gpu_memory(gpu, table_name(game), 8 * windows.cells + QUEUED_BYTES * self.capacity)
        self.values = xp.empty(windows.cells)
        self.values[:1] = 0.5
        self.counts = xp.zeros((game.size + 1, 3), dtype=np.uint64)
        self.queued = xp.zeros(1, dtype=np.uint32)
        self.fields: dict[str, Any] = {
            "ranks": windows.gpu_ranks,
            "slopes": xp.asarray(windows.slopes),
            "bases": xp.asarray(windows.bases),
            "steps": xp.asarray(windows.steps),
            "P": xp.asarray(moves_of(game).P),
            "queue": xp.empty(self.capacity * QUEUED.itemsize, dtype=np.uint8),
            "solved": xp.empty(self.capacity),
            "queued": self.queued,
        }

    def launches(self, k: int) -> Iterator[tuple[int, int]]:
        """The pairs of a layer, from one up to another, cut so that the queue has room for all their games."""
        ends, count = self.windows.ends[k], len(self.windows.ends[k])
        games = max(1, self.capacity // self.rolls - self.windows.widest[k])
        steps = -(-self.windows.sizes[k] // games)
        marks = self.gpu.xp.arange(1, max(1, steps), dtype=np.uint64) * np.uint64(games)
        places = self.gpu.to_host(self.gpu.xp.searchsorted(ends, marks, side="left")).tolist() if steps > 1 else []
        cuts = [0, *(place + 1 for place in places if place + 1 < count), count]
        yield from ((first, last) for first, last in pairwise(cuts) if last > first)

    def solve_layer(self, k: int) -> None:
        gpu, windows, fields = self.gpu, self.windows, dict(self.fields)
        threads, blocks = block_shape(k)
        queue_threads, queue_blocks = queue_shape(gpu, k)
        constants = {"FREE": k, "THREADS": threads, "BLOCKS": blocks}
        constants |= {"QUEUE_THREADS": queue_threads, "QUEUE_BLOCKS": queue_blocks}
        pairs, queue, adding = (
            gpu.kernel("equilibrium", name, **constants) for name in ("solve_pairs", "solve_queue", "add_queue")
        )
        tiles: Tiles = tiles_of(gpu, pairs.static_bytes, k, windows.steps, windows.slopes)
        cuts = gpu.xp.asarray(tiles.cuts)
        fields |= {"sets": windows.gpu_sets[k], "cuts": cuts, "here": windows.pairs[k], "after": windows.pairs[k - 1]}
        fields |= {"before": windows.layer(self.values, k - 1), "values": windows.layer(self.values, k)}
        fields |= {"counts": self.counts[k], "N": len(windows.sets[k]), "smaller_N": len(windows.sets[k - 1])}
        fields |= {"tiles": len(tiles.cuts) - 1, "rolls": tiles.rolls, "span": tiles.span, "room": tiles.room}
        form = kernel_struct(gpu, SOLVING, fields)
        for first, last in self.launches(k):
            form["first"] = first
            self.queued.fill(0)
            pairs(last - first, threads, form, 8 * tiles.room)
            if k > 1:  # games of one move have a saddle point
                queue(queue_blocks * gpu.multiprocessors, queue_threads, form, tableau_bytes(k, queue_threads))
                adding(8 * gpu.multiprocessors, ADDING_THREADS, form)


def solve_on_gpu(gpu: Gpu, game: Game, progress: Progress | None = None) -> GpuEquilibrium:
    """The equilibrium of a game's duel, solved on the GPU and left there."""
    work = _Work(gpu, game)
    windows = work.windows
    for k in range(1, game.size + 1):
        work.solve_layer(k)
        if progress:
            gpu.finish()
            progress(windows.starts[k] + windows.sizes[k], windows.cells)
    counts_and_widest = gpu.to_host(work.counts)
    gpu.finish()
    games = [size * work.rolls for size in windows.sizes]
    counts = [(k, windows.sizes[k], games[k], int(counts_and_widest[k, 0])) for k in range(1, game.size + 1)]
    widest = float(counts_and_widest[:, 2].copy().view(np.float64).max())
    return GpuEquilibrium(windows, work.values, counts, counts_and_widest[1:, 1].tolist(), widest)


MAX_ROLLS = 32  # of a tile, as in `equilibrium.cuh`
MIN_LEADS = 32
RESERVED = 1024  # bytes that a block takes beside its own
QUEUE_THREADS = 64
MAX_QUEUE_BLOCKS = 10


@dataclass(frozen=True, slots=True)
class Tiles:
    """The rolls of each tile are cuts[i] up to cuts[i + 1], their steps differ by ``span``; ``room`` is in doubles."""

    cuts: NDArray[np.int32]
    span: int
    room: int

    @property
    def rolls(self) -> int:
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
    return threads, max(1, min(MAX_QUEUE_BLOCKS, gpu.shared // (tableau_bytes(k, threads) + RESERVED)))


def tableau_bytes(k: int, threads: int) -> int:
    return 8 * (k + 1) ** 2 * threads


@lru_cache(maxsize=256)
def widest_moves(slopes: tuple[int, ...], k: int) -> int:
    """The largest sum of |slope_i - slope_j| over two sets of k slots: a convex function, so both lie at the ends."""
    ends = [slopes[:low] + slopes[len(slopes) - (k - low) :] for low in range(k + 1)]
    return max(sum(abs(i - j) for i in mine for j in theirs) for mine, theirs in product(ends, ends))


def tiles_of(gpu: Gpu, static_bytes: int, k: int, steps: NDArray[np.int32], slopes: NDArray[np.int32]) -> Tiles:
    """The tiles of a layer; raises ``TooLarge`` where not even one roll fits."""
    wide, rolls = widest_moves(tuple(slopes.tolist()), k), min(MAX_ROLLS, len(steps))

    def room(blocks: int) -> int:
        return (min(gpu.block_shared, gpu.shared // blocks - RESERVED) - static_bytes) // 8 & ~1

    def need(rolls: int, span: int) -> int:
        return MIN_LEADS * (k * k + rolls + 1) + MIN_LEADS * rolls // 2 + span * wide

    if len(steps) <= MAX_ROLLS:
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
