"""`make gpu`: duels and games on a GPU, compared with the processor and timed; writes docs/research/gpu.md.

Takes some minutes on a machine with a GPU. The results go into gpu_facts.json beside this file, which the page and the
table of sizes in docs/research/duel.md are made from. If a part fails, it is reported, the others run, and nothing is
written.
"""

import json
import os
import sys
import traceback
from collections.abc import Callable
from copy import copy
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from tentimes18.arrays import Floats, Ints, Slots
from tentimes18.duel.best_response import best_response
from tentimes18.duel.certificate import certify
from tentimes18.duel.equilibrium import Equilibrium, solve_equilibrium
from tentimes18.duel.matrix_games import mixed_move
from tentimes18.game import Game
from tentimes18.gpu.device import CUDA, Array, Gpu, check_gpu_memory, find_gpu, kernel_struct, struct_type
from tentimes18.gpu.gpu_duels import (
    PAIR,
    THREADS,
    GpuEquilibrium,
    GpuWindows,
    ResponseLayers,
    all_slots,
    solve_on_gpu,
    table_name,
)
from tentimes18.simulate.games import Counts, count_in_chunks, simulate
from tentimes18.simulate.gpu_games import GpuGames, one_by_one
from tentimes18.simulate.run import Run
from tentimes18.solve.move_arrays import moves_of, rule_slots
from tentimes18.solve.thresholds import optimal_rule
from tools.gpu_page import FACTS, LEAD, write_page

COMPARED = (8, 9, 10)  # slots of tables that are compared as a whole
CERTIFIED = (11, 12, 13)  # slots of tables that are certified as a whole
LEAST_SAMPLED = 11  # slots from which on some positions are solved again
SIZES = range(4, 15)
OTHERS = (("1d20", "1-7"), ("2d6", "-3,-2,-1,1,2,3,4"), ("d{1,1,2,3,5,8}", "1,3/2,2,3,5,8,13"), ("1d100", "1-5"))
SAMPLES = 2000  # positions of each size that are solved again
SEED = 18
SMALL_SLOTS = 9
SMALL_SHARED = 48 * 1024  # bytes
WARM = 4  # runs, the best of which counts
LARGE = 13  # slots that are solved once more only
GAMES = 10**10
COMPARED_GAMES = 10**8
READING = struct_type("pairs values mine theirs leads found count", "N is_half")
FIELD = ("optimal", "nearest", "greedy", "target:630", "hindsight", "random")


def main(folder: Path | None = None) -> int:
    """Find all, tell it as it comes, and write the page; into a folder, where one is given, whatever failed."""
    gpu = find_gpu()
    facts: dict[str, Any] = {"machine": _machine(gpu), "samples": SAMPLES}
    failed = []
    parts: dict[str, Callable[[Gpu], Any]] = {
        "sizes": sizes,
        "games": games,
        "responses": responses,
        "tables": tables,
        "others": others,
        "certified": certified,
        "less": less,
        "compared_games": compared_games,
    }
    for name, part in parts.items():
        began = perf_counter()
        try:
            facts[name] = part(gpu)
        except Exception:
            failed.append(name)
            traceback.print_exc()
        _tell(f"{name}: {perf_counter() - began:.1f} s {json.dumps(facts.get(name))}")
        gpu.xp.get_default_memory_pool().free_all_blocks()
    if folder is not None:
        (folder / FACTS.name).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    if failed:
        _tell(f"failed: {', '.join(failed)}")
        return 1
    if folder is None:
        FACTS.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
        write_page()
    return 0


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _machine(gpu: Gpu) -> dict[str, Any]:
    runtime = gpu.xp.cuda.runtime
    version = runtime.runtimeGetVersion()
    return {
        "gpu": gpu.name,
        "memory": int(runtime.memGetInfo()[1]),
        "cuda": f"{version // 1000}.{version % 1000 // 10}",
        "cupy": gpu.xp.__version__,
        "processors": len(os.sched_getaffinity(0)),
        "date": datetime.now(UTC).date().isoformat(),
    }


def _game(slots: int) -> Game:
    return Game.parse("3d6", f"1-{slots}")


def sizes(gpu: Gpu) -> list[dict[str, Any]]:
    """The duel on 4 to 14 slots: how large it is, how it is played, and how long it takes."""
    found = []
    for slots in SIZES:
        try:
            found.append(_size(gpu, slots))
        except Exception:
            traceback.print_exc()
            if slots <= max(COMPARED):
                raise
        _tell(json.dumps(found[-1]))
        gpu.xp.get_default_memory_pool().free_all_blocks()
    return found


