"""Claim: the table over all subsets takes nanoseconds per line, and 8 bytes per entry and no more."""

from functools import partial
from time import perf_counter

from benchmarks.harness import Claim, Section, Table, best_of, in_new_process, memory, resident, seconds
from benchmarks.plain import numpy_subset_value
from tentimes18.game import Game
from tentimes18.solve.float_subsets import subset_values
from tentimes18.solve.parallel import thread_count

GOALS = {20: 0.3, 24: 5.0, 26: 25.0}  # seconds
BYTES_AN_ENTRY = 9
SIZES = (12, 14, 16, 18, 20)


def run() -> Section:
    subset_values(_game(3))
    ours = {n: best_of(partial(subset_values, _game(n)))[0] for n in {*SIZES, *GOALS} if n != max(GOALS)}
    ours[max(GOALS)], peak = in_new_process(largest)
    by_numpy = {n: best_of(partial(numpy_subset_value, _game(n)))[0] for n in SIZES}
    compared = max(SIZES)
    ratio = by_numpy[compared] / ours[compared]
    peer = f"NumPy by layers, {compared} slots: {seconds(by_numpy[compared])}, {ratio:.1f} times ours"
    claims = [
        Claim(
            f"table over all subsets, {n} slots",
            goal,
            ours[n],
            f"{_lines(n):.2g} lines, {ours[n] / _lines(n) * 1e9:.2g} ns per line on {thread_count()} threads",
            peer,
        )
        for n, goal in GOALS.items()
    ]
    entries = 1 << max(GOALS)
    claims.append(
        Claim(
            f"resident memory of the table, {max(GOALS)} slots",
            BYTES_AN_ENTRY * entries,
            peak,
            f"{entries:,} numbers of 8 bytes are {memory(8 * entries)}",
            show=memory,
        )
    )
    rows = [[str(n), seconds(ours[n]), seconds(by_numpy[n]), f"{by_numpy[n] / ours[n]:.1f}"] for n in SIZES]
    return Section(
        "Subsets",
        "M[A] for every set A of free slots, 3d6, in float64. A line is one free slot of one set: the function "
        "x → λ_i x + M[A − i] in the maximum. NumPy: the same recurrence for all sets of one size at a time, in one "
        "thread. The largest table is filled once, in its own process: its memory is the growth of the peak resident "
        "memory.",
        claims,
        [Table(("slots", "ours", "NumPy by layers", "ratio"), rows)],
    )


def largest() -> tuple[float, int]:
    """Seconds and growth of the resident memory for the largest table."""
    subset_values(_game(3))
    before, start = resident(), perf_counter()
    subset_values(_game(max(GOALS)))
    return perf_counter() - start, resident() - before


def _game(n: int) -> Game:
    return Game.parse("3d6", f"1-{n}")


def _lines(n: int) -> int:
    return n << (n - 1)
