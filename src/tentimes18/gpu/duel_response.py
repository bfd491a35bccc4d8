"""Chances against a rule on a GPU: those of `duel.best_response`, layer by layer in the memory of the GPU.

My slots are given as lists, for each free set and roll: all free slots in an order of preference for the best response,
one slot for a rule of mine, all of them and their mean for a player at random.
"""

from typing import Any

import numpy as np

from tentimes18.arrays import Floats, Slots
from tentimes18.game import Game
from tentimes18.gpu.device import Array, Gpu, check_gpu_memory, kernel_struct, struct_type
from tentimes18.gpu.duel_windows import GpuWindows, table_name
from tentimes18.solve.move_arrays import moves_of
from tentimes18.solve.parallel import Progress

THREADS = 128
MAX_BLOCKS = 1 << 30  # of a launch
ANSWERING = struct_type(
    "sets ranks shifts P theirs order here after before before_draw values draws first",
    "N smaller_N slots rolls is_mean",
)


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
        fields = self.fields | {"sets": windows.gpu_sets[k], "here": windows.pairs[k], "after": windows.pairs[k - 1]}
        fields |= {"before": before[0], "before_draw": before[1], "values": values[0], "draws": values[1]}
        fields |= {"N": len(windows.sets[k]), "smaller_N": len(windows.sets[k - 1])}
        form = kernel_struct(gpu, ANSWERING, fields)
        kernel = gpu.kernel("response", "answer_pairs")
        count = len(windows.ends[k])
        for first in range(0, count, MAX_BLOCKS):
            form["first"] = first
            kernel(min(MAX_BLOCKS, count - first), THREADS, form)
