"""Claim: the table over all subsets is filled in nanoseconds a line, and needs 8 bytes an entry and no more."""

from functools import partial
from time import perf_counter
from typing import Final

from benchmarks.harness import Claim, Section, Table, best_of, in_new_process, memory, resident, seconds
from benchmarks.plain import python_subset_value
from tentimes18.game import Game
from tentimes18.solve.float_subsets import subset_values
from tentimes18.solve.parallel import thread_count

__all__ = ["run"]

GOALS: Final = {20: 0.3, 24: 5.0, 26: 25.0}  # seconds
BYTES_AN_ENTRY: Final = 9
SIZES: Final = (12, 14, 16, 18)


def run() -> Section:
    subset_values(_game(3))
    ours = {n: best_of(partial(subset_values, _game(n)))[0] for n in (*SIZES, *GOALS) if n != max(GOALS)}
    ours[max(GOALS)], peak = in_new_process(largest)
    by_python = {n: best_of(partial(python_subset_value, _game(n)))[0] for n in SIZES}
    compared = max(SIZES)
    ratio = by_python[compared] / ours[compared]
    peer = f"plain Python, {compared} slots: {seconds(by_python[compared])}, {ratio:.0f} times ours"
    claims = [
        Claim(
            f"table over all subsets, {n} slots",
            goal,
            ours[n],
            f"{_lines(n):.2g} lines, {ours[n] / _lines(n) * 1e9:.2g} ns a line on {thread_count()} threads",
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
    rows = [[str(n), seconds(ours[n]), seconds(by_python[n]), f"{by_python[n] / ours[n]:.0f}"] for n in SIZES]
    return Section(
        "Subsets",
        "M[A] for every set A of free slots, 3d6, in float64. A line is one free slot of one set: the function "
        "x → λ_i x + M[A − i] that takes part in the maximum. Plain Python: the paper's recurrence as it stands. The "
        "largest table is filled once, in a process of its own: its memory is the growth of the peak resident memory.",
        claims,
        [Table(("slots", "ours", "plain Python", "ratio"), rows)],
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
