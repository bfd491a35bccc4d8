"""A number of rounds, known or random, each with a law of its own.

Let E_j be the row with j rounds to come and T_j = f E_j what it is worth a round earlier: f is the discount, times the
chance that the rounds go on. With q the chance that a value comes in the round, g the excess of its law,

    E_{j+1}[k] = T_j[k] + q (g(T_j[k]) - g(T_j[k-1])),   g(T_j[0]) = 0,

from E_0 = 0 where slots may stay empty: a value is then given to no slot where it would be worth less than nothing,
which is what max(X, 0) does. Where all n slots must be filled, E_0 has no entries, and E_{j+1} one more than E_j, the
last of them E[X] - g(T_j[j]) (Derman, Lieberman and Ross 1972; the padding with slots of multiplier 0 is the same).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Final, TypeAlias

import numpy as np

from tentimes18.assignment.courses.course import Course, HindsightRow, Real
from tentimes18.assignment.courses.fates import admit_fates, chain_fates, chance_above
from tentimes18.assignment.courses.order_statistics import (
    Grows,
    Values,
    bernoulli_growth,
    corners,
    count_rounding,
    equal_count_rounding,
    expected_largest,
)
from tentimes18.assignment.laws.cells import ROUNDING, joined
from tentimes18.assignment.laws.finite import FiniteLaw
from tentimes18.assignment.laws.law import ValueLaw, fractions_of
from tentimes18.errors import Ten18Error
from tentimes18.kernels import assignment as kernel
from tentimes18.kernels import excess as excess_kernel
from tentimes18.kernels.types import Exceedances, ExcessTable, Floats, Rounds
from tentimes18.plan import Limits, Plan, admit, largest

__all__ = ["FloatRounds", "RoundsPlan", "admit_rounds", "arrives", "float_hindsight", "leave_out"]

Numbers: TypeAlias = Any
"""One a round: an array, or a list of Fractions."""

KEPT_BYTES: Final = 256e6
CELL_SECONDS: Final = 1.5e-8
TABLE_SECONDS: Final = 0.03
TAIL_SECONDS: Final = 4e-9
BLOCK: Final = 1024  # rounds of games at once


@dataclass(frozen=True, slots=True)
class RoundsPlan:
    """The rounds in order of arrival: laws, by number; the chance of a value; the factor of what comes after.

    ``ends`` are the chances that a round is the last one, ``starts`` the chance that there is a first, ``scales`` what
    a value counts in hindsight.
    """

    n: int
    laws: tuple[ValueLaw, ...]
    numbers: Numbers
    chances: Numbers
    factors: Numbers
    scales: Numbers
    ends: Numbers
    starts: Real
    must_fill: bool

    @property
    def size(self) -> int:
        """Number of rounds, at most."""
        return len(self.numbers)

    def verify_left(self, left: object) -> int:
        """So many rounds after this one."""
        if isinstance(left, bool) or not isinstance(left, int | np.integer) or not 0 <= left < self.size:
            raise Ten18Error(f"is no number of arrivals still to come; accepted: 0 to {self.size - 1}", "left", left)
        return int(left)


def admit_rounds(arrivals: int, slots: int) -> None:
    """Raise ``TooLarge`` unless there is room for so many rounds: asked before anything is made for them.

    >>> admit_rounds(10**6, 10)
    """

    def cost(rounds: int) -> Plan:
        kept = min(8.0 * slots * (rounds + 1), KEPT_BYTES) + 16.0 * slots
        return Plan("these rows", seconds=CELL_SECONDS * slots * rounds, memory=kept + 100.0 * rounds)

    def instead(limits: Limits) -> str:
        most = largest(arrivals, lambda rounds: cost(rounds).fits(limits))
        return f"{most} arrivals fit" if most else ""

    admit(cost(arrivals), instead=instead, field="arrivals")


class FloatRounds(Course):
    """In float64, with a bound of the error."""

    def __init__(self, plan: RoundsPlan) -> None:
        self._plan = plan
        N, n = plan.size, plan.n
        self._stride = max(1, int(np.ceil((N + 1) * n * 8 / KEPT_BYTES)))
        tables = sum(not isinstance(law, FiniteLaw) for law in plan.laws)
        admit(Plan(f"the tables of {tables} laws", seconds=TABLE_SECONDS * tables, memory=5e4 * tables), field="law")
        self._table: ExcessTable = joined([law.cells for law in plan.laws])
        self._rounds = Rounds(
            np.asarray(plan.numbers, dtype=np.int64)[::-1].copy(),
            np.asarray(plan.chances, dtype=np.float64)[::-1].copy(),
            # Round j from the last is preceded by factor j: what comes after the last one is nothing.
            np.concatenate([[1.0], np.asarray(plan.factors[: N - 1], dtype=np.float64)[::-1]]),
            np.array([law.mean for law in plan.laws]),
            np.array([law.error for law in plan.laws]),
            np.array([law.cells.floor for law in plan.laws]),
        )
        self._has_factors = bool(np.any(self._rounds.factors != 1.0))
        self._kept = np.empty((N // self._stride + 1, n))
        row = self._first_row()
        self._kept[0] = row[0]
        bound = kernel.run_rounds(self._table, self._rounds, 0, N, row, self._kept, self._stride)
        self._last: Floats = row[0]
        self.error = float(plan.starts) * (bound + float(np.abs(row[0]).max(initial=0.0)) * 2.0**-52)

    def _first_row(self) -> Floats:
        row = np.zeros((2, self._plan.n))
        if self._plan.must_fill:
            row[0] = -inf
        return row

    def begin(self) -> list[float]:
        """The row before the first arrival."""
        found: list[float] = (float(self._plan.starts) * self._last).tolist()
        return found

    def row(self, left: Any, known: Any = None) -> list[float]:
        """The row after an arrival, with so many to come at most."""
        self.verify_nothing_known(known)
        j = left if type(left) is int and 0 <= left < self._plan.size else self._plan.verify_left(left)
        found = self._kept[j] if self._stride == 1 else self._made_again(j)
        row: list[float] = found.tolist()
        if self._has_factors:
            factor = float(self._rounds.factors[j])
            row = [factor * e for e in row]
        return row

    def _made_again(self, j: int) -> Floats:
        at = j - j % self._stride
        row = np.stack([self._kept[at // self._stride], np.zeros(self._plan.n)])
        kernel.run_rounds(self._table, self._rounds, at, j, row, self._kept[:0], self._plan.size + 1)
        again: Floats = row[0]
        return again

    def lefts(self) -> range:
        """Numbers of arrivals still to come."""
        return range(self._plan.size)

    def rows(self, first: int, last: int) -> Floats:
        """The bounds for the values of rounds first to last in order of arrival."""
        N = self._plan.size
        if self._stride > 1:
            return np.array([self.row(N - 1 - t) for t in range(first, last)]).reshape(last - first, self._plan.n)
        found: Floats = self._kept[N - last : N - first] * self._rounds.factors[N - last : N - first, None]
        return np.ascontiguousarray(found[::-1])

    def hindsight(self) -> HindsightRow:
        """The k-th largest values on average."""
        return float_hindsight(self._plan)

    def fates(self, groups: Sequence[int], times: Sequence[float] | None = None) -> list[list[Real]]:
        """The chances [arrival, k] that a value goes to the k-th best slot."""
        self.verify_no_times(times)
        plan, n = self._plan, len(groups)
        admit_fates(plan.size, 1, 1, groups, exact=False)
        rows = self.rows(0, plan.size)[:, :n]
        above = np.empty_like(rows)
        for number, law in enumerate(plan.laws):
            there = np.asarray(plan.numbers) == number
            above[there] = chance_above(law, rows[there])
        above *= np.asarray(plan.chances, dtype=np.float64)[:, None]
        return chain_fates(above[:, None, :], groups, arrives(plan))

    @property
    def length(self) -> int:
        """How many values a simulated game has, at most."""
        return self._plan.size

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Add what games are worth, some rounds at a time."""
        plan, games, n = self._plan, len(worths), self._plan.n
        free = np.tile(np.append(np.arange(n), n), (games, 1))
        for begin in range(0, plan.size, BLOCK):
            part = begin, min(plan.size, begin + BLOCK)
            numbers = np.repeat(np.asarray(plan.numbers[part[0] : part[1]], dtype=np.int64), games)
            values = np.empty((part[1] - part[0], games))
            words = fractions_of(seed, "values", first, plan.size, games, part)
            excess_kernel.quantiles(self._table, numbers, words.ravel(), values.ravel())
            leave_out(plan, seed, first, part, values)
            scales = np.asarray(plan.scales[part[0] : part[1]], dtype=np.float64)
            kernel.play_rows(self.rows(*part), scales, values, multipliers, free, worths)


