"""Sequential assignment in time: arrivals of a Poisson process, looked at from the deadline on.

With s the time that is left, λ the rate then, r the rate of the discount,

    e_k' = λ(s) (g(e_k) - g(e_{k-1})) - r e_k,   g(e_0) = 0,   e_k(0) = 0,

by the fifth-order method of Dormand and Prince (1980) with its fourth-order estimate of the error. The largest
difference of two solutions never grows, so that the errors of all steps add up, at most.
"""

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.compiled import compiled
from tentimes18.kernels.excess import cell_of, excess
from tentimes18.kernels.types import ExcessTable, Flow

__all__ = ["integrate", "play_times", "slopes", "step"]

LEAST_STEP = 1e-12  # of the whole
STAGES = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1 / 5, 0.0, 0.0, 0.0, 0.0, 0.0],
        [3 / 40, 9 / 40, 0.0, 0.0, 0.0, 0.0],
        [44 / 45, -56 / 15, 32 / 9, 0.0, 0.0, 0.0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0.0, 0.0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0.0],
        [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
)
PLACES = np.array([0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0])
ERRORS = np.array([71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])


@compiled(inline="always")
def _rate(rates: Floats, v: float) -> float:
    value: float = rates[-1]
    for m in range(len(rates) - 2, -1, -1):
        value = value * v + rates[m]
    return max(value, 0.0)


@compiled(fastmath={"contract"})
def slopes(table: ExcessTable, flow: Flow, s: float, e: Floats, hints: Ints, out: Floats) -> None:
    """Out = e' at time s of the flow."""
    starts, left, mid, inverse, coefficients, degrees = table
    rates, decay, span = flow
    rate = _rate(rates, 2.0 * s / span - 1.0)
    first, end, degree = starts[0], starts[1], degrees[0]
    previous = 0.0
    for k in range(len(e)):
        c = cell_of(left, first, end, e[k], hints[k])
        hints[k] = c
        here = excess(coefficients, c, degree, (e[k] - mid[c]) * inverse[c])
        out[k] = rate * (here - previous) - decay * e[k]
        previous = here


@compiled(fastmath={"contract"})
def step(table: ExcessTable, flow: Flow, s: float, h: float, hints: Ints, work: Floats) -> float:
    """From the row work[0] at s with slopes work[1] to work[8] with slopes work[7]; an estimate of the error."""
    n = work.shape[1]
    row = work[8]
    for stage in range(1, 7):
        for k in range(n):
            total = 0.0
            for other in range(stage):
                total += STAGES[stage, other] * work[1 + other, k]
            row[k] = work[0, k] + h * total
        slopes(table, flow, s + PLACES[stage] * h, row, hints, work[1 + stage])
    worst = 0.0
    for k in range(n):
        total = 0.0
        for stage in range(7):
            total += ERRORS[stage] * work[1 + stage, k]
        worst = max(worst, abs(h * total))
    return worst


@compiled()
def integrate(
    table: ExcessTable, flow: Flow, tolerance: float, begin: Floats, times: Floats, rows: Floats
) -> tuple[int, float]:
    """times[m] and rows[m] of the steps over a flow, from 0 and ``begin`` on: their number, and the sum of errors.

    A step may have its share of the tolerance. Where there are more steps than rows, the number is negative.
    """
    n, span = len(begin), flow.span
    work = np.empty((9, n))
    hints = np.zeros(n, dtype=np.int64)
    work[0] = begin
    slopes(table, flow, 0.0, work[0], hints, work[1])
    times[0] = 0.0
    rows[0] = begin
    count = 1
    now, total = 0.0, 0.0
    h = min(span, 1e-3)
    while now < span:
        h = min(h, span - now)
        wrong = step(table, flow, now, h, hints, work)
        allowed = tolerance * h / span
        if wrong <= allowed or h <= LEAST_STEP * span:
            if count == len(rows):
                return -count, total
            now = span if h == span - now else now + h
            total += wrong
            work[0] = work[8]
            work[1] = work[7]
            times[count] = now
            rows[count] = work[0]
            count += 1
        # The share grows with h, the error with h^5: four orders are left.
        h *= min(4.0, max(0.1, 0.9 * (allowed / max(wrong, 1e-300)) ** 0.25))
    return count, total


@compiled()
def play_times(
    times: Floats, rows: Floats, left: Floats, values: Floats, worths: Floats, multipliers: Floats, scores: Floats
) -> None:
    """Games [round, game]: a value, what is left of the clock after it, and what it counts; -∞ is no value.

    rows[m, 0] and rows[m, 1] are the bounds at times[m] and their slopes; between two times a cubic goes through both.
    """
    rounds, games = values.shape
    n = rows.shape[2]
    slots = np.empty(n, dtype=np.int64)
    for g in range(games):
        f = n
        for i in range(n):
            slots[i] = i
        for r in range(rounds):
            x = values[r, g]
            if x == -np.inf or f == 0:
                break
            m = min(max(np.searchsorted(times, left[r, g], side="right") - 1, 0), len(times) - 2)
            h = times[m + 1] - times[m]
            u = (left[r, g] - times[m]) / h
            a, b = (1.0 + 2.0 * u) * (1.0 - u) ** 2, u * (1.0 - u) ** 2 * h
            c, d = u * u * (3.0 - 2.0 * u), u * u * (u - 1.0) * h
            rank = 0
            while rank < f:
                bound = (
                    a * rows[m, 0, rank] + b * rows[m, 1, rank] + c * rows[m + 1, 0, rank] + d * rows[m + 1, 1, rank]
                )
                if bound < x:
                    break
                rank += 1
            if rank < f:
                scores[g] += worths[r, g] * multipliers[slots[rank]] * x
                for i in range(rank, f - 1):
                    slots[i] = slots[i + 1]
                f -= 1
