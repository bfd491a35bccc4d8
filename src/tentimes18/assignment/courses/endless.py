"""Arrivals for ever, with a discount: the row does not change any more.

With β the discount, q the chance of a value and T = β e the bounds, e = T + q (g(T_k) - g(T_{k-1})) says that

    T_k (1/β - 1) = q (g(T_k) - g(T_{k-1})),

whose left side grows with T_k and whose right side falls: one solution, between 0 and T_{k-1}. For one slot and the
uniform law T_1 = (1 - √(1 - β²)) / β.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tentimes18.assignment.courses.course import Course, HindsightRow, Real
from tentimes18.assignment.courses.fates import admit_fates, chain_fates, chance_above
from tentimes18.assignment.courses.rounds import FloatRounds, RoundsPlan
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.errors import Ten18Error
from tentimes18.kernels.types import Floats

__all__ = ["EndlessCourse"]

NOTHING = 1e-18  # what the values that are left out in hindsight and in games count


class EndlessCourse(Course):
    """Of one law, with a discount below 1."""

    def __init__(self, n: int, law: ValueLaw, discount: float, chance: float) -> None:
        if not discount < 1:
            raise Ten18Error("arrivals without an end need a discount below 1", "discount", discount)
        self._n, self._law, self._discount, self._chance = n, law, discount, chance
        self._row = self._solved()

    def _solved(self) -> list[float]:
        rate = 1.0 / self._discount - 1.0
        above = max(0.0, self._law.support[1])
        row: list[float] = []
        before = 0.0  # g of the bound before
        error, worst = 0.0, 0.0
        for _ in range(self._n):
            low, high = 0.0, min(above, self._chance * (self._law.excess(0.0)) / rate)
            for _ in range(200):
                middle = (low + high) / 2
                if not low < middle < high:
                    break
                if rate * middle < self._chance * (self._law.excess(middle) - before):
                    low = middle
                else:
                    high = middle
            here, falls = self._law.excess(high), self._chance * self._law.above(high)
            wrong = 2.0 * (self._law.error * here + self._law.cells.floor) + 2.0**-51 * rate * high
            earlier = self._chance * self._law.above(row[-1]) * error if row else 0.0
            error = (wrong + earlier) / (rate + falls) + 2.0**-52 * high
            worst = max(worst, error)
            row.append(high)
            before, above = here, high
        self.error = worst / self._discount
        return row

    def begin(self) -> list[float]:
        """The row before the first arrival."""
        return [e / self._discount for e in self._row]

    def row(self, left: Any, known: Any = None) -> list[float]:
        """The row after any arrival."""
        if left is not None:
            raise Ten18Error("there is no end: so much is never left; accepted: none", "left", left)
        self.verify_nothing_known(known)
        return self._row

    @cached_property
    def _finite(self) -> FloatRounds:
        """As many rounds as count."""
        N = int(np.ceil(np.log(NOTHING) / np.log(self._discount))) + 1
        factors, ends = np.full(N, self._discount), np.append(np.zeros(N - 1), 1.0)
        numbers, chances = np.zeros(N, dtype=np.int64), np.full(N, self._chance)
        scales = self._discount ** np.arange(N)
        return FloatRounds(RoundsPlan(self._n, (self._law,), numbers, chances, factors, scales, ends, 1, False))

    def hindsight(self) -> HindsightRow:
        """The k-th largest values on average, all discounted."""
        row, error = self._finite.hindsight()
        left_out = self._law.excess(0.0) * self._discount**self.length / (1.0 - self._discount)
        return HindsightRow(row, error + left_out)

    def fates(self, groups: Sequence[int], times: Sequence[float] | None = None) -> list[list[Real]]:
        """The chances [arrival, k] that a value goes to the k-th best slot, as long as values count."""
        self.verify_no_times(times)
        N, n = self.length, len(groups)
        admit_fates(N, 1, 1, groups, exact=False)
        above = self._chance * chance_above(self._law, np.array(self._row[:n]))
        return chain_fates(np.tile(above, (N, 1, 1)), groups, np.ones(N))

    @property
    def length(self) -> int:
        """How many values a simulated game has."""
        return self._finite.length

    def play(self, seed: int, first: int, multipliers: Floats, worths: Floats) -> None:
        """Add what games are worth, as long as values count."""
        self._finite.play(seed, first, multipliers, worths)