def arrives(plan: RoundsPlan) -> Floats:
    """The chance that a round comes about, given the one before it."""
    ends = np.asarray(plan.ends, dtype=np.float64)
    left = np.append(ends[::-1].cumsum()[::-1], 0.0)
    found: Floats = np.append(float(plan.starts), left[1:-1] / np.maximum(left[:-2], 1e-300))
    return np.minimum(found, 1.0)


def float_hindsight(plan: RoundsPlan) -> HindsightRow:
    """The k-th largest values on average, whatever the best play sees of them."""
    N, n = plan.size, plan.n
    scales = np.asarray(plan.scales, dtype=np.float64)
    chances = np.asarray(plan.chances, dtype=np.float64)
    numbers = np.asarray(plan.numbers, dtype=np.int64)
    ends = np.asarray(plan.ends, dtype=np.float64)
    is_random = plan.starts != 1 or bool(np.any(ends[:-1]))
    alone = len(plan.laws) == 1 and not is_random and bool(np.all(scales == 1))
    equal = alone and bool(np.all(chances == chances[0]))
    points = corners([(law, scales[numbers == number]) for number, law in enumerate(plan.laws)])
    rounds = Exceedances(numbers, chances, scales, ends)
    if not equal:
        work = TAIL_SECONDS * N * n * 40 * len(points)
        admit(Plan("hindsight with these laws", seconds=work), field="arrivals")
    table: ExcessTable = joined([law.cells for law in plan.laws])

    def tails(bounds: Floats) -> Floats:
        out = np.empty((len(bounds), n))
        if equal:
            kernel.equal_count_tails(chances[0] * plan.laws[0].above(bounds), float(N), out)
        else:
            kernel.count_tails(table, rounds, bounds, out)
        return out

    values = [Values(law, float(np.count_nonzero(numbers == number))) for number, law in enumerate(plan.laws)]
    rounding = equal_count_rounding(n, float(N)) if equal else count_rounding(N)
    if np.any(scales != 1):  # powers of a discount
        rounding += 4.0 * N * ROUNDING
    grows: Grows | None = None
    if not all(isinstance(law, FiniteLaw) for law in plan.laws):
        kinds = (chances[:1], np.ones(1), np.array([float(N)])) if equal else (chances, scales, np.ones(N))
        of_rounds = numbers[: len(kinds[0]), None].copy()
        grows = bernoulli_growth(table, of_rounds, kinds, n, is_sure=not is_random)
    return expected_largest(tails, grows, points, values, plan.must_fill, rounding)


def leave_out(plan: RoundsPlan, seed: int, first: int, part: tuple[int, int], values: Floats) -> None:
    """Put -∞ for values [round, game] that do not come: by chance, or since there are no more."""
    games = values.shape[1]
    chances = np.asarray(plan.chances[part[0] : part[1]], dtype=np.float64)
    if np.any(chances != 1):
        values[fractions_of(seed, "comes", first, plan.size, games, part) >= chances[:, None]] = -inf
    ends = np.asarray(plan.ends, dtype=np.float64)
    if plan.starts != 1 or np.any(ends[:-1]):
        word = fractions_of(seed, "number", first, 1, games)[0]
        rounds = np.searchsorted(np.cumsum(np.append(1.0 - ends.sum(), ends)), word, side="right")  # of each game
        values[np.arange(*part)[:, None] >= np.minimum(rounds, plan.size)] = -inf
