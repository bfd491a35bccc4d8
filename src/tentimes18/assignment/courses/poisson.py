"""Arrivals in time: a Poisson process with any rate, until a deadline.

The row depends on the time s that is left: e_k' = λ (g(e_k) - g(e_{k-1})) - r e_k, with λ the rate at that time and
e^-r the discount of a unit of time. Without a discount it depends on the expected number τ of arrivals that are left
alone, whatever the rate is: e_k' = g(e_k) - g(e_{k-1}) in τ, and a clock that shows τ is all there is to know of the
rate. With one the clock shows the time itself. For exponential values e_1 + ... + e_k = ln Σ_{m <= k} τ^m / m!, for
uniform ones e_1 = τ / (2 + τ).

In hindsight the values above t are a Poisson number: with a discount ∫ λ(u) P(X > t e^{ru}) du of them are expected,
which is Σ_x p_x Λ(ln(x / t) / r) for a law with values x, Λ being the expected number by a time.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf, log
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from tentimes18.assignment.arrivals import Poisson
from tentimes18.assignment.courses.clock import Clock
from tentimes18.assignment.courses.course import Course, HindsightRow, Real
from tentimes18.assignment.courses.fates import states_of
from tentimes18.assignment.courses.order_statistics import (
    Grows,
    Values,
    bernoulli_growth,
    corners,
    discounted_growth,
    equal_count_rounding,
    expected_largest,
)
from tentimes18.assignment.laws.finite import FiniteLaw
from tentimes18.assignment.laws.law import ValueLaw, fractions_of
from tentimes18.errors import Ten18Error
from tentimes18.kernels import assignment as count_kernel
from tentimes18.kernels import excess as excess_kernel
from tentimes18.kernels import poisson as kernel
from tentimes18.kernels.fates import time_fates
from tentimes18.kernels.types import Clockwork, Floats, Flow
from tentimes18.plan import Plan, admit

__all__ = ["PoissonCourse"]

TOLERANCES: Final = (1e-12, 1e-10, 5e-9, 2e-7, 1e-5, 1e-3)  # of all steps, in units of the mean excess over 0
FEW_STEPS: Final = 1 << 13
MOST_STEPS: Final = 1 << 17
STEP_SECONDS: Final = 1e-7
INTERVALS: Final = 100  # of the time until the deadline, where nobody says which
SHORT: Final = 1 / 64  # of an arrival: the longest step of the law of who goes where
STEPS_AT_ONCE: Final = 1 << 20  # bounds of these steps

Number: TypeAlias = Callable[[Floats], Floats]
"""How many values are to be expected above each of some bounds."""


class _Piece(NamedTuple):
    """A time with a smooth rate, or all of it without a discount: rows by what is left of the clock."""

    begin: float  # what the clock shows at its end, which is where it begins from behind
    flow: Flow
    times: Floats
    rows: Floats


class PoissonCourse(Course):
    """Of one law."""

    def __init__(self, n: int, law: ValueLaw, arrivals: Poisson, discount: float, chance: float) -> None:
        self._n, self._law = n, law
        self._decay = -log(discount)
        self._clock = clock = Clock(arrivals, chance)
        admit(Plan("these rows", seconds=STEP_SECONDS * n * (50.0 + clock.total)), field="rate")
        self._pieces: list[_Piece] = []
        row: Floats = np.zeros(n)
        error = 0.0
        for begin, flow, share in self._flows():
            piece, wrong = self._integrated(row, begin, flow, share)
            row = piece.rows[-1]
            error += wrong + self._of_the_law(piece)
            self._pieces.append(piece)
        self._begins = [piece.begin for piece in self._pieces]
        self._last = row
        # Without a discount the last row alone depends on the clock's total, by at most g(e_n) an arrival.
        error += clock.error * law.excess(0.0 if self._decay else float(row[-1]))
        self.error = error + float(np.abs(row).max()) * 2.0**-50

    def _flows(self) -> list[tuple[float, Flow, float]]:
        """The pieces from behind: what the clock shows, its rates from there on, its share of the tolerance."""
        clock = self._clock
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
        """A step is short where a bound passes a value of a finite law: of too many such steps some are spared."""
        scale = max(self._law.excess(0.0), 1e-300) * share
        for tolerance in TOLERANCES:
            for steps in (FEW_STEPS, MOST_STEPS):
                admit(Plan("these rows", memory=8.0 * steps * self._n), field="slots")
                times, rows = np.empty(steps), np.empty((steps, self._n))
                count, wrong = kernel.integrate(self._law.table, flow, tolerance * scale, row, times, rows)
                if count > 0:
                    return _Piece(begin, flow, times[:count].copy(), rows[:count].copy()), wrong
        raise Ten18Error("the law is too rough for arrivals in time; give fewer samples", "law", str(self._law))

    def _of_the_law(self, piece: _Piece) -> float:
        """What the error of the excess adds to that of a row: 2 λ ε g(e_n) in a unit of time."""
        largest = self._law.excess(np.ascontiguousarray(piece.rows[:, -1]))
        spans = np.diff(piece.times) * float(np.abs(piece.flow.rates).sum())
        worst = np.maximum(largest[:-1], largest[1:])
        return 2.0 * float(spans @ (self._law.error * worst + self._law.cells.floor))

    def begin(self) -> list[float]:
        """The row at time 0."""
        found: list[float] = self._last.tolist()
        return found

    def _shown(self, left: Floats) -> Floats:
        """What the clock shows with so much time left."""
        if self._decay:
            return left
        found: Floats = self._clock.total - self._clock.counted(self._clock.until - left)
        return found

    def row(self, left: Any, known: Any = None) -> list[float]:
        """The row with so much time left."""
        self.verify_nothing_known(known)
        until = self._clock.until
        if isinstance(left, bool) or not isinstance(left, int | float | np.number) or not 0 <= left <= until:
            raise Ten18Error(f"is no time until the deadline; accepted: 0 to {until:g}", "left", left)
        shown = float(self._shown(np.array([float(left)]))[0])
        piece = self._pieces[bisect_right(self._begins, shown) - 1]
        now = min(max(shown - piece.begin, 0.0), float(piece.times[-1]))
        m = int(np.searchsorted(piece.times, now, side="right")) - 1
        found: list[float] = self._stepped(piece, m, now).tolist()
        return found

    def _stepped(self, piece: _Piece, m: int, now: float) -> Floats:
        begin = float(piece.times[m])
        if now == begin:
            return np.array(piece.rows[m])
        work, hints = np.empty((9, self._n)), np.zeros(self._n, dtype=np.int64)
        work[0] = piece.rows[m]
        kernel.slopes(self._law.table, piece.flow, begin, work[0], hints, work[1])
        kernel.step(self._law.table, piece.flow, begin, now - begin, hints, work)
        found: Floats = work[8]
        return found

    def hindsight(self) -> HindsightRow:
        """The k-th largest values on average."""
        clock, law, n = self._clock, self._law, self._n
        rounding = equal_count_rounding(n, inf) + n * (clock.error / clock.total + 2.0**-50)
        grows: Grows | None = None
        if self._decay:
            points = corners([(law, np.exp(-self._decay * clock.edges))])
            number, grows = discounted_growth(law.table, Clockwork(self._decay, clock.edges, clock.rates), n)
        else:
            points, number = corners([(law, np.ones(1))]), self._expected
            if not isinstance(law, FiniteLaw):
                rounds = np.ones(1), np.ones(1), np.array([clock.total])
                grows = bernoulli_growth(law.table, np.zeros((1, 1), dtype=np.int64), rounds, n, is_poisson=True)

        def tails(bounds: Floats) -> Floats:
            out = np.empty((len(bounds), n))
            count_kernel.equal_count_tails(number(bounds), inf, out)
            return out

        return expected_largest(tails, grows, points, [Values(law, clock.total)], False, rounding)

    def _expected(self, bounds: Floats) -> Floats:
        """How many values exceed each bound, where time does not count."""
        return self._clock.total * self._law.above(bounds)

    @cached_property
    def _grid(self) -> tuple[Floats, Floats]:
        """What the clock shows after each step, and the rows there with their slopes: [step, 0 or 1, k]."""
        shown = np.concatenate([piece.begin + piece.times for piece in self._pieces])
        both = np.empty((len(shown), 2, self._n))
        hints, m = np.zeros(self._n, dtype=np.int64), 0
        for piece in self._pieces:
            for now, row in zip(piece.times, piece.rows, strict=True):
                both[m, 0] = row
                kernel.slopes(self._law.table, piece.flow, float(now), both[m, 0], hints, both[m, 1])
                m += 1
        return shown, both

    def fates(self, groups: Sequence[int], times: Sequence[float] | None = None) -> list[list[Real]]:
        """The chances [interval, k] that the k-th best slot is filled between two of these times."""
        until = self._clock.until
        edges = np.linspace(0.0, until, INTERVALS + 1) if times is None else _verified_times(times, until)
        n = len(groups)
        steps = len(self._grid[0]) + self._clock.total / SHORT + len(edges)
        cost = Plan("the law of who goes where", seconds=2e-8 * steps * (states_of(groups) + 10 * n))
        admit(cost, field="rate")
        begins, ends, parts = self._steps(edges)
        firsts = [k for k in range(n) if groups[k] == k]
        sizes = [(first, groups.count(first)) for first in firsts]
        states = [np.zeros((first + 1, size + 1, n - first - size + 1)) for first, size in sizes]
        filled = [np.zeros((len(edges) + 1, size + 1)) for _, size in sizes]
        for state in states:
            state[-1, -1, -1] = 1.0
        at_once = max(1, STEPS_AT_ONCE // max(n, 1))
        for i in range(0, len(begins), at_once):
            some = slice(i, i + at_once)
            flows = self._flows_above(begins[some], ends[some], n)
            for state, so_far in zip(states, filled, strict=True):
                time_fates(flows, begins[some] - ends[some], parts[some], state, so_far)
        out = np.zeros((len(edges) - 1, n))
        for (first, size), so_far in zip(sizes, filled, strict=True):
            for free in range(1, size + 1):  # among equal slots the last one is filled first
                out[:, first + free - 1] = so_far[1 : len(edges), free]
        return [list(row) for row in out.tolist()]

    def _steps(self, edges: Floats) -> tuple[Floats, Floats, Any]:
        """Short steps from the beginning on: what the clock shows before and after each, and its interval from 1 on."""
        shown = self._shown(self._clock.until - edges)
        grid = self._grid[0]
        points = np.unique(np.concatenate([grid, shown, [0.0, float(grid[-1])]]))[::-1]
        points = points[points <= grid[-1]]
        arrivals = np.abs(np.diff(points))
        if self._decay:
            arrivals = np.abs(np.diff(self._clock.counted(self._clock.until - points)))
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

        A parabola through three points within a step: at its ends a bound may just pass a value of the law.
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
            rate = self._clock.rate(self._clock.until - now) if self._decay else np.ones(len(now))
            found.append(rate[:, None] * self._law.above(np.ascontiguousarray(bounds)))
        slope, bend = (found[2] - found[0]) / (2 * place), (found[0] - 2 * found[1] + found[2]) / (2 * place**2)
        ends_: Floats = np.stack([found[1] - slope + bend, found[1], found[1] + slope + bend], axis=1)
        return np.maximum(ends_, 0.0)

    @property
    def length(self) -> int:
        """How many values a simulated game has, at most: more come with a chance below 10^-30."""
        span = self._clock.total
        return int(span + 12.0 * np.sqrt(span) + 40.0)

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Add what games are worth: the arrivals of each in order, by what the clock shows after them."""
        most, games, clock = self.length, len(worths), self._clock
        gaps = -np.log1p(-fractions_of(seed, "times", first, most, games))
        came = np.cumsum(gaps, axis=0)
        values = np.full((most, games), -inf)
        in_time = came <= clock.total
        words = fractions_of(seed, "values", first, most, games)[in_time]
        found = np.empty_like(words)
        excess_kernel.quantiles(self._law.table, np.zeros(len(words), dtype=np.int64), words, found)
        values[in_time] = found
        left, counts = np.maximum(clock.total - came, 0.0), np.ones((most, games))
        if self._decay:
            times = clock.reached(came[in_time])
            left[in_time] = clock.until - times
            counts[in_time] = np.exp(-self._decay * times)
        kernel.play_times(*self._grid, left, values, counts, multipliers, worths)


def _verified_times(times: Sequence[float], until: float) -> Floats:
    """Times from 0 to the deadline, increasing."""
    try:
        found = np.asarray(times, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    inside = found.ndim == 1 and len(found) > 1 and bool(np.all(np.diff(found) > 0))
    if not inside or not (found[0] >= 0.0 and found[-1] <= until):
        raise Ten18Error(f"accepted: two times or more from 0 to {until:g}, increasing", "times", times)
    return found
