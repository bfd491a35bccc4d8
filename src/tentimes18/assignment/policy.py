"""The solved problem: its value, where an arrival goes, and what every other choice loses.

With f slots free, multipliers λ_1 >= ... >= λ_f (λ_{f+1} = 0: reject) and thresholds t_1 >= ... >= t_f for what is
still to come, a value x goes to the slot of rank 1 + #{k: t_k >= x}. The slot of rank r instead of r + 1 adds

    (λ_r - λ_{r+1}) (x - t_r).

The losses are sums of these. Without x they are the prices with which self-interested arrivals choose as the policy
does.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from math import inf, sqrt
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Floats
from tentimes18.assignment.arrival_models import ArrivalModel, HindsightRow, Real
from tentimes18.assignment.virtual_values import SmoothVirtual, VirtualDistribution
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size

if TYPE_CHECKING:
    from tentimes18.assignment.problem import Problem

VALUES_AT_ONCE = 1 << 21
MAX_ERROR = 0.01  # of a value, relative
NEAR_ZERO = 1e-9  # of a value that is a difference, in units of Σ multiplier × E|X|

N = TypeVar("N", bound=float | Fraction)

ErrorKind = Literal["exact", "bound", "estimate", "standard error"]


def frame(rows: Sequence[Sequence[Any]], index: Sequence[Any], name: str, columns: Sequence[str]) -> Any:
    """A data frame of pandas."""
    try:
        import pandas
    except ImportError:
        raise Ten18Error("data frames need pandas: pip install pandas") from None
    return pandas.DataFrame(rows, pandas.Index(index, name=name), columns)


def verify_error(worth: Real, error: float, unit: float) -> None:
    """Reject a worth whose error is above one percent of it, unless it is almost 0 in these units."""
    if not error <= max(MAX_ERROR * abs(float(worth)), NEAR_ZERO * unit):
        problem = f"float64 gives {float(worth):.6g} with an error of up to {error:.2g}, more than one percent"
        raise Ten18Error(problem, "distribution")


class Simulated(NamedTuple):
    """The worth of simulated games."""

    games: int
    mean: float
    sd: float
    stderr: float


class Policy(Generic[N]):
    """A solved problem, made by `Problem.solve`: `Policy[float]`, or `Policy[Fraction]` of an exact problem.

    >>> from tentimes18.assignment import Problem
    >>> from tentimes18.dice import Dice
    >>> policy = Problem(Dice.parse("3d6"), slots=[1, 2, 5], arrivals=10).solve()
    >>> policy.assign(13, left=9), policy.assign(13, left=1), policy.assign(5, left=9)
    (2, 3, None)
    >>> policy
    Policy(3 slots, value 109.9347)
    """

    def __init__(self, problem: "Problem", model: ArrivalModel, seller: VirtualDistribution | None = None) -> None:
        self.problem, self.model, self.seller, self.is_exact = problem, model, seller, model.is_exact
        self._zero: Any = Fraction(0) if model.is_exact else 0.0
        self.multipliers, self._must_fill = problem.multipliers, problem.must_fill
        sizes = [0.0] if model.is_exact else [dist.mean_size for dist in set(problem.distributions)]
        self._unit = max(sizes) * float(sum(self.multipliers))  # Σ multiplier × E|X|, at most
        self._n = n = len(self.multipliers)
        # Ranks 0, 1, ... go by increasing multiplier; `_slots` has the number of the slot of each rank.
        self._slots = [i + 1 for i in sorted(range(n), key=self.multipliers.__getitem__)]
        self._ranks = sorted(range(n), key=self._slots.__getitem__)
        self._by_rank = [self.multipliers[slot - 1] for slot in self._slots]
        self._all = list(range(n))
        self._placements: dict[Any, list[list[N]]] = {}
        self._last: tuple[Any, list[Any]] = (), []  # the last row, in one assignment: threads may ask

    def __repr__(self) -> str:
        return f"Policy({self._n} slot{'s' if self._n > 1 else ''}, value {float(self.value):.7g})"

    @cached_property
    def value(self) -> N:
        """The expected worth Σ multiplier × value under the optimal policy."""
        return self._worth(self.model.expected, self.model.error)

    @cached_property
    def hindsight(self) -> N:
        """The expected worth with all values known in advance.

        In a problem of revenue this is the optimal auction: the expected worth with all virtual values known in
        advance, not what a seller would earn who knew how much each buyer would pay.
        """
        return self._worth(*self._hindsight)

    @cached_property
    def _hindsight(self) -> HindsightRow:
        return self.model.hindsight()

    @property
    def hindsight_error(self) -> float:
        """A bound of the error of hindsight: 0 if it is exact."""
        return self._bounded(self._hindsight.error, self.hindsight)

    @property
    def regret(self) -> N:
        """Hindsight less the value."""
        hindsight: Any = self.hindsight
        regret: N = hindsight - self.value
        return regret

    @property
    def error(self) -> float:
        """A bound of the error of the value: 0 if it is exact. See `error_kind`."""
        return self._bounded(self.model.error, self.value)

    @property
    def error_kind(self) -> ErrorKind:
        """Whether ``error`` is a bound, or an estimate of it: so for Poisson arrivals and for revenue of smooth values.

        There the steps in time and the largest gain of a price are measured, not proved.
        """
        if self.is_exact:
            return "exact"
        return "estimate" if isinstance(self.seller, SmoothVirtual) or self.model.is_estimate else "bound"

    @property
    def regret_error(self) -> float:
        """A bound of the error of the regret."""
        return self.error + self.hindsight_error

    def _bounded(self, error: float, worth: Real) -> float:
        """The error of a worth, from that of every value in it."""
        if self.is_exact:
            return 0.0
        return float(sum(self.multipliers)) * error + 2.0**-51 * (1 + self._n) * abs(float(worth))

    def expected(self) -> list[N]:
        """The expected value in each slot at the beginning, by number."""
        return self._by_number(self._all, list(self.model.expected)[::-1])

    def _worth(self, row: Sequence[Real], error: float) -> N:
        """Σ λ_k e_k, which must be known to one percent; a slot that has no value yet adds nothing."""
        pairs = zip(reversed(self._by_rank), row, strict=False)
        worth: Any = sum((multiplier * e for multiplier, e in pairs if multiplier), self._zero)
        verify_error(worth, self._bounded(error, worth), self._unit)
        return worth  # type: ignore[no-any-return]

    def _row(self, left: Any, known: Any) -> list[Any]:
        """The thresholds, increasing: the last f of them are those of f free slots."""
        if isinstance(known, list):
            known = tuple(known)
        asked, row = self._last
        if asked != (left, known):
            row = [*self.model.row(left, known)]
            row.reverse()
            self._last = (left, known), row
        return row

    def _free(self, free: Iterable[int] | None) -> list[int]:
        """The ranks of the free slots, increasing."""
        if free is None:
            return self._all
        slots = list(free) if isinstance(free, Iterable) and not isinstance(free, str) else []
        are_slots = all(isinstance(slot, int | np.integer) and 1 <= slot <= self._n for slot in slots)
        if not slots or not are_slots or len(set(slots)) < len(slots):
            raise Ten18Error(f"free slots are different numbers from 1 to {self._n}", "free", free)
        return sorted(self._ranks[slot - 1] for slot in slots)

    def _by_number(self, ranks: Sequence[int], items: Sequence[Any]) -> list[Any]:
        """Items for these ranks, in the order of the numbers of their slots."""
        slots = [self._slots[rank] for rank in ranks]
        return [items[place] for place in sorted(range(len(items)), key=slots.__getitem__)]

    def _value(self, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float | Fraction | np.number) or value != value:
            raise Ten18Error("a value is a number", "value", value)
        return value if self.seller is None else self.seller.virtual(value)

    def _verify_room(self, row: list[Any], free: list[int], values: int = 1) -> None:
        if len(free) > values and row[values - len(free)] == -inf:
            raise Ten18Error(f"{len(free)} slots cannot all be filled by the arrivals left", "free", len(free))

    def thresholds(self, left: Any = None, free: Iterable[int] | None = None, known: Any = None) -> list[Any]:
        """The thresholds of the free slots, by number: a value above that of a slot goes to it or to a better slot.

        ``left`` is what is still to come after this arrival: a number of arrivals or batches, or the time until the
        deadline. ``known`` is what is known about the future: the regime of this arrival, the values seen ahead, or
        the values of a batch that remain to be placed after this one. In a problem of revenue the thresholds are those
        of virtual values. Where slots have increasing multipliers the thresholds increase, too.

        >>> from tentimes18.assignment import Problem, UniformDistribution
        >>> policy = Problem(UniformDistribution(0, 1), slots=2, arrivals=4).solve(exact=True)
        >>> [str(threshold) for threshold in policy.thresholds(left=2)]
        ['3/8', '5/8']
        """
        ranks = self._free(free)
        row = self._row(left, known)
        self._verify_room(row, ranks)
        return self._by_number(ranks, row[-len(ranks) :])

    def row(self, left: Any = None, known: Any = None) -> list[Any]:
        """The thresholds with all slots free, by number; -∞ where a slot must be filled by any value."""
        return self._by_number(self._all, self._row(left, known))

    @overload
    def assign(
        self, value: Real, free: Iterable[int] | None = None, left: Any = None, known: Any = None
    ) -> int | None: ...
    @overload
    def assign(
        self, value: Floats, free: Iterable[int] | None = None, left: Any = None, known: Any = None
    ) -> NDArray[np.int64]: ...
    def assign(self, value: Any, free: Iterable[int] | None = None, left: Any = None, known: Any = None) -> Any:
        """The slot for this value, or None: reject it. For an array of values an array of slots, with 0: reject.

        Of equally good choices the first: None before all slots (unless slots must be filled), then the slot with the
        smaller multiplier, then the smaller number. That is exact for exact policies; in float64 a value that equals
        its threshold may fall on either side of it, with the same expected worth.

        >>> from tentimes18.assignment import Problem, UniformDistribution
        >>> policy = Problem(UniformDistribution(0, 1), slots=[1, 3, 4], arrivals=6).solve()
        >>> policy.assign(0.7, free=[1, 3], left=2), policy.assign(0.5, free=[1, 3], left=2), policy.assign(0.1, left=5)
        (3, 1, None)
        >>> policy.assign(np.array([0.7, 0.5, 0.1]), free=[1, 3], left=2)
        array([3, 1, 0])
        """
        if isinstance(value, np.ndarray):
            return self._assign_each(value, free, left, known)
        if self.seller is not None or value.__class__ is not float or value != value:
            value = self._value(value)
        ranks = self._all if free is None else self._free(free)
        row = self._row(left, known)
        f, n = len(ranks), self._n
        if f > 1 and row[1 - f] == -inf:
            self._verify_room(row, ranks)
        i = bisect_left(row, value, n - f, n) - n + f - 1  # as many free slots have thresholds below the value
        return self._slot(ranks, i) or None

    def _slot(self, ranks: Sequence[int], i: int) -> int:
        """The slot for a value that exceeds the thresholds of the first i + 1 of these ranks; 0: reject it."""
        if i < 0:
            return 0
        multiplier = self._by_rank[ranks[i]]
        while i and self._by_rank[ranks[i - 1]] == multiplier:
            i -= 1
        return self._slots[ranks[i]] if multiplier or self._must_fill else 0

    def _assign_each(self, values: Any, free: Iterable[int] | None, left: Any, known: Any) -> NDArray[np.int64]:
        flat = values.ravel()
        if self.seller is not None or flat.dtype.kind not in "iuf" or np.isnan(flat).any():
            flat = np.array([self._value(value) for value in flat.tolist()])
        ranks, row = self._free(free), self._row(left, known)
        self._verify_room(row, ranks)
        slots = np.array([self._slot(ranks, i) for i in range(-1, len(ranks))])
        found: NDArray[np.int64] = slots[np.searchsorted(np.array(row[-len(ranks) :]), flat)]
        return found.reshape(values.shape)

    def assign_batch(
        self, values: Sequence[Any], free: Iterable[int] | None = None, left: Any = None
    ) -> list[int | None]:
        """The slots for values that are seen together, with this many batches still to come.

        >>> from tentimes18.assignment import Problem
        >>> policy = Problem([1, 2, 3, 4], slots=[1, 5], arrivals=6, batches=3).solve()
        >>> policy.assign_batch([2, 4, 4], left=1), policy.assign_batch([2, 4, 4], left=0)
        ([None, 2, 1], [None, 2, 1])
        """
        if not self.model.is_batched:
            raise Ten18Error("these values come one by one; accepted: a problem with batches", "values")
        if not isinstance(values, Iterable):
            raise Ten18Error("accepted: the values that are seen together", "values", values)
        ranks = list(self._free(free))
        known = [self._value(value) for value in values]
        row = self._row(left, None)
        self._verify_room(row, ranks, len(known))
        found: list[int | None] = [None] * len(known)
        kept = 0  # as many slots are kept for what is still to come
        for place in sorted(range(len(known)), key=known.__getitem__, reverse=True):
            while kept < len(ranks) and row[-1 - kept] >= known[place]:
                kept += 1
            slot = self._slot(ranks, len(ranks) - kept - 1)
            if not slot:
                break
            ranks.remove(self._ranks[slot - 1])
            found[place] = slot
        return found

    def losses(
        self, value: Any, free: Iterable[int] | None = None, left: Any = None, known: Any = None
    ) -> dict[int | None, N]:
        """The loss of every choice against the best one: of None, where rejecting is allowed, and every free slot.

        >>> from tentimes18.assignment import Problem, UniformDistribution
        >>> from fractions import Fraction
        >>> policy = Problem(UniformDistribution(0, 1), slots=[1, 3, 4], arrivals=6).solve(exact=True)
        >>> losses = policy.losses(Fraction(7, 10), free=[1, 3], left=2)
        >>> {slot: str(loss) for slot, loss in losses.items()}
        {None: '11/20', 1: '9/40', 3: '0'}
        """
        value = self._value(value)
        ranks = self._free(free)
        row = self._row(left, known)
        self._verify_room(row, ranks)
        f = len(ranks)
        worth: list[Any] = [0]  # of rejecting, then of each slot
        for i, (below, multiplier) in enumerate(pairwise([0, *(self._by_rank[rank] for rank in ranks)])):
            threshold = row[i - f]
            worth.append(worth[-1] + ((multiplier - below) * (value - threshold) if threshold > -inf else 0))
        may_reject = row[-f] > -inf
        best = max(worth if may_reject else worth[1:])
        losses: dict[int | None, Any] = {None: best - worth[0]} if may_reject else {}
        slots = sorted((self._slots[rank], place) for place, rank in enumerate(ranks, start=1))
        return losses | {slot: best - worth[place] for slot, place in slots}

    def prices(self, left: Any = None, free: Iterable[int] | None = None, known: Any = None) -> list[N]:
        """Posted prices of the free slots, by number, with which self-interested arrivals choose as the policy does.

        An arrival of value x takes the slot where multiplier × x - price is largest, and none where that is negative.

        >>> from tentimes18.assignment import Problem, UniformDistribution
        >>> policy = Problem(UniformDistribution(0, 1), [1, 3], arrivals=3).solve(exact=True)
        >>> [str(price) for price in policy.prices(left=2)]
        ['3/8', '13/8']
        """
        return self.price_rows([left], free, known)[0]

    def price_rows(self, lefts: Iterable[Any], free: Iterable[int] | None = None, known: Any = None) -> list[list[N]]:
        """The same prices for each of several times; a seller searches for all of them together."""
        ranks = self._free(free)
        rows = []
        for left in lefts:
            row = self._row(left, known)
            if row[-len(ranks)] == -inf:
                raise Ten18Error("slots that must be filled have no prices", "left", left)
            rows.append(row[-len(ranks) :])
        multipliers: list[Any] = [0, *(self._by_rank[rank] for rank in ranks)]
        steps = [i for i in range(len(ranks)) if multipliers[i + 1] != multipliers[i]]  # equal slots cost the same
        asked = iter(self.asked([row[i] for row in rows for i in steps]))
        prices: list[list[N]] = []
        for _ in rows:
            price: Any = 0
            line = []
            for i, (below, multiplier) in enumerate(pairwise(multipliers)):
                if i in steps:
                    price = price + (multiplier - below) * next(asked)
                line.append(price)
            prices.append(self._by_number(ranks, line))
        return prices

    def asked(self, thresholds: list[Any]) -> list[Any]:
        """The prices to post for these thresholds: in a problem of revenue those are of virtual values."""
        return thresholds if self.seller is None else self.seller.prices(thresholds)

    def price_table(self, lefts: Iterable[Any], known: Any = None) -> list[list[N]]:
        """The price of one of several equal slots: a row for each of ``lefts``, a column for 1, 2, ... slots left.

        >>> from tentimes18.assignment import Problem, UniformDistribution
        >>> policy = Problem(UniformDistribution(0, 1), 2, arrivals=3).solve(exact=True)
        >>> [[str(price) for price in row] for row in policy.price_table([2, 1])]
        [['5/8', '3/8'], ['1/2', '0']]
        """
        if len(set(self.multipliers)) > 1:
            raise Ten18Error("a table of prices needs equal slots", "slots")
        rows = [self._row(left, known)[::-1] for left in lefts]
        if any(row[-1] == -inf for row in rows):
            raise Ten18Error("slots that must be filled have no prices", "left")
        asked, multiplier = iter(self.asked([bound for row in rows for bound in row])), self.multipliers[0]
        return [[multiplier * next(asked) for _ in row] for row in rows]

    def placements(self, times: Sequence[float] | None = None) -> list[list[N]]:
        """Placement probabilities: [arrival][slot - 1] is the probability that this arrival fills this slot.

        With batches a row is a batch. With Poisson arrivals it is the time between two of these ``times``, or a
        hundredth of the time until the deadline. Endless arrivals have rows as long as values count 10^-18 or more.
        A slot of multiplier 0 stays empty, unless slots must be filled. In float64 a value that equals its threshold
        counts on either side of it: the worth is the same, the probabilities are not.

        >>> from tentimes18.assignment import Problem, UniformDistribution
        >>> policy = Problem(UniformDistribution(0, 1), slots=[1, 2], arrivals=3).solve(exact=True)
        >>> [[str(chance) for chance in row] for row in policy.placements()]
        [['1/4', '3/8'], ['3/8', '5/16'], ['3/8', '5/16']]
        """
        if times is not None and not isinstance(times, Iterable):
            raise Ten18Error("accepted: increasing times", "times", times)
        asked = None if times is None else tuple(times)
        if asked not in self._placements:
            best_first = [multiplier for multiplier in reversed(self._by_rank) if multiplier or self._must_fill]
            nothing = [self._zero] * (self._n - len(best_first))
            groups = [best_first.index(multiplier) for multiplier in best_first]
            rows = self.model.placements(groups, asked)
            self._placements[asked] = [self._by_number(self._all, [*nothing, *row[::-1]]) for row in rows]
        return self._placements[asked]

    def simulate(self, games: int, seed: int = 0) -> Simulated:
        """Simulated games; the values depend on the seed alone and are the same on every machine.

        >>> from tentimes18.assignment import Problem, UniformDistribution
        >>> policy = Problem(UniformDistribution(0, 1), slots=[1, 2], arrivals=5).solve()
        >>> found = policy.simulate(10_000, seed=18)
        >>> abs(found.mean - policy.value) < 4 * found.stderr
        True
        """
        if isinstance(games, bool) or not isinstance(games, int) or games < 1:
            raise Ten18Error("at least one game is required", "games", games)
        check_size("these games", operations=100.0 * self.model.length * games, field="games")
        total, squares = 0.0, 0.0
        at_once = max(1, min(games, VALUES_AT_ONCE // self.model.length))
        for first in range(0, games, at_once):
            worths = self.worths(min(at_once, games - first), seed, first)
            total += float(worths.sum())
            squares += float(worths @ worths)
        mean = total / games
        variance = max(0.0, squares / games - mean * mean) * (games / (games - 1) if games > 1 else 0.0)
        return Simulated(games, mean, sqrt(variance), sqrt(variance / games))

    def worths(self, games: int, seed: int = 0, first: int = 0) -> Floats:
        """The worth of each simulated game, from game number ``first`` on."""
        worths: Floats = np.zeros(games)
        self.model.play(seed, first, np.array([float(multiplier) for multiplier in reversed(self._by_rank)]), worths)
        return worths

    def to_frame(
        self,
        lefts: Iterable[Any] | None = None,
        known: Any = None,
        table: Literal["thresholds", "prices", "placements"] = "thresholds",
    ) -> Any:
        """A data frame of pandas, with a column for each slot and a row for each of ``lefts`` (or for each arrival)."""
        if table not in ("thresholds", "prices", "placements"):
            raise Ten18Error("accepted: thresholds, prices, placements", "table", table)
        columns = [f"slot {slot}" for slot in range(1, self._n + 1)]
        if table == "placements":
            rows = self.placements()
            return frame(rows, range(1, len(rows) + 1), "arrival", columns)
        shown = list(self.model.lefts() if lefts is None else lefts)
        rows = self.price_rows(shown, known=known) if table == "prices" else [self.row(left, known) for left in shown]
        return frame(rows, shown, "left", columns)

    def plot(self, kind: Literal["thresholds", "prices", "value"] = "thresholds") -> Any:
        """A figure of matplotlib, as `ten18 plot assign` draws it."""
        return import_module("tentimes18.pictures.plot_assignment").plot_problem(self.problem, kind)
