"""Claim: a million arrivals of a continuous distribution take a fraction of a second, a decision a few microseconds."""

from functools import partial
from math import pi, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import integrate, special, stats

from benchmarks.harness import Claim, Section, Table, best_of, seconds
from tentimes18.assignment import Poisson, Policy, Problem

SHAPE = 2.5
SLOTS = 10
ARRIVALS = 1_000_000
GOAL = 1.0  # seconds
NUMPY_ARRIVALS = 20_000
EXPECT_ARRIVALS = 3
TIMED_SLOTS = 100
TIMED_GOAL = 0.2
TIMED_ERROR = 1e-9
UNTIL = 24.0
MANY_SLOTS, MANY_ARRIVALS = 1_000, 20_000
DECISIONS = 100_000
DECISION_GOAL = 5e-6


def run() -> Section:
    dist = stats.gamma(SHAPE)
    _solved(dist, 10)
    took, plan = best_of(partial(_solved, dist, ARRIVALS))
    by_numpy, row = best_of(partial(_numpy_rows, NUMPY_ARRIVALS))
    _agree(row, _solved(dist, NUMPY_ARRIVALS))
    by_expect, row = best_of(partial(_expect_rows, EXPECT_ARRIVALS))
    _agree(row, _solved(dist, EXPECT_ARRIVALS), 1e-6)
    per_row = {"ours": took / ARRIVALS, "NumPy": by_numpy / NUMPY_ARRIVALS, "SciPy": by_expect / EXPECT_ARRIVALS}

    _timed(dist)
    timed_took, timed = best_of(partial(_timed, dist))
    by_scipy, row = best_of(_scipy_ode)
    worst = float(np.abs(row - np.array(timed.expected()[::-1])).max())
    deciding = best_of(partial(_decisions, plan))[0] / DECISIONS
    same = best_of(partial(_same_decisions, plan))[0] / DECISIONS
    claims = [
        Claim(
            f"{SLOTS} slots, {ARRIVALS:,} arrivals, gamma: value and all rows",
            GOAL,
            took,
            f"{SLOTS * ARRIVALS:.0e} cells, {took / (SLOTS * ARRIVALS) * 1e9:.2g} ns per cell; "
            f"the error of the value is at most {plan.error:.1e}",
            f"NumPy, row by row with the incomplete gamma function: {seconds(per_row['NumPy'] * ARRIVALS)} "
            f"(from {NUMPY_ARRIVALS:,} rows), {per_row['NumPy'] / per_row['ours']:.0f} times ours; SciPy's `expect`: "
            f"{per_row['SciPy'] / per_row['ours']:.2g} times ours (from {EXPECT_ARRIVALS} rows)",
        ),
        Claim(
            f"Poisson arrivals at a rate that changes, {TIMED_SLOTS} slots",
            TIMED_GOAL,
            timed_took,
            "four orders of the step; one row per step is kept for decisions",
            f"SciPy's `solve_ivp` (DOP853, tolerance 1e-11): {seconds(by_scipy)}, {by_scipy / timed_took:.0f} times "
            f"ours, and differs by {worst:.1e}",
        ),
        Claim(
            "error of that value, as bounded",
            TIMED_ERROR,
            timed.error,
            f"of {timed.value:.4g}",
            show=lambda value: f"{value:.1e}",
        ),
        Claim("one decision, each at another time", DECISION_GOAL, deciding, f"the same again: {seconds(same)}"),
    ]
    many = Problem(stats.uniform(), MANY_SLOTS, MANY_ARRIVALS)
    many_took, value = best_of(lambda: many.solve().value)
    solved = many.solve()
    assert value == solved.value
    numpy_took, row = best_of(_numpy_uniform_rows)
    _agree(row, solved)
    claims.append(
        Claim(
            f"{MANY_SLOTS:,} slots, {MANY_ARRIVALS:,} arrivals, uniform, not slower than NumPy",
            numpy_took,
            many_took,
            f"{MANY_SLOTS * MANY_ARRIVALS:.0e} cells, {many_took / (MANY_SLOTS * MANY_ARRIVALS) * 1e9:.2g} ns per cell",
            f"NumPy in place: {seconds(numpy_took)}, {numpy_took / many_took:.1f} times ours",
        )
    )
    rows = [[name, seconds(time), f"{time / per_row['ours']:.3g}"] for name, time in per_row.items()]
    return Section(
        "Sequential assignment",
        f"Values of a gamma distribution of shape {SHAPE}. NumPy: the same recurrence, a row of {SLOTS} slots at "
        "a time, with SciPy's incomplete gamma function. SciPy: φ by the `expect` of a frozen distribution, as it is.",
        claims,
        [Table(("one row", "time", "times ours"), rows)],
    )


