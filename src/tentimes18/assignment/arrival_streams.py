"""The arrivals of one game after the other, for any rule: drawn, or fixed by the user.

Each kind of arrivals has its own stream. ``shown`` has what an agent of `Assignment-v0` sees of an arrival besides its
value, in the order that `AssignmentEnv` lists. Where arrivals have no end, a discount is the probability that another
round follows.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from tentimes18.assignment.arrivals import Clock, Endless, Poisson, RandomNumber
from tentimes18.assignment.distributions import is_number
from tentimes18.errors import Ten18Error

if TYPE_CHECKING:
    from tentimes18.assignment.problem import Problem

MIN_CHANCE = 2.0**-54  # at which a value is drawn, and the largest: all values between them are finite
MAX_CHANCE = 1 - 2.0**-53
VALUES_AHEAD = 64  # drawn at once, where all have one distribution
MAX_IN_SIGHT = 1_000  # values besides the one to place

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

    width = 1
    """How many numbers an agent sees besides a value."""
    in_sight = 0
    """How many of them, the last ones, are other values."""
    counts: tuple[int, float] = (0, inf)
    """The least and the largest number of arrivals."""
    at_once = 1
    """How many values are drawn at once."""

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