def _size(gpu: Gpu, slots: int) -> dict[str, Any]:
    game = _game(slots)
    began = perf_counter()
    table = solve_on_gpu(gpu, game)
    first = perf_counter() - began
    positions, counts, widest, queued = table.windows.cells - 1, table.counts, table.widest, sum(table.queued)
    worth, error = _lead_worth(table), _largest_error(table) if slots >= LEAST_SAMPLED else None
    seconds = []
    for _ in range(WARM if slots < LARGE else 1):
        del table
        began = perf_counter()
        table = solve_on_gpu(gpu, game)
        seconds.append(perf_counter() - began)
    del table
    gpu.xp.get_default_memory_pool().free_all_blocks()
    theirs = rule_slots(game, optimal_rule(game))
    hunting = []
    for _ in range(WARM if slots < LARGE else 1):
        began = perf_counter()
        equity = response_equity(gpu, game, theirs)
        hunting.append(perf_counter() - began)
    return {
        "slots": slots,
        "positions": positions,
        "games": sum(count[2] for count in counts),
        "mixed": sum(count[3] for count in counts),
        "queued": queued,
        "lead": worth,
        "hunter": equity,
        "widest": widest,
        "error": error,
        "first_seconds": first,
        "seconds": min(seconds),
        "hunter_seconds": min(hunting),
    }


def _lead_worth(table: GpuEquilibrium) -> float:
    """The value of a lead with all slots free but the first and the last, on both boards."""
    windows, k = table.windows, table.windows.game.size - 2
    masks = np.array([windows.game.all_free ^ 1 ^ 1 << k + 1])
    layer = windows.layer(table.values, k)
    return float(read_positions(windows, layer, k, masks, masks, np.array([LEAD]))[0])


def _largest_error(table: GpuEquilibrium) -> float:
    """How far stored values are from one step of the recursion, solved here: some positions of every size."""
    windows, random = table.windows, np.random.default_rng(SEED)
    largest = 0.0
    for k in range(1, windows.game.size + 1):
        places = np.unique(random.integers(windows.sizes[k], size=min(SAMPLES, windows.sizes[k])))
        mine, theirs, leads = positions_at(windows, k, places)
        stored = read_positions(windows, windows.layer(table.values, k), k, mine, theirs, leads)
        largest = max(largest, float(np.abs(stored - _one_step(table, k, mine, theirs, leads)).max()))
    return largest


def _one_step(table: GpuEquilibrium, k: int, mine: Ints, theirs: Ints, leads: Ints) -> Floats:
    windows = table.windows
    chances = moves_of(windows.game).P.tolist()
    slots, others = _slots_of(mine, k), _slots_of(theirs, k)
    values = np.zeros(len(leads))
    row = np.empty(k)
    layer = windows.layer(table.values, k - 1)
    for chance, y in zip(chances, windows.steps.tolist(), strict=True):
        units = windows.bases + windows.slopes * y
        after = leads[:, None, None] + units[slots][:, :, None] - units[others][:, None, :]
        left = np.broadcast_to((mine[:, None] ^ 1 << slots)[:, :, None], after.shape)
        their_left = np.broadcast_to((theirs[:, None] ^ 1 << others)[:, None, :], after.shape)
        entries = read_positions(windows, layer, k - 1, left.ravel(), their_left.ravel(), after.ravel()).reshape(
            after.shape
        )
        values += chance * np.array([mixed_move(np.ascontiguousarray(M), row) for M in entries])
    return values


def _slots_of(masks: Ints, k: int) -> Ints:
    """[position, place]: the slots of each mask, from 0."""
    bits = masks[:, None] >> np.arange(32) & 1
    return np.nonzero(bits)[1].reshape(-1, k)


def tables(_: Gpu) -> list[dict[str, Any]]:
    """Whole tables against those of the processor, and its certificate of them."""
    return [_compared(_game(slots)) for slots in COMPARED]


def others(_: Gpu) -> list[dict[str, Any]]:
    """The same for other dice and multipliers."""
    return [_compared(Game.parse(dice, slots)) for dice, slots in OTHERS]


def certified(_: Gpu) -> list[dict[str, Any]]:
    """The processor's certificate of larger tables."""
    return [_certified(solve_equilibrium(_game(slots), device=CUDA)) for slots in CERTIFIED]


def _certified(table: Equilibrium) -> dict[str, Any]:
    began = perf_counter()
    certificate = certify(table)
    found = {
        "game": str(table.game),
        "positions": certificate.positions,
        "gain_at_start": certificate.start,
        "largest_gain": certificate.largest,
        "certifying_seconds": perf_counter() - began,
    }
    _tell(json.dumps(found))
    return found


def _compared(game: Game) -> dict[str, Any]:
    began = perf_counter()
    here = solve_equilibrium(game)
    seconds = perf_counter() - began
    there = solve_equilibrium(game, device=CUDA)
    return _certified(there) | {
        "difference": float(np.abs(here.values - there.values).max()),
        "mixed_difference": sum(count.mixed for count in here.counts) - sum(count.mixed for count in there.counts),
        "processor_seconds": seconds,
    }


def responses(_: Gpu) -> dict[str, Any]:
    """The hunter of the classic game, on the GPU and on the processor."""
    game = Game.classic()
    rule = optimal_rule(game)
    there = best_response(game, rule, device=CUDA)
    began = perf_counter()
    here = best_response(game, rule)
    return {
        "difference": float(np.abs(here.values - there.values).max()),
        "draw_difference": abs(here.outcome.draw - there.outcome.draw),
        "processor_seconds": perf_counter() - began,
    }


