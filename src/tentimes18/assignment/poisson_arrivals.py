"""Arrivals in time: a Poisson process with any rate, until a deadline.

The row depends on the time s that is left: e_k' = λ (g(e_k) - g(e_{k-1})) - r e_k, with λ the rate at that time and
e^-r the discount of a unit of time. Without a discount it depends on the expected number τ of arrivals that are left
alone, whatever the rate is: e_k' = g(e_k) - g(e_{k-1}) in τ, and a clock that shows τ is all there is to know of the
rate. With one the clock shows the time itself. For exponential values e_1 + ... + e_k = ln Σ_{m <= k} τ^m / m!, for
uniform ones e_1 = τ / (2 + τ).

In hindsight the values above t are a Poisson number: with a discount ∫ λ(u) P(X > t e^{ru}) du of them are expected,
as of Λ(T) values with the distribution of X e^-rU, where U is the time of an arrival chosen at random. That one is
tabulated like any other.

Rows are integrated by the fifth-order method of Dormand and Prince (1980) with its fourth-order estimate of the error.
The largest difference of two solutions never grows, so that the errors of all steps add up, at most.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from math import inf, log
from typing import Any, NamedTuple

import numpy as np

from tentimes18.arrays import Floats, Ints
from tentimes18.assignment.arrival_models import (
    ArrivalModel,
    HindsightRow,
    Real,
    equal_slots,
    states_of,
    time_placements,
)
from tentimes18.assignment.arrivals import Clock, Poisson
from tentimes18.assignment.distributions import FiniteDistribution, ValueDistribution, distribution_error, fractions_of
from tentimes18.assignment.excess import Cells, ExcessTable, cell_of, excess, smooth_cells
from tentimes18.assignment.hindsight import (
    Grows,
    bernoulli_growth,
    corners,
    equal_count_rounding,
    equal_count_tails,
    expected_largest,
    taylor,
)
from tentimes18.compiled import compiled
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size

TOLERANCES = (1e-12, 1e-10, 5e-9, 2e-7, 1e-5, 1e-3)  # of all steps, in units of the mean excess over 0
FEW_STEPS = 1 << 13
MAX_STEPS = 1 << 17
INTERVALS = 100  # of the time until the deadline, where nobody says which
SHORT_DECAY = 0.25  # of the time in which a value loses all but 1/e: the longest half interval of an integral in time
SHORT = 1 / 64  # of an arrival: the longest step of the distribution of who goes where
STEPS_AT_ONCE = 1 << 20  # bounds of these steps
TIME_NODES = 16  # of Gauss's rule on a cell, where values lose their worth with time

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


class Flow(NamedTuple):
    """Arrivals in a span of time, looked at from its end: rates as a polynomial in 2 s / span - 1, and the discount."""

    rates: Floats
    decay: float
    span: float


class _Piece(NamedTuple):
    """A time with a smooth rate, or all of it without a discount: rows by what is left of the clock."""

    begin: float  # what the clock shows at its end, which is where it begins from behind
    flow: Flow
    times: Floats
    rows: Floats


class _DiscountedDistribution(ValueDistribution):
    """The distribution of X e^-rU for an arrival at the random time U, from 0 on: all the rest is below 0 or 0."""

    def __init__(self, dist: ValueDistribution, clock: Clock, decay: float) -> None:
        self._dist, self._clock, self._decay, self.support = dist, clock, decay, (0.0, dist.support[1])

    @cached_property
    def mean(self) -> float:
        return float(self.cells.coefficients[0, 0])  # of max(X, 0)

    def _cells(self) -> Cells:
        dist, clock, rule, wrong = self._dist, self._clock, np.polynomial.legendre.leggauss(12), 0.0

        def above(bounds: Floats) -> Floats:
            nonlocal wrong
            counts = np.empty(bounds.size)
            now = self._decay, clock.edges, clock.rates
            wrong = max(wrong, discounted_counts(dist.table, now, bounds.ravel(), rule, counts))
            return np.minimum(counts / clock.total, 1.0).reshape(bounds.shape)

        breaks = np.unique(np.maximum(corners([(dist, np.exp(-self._decay * clock.edges))]), 0.0))
        cells = smooth_cells(above, [0.0, *breaks[breaks > 0].tolist()], error=2e-15)
        cells.coefficients[1:, 0] += wrong / clock.total * float(breaks[-1])  # an absolute error, like that of a tail
        return cells._replace(error=cells.error + dist.error)


class PoissonModel(ArrivalModel):
    is_estimate = True

    def __init__(self, n: int, dist: ValueDistribution, arrivals: Poisson, discount: float, chance: float) -> None:
        self._n, self._dist = n, dist
        self._decay = -log(discount)
        self.clock = clock = Clock(arrivals, chance)
        check_size("these rows", operations=100.0 * n * (50.0 + clock.total), field="rate")
        self._pieces: list[_Piece] = []
        row: Floats = np.zeros(n)
        error = 0.0
        for begin, flow, share in self._flows():
            piece, wrong = self._integrated(row, begin, flow, share)
            row = piece.rows[-1]
            error += wrong + self._of_the_distribution(piece)
            self._pieces.append(piece)
        self._begins = [piece.begin for piece in self._pieces]
        self.expected = row.tolist()
        self.length = int(clock.total + 12.0 * np.sqrt(clock.total) + 40.0)  # more come with a chance below 10^-30
        # Without a discount the last row alone depends on the clock's total, by at most g(e_n) an arrival.
        error += clock.error * dist.excess(0.0 if self._decay else float(row[-1]))
        self.error = error + float(np.abs(row).max()) * 2.0**-50

    def _flows(self) -> list[tuple[float, Flow, float]]:
        """The pieces from behind: what the clock shows, its rates from there on, its share of the tolerance."""
        clock = self.clock
        if not self._decay:
            return [(0.0, Flow(np.ones(1), 0.0, clock.total), 1.0)]
        signs = (-1.0) ** np.arange(clock.rates.shape[1])  # looked at from behind
        found = []
        for cell in reversed(range(len(clock.rates))):
            begin, end = float(clock.edges[cell]), float(clock.edges[cell + 1])
            flow = Flow(np.ascontiguousarray(signs * clock.rates[cell]), self._decay, end - begin)
            found.append((clock.until - end, flow, (end - begin) / clock.until))
        return found

    def _integrated(self, row: Floats, begin: float, flow: Flow, share: float) -> tuple[_Piece, float]:
        """A step is short where a threshold passes a value of a finite distribution; if they are too many, fewer."""
        scale = max(self._dist.excess(0.0), 1e-300) * share
        for tolerance in TOLERANCES:
            for steps in (FEW_STEPS, MAX_STEPS):
                check_size("these rows", bytes=8.0 * steps * self._n)
                times, rows = np.empty(steps), np.empty((steps, self._n))
                count, wrong = integrate(self._dist.table, flow, tolerance * scale, row, times, rows)
                if count > 0:
                    return _Piece(begin, flow, times[:count].copy(), rows[:count].copy()), wrong
        problem = "the distribution is too rough for arrivals in time; give fewer samples"
        raise distribution_error(problem, str(self._dist))

    def _of_the_distribution(self, piece: _Piece) -> float:
        """What the error of the excess adds to that of a row: 2 λ ε g(e_n) in a unit of time."""
        largest = self._dist.excess(np.ascontiguousarray(piece.rows[:, -1]))
        spans = np.diff(piece.times) * float(np.abs(piece.flow.rates).sum())
        worst = np.maximum(largest[:-1], largest[1:])
        return 2.0 * float(spans @ (self._dist.error * worst + self._dist.cells.floor))

    def _shown(self, left: Floats) -> Floats:
        """What the clock shows with so much time left."""
        if self._decay:
            return left
        return self.clock.total - self.clock.counted(self.clock.until - left)

    def row(self, left: Any, known: Any = None) -> list[float]:
        self.verify_nothing_known(known)
        until = self.clock.until
        if isinstance(left, bool) or not isinstance(left, int | float | np.number) or not 0 <= left <= until:
            raise Ten18Error(f"is not a time until the deadline; accepted: 0 to {until:g}", "left", left)
        shown = float(self._shown(np.array([float(left)]))[0])
        piece = self._pieces[bisect_right(self._begins, shown) - 1]
        now = min(max(shown - piece.begin, 0.0), float(piece.times[-1]))
        m = int(np.searchsorted(piece.times, now, side="right")) - 1
        row, begin = piece.rows[m], float(piece.times[m])
        if now > begin:
            work, hints = np.empty((9, self._n)), np.zeros(self._n, dtype=np.int64)
            work[0] = row
            slopes(self._dist.table, piece.flow, begin, row, hints, work[1])
            step(self._dist.table, piece.flow, begin, now - begin, hints, work)
            row = work[8]
        found: list[float] = row.tolist()
        return found

    def hindsight(self) -> HindsightRow:
        clock, dist, n = self.clock, self._discounted, self._n
        rounding = equal_count_rounding(n, inf) + n * (clock.error / clock.total + 2.0**-50)
        values = [(each, clock.total) for each in dict.fromkeys((self._dist, dist))]
        grows: Grows | None = None
        if not isinstance(dist, FiniteDistribution):
            rounds = np.ones(1), np.ones(1), np.array([clock.total])
            grows = bernoulli_growth(dist.table, np.zeros((1, 1), dtype=np.int64), rounds, n, is_poisson=True)
        return expected_largest(self.tails, grows, corners([(dist, np.ones(1))]), values, False, rounding)

    def tails(self, bounds: Floats) -> Floats:
        """P(at least k values exceed t), [t, k]; of values that are discounted to the beginning."""
        out = np.empty((len(bounds), self._n))
        equal_count_tails(self.clock.total * self._discounted.above(bounds), inf, out)
        return out

    @cached_property
    def _discounted(self) -> ValueDistribution:
        return _DiscountedDistribution(self._dist, self.clock, self._decay) if self._decay else self._dist

    def to_come(self, left: float) -> list[tuple[float, float]]:
        """The values that are still to come: expected numbers, and what multiplies them."""
        now = self.clock.until - left
        if not self._decay:
            return [(self.clock.total - float(self.clock.counted(np.array([now]))[0]), 1.0)]
        edges = np.append(now, self.clock.edges[self.clock.edges > now])
        nodes, weights = np.polynomial.legendre.leggauss(TIME_NODES)
        half = np.diff(edges)[:, None] / 2
        times, spans = (edges[:-1, None] + half * (1 + nodes)).ravel(), (half * weights).ravel()
        counts = (spans * self.clock.rate(times)).tolist()
        scales = np.exp(-self._decay * (times - now)).tolist()
        return [pair for pair in zip(counts, scales, strict=True) if pair[0] > 0]

    @cached_property
    def _grid(self) -> tuple[Floats, Floats]:
        """What the clock shows after each step, and the rows there with their slopes: [step, 0 or 1, k]."""
        shown = np.concatenate([piece.begin + piece.times for piece in self._pieces])
        both = np.empty((len(shown), 2, self._n))
        hints, m = np.zeros(self._n, dtype=np.int64), 0
        for piece in self._pieces:
            for now, row in zip(piece.times, piece.rows, strict=True):
                both[m, 0] = row
                slopes(self._dist.table, piece.flow, float(now), both[m, 0], hints, both[m, 1])
                m += 1
        return shown, both

    def placements(self, groups: Sequence[int], times: Sequence[float] | None = None) -> list[list[Real]]:
        """The chances [interval, k] that the k-th best slot is filled between two of these times."""
        until = self.clock.until
        edges = np.linspace(0.0, until, INTERVALS + 1) if times is None else _verified_times(times, until)
        n = len(groups)
        steps = len(self._grid[0]) + self.clock.total / SHORT + len(edges)
        operations = 20.0 * steps * (states_of(groups) + 10 * n)
        check_size("the placement probabilities", operations=operations, field="rate")
        begins, ends, parts = self._steps(edges)
        sizes = equal_slots(groups)
        states = [np.zeros((first + 1, size + 1, n - first - size + 1)) for first, size in sizes]
        filled = [np.zeros((len(edges) + 1, size + 1)) for _, size in sizes]
        for state in states:
            state[-1, -1, -1] = 1.0
        at_once = max(1, STEPS_AT_ONCE // max(n, 1))
        for i in range(0, len(begins), at_once):
            some = slice(i, i + at_once)
            flows = self._flows_above(begins[some], ends[some], n)
            for state, so_far in zip(states, filled, strict=True):
                time_placements(flows, begins[some] - ends[some], parts[some], state, so_far)
        out = np.zeros((len(edges) - 1, n))
        for (first, size), so_far in zip(sizes, filled, strict=True):
            out[:, first : first + size] = so_far[1 : len(edges), 1:]
        return out.tolist()  # type: ignore[return-value]

    def _steps(self, edges: Floats) -> tuple[Floats, Floats, Any]:
        """Short steps from the beginning on: what the clock shows before and after each, and its interval from 1 on."""
        shown = self._shown(self.clock.until - edges)
        grid = self._grid[0]
        points = np.unique(np.concatenate([grid, shown, [0.0, float(grid[-1])]]))[::-1]
        points = points[points <= grid[-1]]
        arrivals = np.abs(np.diff(points))
        if self._decay:
            arrivals = np.abs(np.diff(self.clock.counted(self.clock.until - points)))
        pieces = np.maximum(1, np.ceil(arrivals / SHORT)).astype(np.int64)
        step = np.repeat(np.arange(len(pieces)), pieces)
        inside = np.arange(len(step)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        width = (points[:-1] - points[1:])[step] / pieces[step]
        begins = points[:-1][step] - inside * width
        ends = np.where(inside == pieces[step] - 1, points[1:][step], begins - width)
        # Interval i + 1 lies between times i and i + 1; what comes before the first or after the last is not asked for.
        return begins, ends, np.searchsorted(-shown, -(begins + ends) / 2, side="right")

    def _flows_above(self, begins: Floats, ends: Floats, n: int) -> Floats:
        """The rates of values above each bound at the beginning, in the middle and at the end of these steps.

        A parabola through three points within a step: at its ends a bound may just pass a value of the distribution.
        """
        shown, rows = self._grid
        middle, half, place = (begins + ends) / 2, (ends - begins) / 2, np.sqrt(0.6)
        found = []
        for u in (-place, 0.0, place):
            now = middle + u * half
            m = np.clip(np.searchsorted(shown, now, side="right") - 1, 0, len(shown) - 2)
            h = shown[m + 1] - shown[m]
            v = (now - shown[m]) / np.where(h > 0, h, 1.0)
            weights = ((1 + 2 * v) * (1 - v) ** 2, v * (1 - v) ** 2 * h, v * v * (3 - 2 * v), v * v * (v - 1) * h)
            parts = (rows[m, 0, :n], rows[m, 1, :n], rows[m + 1, 0, :n], rows[m + 1, 1, :n])
            bounds = sum(weight[:, None] * part for weight, part in zip(weights, parts, strict=True))
            rate = self.clock.rate(self.clock.until - now) if self._decay else np.ones(len(now))
            found.append(rate[:, None] * self._dist.above(np.ascontiguousarray(bounds)))
        slope, bend = (found[2] - found[0]) / (2 * place), (found[0] - 2 * found[1] + found[2]) / (2 * place**2)
        ends_: Floats = np.stack([found[1] - slope + bend, found[1], found[1] + slope + bend], axis=1)
        return np.maximum(ends_, 0.0)

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Add what games are worth: the arrivals of each in order, by what the clock shows after them."""
        most, games, clock = self.length, len(worths), self.clock
        gaps = -np.log1p(-fractions_of(seed, "times", first, most, games))
        came = np.cumsum(gaps, axis=0)
        values = np.full((most, games), -inf)
        in_time = came <= clock.total
        words = fractions_of(seed, "values", first, most, games)[in_time]
        values[in_time] = self._dist.upper_quantiles(words)
        left, counts = np.maximum(clock.total - came, 0.0), np.ones((most, games))
        if self._decay:
            times = clock.reached(came[in_time])
            left[in_time] = clock.until - times
            counts[in_time] = np.exp(-self._decay * times)
        play_times(*self._grid, left, values, counts, multipliers, worths)


