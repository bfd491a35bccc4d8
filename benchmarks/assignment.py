"""Claim: a million arrivals of a continuous law take a fraction of a second, a decision a few microseconds."""

from functools import partial
from math import pi, sin
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import integrate, special, stats

from benchmarks.harness import Claim, Section, Table, best_of, seconds
from tentimes18.assignment import Poisson, Policy, Problem

__all__ = ["run"]

SHAPE: Final = 2.5
SLOTS: Final = 10
ARRIVALS: Final = 1_000_000
GOAL: Final = 1.0  # seconds
NUMPY_ARRIVALS: Final = 20_000
EXPECT_ARRIVALS: Final = 3
TIMED_SLOTS: Final = 100
TIMED_GOAL: Final = 0.2
TIMED_ERROR: Final = 1e-9
UNTIL: Final = 24.0
DECISIONS: Final = 100_000
DECISION_GOAL: Final = 5e-6


def run() -> Section:
    law = stats.gamma(SHAPE)
    _solved(law, 10)
    took, plan = best_of(partial(_solved, law, ARRIVALS))
    by_numpy, row = best_of(partial(_numpy_rows, NUMPY_ARRIVALS))
    _agree(row, _solved(law, NUMPY_ARRIVALS))
    by_expect, row = best_of(partial(_expect_rows, EXPECT_ARRIVALS))
    _agree(row, _solved(law, EXPECT_ARRIVALS), 1e-6)
    per_row = {"ours": took / ARRIVALS, "NumPy": by_numpy / NUMPY_ARRIVALS, "SciPy": by_expect / EXPECT_ARRIVALS}

    _timed(law)
    timed_took, timed = best_of(partial(_timed, law))
    by_scipy, row = best_of(_scipy_ode)
    worst = float(np.abs(row - np.array(timed.expected()[::-1])).max())
    deciding = best_of(partial(_decisions, plan))[0] / DECISIONS
    same = best_of(partial(_same_decisions, plan))[0] / DECISIONS
    claims = [
        Claim(
            f"{SLOTS} slots, {ARRIVALS:,} arrivals, gamma: value and all rows",
            GOAL,
            took,
            f"{SLOTS * ARRIVALS:.0e} cells, {took / (SLOTS * ARRIVALS) * 1e9:.2g} ns a cell; "
            f"the error of the value is at most {plan.error:.1e}",
            f"NumPy, row by row with the incomplete gamma function: {seconds(per_row['NumPy'] * ARRIVALS)} "
            f"(from {NUMPY_ARRIVALS:,} rows), {per_row['NumPy'] / per_row['ours']:.0f} times ours; SciPy's `expect`: "
            f"{per_row['SciPy'] / per_row['ours']:.2g} times ours (from {EXPECT_ARRIVALS} rows)",
        ),
        Claim(
            f"Poisson arrivals at a rate that changes, {TIMED_SLOTS} slots",
            TIMED_GOAL,
            timed_took,
            "four orders of the step; a row a step is kept for decisions",
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
    rows = [[name, seconds(time), f"{time / per_row['ours']:.3g}"] for name, time in per_row.items()]
    return Section(
        "Sequential assignment",
        f"Values of a gamma law of shape {SHAPE}. NumPy: the same recurrence, a row of {SLOTS} slots at a time, with "
        "SciPy's incomplete gamma function. SciPy: φ by the `expect` of a frozen distribution, as it offers itself.",
        claims,
        [Table(("a row", "time", "times ours"), rows)],
    )


def _solved(law: Any, arrivals: int) -> Policy:
    plan = Problem(law, SLOTS, arrivals).solve()
    assert plan.value > 0
    return plan


def _agree(row: NDArray[np.float64], plan: Policy, within: float = 1e-9) -> None:
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
    law = stats.gamma(SHAPE)
    row = np.zeros(SLOTS)
    for _ in range(arrivals):
        phi = np.array([law.expect(lambda x, t=t: np.minimum(x, t)) for t in row])
        row = row + np.append(law.mean(), phi[:-1]) - phi
    return row


def _rate(time: float) -> float:
    return 10.0 * (1.0 + 0.8 * sin(2.0 * pi * time / UNTIL))


def _timed(law: Any) -> Policy:
    plan = Problem(law, TIMED_SLOTS, Poisson(_rate, UNTIL)).solve()
    assert plan.value > 0
    return plan


def _scipy_ode() -> NDArray[np.float64]:
    """The equation of the rows, as it stands, by SciPy."""

    def slopes(left: float, row: NDArray[np.float64]) -> NDArray[np.float64]:
        excess = _excess(row)
        excess[1:] -= excess[:-1].copy()
        slope: NDArray[np.float64] = _rate(UNTIL - left) * excess
        return slope

    found = integrate.solve_ivp(slopes, (0.0, UNTIL), np.zeros(TIMED_SLOTS), method="DOP853", rtol=1e-11, atol=1e-11)
    row: NDArray[np.float64] = found.y[:, -1]
    return row


def _decisions(plan: Policy) -> None:
    free = [1, 3, 4, 7, 9]
    for left in range(DECISIONS):
        plan.assign(7.0, free, left)


def _same_decisions(plan: Policy) -> None:
    free = [1, 3, 4, 7, 9]
    for _ in range(DECISIONS):
        plan.assign(7.0, free, 12)