def less(gpu: Gpu) -> dict[str, Any]:
    """A table made with less to share, as on a smaller GPU, against the one with all."""
    game = _game(SMALL_SLOTS)
    smaller = copy(gpu)
    smaller.block_shared, smaller.shared = SMALL_SHARED, SMALL_SHARED + 1024
    whole, cut = solve_on_gpu(gpu, game), solve_on_gpu(smaller, game)
    difference = float(np.abs(whole.to_host() - cut.to_host()).max())
    return {"game": str(game), "shared": SMALL_SHARED, "difference": difference}


def games(gpu: Gpu) -> dict[str, Any]:
    """Games of `optimal`, and of several strategies at once."""
    found: dict[str, Any] = {"games": GAMES}
    work = GpuGames(Run(Game.classic(), ("optimal",), SEED), gpu)
    work.counter()(0, 1)
    seconds = []
    for _ in range(WARM):
        began = perf_counter()
        *_, counts = count_in_chunks(work, GAMES, one_by_one)
        seconds.append(perf_counter() - began)
    law = counts.distribution(Game.classic())
    found |= {"seconds": min(seconds), "mean": float(law.mean), "sd": law.sd}
    field = GpuGames(Run(Game.classic(), FIELD, SEED), gpu)
    field.counter()(0, 1)
    began = perf_counter()
    for counts in count_in_chunks(field, COMPARED_GAMES, one_by_one):
        found["field_games"] = counts.games
    return found | {"field": list(FIELD), "field_seconds": perf_counter() - began}


def compared_games(gpu: Gpu) -> dict[str, Any]:
    """Whether the counts are those of the processor, all of them."""
    found: dict[str, Any] = {"games": COMPARED_GAMES}
    for names, count in ((("optimal",), COMPARED_GAMES), (FIELD, COMPARED_GAMES // 10)):
        run = Run(Game.classic(), names, SEED)
        *_, there = count_in_chunks(GpuGames(run, gpu), count, one_by_one)
        began = perf_counter()
        *_, here = simulate(run, count)
        found[" ".join(names)] = {"equal": _same(here, there), "processor_seconds": perf_counter() - began}
    return found


def _same(one: Counts, other: Counts) -> bool:
    arrays = ("histograms", "wins", "draws", "first_places")
    numbers = ("games", "difference", "squared_difference", "largest")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays) and all(
        getattr(one, name) == getattr(other, name) for name in numbers
    )


def read_positions(windows: GpuWindows, layer: Array, k: int, free: Ints, opponent_free: Ints, leads: Ints) -> Floats:
    """The values of positions with k free slots, by their masks and leads, from the part of a table with these."""
    gpu, xp = windows.gpu, windows.gpu.xp
    found = xp.empty(len(leads))
    fields = {
        "pairs": windows.pairs[k],
        "values": layer,
        "mine": xp.asarray(windows.ranks[free]),
        "theirs": xp.asarray(windows.ranks[opponent_free]),
        "leads": xp.asarray(leads.astype(np.int32)),
        "found": found,
        "count": len(leads),
    }
    fields |= {"N": len(windows.sets[k]), "is_half": windows.half}
    gpu.kernel("windows", "read_positions")(-(-len(leads) // THREADS), THREADS, kernel_struct(gpu, READING, fields))
    read: Floats = gpu.to_host(found)
    return read


def positions_at(windows: GpuWindows, k: int, places: Ints) -> tuple[Ints, Ints, Ints]:
    """The masks and the leads of the positions at these places of the layer with k free slots."""
    xp, count = windows.gpu.xp, len(windows.sets[k])
    at = xp.searchsorted(windows.ends[k], xp.asarray(places.astype(np.uint64)), side="right")
    rows = windows.gpu.to_host(windows.pairs[k].reshape(-1, PAIR.itemsize)[at]).reshape(-1).view(PAIR)
    leads = rows["low"] + (places - rows["offset"].astype(np.int64))
    pair = windows.gpu.to_host(at).astype(np.int64)
    if windows.half:  # row a begins at a (2 count - a + 1) / 2
        row_starts = np.arange(count) * (2 * count - np.arange(count) + 1) // 2
        a = np.searchsorted(row_starts, pair, side="right") - 1
        b = pair - row_starts[a] + a
    else:
        a, b = np.divmod(pair, count)
    group = windows.sets[k].astype(np.int64)
    return group[a], group[b], leads


def response_equity(gpu: Gpu, game: Game, theirs: Slots) -> float:
    """The equity of the best response from two empty boards alone, a draw being worth one half.

    Only two layers are on the GPU at a time, which leaves room for larger games.
    """
    windows = GpuWindows(gpu, game, half=False)
    check_gpu_memory(gpu, table_name(game), 8.0 * max(sum(two) for two in pairwise((0, *windows.sizes))))
    layers = ResponseLayers(windows, theirs, all_slots(game), is_mean=False)
    before = gpu.xp.full(1, 0.5)
    for k in range(1, game.size + 1):
        values = gpu.xp.empty(windows.sizes[k])
        layers.fill(k, [before, None], [values, None])
        before = values
    return float(gpu.to_host(before)[0])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
