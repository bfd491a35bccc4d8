"""Arrivals in time: a Poisson process with any rate, until a deadline.

The row depends on the time s that is left: e_k' = λ (g(e_k) - g(e_{k-1})) - r e_k, with λ the rate at that time and
e^-r the discount of a unit of time. Without a discount it depends on the expected number τ of arrivals that are left
alone, whatever the rate is: e_k' = g(e_k) - g(e_{k-1}) in τ. With one the rate must be constant, at least in pieces.
For exponential values e_1 + ... + e_k = ln Σ_{m <= k} τ^m / m!, for uniform ones e_1 = τ / (2 + τ).
"""

from functools import cached_property
from itertools import pairwise
from math import exp, inf, log
from typing import Any, Final, NamedTuple

import numpy as np

from tentimes18.assignment.arrivals import Poisson
from tentimes18.assignment.courses.course import Course
from tentimes18.assignment.courses.order_statistics import largest_on_average, stepwise_largest
from tentimes18.assignment.laws.finite import FiniteLaw
from tentimes18.assignment.laws.law import ValueLaw, fractions_of
from tentimes18.errors import Ten18Error, quoted
from tentimes18.kernels import assignment as count_kernel
from tentimes18.kernels import excess as excess_kernel
from tentimes18.kernels import poisson as kernel
from tentimes18.kernels.types import Floats
from tentimes18.plan import Plan, admit

__all__ = ["PoissonCourse"]

TOLERANCES: Final = (1e-12, 1e-10, 5e-9, 2e-7, 1e-5, 1e-3)  # of all steps, in units of the mean excess over 0
FEW_STEPS: Final = 1 << 13
MOST_STEPS: Final = 1 << 17
STEP_SECONDS: Final = 1e-7
TIME_POINTS: Final = 40  # of Gauss's rule for the discount in hindsight


class _Piece(NamedTuple):
    """A time with a constant rate, or all of it without a discount; rows by the τ that is left of the piece."""

    end: float  # time left at its end, which is where it begins from behind
    rho: float
    times: Floats
    rows: Floats


