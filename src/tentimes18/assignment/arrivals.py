"""How many values arrive, and when; and the arrivals of one game after the other, drawn, or fixed by the user.

Each kind of arrivals has its own stream. ``shown`` has what an agent of `Assignment-v0` sees of an arrival besides its
value, in the order that `AssignmentEnv` lists. Where arrivals have no end, a discount is the probability that another
round follows.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import fsum, inf, isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Floats
from tentimes18.assignment.distributions import is_number, verified_chances
from tentimes18.assignment.excess import subdivide
from tentimes18.errors import Ten18Error

if TYPE_CHECKING:
    from tentimes18.assignment.problem import Problem

Share: TypeAlias = float | Fraction

Rate: TypeAlias = float | Callable[[float], float] | Sequence[tuple[float, float]]
"""A number, a function of time, or a table of (from this time on, this rate)."""

MAX_ARRIVALS = 10**9
MAX_NUMBER = 10**6  # of arrivals whose number is random
MIN_CHANCE = 2.0**-54  # at which a value is drawn, and the largest: all values between them are finite
MAX_CHANCE = 1 - 2.0**-53
VALUES_AHEAD = 64  # drawn at once, where all have one distribution
MAX_IN_SIGHT = 1_000  # values besides the one to place

CLOCK_CELLS = 64  # of a function, to begin with
CLOCK_DEGREE = 6
CLOCK_CLOSE = 1e-13  # of the largest rate
NARROWEST = 2.0**-44  # of the whole time
MAX_CLOCK_CELLS = 1 << 13
BETWEEN = 16  # points of a cell from which a time is looked for
_NODES = np.cos(np.pi * (np.arange(CLOCK_DEGREE + 1) + 0.5) / (CLOCK_DEGREE + 1))
_CHECKS = np.append(np.cos(np.pi * np.arange(1, CLOCK_DEGREE + 1) / (CLOCK_DEGREE + 1)), [0.1, 0.999])
_TO_POWERS = np.linalg.inv(np.vander(_NODES, CLOCK_DEGREE + 1, increasing=True))
_AT_CHECKS = np.vander(_CHECKS, CLOCK_DEGREE + 1, increasing=True)


@dataclass(frozen=True, slots=True)
class Endless:
    """Values arrive forever: with a discount below 1 a slot that waits longer gets less."""


@dataclass(frozen=True, slots=True)
class RandomNumber:
    """The number of arrivals is random: chances of 1, 2, ... arrivals, or of the numbers that a mapping names.

    A frozen SciPy distribution is taken as far as its chances matter, up to 10^-17.

    >>> RandomNumber([0.1, 0.2, 0.7]).most, RandomNumber({0: 0.5, 4: 0.5}).at_least(1)
    (3, 0.5)
    """

    chances: tuple[float | Fraction, ...]  # of 0, 1, 2, ... arrivals

    def __init__(self, chances: Any) -> None:
        accepted = f"a number of arrivals is an integer from 0 to {MAX_NUMBER}"
        if hasattr(chances, "pmf"):
            with np.errstate(all="ignore"):
                (least, most), size = chances.support(), 64
                while chances.sf(size) > 1e-17 and size <= MAX_NUMBER:
                    size *= 2
            most = min(most, size)
            if not 0 <= least <= most <= MAX_NUMBER:
                raise Ten18Error(accepted, "arrivals")
            found = np.asarray(chances.pmf(np.arange(most + 1)), dtype=np.float64)
            given: Any = (found / found.sum()).tolist()
        elif isinstance(chances, Mapping):
            for number in chances:
                if not isinstance(number, int) or not 0 <= number <= MAX_NUMBER:
                    raise Ten18Error(accepted, "arrivals", number)
            given = [chances.get(number, 0) for number in range(max(chances, default=-1) + 1)]
        else:
            given = [0, *chances] if isinstance(chances, Iterable) else []
        verified = verified_chances(given, "arrivals")
        while not verified[-1]:
            verified = verified[:-1]
        if len(verified) < 2:
            raise Ten18Error("nothing ever arrives; accepted: chances of 1, 2, ... arrivals", "arrivals")
        object.__setattr__(self, "chances", verified)

    @property
    def most(self) -> int:
        return len(self.chances) - 1

    def at_least(self, number: int) -> float | Fraction:
        rest = self.chances[number:]
        if all(isinstance(chance, int | Fraction) for chance in self.chances):
            return sum((Fraction(chance) for chance in rest), Fraction(0))
        return min(1.0, fsum(map(float, rest)) / fsum(map(float, self.chances)))


@dataclass(frozen=True, slots=True)
class Poisson:
    """A Poisson process with this rate, from time 0 until a deadline.

    >>> Poisson(rate=3.0, until=8.0).expected(0.0, 8.0)
    24.0
    >>> Poisson(rate=[(0, 2.0), (5, 10.0)], until=8.0).expected(4.0, 6.0)
    12.0
    >>> round(Poisson(rate=lambda time: 2 * time, until=3.0).expected(0.0, 3.0), 12)
    9.0
    """

    rate: Rate
    until: float

    def __post_init__(self) -> None:
        if not (isinstance(self.until, int | float) and isfinite(self.until) and self.until > 0):
            raise Ten18Error("the deadline must be a positive time", "until", self.until)
        if isinstance(self.rate, Sequence):
            pairs = not isinstance(self.rate, str) and all(isinstance(p, Sequence) and len(p) == 2 for p in self.rate)
            starts = [_verify_rate(start) for start, _ in self.rate] if pairs else []
            if not starts or starts[0] != 0 or any(b <= a for a, b in pairwise(starts)):
                raise Ten18Error("a table of rates has increasing times, the first of them 0", "rate", self.rate)
            for _, rate in self.rate:
                _verify_rate(rate)
        elif not callable(self.rate):
            _verify_rate(self.rate)
        total = self.expected(0.0, float(self.until))
        if total <= 0:
            raise Ten18Error("nothing ever arrives at this rate", "rate")
        if total > MAX_ARRIVALS:
            raise Ten18Error(f"{total:.3g} expected arrivals, at most {MAX_ARRIVALS:.0e} are accepted", "rate")

    def at(self, time: float) -> float:
        if callable(self.rate):
            return _verify_rate(self.rate(time))
        if isinstance(self.rate, Sequence):
            return float(next(rate for start, rate in reversed(self.rate) if start <= time))
        return float(self.rate)

    def breaks(self) -> list[float]:
        """The times from 0 to the deadline between which the rate is smooth."""
        table = self.rate if isinstance(self.rate, Sequence) else []
        return [0.0, *(float(start) for start, _ in table if 0 < start < self.until), float(self.until)]

    def expected(self, begin: float, end: float) -> float:
        first, last = Clock(self).counted(np.array([begin, end], dtype=np.float64))
        return max(0.0, float(last - first))


class Clock:
    """The expected number of arrivals by each time: a polynomial on each of some cells.

    It is a straight line where the rate is a number or a table. A function is looked at in Chebyshev's points, and a
    cell is halved until its polynomial is right between them, too.
    """

    def __init__(self, arrivals: Poisson, chance: float = 1.0) -> None:
        self.until = float(arrivals.until)
        if callable(arrivals.rate):
            edges, rates, self.error = _tabulated(arrivals)
        else:
            edges = np.array(arrivals.breaks())
            rates = np.array([[arrivals.at(float(middle))] for middle in (edges[:-1] + edges[1:]) / 2])
            self.error = 0.0
        self.edges: Floats = edges
        self.rates: Floats = chance * rates  # polynomials in u, which goes from -1 to 1
        self.error *= chance
        whole = self._until(np.arange(len(edges) - 1), np.ones(len(edges) - 1))
        self.counts: Floats = np.append(0.0, np.cumsum(whole))
        self.total = float(self.counts[-1])

    def _until(self, cells: Any, u: Floats) -> Floats:
        """The arrivals of a cell, from its beginning to u."""
        total: Floats = np.zeros(len(u))
        for power in range(self.rates.shape[1] - 1, -1, -1):
            total += self.rates[cells, power] * (u ** (power + 1) - (-1.0) ** (power + 1)) / (power + 1)
        half = (self.edges[cells + 1] - self.edges[cells]) / 2
        found: Floats = np.maximum(total, 0.0) * half
        return found

    def _place(self, times: Floats) -> tuple[Any, Floats]:
        cells = np.clip(np.searchsorted(self.edges, times, side="right") - 1, 0, len(self.rates) - 1)
        begin, end = self.edges[cells], self.edges[cells + 1]
        return cells, np.clip(2.0 * (times - begin) / (end - begin) - 1.0, -1.0, 1.0)

    def counted(self, times: Floats) -> Floats:
        """The expected number of arrivals by each of these times."""
        cells, u = self._place(times)
        found: Floats = self.counts[cells] + self._until(cells, u)
        return found

    def rate(self, times: Floats) -> Floats:
        cells, u = self._place(times)
        rates: Floats = np.polynomial.polynomial.polyval(u, self.rates[cells].T, tensor=False)
        return np.maximum(rates, 0.0)

    def reached(self, counts: Floats) -> Floats:
        """The time by which this many are expected: between two points of a table, and one step of Newton's."""
        known, times = self._table
        found: Floats = np.interp(counts, known, times)
        if self.rates.shape[1] > 1:
            rate = self.rate(found)
            step = np.where(rate > 0, (self.counted(found) - counts) / np.maximum(rate, 1e-300), 0.0)
            cells = np.searchsorted(times, found, side="right")
            least, most = times[np.maximum(cells - 1, 0)], times[np.minimum(cells, len(times) - 1)]
            found = np.clip(found - step, least, most)
        return found

    @cached_property
    def _table(self) -> tuple[Floats, Floats]:
        if self.rates.shape[1] == 1:
            return self.counts, self.edges
        widths = np.diff(self.edges)[:, None]
        times = np.append((self.edges[:-1, None] + widths * np.arange(BETWEEN) / BETWEEN).ravel(), self.edges[-1])
        return self.counted(times), times


