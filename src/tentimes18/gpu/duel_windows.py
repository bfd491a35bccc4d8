"""Which leads of a duel are stored, found on a GPU: the windows of `duel.lead_windows`, in the same order.

On the lattice of a game, the roll of step y (the rolls of the dice over their common divisor, from 0 on) makes
base_i + slope_i y units in slot i. So the most that slot i gains on slot j is at the first or at the last roll, and the
leads of a pair are counted without those of the smaller pairs: a thread for each pair.
"""

from itertools import accumulate
from math import comb, gcd

import numpy as np
from numpy.typing import NDArray

from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.gpu.device import Array, Gpu, check_gpu_memory, kernel_struct, struct_type
from tentimes18.solve.lattice import lattice_of, lattice_width
from tentimes18.solve.move_arrays import sets_by_size

MAX_SLOTS = 16  # that a mask and a name of the kernels have room for
MAX_UNITS = 2**29  # of a lead
THREADS = 256
BYTES_PER_PAIR = 24  # its window, and the sum of the sizes so far
PAIR = np.dtype([("offset", "u8"), ("low", "i4"), ("size", "i4")], align=True)
LAYOUT = struct_type("pairs sizes facts sets gains count", "N all slots is_half")
OFFSETS = struct_type("pairs ends facts count", "")


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