def _verified_times(times: Sequence[float], until: float) -> Floats:
    try:
        found = np.asarray(times, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    inside = found.ndim == 1 and len(found) > 1 and bool(np.all(np.diff(found) > 0))
    if not inside or not (found[0] >= 0.0 and found[-1] <= until):
        raise Ten18Error(f"accepted: two times or more from 0 to {until:g}, increasing", "times", times)
    return found


@compiled()
def discounted_counts(
    table: ExcessTable, clock: tuple[float, Floats, Floats], bounds: Floats, nodes: tuple[Floats, Floats], out: Floats
) -> float:
    """out[m]: how many values exceed bounds[m] if they lose e^-decay in a unit of time; a bound of the largest error.

    By Gauss's rule between the times at which a value passes from one cell of the distribution to the next, or the rate
    does.
    """
    _, left, mid, inverse, coefficients, degrees = table
    decay, edges, rates = clock
    places, weights = nodes
    degree, M, cells = degrees[0], len(nodes[0]), len(left)
    work = np.empty(max(coefficients.shape[1], rates.shape[1]))
    worst = 0.0
    for i in range(len(bounds)):
        t = bounds[i]
        total, error = 0.0, 0.0
        for j in range(len(rates)):
            begin, end = edges[j], edges[j + 1]
            now = begin
            c = cell_of(left, 0, cells, t * np.exp(decay * begin), 0)
            while now < end and c < cells - 1:
                until = end
                if t > 0.0 and left[c + 1] < t * np.exp(decay * end):
                    until = min(end, max(now, np.log(left[c + 1] / t) / decay))
                taylor(coefficients, c, degree, inverse[c], 0.0, 1.0, work)
                is_flat = True
                for m in range(1, degree):
                    is_flat = is_flat and work[m] == 0.0
                parts = 1 if is_flat or t == 0.0 else int(np.ceil(0.5 * decay * (until - now) / SHORT_DECAY))
                if until > now:
                    half = 0.5 * (until - now) / parts
                    for part in range(parts):
                        middle = now + (2 * part + 1) * half
                        for q in range(M):
                            time = middle + half * places[q]
                            u = (t * np.exp(decay * time) - mid[c]) * inverse[c]
                            p = 0.0
                            for m in range(degree - 1, -1, -1):
                                p = p * u + work[m]
                            v = 2.0 * (time - begin) / (end - begin) - 1.0
                            rate = 0.0
                            for m in range(rates.shape[1] - 1, -1, -1):
                                rate = rate * v + rates[j, m]
                            total += half * weights[q] * rate * min(1.0, max(0.0, p))
                        if not is_flat:
                            rho, reach = 8.0, 4.0625
                            x = t * np.exp(decay * middle)
                            spread = x * np.expm1(decay * half * reach) * abs(inverse[c])
                            u = abs((x - mid[c]) * inverse[c])
                            p, rate, power = 0.0, 0.0, 1.0
                            for m in range(degree - 1, -1, -1):
                                p = p * (u + spread) + abs(work[m])
                            for m in range(rates.shape[1]):
                                rate += abs(rates[j, m]) * power
                                power *= reach
                            error += half * 4.4 * rho ** (-2.0 * M) * p * rate
                now = until
                c += 1
        out[i] = max(total, 0.0)
        worst = max(worst, error)
    return worst


@compiled(inline="always")
def _rate(rates: Floats, v: float) -> float:
    value: float = rates[-1]
    for m in range(len(rates) - 2, -1, -1):
        value = value * v + rates[m]
    return max(value, 0.0)


@compiled(fastmath={"contract"})
def slopes(table: ExcessTable, flow: Flow, s: float, e: Floats, hints: Ints, out: Floats) -> None:
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
