"""How things are measured, and what a benchmark hands to the report.

A time is the best of several runs: on a busy machine the disturbances only ever add. It is warm: what numba compiles is
compiled, or loaded from its cache, before the clock starts.
"""

import multiprocessing
import resource
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

Result = TypeVar("Result")

LEAST_RUNS = 3
ENOUGH = 1.0  # seconds
TOO_LONG = 4.0  # seconds after which even LEAST_RUNS are too many


def best_of(work: Callable[[], Result]) -> tuple[float, Result]:
    """The shortest time of several runs, in seconds, and the result of that run."""
    began = perf_counter()
    best: tuple[float, Result] | None = None
    runs = 0
    while best is None or ((spent := perf_counter() - began) < TOO_LONG and (runs < LEAST_RUNS or spent < ENOUGH)):
        start = perf_counter()
        result = work()
        took = perf_counter() - start
        runs += 1
        if best is None or took < best[0]:
            best = took, result
    return best


def peak_allocation(work: Callable[[], object]) -> int:
    """The most bytes that the work has allocated at one time, NumPy's arrays included."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def resident() -> int:
    """Peak resident memory of this process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def in_new_process(work: Callable[[], Result]) -> Result:
    """The result of the work, a function of a module, done in a process of its own.

    The process comes from a fork server: a process started in the usual way inherits the peak resident memory of its
    parent.
    """
    with multiprocessing.get_context("forkserver").Pool(1) as pool:
        return pool.apply(work)


def seconds(value: float) -> str:
    """A duration with three digits.

    >>> seconds(0.000012345), seconds(0.0987), seconds(12.345)
    ('12.3 µs', '98.7 ms', '12.3 s')
    """
    for unit, size in (("µs", 1e-6), ("ms", 1e-3)):
        if value < 999.5 * size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g} s"


def memory(value: float) -> str:
    """An amount of memory.

    >>> memory(1_600_000), memory(40e9)
    ('1.6 MB', '40 GB')
    """
    return f"{value / 1e6:.3g} MB" if value < 1e9 else f"{value / 1e9:.3g} GB"


@dataclass(frozen=True, slots=True)
class Claim:
    """Something measured that must be at most its goal, with what bounds it from below, and what a peer needs."""

    what: str
    goal: float
    measured: float
    limit: str
    peer: str = "none"
    show: Callable[[float], str] = seconds

    @property
    def met(self) -> bool:
        """Whether the goal is met."""
        return self.measured <= self.goal


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers beside each other, as text."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Section:
    """What one benchmark has to say."""

    title: str
    text: str
    claims: Sequence[Claim]
    tables: Sequence[Table] = ()
