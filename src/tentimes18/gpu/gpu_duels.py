"""Duels on a GPU: which leads are stored, chances against a rule, and the equilibrium, layer by layer in its memory.

The leads are the windows of `duel.lead_windows`, in the same order. On the lattice of a game, the roll of step y (the
rolls of the dice over their common divisor, from 0 on) makes base_i + slope_i y units in slot i. So the most that slot
i gains on slot j is at the first or at the last roll, and the leads of a pair are counted without those of the smaller
pairs: a thread for each pair.

Chances against a rule are those of `duel.best_response`. My slots are given as lists, for each free set and roll: all
free slots in an order of preference for the best response, one slot for a rule of mine, all of them and their mean for
a player at random.

The equilibrium is the table of `duel.equilibrium`. Three kernels a layer (`gpu/equilibrium.cuh`): saddle points and two
moves a side, a block for each pair of free sets; what is left by the simplex method, a thread a game; and its values
added. A queue connects the first two: a layer is cut into launches so that it has room for all games of one.

How the matrix games of a layer are cut into tiles: by what a block of threads can share on this GPU. A block holds, for
a tile of L leads and some rolls, the windows of the K² smaller pairs that these reach: L values for each, and as many
more as the rolls move the lead, |slope_i - slope_j| for a step. Larger tiles copy less, more blocks on a multiprocessor
wait less; where the windows of all rolls are too wide for one tile, the rolls are cut.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise, product
from math import comb, gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Floats, Slots
from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.gpu.device import Array, Gpu, check_gpu_memory, kernel_struct, struct_type
from tentimes18.solve.lattice import lattice_of, lattice_width
from tentimes18.solve.move_arrays import moves_of, sets_by_size
from tentimes18.solve.parallel import Progress

MAX_SLOTS = 16  # that a mask and a name of the kernels have room for
MAX_UNITS = 2**29  # of a lead
THREADS = 256
BYTES_PER_PAIR = 24  # its window, and the sum of the sizes so far
PAIR = np.dtype([("offset", "u8"), ("low", "i4"), ("size", "i4")], align=True)
LAYOUT = struct_type("pairs sizes facts sets gains count", "N all slots is_half")
OFFSETS = struct_type("pairs ends facts count", "")
RESPONSE_THREADS = 128
MAX_BLOCKS = 1 << 30  # of a launch
ANSWERING = struct_type(
    "sets ranks shifts P theirs order here after before before_draw values draws first",
    "N smaller_N slots rolls is_mean",
)
MAX_QUEUE = 64 << 20  # games that wait for the simplex method
QUEUED_BYTES = 24  # of one of them, with its value
QUEUE_SHARE = 8  # one part in this many of the free memory
MIN_QUEUE = 1 << 20
QUEUED = np.dtype([(name, "u4") for name in ("pair", "lead", "roll", "unused")])
SOLVING = struct_type(
    "sets ranks slopes bases steps P cuts here after before values queue solved queued counts",
    "N smaller_N first tiles rolls span room",
)
MAX_ROLLS = 32  # of a tile, as in `equilibrium.cuh`
MIN_LEADS = 32
RESERVED = 1024  # bytes that a block takes beside its own
QUEUE_THREADS = 64
MAX_QUEUE_BLOCKS = 10


class GpuWindows:
    """The windows of all pairs of free sets, on a GPU; with ``half``, of those with rank(A) <= rank(B).

    ``starts[k]`` is where the layer with k free slots begins in the table of all, which has ``cells`` values;
    ``sizes[k]`` how many it has, ``widest[k]`` the most of one pair.
    """

    def __init__(self, gpu: Gpu, game: Game, *, half: bool) -> None:
        if game.size > MAX_SLOTS:
            raise TooLarge(f"a GPU takes duels on at most {MAX_SLOTS} slots, not on {game.size}", field="slots")
        if lattice_width(game) > MAX_UNITS:
            raise TooLarge(f"a GPU takes duels with leads of at most {MAX_UNITS:,} units", field="slots")
        pairs = comb(2 * game.size, game.size) / (2 if half else 1)
        check_gpu_memory(gpu, table_name(game), BYTES_PER_PAIR * pairs)
        self.gpu, self.game, self.half = gpu, game, half
        xp, n = gpu.xp, game.size
        self.slopes, self.bases, self.steps = _lines(game)
        first = self.bases[:, np.newaxis] - self.bases
        last = first + (self.slopes[:, np.newaxis] - self.slopes) * int(self.steps[-1])
        gains = xp.asarray(np.maximum(first, last).astype(np.int32))  # [i, j]: the most that slot i gains on slot j
        sets, ranks = sets_by_size(n)
        self.sets, self.ranks = [group.astype(np.uint32) for group in sets], ranks.astype(np.uint32)
        self.gpu_sets, self.gpu_ranks = [xp.asarray(group) for group in self.sets], xp.asarray(self.ranks)
        facts = xp.zeros((n + 1, 2), dtype=np.uint64)  # read at once: each reading waits for the GPU
        layouts = [self._lay_out(k, gains, facts[k]) for k in range(n + 1)]
        self.pairs, self.ends = ([layout[part] for layout in layouts] for part in (0, 1))
        self.sizes, self.widest = gpu.to_host(facts).T.tolist()
        self.starts = [0, *accumulate(self.sizes[:-1])]
        self.cells: int = sum(self.sizes)

    def _lay_out(self, k: int, gains: Array, facts: Array) -> tuple[Array, Array]:
        gpu, xp, N = self.gpu, self.gpu.xp, len(self.sets[k])
        count = N * (N + 1) // 2 if self.half else N * N
        pairs = xp.empty(count * PAIR.itemsize, dtype=np.uint8)
        sizes = xp.empty(count, dtype=np.uint64)
        fields = {"pairs": pairs, "sizes": sizes, "facts": facts, "sets": self.gpu_sets[k], "gains": gains}
        fields |= {"count": count, "N": N, "all": self.game.all_free, "slots": self.game.size, "is_half": self.half}
        blocks = -(-count // THREADS)
        gpu.kernel("windows", "lay_out")(blocks, THREADS, kernel_struct(gpu, LAYOUT, fields))
        ends = xp.cumsum(sizes, dtype=np.uint64)
        fields = {"pairs": pairs, "ends": ends, "facts": facts, "count": count}
        gpu.kernel("windows", "set_offsets")(blocks, THREADS, kernel_struct(gpu, OFFSETS, fields))
        return pairs, ends

    def layer_fields(self, k: int) -> dict[str, Any]:
        """What kernels take of the layer with k free slots, and of the one before."""
        pairs = {"sets": self.gpu_sets[k], "here": self.pairs[k], "after": self.pairs[k - 1]}
        return pairs | {"N": len(self.sets[k]), "smaller_N": len(self.sets[k - 1])}

    def layer(self, values: Array, k: int) -> Array:
        return values[self.starts[k] : self.starts[k] + self.sizes[k]]


def table_name(game: Game) -> str:
    return f"the table of the duel on {game.size:,} slots"


def _lines(game: Game) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    support, shifts = game.dice.support, np.array(lattice_of(game).shifts, dtype=np.int64)
    common = gcd(*(x - support[0] for x in support)) or 1
    steps = np.array([(x - support[0]) // common for x in support], dtype=np.int32)
    slopes = (shifts[:, -1] - shifts[:, 0]) // max(1, int(steps[-1]))
    return slopes.astype(np.int32), shifts[:, 0].astype(np.int32), steps


def response_on_gpu(
    gpu: Gpu,
    game: Game,
    theirs: Slots,
    mine: Slots,
    *,
    draw: float = 0.5,
    is_mean: bool = False,
    progress: Progress | None = None,
) -> tuple[Floats, Floats]:
    """My equity and the chance of a draw from every position, in the order of `duel.lead_windows`.

    ``theirs[B, x]`` is the opponent's slot. ``mine[A, x]`` lists slots of mine, filled up with -1: the best of them is
    taken, the first of equals; or, with ``is_mean``, each with the same chance.
    """
    windows = GpuWindows(gpu, game, half=False)
    check_gpu_memory(gpu, table_name(game), 16 * windows.cells)
    layers = ResponseLayers(windows, theirs, mine, is_mean=is_mean)
    equity, drawn = gpu.xp.empty(windows.cells), gpu.xp.empty(windows.cells)
    equity[:1], drawn[:1] = draw, 1.0
    for k in range(1, game.size + 1):
        before, values = ([windows.layer(table, layer) for table in (equity, drawn)] for layer in (k - 1, k))
        layers.fill(k, before, values)
        if progress:
            gpu.finish()
            progress(windows.starts[k] + windows.sizes[k], windows.cells)
    return gpu.to_host(equity), gpu.to_host(drawn)


def all_slots(game: Game) -> Slots:
    """The free slots of each set, from 0 and in their order, whatever the roll: a list for `response_on_gpu`."""
    n = game.size
    lists = np.full((1 << n, n), -1, dtype=np.int8)
    for A in range(1 << n):
        free = [i for i in range(n) if A >> i & 1]
        lists[A, : len(free)] = free
    return np.repeat(lists[:, np.newaxis], len(game.dice.support), axis=1)


def one_slot(slots: Slots) -> Slots:
    """A rule's slots as lists of one."""
    n = (len(slots) - 1).bit_length()
    lists = np.full((*slots.shape, n), -1, dtype=np.int8)
    lists[:, :, 0] = slots
    return lists