def _tabulated(arrivals: Poisson) -> tuple[Floats, Floats, float]:
    """The edges of cells, a polynomial on each, and what these miss, in expected arrivals."""
    until = float(arrivals.until)
    largest, seen, missed = 0.0, 0, 0.0

    def attempt(starts: Floats, ends: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        nonlocal largest, seen, missed
        half, middle = (ends - starts)[:, None] / 2, (ends + starts)[:, None] / 2
        there, between = (
            np.array([[arrivals.at(time) for time in row] for row in (middle + half * points).tolist()])
            for points in (_NODES, _CHECKS)
        )
        powers = there @ _TO_POWERS.T
        wrong = np.abs(powers @ _AT_CHECKS.T - between).max(axis=1)
        largest, seen = max(largest, float(there.max()), float(between.max())), seen + len(starts)
        is_narrow = (ends - starts <= NARROWEST * until) | (seen > MAX_CLOCK_CELLS)
        taken = (wrong <= CLOCK_CLOSE * largest) | is_narrow
        missed += float(((ends - starts) * wrong)[taken].sum())
        return powers, taken

    lefts, _, powers = subdivide(np.linspace(0.0, until, CLOCK_CELLS + 1), attempt, "this rate is too rough", "rate")
    return np.append(lefts, until), powers, missed


def _verify_rate(rate: float) -> float:
    try:
        number = float(rate)
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if not (isfinite(number) and number >= 0):
        raise Ten18Error("a rate is a number, 0 or more", "rate", rate)
    return number


@dataclass(frozen=True, slots=True)
class Regimes:
    """A Markov chain: the chances to go from each regime to each, and the first regime, or its chances.

    >>> Regimes([[0.9, 0.1], [0.5, 0.5]], start=1).begin
    (0, 1)
    """

    transitions: tuple[tuple[float | Fraction, ...], ...]
    begin: tuple[float | Fraction, ...]

    def __init__(self, transitions: Sequence[Sequence[Share]], start: int | Sequence[Share] = 0) -> None:
        given = tuple(transitions) if isinstance(transitions, Iterable) else ()
        rows = tuple(verified_chances(row, "regimes") for row in given)
        if not rows or any(len(row) != len(rows) for row in rows):
            raise Ten18Error("the transition probabilities must be a square matrix", "regimes")
        if isinstance(start, int | np.integer):
            if not 0 <= start < len(rows):
                raise Ten18Error(f"there is no regime {start}; accepted: 0 to {len(rows) - 1}", "start")
            begin: tuple[float | Fraction, ...] = tuple(int(start == s) for s in range(len(rows)))
        else:
            begin = verified_chances(start, "start")
            if len(begin) != len(rows):
                raise Ten18Error(f"{len(begin)} probabilities of the first regime for {len(rows)} regimes", "start")
        object.__setattr__(self, "transitions", rows)
        object.__setattr__(self, "begin", begin)

    @property
    def size(self) -> int:
        return len(self.transitions)

    def verify(self, known: Any) -> int:
        if isinstance(known, bool) or not isinstance(known, int | np.integer) or not 0 <= known < self.size:
            accepted = f"the regime of this arrival, 0 to {self.size - 1}"
            raise Ten18Error(f"is not a regime; accepted: {accepted}", "known", known)
        return int(known)


# The arrivals of a game.

Options: TypeAlias = dict[str, Any]
Random: TypeAlias = np.random.Generator
Check: TypeAlias = tuple[str, Callable[[Sequence[Any]], bool]]
"""Which lists of numbers a stream accepts, in words ({}: how many numbers), and the check of one."""


class Arrival(NamedTuple):
    """A value, its age in discounts, what may still come after it and is known of that, and what an agent sees."""

    value: float
    age: float
    left: Any
    known: Any
    shown: tuple[float, ...]


class ArrivalStream(ABC):
    """The arrivals of one episode after the other."""

    width = 1  # how many numbers an agent sees besides a value
    in_sight = 0  # how many of them, the last ones, are other values
    counts: tuple[int, float] = (0, inf)  # the least and the largest number of arrivals
    at_once = 1  # how many values are drawn at once

    def __init__(self, problem: "Problem") -> None:
        self.problem = problem

    def start(self, random: Random, fixed: Options | None) -> None:
        """Begin an episode, with fixed arrivals or random ones."""
        self._random, self._fixed, self._round = random, fixed, 0
        self._drawn: list[list[float]] = [[] for _ in self.problem.distributions]

    @abstractmethod
    def next(self) -> Arrival | None:
        """The next arrival, or none where no more come."""

    def read(self, options: Options | None) -> Options | None:
        """The fixed arrivals that the options of a reset have: for each field a list of numbers."""
        checks = self._checks()
        accepted = "{" + ", ".join(f"'{name}': [...]" for name in checks) + "}"
        if not options and (options is None or isinstance(options, Mapping)):
            return None
        if not isinstance(options, Mapping) or options.keys() != checks.keys():
            raise Ten18Error(f"accepted: {accepted}", "options", options)
        fixed: Options = {}
        least, most = self.counts
        for name, (phrase, is_right) in checks.items():
            numbers = options[name].tolist() if isinstance(options[name], np.ndarray) else options[name]
            is_list = isinstance(numbers, list | tuple) and least <= len(numbers) <= most
            if not is_list or len(numbers) != len(fixed.get("values", numbers)) or not is_right(numbers):
                count = least if least == most else f"{least} to {most}"
                raise Ten18Error(f"accepted: {phrase.format(count)}", name, options[name])
            fixed[name] = list(numbers)
        return fixed

    def _checks(self) -> dict[str, Check]:
        """What is accepted in each field of the options."""
        return {"values": ("{} numbers", _are_finite)}

    def _value(self, number: int, distribution: int = 0) -> float | None:
        """The value of a round; none where none comes."""
        if self._fixed is not None:
            value = self._fixed["values"][number]
            return None if value is None else float(value)
        chance = float(self.problem.chance)
        return None if chance != 1 and self._random.random() >= chance else self._draw(distribution)

    def _draw(self, distribution: int = 0) -> float:
        drawn = self._drawn[distribution]
        if not drawn:
            chances = np.maximum(self._random.random(self.at_once), MIN_CHANCE)
            drawn += np.asarray(self.problem.distributions[distribution].quantile(chances))[::-1].tolist()
        return drawn.pop()


class RoundStream(ArrivalStream):
    """Rounds, whose number may be random: of one distribution, one per round or one per regime; perhaps seen ahead."""

    def __init__(self, problem: "Problem") -> None:
        super().__init__(problem)
        arrivals, regimes = problem.arrivals, problem.regimes
        self._sums: list[float] | None = None
        if isinstance(arrivals, RandomNumber):
            self._sums = list(accumulate(map(float, arrivals.chances)))
            self._most = arrivals.most
            self.counts = next(number for number, chance in enumerate(arrivals.chances) if chance), self._most
        else:
            assert isinstance(arrivals, int)
            self._most = arrivals
            self.counts = arrivals, arrivals
        self.in_sight = min(problem.ahead, self._most - 1)
        self._chains: list[list[float]] = []
        if regimes is not None:
            self._chains = [list(accumulate(map(float, row))) for row in (*regimes.transitions, regimes.begin)]
        self.width = 1 + (0 if regimes is None else regimes.size) + 2 * self.in_sight

    @cached_property
    def _support(self) -> set[float]:
        """The values that can be seen ahead."""
        return {float(values[0]) for values in self.problem.solve().model.knowns(1)}

    def _checks(self) -> dict[str, Check]:
        regimes, checks = self.problem.regimes, super()._checks()

        def are_values(numbers: Sequence[Any]) -> bool:
            return all(is_number(number) and float(number) in self._support for number in numbers)

        def are_finite_or_none(numbers: Sequence[Any]) -> bool:
            return _are_finite([number for number in numbers if number is not None])

        def are_regimes(numbers: Sequence[Any]) -> bool:
            return regimes is not None and all(isinstance(s, int) and 0 <= s < regimes.size for s in numbers)

        if self.in_sight:
            checks["values"] = "{} values of the distribution", are_values
        elif self.problem.chance != 1:
            checks["values"] = "{} numbers, or None where no value comes", are_finite_or_none
        if regimes is not None:
            checks["regimes"] = f"{{}} regimes from 0 to {regimes.size - 1}, one for each value", are_regimes
        return checks

    def start(self, random: Random, fixed: Options | None) -> None:
        if fixed is not None:
            self._count = len(fixed["values"])
        elif self._sums is None:
            self._count = self._most
        else:
            self._count = _drawn_place(self._sums, random)
        if len(self.problem.distributions) == 1:
            self.at_once = max(1, min(VALUES_AHEAD, self._count))
        super().start(random, fixed)
        self._regime = -1  # before the first
        self._window: deque[float] = deque()

    def next(self) -> Arrival | None:
        while self._round < self._count:
            number = self._round
            self._round += 1
            if self._chains:
                if self._fixed is not None:
                    self._regime = int(self._fixed["regimes"][number])
                else:
                    self._regime = _drawn_place(self._chains[self._regime], self._random)
            distribution = self._regime if self._chains else number if len(self.problem.distributions) > 1 else 0
            value = self._slide(number) if self.in_sight else self._value(number, distribution)
            if value is not None:
                left = self._most - 1 - number
                known: Any = self._regime if self._chains else tuple(self._window) if self.in_sight else None
                shown = left / self._most, *(float(self._regime == each) for each in range(len(self._chains) - 1))
                return Arrival(value, number, left, known, (*shown, *_sights(self._window, self.in_sight)))
        return None

    def _slide(self, number: int) -> float:
        """The value of a round, with those after it in the window; where none comes it is 0."""
        if not number:
            self._window.extend(self._value(later) or 0.0 for later in range(min(self.in_sight, self._count)))
        if number + self.in_sight < self._count:
            self._window.append(self._value(number + self.in_sight) or 0.0)
        return self._window.popleft()


class BatchStream(ArrivalStream):
    """Values that come in batches: an agent places them one by one, and sees the others of the batch."""

    def __init__(self, problem: "Problem") -> None:
        super().__init__(problem)
        self._sizes = problem.batches or ()
        self.in_sight = max(self._sizes) - 1
        if self.in_sight > MAX_IN_SIGHT:
            raise Ten18Error(f"accepted: batches of at most {MAX_IN_SIGHT + 1:,} values", "problem")
        self.width = 1 + 2 * self.in_sight
        self.counts = sum(self._sizes), sum(self._sizes)
        self.at_once = max(self._sizes)

    def start(self, random: Random, fixed: Options | None) -> None:
        super().start(random, fixed)
        self._batch, self._rest = -1, deque[float]()

    def next(self) -> Arrival | None:
        if not self._rest:
            self._batch += 1
            if self._batch >= len(self._sizes):
                return None
            size = self._sizes[self._batch]
            self._rest.extend(self._value(self._round + i) or 0.0 for i in range(size))
            self._round += size
        value, left = self._rest.popleft(), len(self._sizes) - 1 - self._batch
        shown = (left / len(self._sizes), *_sights(self._rest, self.in_sight))
        return Arrival(value, self._batch, left, tuple(self._rest), shown)


class TimeStream(ArrivalStream):
    """A Poisson process until a deadline: an agent sees the share of the time that is left."""

    def __init__(self, problem: "Problem") -> None:
        super().__init__(problem)
        assert isinstance(problem.arrivals, Poisson)
        self._clock = Clock(problem.arrivals, float(problem.chance))

    def _checks(self) -> dict[str, Check]:
        until = self._clock.until

        def are_times(numbers: Sequence[Any]) -> bool:
            is_increasing = _are_finite(numbers) and all(before <= after for before, after in pairwise(numbers))
            return is_increasing and all(0 <= time <= until for time in numbers)

        times = f"increasing times from 0 to {until:g}, one for each value"
        return {"values": ("numbers", _are_finite), "times": (times, are_times)}

    def start(self, random: Random, fixed: Options | None) -> None:
        super().start(random, fixed)
        self._count = 0.0

    def next(self) -> Arrival | None:
        if self._fixed is not None:
            if self._round == len(self._fixed["values"]):
                return None
            value, time = (float(self._fixed[name][self._round]) for name in ("values", "times"))
            self._round += 1
        else:
            self._count += float(self._random.exponential())  # arrivals by the clock, of which a unit brings one
            if self._count > self._clock.total:
                return None
            value, time = self._draw(), float(self._clock.reached(np.array([self._count]))[0])
        left = self._clock.until - time
        return Arrival(value, time, left, None, (left / self._clock.until,))


class EndlessStream(ArrivalStream):
    """Arrivals without an end: after each, the next one comes with the discount as its probability."""

    width = 0

    def _checks(self) -> dict[str, Check]:
        return {"values": ("numbers; no more come after them", _are_finite)}

    def next(self) -> Arrival | None:
        if self._fixed is not None and self._round == len(self._fixed["values"]):
            return None
        while self._fixed is not None or self._round == 0 or self._random.random() < float(self.problem.discount):
            self._round += 1
            value = self._value(self._round - 1)
            if value is not None:
                return Arrival(value, 0, None, None, ())
        return None


def stream_of(problem: "Problem") -> ArrivalStream:
    """The stream of a problem with any kind of arrivals, but not of one in which prices are posted."""
    if problem.batches is not None:
        return BatchStream(problem)
    if isinstance(problem.arrivals, Poisson):
        return TimeStream(problem)
    return EndlessStream(problem) if isinstance(problem.arrivals, Endless) else RoundStream(problem)


def _drawn_place(sums: list[float], random: Random) -> int:
    """A random place, given the sums of the probabilities up to each."""
    return min(int(np.searchsorted(sums, random.random() * sums[-1], "right")), len(sums) - 1)


def _sights(values: Sequence[float], most: int) -> tuple[float, ...]:
    """1 for each value in sight, then these values, each padded with zeros to ``most`` places."""
    empty = [0.0] * (most - len(values))
    return (*([1.0] * len(values)), *empty, *values, *empty)


def _are_finite(numbers: Sequence[Any]) -> bool:
    return all(is_number(number) and isfinite(number) for number in numbers)