class PoissonCourse(Course):
    """Of one law."""

    def __init__(self, n: int, law: ValueLaw, arrivals: Poisson, discount: float, chance: float) -> None:
        self._n, self._law, self._arrivals, self._chance = n, law, arrivals, chance
        self._decay = -log(discount)
        if self._decay and callable(arrivals.rate):
            raise Ten18Error("with a discount the rate must be a number or a table of rates", "rate")
        tau = chance * arrivals.expected(0.0, float(arrivals.until))
        admit(Plan("these rows", seconds=STEP_SECONDS * n * (50.0 + tau)), field="rate")
        self._pieces: list[_Piece] = []
        row: Floats = np.zeros(n)
        scale = max(law.excess(0.0), 1e-300)
        breaks = arrivals.breaks() if self._decay else [0.0, float(arrivals.until)]
        whole = float(arrivals.until)
        error = 0.0
        for begin, end in reversed(list(pairwise(breaks))):
            span = chance * arrivals.expected(begin, end)
            if span == 0.0:  # no arrivals: what was to be expected is worth less by the time
                row = row * exp(-self._decay * (end - begin))
                piece = _Piece(whole - end, inf, np.zeros(1), row[None])
            else:
                rho = self._decay * (end - begin) / span
                piece, wrong = self._integrated(row, whole - end, rho, span, scale)
                row = piece.rows[-1]
                error += wrong + self._of_the_law(piece)
            self._pieces.append(piece)
        self._last = row
        self.error = error + float(np.abs(row).max()) * 2.0**-50

    def _integrated(self, row: Floats, end: float, rho: float, span: float, scale: float) -> tuple[_Piece, float]:
        """A step is short where a bound passes a value of a finite law: of too many such steps some are spared."""
        for tolerance in TOLERANCES:
            for steps in (FEW_STEPS, MOST_STEPS):
                admit(Plan("these rows", memory=8.0 * steps * self._n), field="slots")
                times, rows = np.empty(steps), np.empty((steps, self._n))
                count, wrong = kernel.integrate(self._law.table, rho, span, tolerance * scale, row, times, rows)
                if count > 0:
                    return _Piece(end, rho, times[:count].copy(), rows[:count].copy()), wrong
        raise Ten18Error("the law is too rough for arrivals in time; give fewer samples", "law", str(self._law))

    def _of_the_law(self, piece: _Piece) -> float:
        """What the error of the excess adds to that of a row: 2 ε g(e_n) in a unit of τ, g falling all the time."""
        largest = self._law.excess(np.ascontiguousarray(piece.rows[:-1, -1]))
        spans = np.diff(piece.times)
        return 2.0 * float(spans @ (self._law.error * largest + self._law.cells.floor))

    def begin(self) -> list[float]:
        """The row at time 0."""
        return [float(e) for e in self._last]

    def row(self, left: Any, known: Any = None) -> list[float]:
        """The row with so much time left."""
        self.verify_nothing_known(known)
        until = float(self._arrivals.until)
        if isinstance(left, bool) or not isinstance(left, int | float | np.number) or not 0 <= left <= until:
            raise Ten18Error(f"is no time until the deadline; accepted: 0 to {until:g}", "left", quoted(left))
        piece = next(piece for piece in reversed(self._pieces) if piece.end <= left)
        if piece.rho == inf:
            return [float(e) for e in self._before(piece) * exp(-self._decay * (left - piece.end))]
        tau = self._chance * self._arrivals.expected(until - left, until - piece.end)
        tau = min(tau, float(piece.times[-1]))
        m = int(np.searchsorted(piece.times, tau, side="right")) - 1
        return [float(e) for e in self._stepped(piece, m, tau)]

    def _before(self, piece: _Piece) -> Floats:
        """The row with which a time without arrivals begins, from behind."""
        place = self._pieces.index(piece)
        return self._pieces[place - 1].rows[-1] if place else np.zeros(self._n)

    def _stepped(self, piece: _Piece, m: int, tau: float) -> Floats:
        h = tau - float(piece.times[m])
        if h == 0.0:
            return np.array(piece.rows[m])
        work, hints = np.empty((9, self._n)), np.zeros(self._n, dtype=np.int64)
        work[0] = piece.rows[m]
        kernel.slopes(self._law.table, piece.rho, work[0], hints, work[1])
        kernel.step(self._law.table, piece.rho, h, hints, work)
        found: Floats = work[8]
        return found

    def hindsight(self) -> list[float]:
        """The k-th largest values on average."""

        def tails(bounds: Floats) -> Floats:
            out = np.empty((len(bounds), self._n))
            count_kernel.equal_count_tails(self._exceeding(bounds), inf, out)
            return out

        points = self._law.cells.left[1:]
        if isinstance(self._law, FiniteLaw) and not self._decay:
            return [float(e) for e in stepwise_largest(tails, points, False)]
        return [float(e) for e in largest_on_average(tails, points.tolist(), False)[0]]

    def _exceeding(self, bounds: Floats) -> Floats:
        """How many values are to be expected above each bound."""
        breaks = self._arrivals.breaks()
        if not self._decay:
            return self._chance * self._arrivals.expected(breaks[0], breaks[-1]) * self._law.above(bounds)
        places, weights = np.polynomial.legendre.leggauss(TIME_POINTS)
        total: Floats = np.zeros(len(bounds))
        for begin, end in pairwise(breaks):
            rate = self._arrivals.at((begin + end) / 2)
            for place, weight in zip(places, weights, strict=True):
                time = (begin + end) / 2 + (end - begin) / 2 * place
                share = rate * weight * (end - begin) / 2
                total += self._chance * share * self._law.above(bounds * exp(self._decay * time))
        return total

    @property
    def length(self) -> int:
        """How many values a simulated game has, at most: more come with a chance below 10^-30."""
        if self._decay:
            raise Ten18Error("games in time are simulated without a discount", "discount")
        span = float(self._pieces[0].times[-1])
        return int(span + 12.0 * np.sqrt(span) + 40.0)

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Add what games are worth: the arrivals of each in order, by the τ that is left after them."""
        most, games, times = self.length, len(worths), self._pieces[0].times
        gaps = -np.log1p(-fractions_of(seed, "times", first, most, games))
        left = float(times[-1]) - np.cumsum(gaps, axis=0)
        values = np.full((most, games), -inf)
        in_time = left >= 0
        words = fractions_of(seed, "values", first, most, games)[in_time]
        found = np.empty_like(words)
        excess_kernel.quantiles(self._law.table, np.zeros(len(words), dtype=np.int64), words, found)
        values[in_time] = found
        kernel.play_times(times, self._with_slopes, np.maximum(left, 0.0), values, multipliers, worths)

    @cached_property
    def _with_slopes(self) -> Floats:
        """The rows of all steps, and how they change: [step, 0 or 1, k]."""
        piece = self._pieces[0]
        both = np.empty((len(piece.times), 2, self._n))
        both[:, 0] = piece.rows
        hints = np.zeros(self._n, dtype=np.int64)
        for m in range(len(piece.times)):
            kernel.slopes(self._law.table, piece.rho, both[m, 0], hints, both[m, 1])
        return both
