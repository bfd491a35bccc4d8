"""What the tables of a duel take on a GPU: of its memory, and how long about."""

from collections.abc import Callable
from functools import partial
from math import comb
from typing import Final

from tentimes18.duel.plans import open_positions
from tentimes18.game import Game
from tentimes18.gpu.device import Gpu
from tentimes18.plan import Limits, Plan, admit, admit_game

QUEUE: Final = 64 << 20  # games that wait for the simplex method, at most
QUEUED_BYTES: Final = 24  # of one of them, with its value
QUEUE_SHARE: Final = 8  # of the memory that is left, one in so many
PAIR_BYTES: Final = 24  # of a pair: its window, and the sum of the sizes so far
SECONDS_AN_ENTRY: Final = 1e-12  # of a matrix game, on 132 multiprocessors
SECONDS_A_MOVE: Final = 2e-12  # of a response
MULTIPROCESSORS: Final = 132
SHARE: Final = 0.95  # of the memory that is free: the rest is for what nobody counts
MOST_SLOTS: Final = 16
SHORT: Final = 1.0  # second


def admit_on_gpu(gpu: Gpu, game: Game, plan_of: Callable[[Gpu, Game], Plan]) -> None:
    """Raise ``TooLarge`` where a job does not fit into the memory that is free on the GPU, or into the time here."""
    is_short = plan_of(gpu, game).seconds < SHORT  # to ask how long a job may take takes longer than some of them
    limits = Limits(SHARE * gpu.memory_left(), SHORT if is_short else Limits.here().seconds)
    admit_game(game, partial(plan_of, gpu), limits)


def admit_table(gpu: Gpu, game: Game, nbytes: int) -> None:
    """The same once the size of a table is known, to the byte: plans are right to a few percent only."""
    admit(Plan(_named(game), memory=nbytes), Limits(gpu.memory_left(), SHORT))


def gpu_equilibrium_plan(gpu: Gpu, game: Game) -> Plan:
    """What the table of the equilibrium takes: half of the pairs, a matrix game for every open position and roll."""
    positions, rolls = open_positions(game), len(game.dice.support)
    entries = rolls * sum(max(1, k) ** 2 * count for k, count in enumerate(positions)) / 2
    pairs = float(comb(2 * game.size, game.size)) / 2 if game.size <= MOST_SLOTS else float("inf")
    queue = min(QUEUE * QUEUED_BYTES, rolls * max(positions) * QUEUED_BYTES, gpu.memory_left() / QUEUE_SHARE)
    memory = 8 * sum(positions) / 2 + PAIR_BYTES * pairs + queue
    return Plan(_named(game), _slower(gpu) * SECONDS_AN_ENTRY * entries, memory)


def gpu_response_plan(gpu: Gpu, game: Game, *, with_draws: bool = True, whole: bool = True) -> Plan:
    """What the chances against a rule take: all pairs, of all layers or of two at a time."""
    positions, rolls = open_positions(game), len(game.dice.support)
    moves = rolls * sum(max(1, k) * count for k, count in enumerate(positions))
    pairs = float(comb(2 * game.size, game.size)) if game.size <= MOST_SLOTS else float("inf")
    kept = sum(positions) if whole else max(sum(two) for two in zip((0.0, *positions), positions, strict=False))
    memory = (16 if with_draws else 8) * kept + PAIR_BYTES * pairs
    return Plan(_named(game), _slower(gpu) * SECONDS_A_MOVE * moves, memory)


def _slower(gpu: Gpu) -> float:
    return MULTIPROCESSORS / gpu.multiprocessors


def _named(game: Game) -> str:
    return f"the table of the duel on {game.size:,} slots on a GPU"
