"""The solved problem: what it is worth, where a value goes, and what every other choice gives up.

With f slots free, multipliers λ_1 >= ... >= λ_f (λ_{f+1} = 0: refuse) and bounds t_1 >= ... >= t_f of what is still to
come, a value x goes to the slot of rank 1 + #{k: t_k >= x}. The slot of rank r instead of r + 1 is worth

    (λ_r - λ_{r+1}) (x - t_r)

more: the sums of these are the losses, and with x left out the prices that make self-interested arrivals choose so.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np

from tentimes18.assignment.arrival_models import ArrivalModel, HindsightRow, Real
from tentimes18.assignment.virtual_values import VirtualLaw
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size

VALUES_AT_ONCE = 1 << 21


class Simulated(NamedTuple):
    """What some simulated games were worth."""

    games: int
    mean: float
    sd: float
    stderr: float


class Policy:
    """A solved problem; `Problem.solve` makes it.

    >>> from tentimes18.assignment import Problem
    >>> from tentimes18.dice import Dice
    >>> policy = Problem(Dice.parse("3d6"), slots=[1, 2, 5], arrivals=10).solve()
    >>> policy.assign(13, left=9), policy.assign(13, left=1), policy.assign(5, left=9)
    (2, 3, None)
    """

    def __init__(self, multipliers: Sequence[Real], model: ArrivalModel, seller: VirtualLaw | None = None) -> None:
        self.multipliers = tuple(multipliers)
        self.model = model
        self._seller = seller
        self._n = len(self.multipliers)
        self._all = list(range(1, self._n + 1))
        self._fates: dict[Any, list[list[Real]]] = {}
        self._last: tuple[Any, list[Any]] = (), []  # the row that was asked for last, in one: threads may ask

    @cached_property
    def value(self) -> Real:
        """The expected worth Σ multiplier × value under the best play."""
        return self._worth(self.model.begin())

    @cached_property
    def hindsight(self) -> Real:
        """The expected worth for someone who knows all values beforehand.

        In a problem of revenue it is the best auction: what someone expects who knows all virtual values, not what a
        seller would take who knew how much each buyer would pay.
        """
        return self._worth(self._hindsight.row)

    @cached_property
    def _hindsight(self) -> HindsightRow:
        return self.model.hindsight()

    @property
    def hindsight_error(self) -> float:
        """A bound of the error of hindsight: 0 where it is exact."""
        return self._bounded(self._hindsight.error, self.hindsight)

    @property
    def regret(self) -> Real:
        """What hindsight is worth more."""
        return self.hindsight - self.value

    @property
    def error(self) -> float:
        """A bound of the error of the value: 0 where it is exact."""
        return self._bounded(self.model.error, self.value)

    @property
    def regret_error(self) -> float:
        """A bound of the error of the regret."""
        return self.error + self.hindsight_error

    def _bounded(self, error: float, worth: Real) -> float:
        """The error of a worth, from that of every value in it."""
        if self.model.is_exact:
            return 0.0
        return float(sum(self.multipliers)) * error + 2.0**-51 * (1 + self._n) * abs(float(worth))

    @property
    def is_exact(self) -> bool:
        """Whether the numbers are Fractions."""
        return self.model.is_exact

    def expected(self) -> list[Real]:
        """The value that each slot can expect at the beginning, by number; the rest of a multiplier is luck."""
        return list(self.model.begin())[::-1]

    def _worth(self, row: Sequence[Real]) -> Real:
        """Σ λ_k e_k; what must be filled and has no value yet has nothing to add."""
        pairs = zip(reversed(self.multipliers), row, strict=False)
        total: Real = sum(
            (multiplier * e for multiplier, e in pairs if multiplier), Fraction(0) if self.is_exact else 0.0
        )
        return total

    def _row(self, left: Any, known: Any) -> list[Any]:
        """The bounds, increasing: the last f of them are those of f free slots."""
        if isinstance(known, list):
            known = tuple(known)
        asked, row = self._last
        if asked != (left, known):
            row = [*self.model.row(left, known)]
            row.reverse()
            self._last = (left, known), row
        return row

    def _free(self, free: Iterable[int] | None) -> list[int]:
        """The free slots, increasing."""
        if free is None:
            return self._all
        slots = sorted(free) if isinstance(free, Iterable) and not isinstance(free, str) else []
        if not all(isinstance(slot, int | np.integer) for slot in slots):
            raise Ten18Error(f"free slots are different numbers from 1 to {self._n}", "free", slots)
        if not slots or slots[0] < 1 or slots[-1] > self._n or len(set(slots)) != len(slots):
            raise Ten18Error(f"free slots are different numbers from 1 to {self._n}", "free", free)
        return slots

    def _value(self, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float | Fraction | np.number) or value != value:
            raise Ten18Error("a value is a number", "value", value)
        return value if self._seller is None else self._seller.virtual(value)

    def _verify_room(self, row: list[Any], free: list[int], values: int = 1) -> None:
        if len(free) > values and row[values - len(free)] == -inf:
            raise Ten18Error(f"{len(free)} slots cannot all be filled any more by so few arrivals", "free", free)

    def thresholds(self, left: Any = None, free: Iterable[int] | None = None, known: Any = None) -> list[Any]:
        """The bounds of the free slots, increasing: a value above the i-th goes to the i-th free slot or a better one.

        ``left`` is what is still to come after this arrival: a number of arrivals or batches, or the time until the
        deadline. ``known`` is what is known of it: the regime of this arrival, the values that are seen ahead, or those
        of a batch that are still to be placed after this one. In a problem of revenue the bounds are those of virtual
        values.

        >>> from tentimes18.assignment import Problem, UniformLaw
        >>> policy = Problem(UniformLaw(0, 1), slots=2, arrivals=4).solve(exact=True)
        >>> [str(bound) for bound in policy.thresholds(left=2)]
        ['3/8', '5/8']
        """
        slots = self._free(free)
        row = self._row(left, known)
        self._verify_room(row, slots)
        return row[-len(slots) :]

    def assign(self, value: Any, free: Iterable[int] | None = None, left: Any = None, known: Any = None) -> int | None:
        """The slot for this value, or None: reject it.

        Of equally good choices the smallest, and None before all slots. That is exact for exact policies; in float64 a
        value that equals its threshold may fall on either side of it, with the same expected worth.

        >>> from tentimes18.assignment import Problem, UniformLaw
        >>> policy = Problem(UniformLaw(0, 1), slots=[1, 3, 4], arrivals=6).solve()
        >>> policy.assign(0.7, free=[1, 3], left=2), policy.assign(0.5, free=[1, 3], left=2), policy.assign(0.1, left=5)
        (3, 1, None)
        """
        if self._seller is not None or value.__class__ is not float or value != value:
            value = self._value(value)
        slots = self._all if free is None else self._free(free)
        row = self._row(left, known)
        f, n = len(slots), self._n
        if f > 1 and row[1 - f] == -inf:
            self._verify_room(row, slots)
        i = bisect_left(row, value, n - f, n) - n + f - 1  # as many free slots have bounds below the value
        if i < 0:
            return None
        multipliers = self.multipliers
        multiplier = multipliers[slots[i] - 1]
        while i and multipliers[slots[i - 1] - 1] == multiplier:
            i -= 1
        return slots[i] if multiplier or row[-f] == -inf else None

    def assign_batch(
        self, values: Sequence[Any], free: Iterable[int] | None = None, left: Any = None
    ) -> list[int | None]:
        """The slots for values that are seen together, with so many batches still to come.

        >>> from tentimes18.assignment import Problem
        >>> policy = Problem([1, 2, 3, 4], slots=[1, 5], arrivals=6, batches=3).solve()
        >>> policy.assign_batch([2, 4, 4], left=1), policy.assign_batch([2, 4, 4], left=0)
        ([None, 2, 1], [None, 2, 1])
        """
        if not self.model.is_batched:
            raise Ten18Error("these values come one by one; accepted: values of a problem with batches", "values")
        if not isinstance(values, Iterable):
            raise Ten18Error("accepted: the values that are seen together", "values", values)
        slots = self._free(free)
        known = [self._value(value) for value in values]
        row = self._row(left, None)
        self._verify_room(row, slots, len(known))
        row = row[-len(slots) :]
        found: list[int | None] = [None] * len(known)
        bounds, best_first = row[::-1], slots[::-1]
        rank = 0  # as many slots are kept for what is still to come
        for place in sorted(range(len(known)), key=lambda place: known[place], reverse=True):
            while rank < len(best_first) and bounds[rank] >= known[place]:
                rank += 1
            if rank == len(best_first):
                break
            multiplier = self.multipliers[best_first[rank] - 1]
            equal = [slot for slot in best_first[rank:] if self.multipliers[slot - 1] == multiplier]
            if not multiplier and row[0] > -inf:
                break
            best_first.remove(equal[-1])  # of equal ones the smallest number
            found[place] = equal[-1]
        return found

    def losses(
        self, value: Any, free: Iterable[int] | None = None, left: Any = None, known: Any = None
    ) -> dict[int | None, Any]:
        """What every choice gives up against the best one: every free slot, and None where refusing is allowed.

        >>> from tentimes18.assignment import Problem, UniformLaw
        >>> from fractions import Fraction
        >>> policy = Problem(UniformLaw(0, 1), slots=[1, 3, 4], arrivals=6).solve(exact=True)
        >>> losses = policy.losses(Fraction(7, 10), free=[1, 3], left=2)
        >>> {slot: str(loss) for slot, loss in losses.items()}
        {None: '11/20', 1: '9/40', 3: '0'}
        """
        value = self._value(value)
        slots = self._free(free)
        row = self._row(left, known)
        self._verify_room(row, slots)
        f = len(slots)
        may_refuse = row[-f] > -inf
        worth: list[Any] = [0]  # of a choice, from refusing on
        for i, slot in enumerate(slots):
            step = self.multipliers[slot - 1] - (self.multipliers[slots[i - 1] - 1] if i else 0)
            bound = row[i - f]
            worth.append(worth[-1] + (step * (value - bound) if bound > -inf else 0))
        choices: list[int | None] = [None, *slots]
        if not may_refuse:
            choices, worth = choices[1:], worth[1:]
        best = max(worth)
        return {choice: best - this for choice, this in zip(choices, worth, strict=True)}

    def prices(self, left: Any = None, free: Iterable[int] | None = None, known: Any = None) -> list[Any]:
        """Posted prices of the free slots, by number, that make self-interested arrivals choose as the policy does.

        An arrival of value x takes the slot where multiplier × x - price is largest, and none where that is negative.

        >>> from tentimes18.assignment import Problem, UniformLaw
        >>> [str(price) for price in Problem(UniformLaw(0, 1), [1, 3], arrivals=3).solve(exact=True).prices(left=2)]
        ['3/8', '13/8']
        """
        return self.price_rows([left], free, known)[0]

    def price_rows(self, lefts: Iterable[Any], free: Iterable[int] | None = None, known: Any = None) -> list[list[Any]]:
        """The same prices for each of several times; those of a seller, who searches for them, are found together."""
        slots = self._free(free)
        found = []
        for left in lefts:
            row = self._row(left, known)
            if row[-len(slots)] == -inf:
                raise Ten18Error("slots that must be filled by whoever comes have no prices", "left", left)
            found.append(row)
        multipliers: list[Any] = [0, *(self.multipliers[slot - 1] for slot in slots)]
        steps = [i for i in range(len(slots)) if multipliers[i + 1] != multipliers[i]]  # equal slots cost the same
        bounds = [row[i - len(slots)] for row in found for i in steps]
        asked = iter(bounds if self._seller is None else self._seller.prices(bounds))
        prices: list[list[Any]] = []
        for _ in found:
            price, line = 0, []
            for i, (below, multiplier) in enumerate(pairwise(multipliers)):
                if i in steps:
                    price = price + (multiplier - below) * next(asked)
                line.append(price)
            prices.append(line)
        return prices

    def fates(self, times: Sequence[float] | None = None) -> list[list[Real]]:
        """The law of who goes where: [arrival][slot - 1] is the chance that this arrival fills this slot.

        Of batches, that this batch does. Of Poisson arrivals, that the slot is filled between two of these ``times``,
        or in each hundredth of the time until the deadline. Of endless ones, as long as values count 10^-18 of what
        they are. A slot of multiplier 0 is as good as none, and so is what it gets: nothing is said to go there.

        >>> from tentimes18.assignment import Problem, UniformLaw
        >>> policy = Problem(UniformLaw(0, 1), slots=[1, 2], arrivals=3).solve(exact=True)
        >>> [[str(chance) for chance in row] for row in policy.fates()]
        [['1/4', '3/8'], ['3/8', '5/16'], ['3/8', '5/16']]
        """
        if times is not None and not isinstance(times, Iterable):
            raise Ten18Error("accepted: increasing times", "times", times)
        asked = None if times is None else tuple(times)
        if asked not in self._fates:
            best_first = [multiplier for multiplier in reversed(self.multipliers) if multiplier]
            nothing: list[Real] = [Fraction(0) if self.is_exact else 0.0] * (self._n - len(best_first))
            groups = [best_first.index(multiplier) for multiplier in best_first]
            self._fates[asked] = [[*nothing, *row[::-1]] for row in self.model.placements(groups, asked)]
        return self._fates[asked]

    def simulate(self, games: int, seed: int = 0) -> Simulated:
        """Games with values drawn by this seed: the same on every machine.

        >>> from tentimes18.assignment import Problem, UniformLaw
        >>> policy = Problem(UniformLaw(0, 1), slots=[1, 2], arrivals=5).solve()
        >>> found = policy.simulate(10_000, seed=18)
        >>> abs(found.mean - policy.value) < 4 * found.stderr
        True
        """
        if isinstance(games, bool) or not isinstance(games, int) or games < 1:
            raise Ten18Error("at least one game is to be simulated", "games", games)
        multipliers = np.array([float(multiplier) for multiplier in reversed(self.multipliers)])
        length = self.model.length
        check_size("these games", operations=100.0 * length * games, field="games")
        total, squares = 0.0, 0.0
        at_once = max(1, min(games, VALUES_AT_ONCE // length))
        for first in range(0, games, at_once):
            worths = np.zeros(min(at_once, games - first))
            self.model.play(seed, first, multipliers, worths)
            total += float(worths.sum())
            squares += float(worths @ worths)
        mean = total / games
        variance = max(0.0, squares / games - mean * mean) * (games / (games - 1) if games > 1 else 0.0)
        return Simulated(games, mean, sqrt(variance), sqrt(variance / games))

    def to_frame(self, lefts: Iterable[Any] | None = None, known: Any = None) -> Any:
        """The thresholds as a data frame of pandas: a row for each number still to come, a column a slot."""
        try:
            import pandas
        except ImportError:
            raise Ten18Error("data frames need pandas: pip install pandas") from None
        wanted = list(self.model.lefts() if lefts is None else lefts)
        rows = [self._row(left, known) for left in wanted]
        columns = [f"slot {slot}" for slot in self._all]
        return pandas.DataFrame(rows, index=pandas.Index(wanted, name="left"), columns=columns)
