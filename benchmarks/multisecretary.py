"""Claims: every number of slots for 100,000 arrivals takes seconds, a million secretaries milliseconds."""

from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.harness import Claim, Section, Table, best_of, memory, peak_allocation, seconds
from tentimes18.assignment.multisecretary import multisecretary
from tentimes18.assignment.secretary import secretary
from tentimes18.dice import Dice
from tentimes18.solve.parallel import thread_count

GOAL = 5.0  # seconds
MANY = 100_000
SIZES = (1_000, 10_000, MANY)
SECRETARIES = 1_000_000
SECRETARY_GOAL = 0.2  # seconds
PYTHON_SECRETARIES = 10_000
MEMORY_GOAL = 20e6  # bytes
BYTES_A_ROW = 8 * MANY

DISTRIBUTIONS = {"uniform": stats.uniform(), "3d6": Dice.parse("3d6"), "gamma(2, 50)": stats.gamma(2, scale=50)}


def run() -> Section:
    for dist in DISTRIBUTIONS.values():
        multisecretary(dist, 10)
    secretary(10, "rank", 2)
    times = {
        (name, n): best_of(partial(multisecretary, dist, n))[0] for name, dist in DISTRIBUTIONS.items() for n in SIZES
    }
    by_numpy = {n: best_of(partial(_numpy_row, n))[0] for n in SIZES}
    ours, peer = times["uniform", MANY], by_numpy[MANY]
    cells = MANY * (MANY + 1) / 2
    ranked = best_of(partial(secretary, SECRETARIES, "rank", 2))[0]
    plain = best_of(partial(_plain_secretary, PYTHON_SECRETARIES))[0]
    claims = [
        Claim(
            f"every number of slots, {MANY:,} uniform arrivals, {thread_count()} threads",
            GOAL,
            ours,
            f"{cells:.2g} cells, {ours / cells * 1e9:.2g} ns per cell, the expected order statistics with them",
            f"NumPy in place, without hindsight: {seconds(peer)}, {peer / ours:.1f} times ours",
        ),
        Claim(
            f"memory of it, {MANY:,} arrivals",
            MEMORY_GOAL,
            peak_allocation(partial(multisecretary, DISTRIBUTIONS["uniform"], MANY)),
            f"a row is {memory(BYTES_A_ROW)}; all rows would be {memory(8 * cells)}",
            show=memory,
        ),
        Claim(
            f"secretary, {SECRETARIES:,} arrivals, two choices, least ranks",
            SECRETARY_GOAL,
            ranked,
            f"{ranked / SECRETARIES / 2 * 1e9:.2g} ns per arrival and choice, with the whole rule",
            f"plain Python, one choice, {PYTHON_SECRETARIES:,} arrivals: {seconds(plain)}, "
            f"{plain / PYTHON_SECRETARIES / (ranked / SECRETARIES):.0f} times ours per arrival",
        ),
    ]
    rows = [[f"{n:,}", *(seconds(times[name, n]) for name in DISTRIBUTIONS), seconds(by_numpy[n])] for n in SIZES]
    return Section(
        "Every number of slots at once",
        "The best play and hindsight for k = 0..N slots of multiplier 1 and N arrivals: one row of N thresholds after "
        "N arrivals, and the expected order statistics. NumPy: the same recurrence for uniform values, in place, "
        "a row at a time, and no hindsight.",
        claims,
        [Table(("arrivals", *DISTRIBUTIONS, "NumPy, uniform"), rows)],
    )


def _numpy_row(arrivals: int) -> NDArray[np.float64]:
    """E_N by e_k <- e_k + g(e_k) - g(e_{k-1}) with g(t) = (1 - t)² / 2, a whole row at a time, in place."""
    row, excesses = np.empty(arrivals), np.empty(arrivals)
    for n in range(arrivals):
        known, g = row[:n], excesses[:n]
        np.subtract(1.0, known, out=g)
        np.multiply(g, g, out=g)
        np.multiply(g, 0.5, out=g)
        row[n] = 0.5
        known += g
        row[1 : n + 1] -= g
    return row


def _plain_secretary(arrivals: int) -> float:
    """The least expected rank of one choice, by its recurrence, term by term."""
    expected = (arrivals + 1) / 2
    for t in range(arrivals - 1, 0, -1):
        step = (arrivals + 1) / (t + 1)
        taken = int(expected / step)
        expected = (step * taken * (taken + 1) / 2 + (t - taken) * expected) / t
    return expected