class ResponseLayers:
    """What all layers share on the GPU."""

    def __init__(self, windows: GpuWindows, theirs: Slots, mine: Slots, *, is_mean: bool) -> None:
        gpu, game = windows.gpu, windows.game
        moves = moves_of(game)
        self.windows = windows
        self.fields: dict[str, Any] = {
            "ranks": windows.gpu_ranks,
            "shifts": gpu.xp.asarray(moves.shifts.astype(np.int32)),
            "P": gpu.xp.asarray(moves.P),
            "theirs": gpu.xp.asarray(theirs),
            "order": gpu.xp.asarray(mine),
            "slots": game.size,
            "rolls": len(moves.P),
            "is_mean": is_mean,
        }

    def fill(self, k: int, before: list[Array], values: list[Array]) -> None:
        """The equities and the chances of a draw of a layer, from those of the one before; none where there is None."""
        windows, gpu = self.windows, self.windows.gpu
        fields = self.fields | windows.layer_fields(k)
        fields |= {"before": before[0], "before_draw": before[1], "values": values[0], "draws": values[1]}
        form = kernel_struct(gpu, ANSWERING, fields)
        kernel = gpu.kernel("response", "answer_pairs")
        count = len(windows.ends[k])
        for first in range(0, count, MAX_BLOCKS):
            form["first"] = first
            kernel(min(MAX_BLOCKS, count - first), RESPONSE_THREADS, form)


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
        gpu, windows, fields = self.gpu, self.windows, self.fields | self.windows.layer_fields(k)
        threads, blocks = block_shape(k)
        queue_threads, queue_blocks = queue_shape(gpu, k)
        constants = {"FREE": k, "THREADS": threads, "BLOCKS": blocks}
        constants |= {"QUEUE_THREADS": queue_threads, "QUEUE_BLOCKS": queue_blocks}
        pairs, queue, adding = (
            gpu.kernel("equilibrium", name, **constants) for name in ("solve_pairs", "solve_queue", "add_queue")
        )
        tiles: Tiles = tiles_of(gpu, pairs.static_bytes, k, windows.steps, windows.slopes)
        cuts = gpu.xp.asarray(tiles.cuts)
        fields |= {"before": windows.layer(self.values, k - 1), "values": windows.layer(self.values, k)}
        fields |= {"cuts": cuts, "counts": self.counts[k]}
        fields |= {"tiles": len(tiles.cuts) - 1, "rolls": tiles.rolls, "span": tiles.span, "room": tiles.room}
        form = kernel_struct(gpu, SOLVING, fields)
        for first, last in self.launches(k):
            form["first"] = first
            self.queued.fill(0)
            pairs(last - first, threads, form, 8 * tiles.room)
            if k > 1:  # games of one move have a saddle point
                queue(queue_blocks * gpu.multiprocessors, queue_threads, form, tableau_bytes(k, queue_threads))
                adding(8 * gpu.multiprocessors, THREADS, form)


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