def _solved(dist: Any, arrivals: int) -> Policy[Any]:
    plan = Problem(dist, SLOTS, arrivals).solve()
    assert plan.value > 0
    return plan


def _agree(row: NDArray[np.float64], plan: Policy[Any], within: float = 1e-9) -> None:
    assert np.abs(row - np.array(plan.expected()[::-1], dtype=np.float64)).max() < within


def _excess(t: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = SHAPE * special.gammaincc(SHAPE + 1, t) - t * special.gammaincc(SHAPE, t)
    return found


def _numpy_rows(arrivals: int) -> NDArray[np.float64]:
    """e_k <- e_k + g(e_k) - g(e_{k-1}), a row at a time."""
    row = np.zeros(SLOTS)
    for _ in range(arrivals):
        excess = _excess(row)
        row = row + excess
        row[1:] -= excess[:-1]
    return row


def _expect_rows(arrivals: int) -> NDArray[np.float64]:
    """The same with φ(t) = E[min(X, t)] by the distribution itself."""
    dist = stats.gamma(SHAPE)
    row = np.zeros(SLOTS)
    for _ in range(arrivals):
        phi = np.array([dist.expect(lambda x, t=t: np.minimum(x, t)) for t in row])
        row = row + np.append(dist.mean(), phi[:-1]) - phi
    return row


def _numpy_uniform_rows() -> NDArray[np.float64]:
    """The same for uniform values, with g(t) = (1 - t)² / 2, in place."""
    row, excess = np.zeros(MANY_SLOTS), np.empty(MANY_SLOTS)
    for _ in range(MANY_ARRIVALS):
        np.subtract(1.0, row, out=excess)
        np.multiply(excess, excess, out=excess)
        np.multiply(excess, 0.5, out=excess)
        row += excess
        row[1:] -= excess[:-1]
    return row


def _rate(time: float) -> float:
    return 10.0 * (1.0 + 0.8 * sin(2.0 * pi * time / UNTIL))


def _timed(dist: Any) -> Policy[Any]:
    plan = Problem(dist, TIMED_SLOTS, Poisson(_rate, UNTIL)).solve()
    assert plan.value > 0
    return plan


def _scipy_ode() -> NDArray[np.float64]:
    """The equation of the rows, solved directly by SciPy."""

    def slopes(left: float, row: NDArray[np.float64]) -> NDArray[np.float64]:
        excess = _excess(row)
        excess[1:] -= excess[:-1].copy()
        slope: NDArray[np.float64] = _rate(UNTIL - left) * excess
        return slope

    found = integrate.solve_ivp(slopes, (0.0, UNTIL), np.zeros(TIMED_SLOTS), method="DOP853", rtol=1e-11, atol=1e-11)
    row: NDArray[np.float64] = found.y[:, -1]
    return row


def _decisions(plan: Policy[Any]) -> None:
    free = [1, 3, 4, 7, 9]
    for left in range(DECISIONS):
        plan.assign(7.0, free, left)


def _same_decisions(plan: Policy[Any]) -> None:
    free = [1, 3, 4, 7, 9]
    for _ in range(DECISIONS):
        plan.assign(7.0, free, 12)
