"""The arrivals of an episode of `Assignment-v0`, one by one: drawn or given, with all that the best play knows of them.

Each kind of arrivals has a stream of its own. What is seen of an arrival besides its value stands in ``shown``, in the
order that `AssignmentEnv` tells. In an endless course a discount is the chance that the course goes on.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from math import inf, isfinite
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tentimes18.assignment.arrivals import Endless, Poisson, RandomNumber
from tentimes18.assignment.distributions import ValueLaw, is_number
from tentimes18.assignment.poisson_arrivals import Clock
from tentimes18.assignment.problem import Problem
from tentimes18.envs.arguments import options_in
from tentimes18.errors import Ten18Error

LEAST_CHANCE = 2.0**-54  # at which a value is drawn, and the most: all values between them are finite
MOST_CHANCE = 1 - 2.0**-53
VALUES_AHEAD = 64  # drawn at once, where all have one law
MOST_IN_SIGHT = 1_000  # values besides the one that is to be placed

Options: TypeAlias = dict[str, Any]
Random: TypeAlias = np.random.Generator


class Arrival(NamedTuple):
    """A value, its age in discounts, what is left to come after it and is known of that, and what is shown of it."""

    value: float
    age: float
    left: Any
    known: Any
    shown: tuple[float, ...]


class ArrivalStream(ABC):
    """The arrivals of one episode after the other."""

    fields: tuple[str, ...] = ("values",)
    """The options that say which arrivals come."""
    width = 1
    """How many numbers are shown besides a value."""
    in_sight = 0
    """How many of them, the last ones, are values of others."""
    counts: tuple[int, float] = (0, inf)
    """How many arrivals can be given, at least and at most."""
    at_once = 1
    """How many values are drawn at once."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def start(self, random: Random, given: Options | None) -> None:
        """Begin an episode, with arrivals that are given or will be drawn."""
        self._random, self._given, self._round = random, given, 0
        self._draws = [_Draws(law, random, self.at_once) for law in self.problem.laws]

    @abstractmethod
    def next(self) -> Arrival | None:
        """The next arrival, or none where no more come."""

    def read(self, options: Options | None) -> Options | None:
        """The arrivals that are given, each field a list of as many numbers."""
        accepted = "{" + ", ".join(f"'{name}': [...]" for name in self.fields) + "}"
        options = options_in(options, accepted)
        if not options:
            return None
        if options.keys() != set(self.fields):
            raise Ten18Error(f"accepted: {accepted}", "options", options)
        found = {name: _listed(given) for name, given in options.items()}
        least, most = self.counts
        for name, numbers in found.items():
            is_right = numbers is not None and least <= len(numbers) <= most and self._is_right(name, numbers)
            if not is_right or len(numbers or ()) != len(found[self.fields[0]] or ()):
                raise Ten18Error(f"accepted: {self._accepted(name)}", name, options[name])
        return found

    def _is_right(self, name: str, numbers: Sequence[Any]) -> bool:  # noqa: ARG002 (others have more fields)
        return all(is_number(number) and isfinite(number) for number in numbers)

    def _accepted(self, name: str) -> str:  # noqa: ARG002
        least, most = self.counts
        return f"{least} numbers" if least == most else f"{least} to {most} numbers"

    def _value(self, number: int, law: int = 0) -> float | None:
        """The value of a round; none where none comes."""
        if self._given is not None:
            value = self._given["values"][number]
            return None if value is None else float(value)
        chance = float(self.problem.chance)
        if chance != 1 and self._random.random() >= chance:
            return None
        return self._draws[law]()


class _Draws:
    """Values of a law, some of them drawn at once."""

    def __init__(self, law: ValueLaw, random: Random, at_once: int) -> None:
        self._law, self._random, self._at_once = law, random, at_once
        self._drawn: list[float] = []

    def __call__(self) -> float:
        if not self._drawn:
            chances = np.maximum(self._random.random(self._at_once), LEAST_CHANCE)
            self._drawn = np.asarray(self._law.quantile(chances))[::-1].tolist()
        return self._drawn.pop()


class RoundStream(ArrivalStream):
    """A number of rounds, known or random: of a law, a law a round, or a law a regime; some values seen ahead."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        arrivals = problem.arrivals
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
        regimes = problem.regimes
        self._chains = None
        if regimes is not None:
            self.fields = ("values", "regimes")
            self._chains = [list(accumulate(map(float, row))) for row in (*regimes.transitions, regimes.begin)]
        self.width = 1 + (0 if regimes is None else regimes.size) + 2 * self.in_sight

    @cached_property
    def _known(self) -> set[float] | None:
        """The values that can be seen ahead, where some are."""
        if not self.in_sight:
            return None
        return {float(values[0]) for values in self.problem.solve().model.knowns(1)}

    def _is_right(self, name: str, numbers: Sequence[Any]) -> bool:
        problem = self.problem
        if name == "regimes":
            assert problem.regimes is not None
            return all(isinstance(number, int) and 0 <= number < problem.regimes.size for number in numbers)
        if self._known is not None:
            return all(is_number(number) and float(number) in self._known for number in numbers)
        return super()._is_right(name, [number for number in numbers if number is not None or problem.chance == 1])

    def _accepted(self, name: str) -> str:
        told = super()._accepted(name)
        if name == "regimes":
            assert self.problem.regimes is not None
            return told.replace("numbers", f"regimes from 0 to {self.problem.regimes.size - 1}, one for each value")
        if self._known is not None:
            return told.replace("numbers", "values of the law")
        return told if self.problem.chance == 1 else f"{told}, or None where no value comes"

    def start(self, random: Random, given: Options | None) -> None:
        """See `ArrivalStream`."""
        self._regime = -1  # before the first
        if given is not None:
            self._count = len(given["values"])
        elif self._sums is None:
            self._count = self._most
        else:
            self._count = min(int(np.searchsorted(self._sums, random.random() * self._sums[-1], "right")), self._most)
        if len(self.problem.laws) == 1:
            self.at_once = max(1, min(VALUES_AHEAD, self._count))
        super().start(random, given)
        self._window: deque[float] = deque()

    def next(self) -> Arrival | None:
        """See `ArrivalStream`."""
        while self._round < self._count:
            number = self._round
            self._round += 1
            regime = None if self._chains is None else self._next_regime(number)
            law = regime if regime is not None else number if len(self._draws) > 1 else 0
            value = self._seen(number) if self.in_sight else self._value(number, law)
            if value is not None:
                left = self._most - 1 - number
                known: Any = tuple(self._window) if self.in_sight else regime
                return Arrival(value, number, left, known, (left / self._most, *self._others_shown(regime)))
        return None

    def _next_regime(self, number: int) -> int:
        assert self._chains is not None
        if self._given is not None:
            self._regime = int(self._given["regimes"][number])
        else:
            sums = self._chains[self._regime]
            self._regime = min(int(np.searchsorted(sums, self._random.random() * sums[-1], "right")), len(sums) - 1)
        return self._regime

    def _others_shown(self, regime: int | None) -> tuple[float, ...]:
        if self.problem.regimes is not None:
            return tuple(float(regime == each) for each in range(self.problem.regimes.size))
        return _sights(self._window, self.in_sight) if self.in_sight else ()

    def _seen(self, number: int) -> float:
        """The value of a round, when those after it are in sight; where none comes it is 0."""
        if not number:
            self._window.extend(self._value(later) or 0.0 for later in range(min(self.in_sight, self._count)))
        if number + self.in_sight < self._count:
            self._window.append(self._value(number + self.in_sight) or 0.0)
        return self._window.popleft()


class BatchStream(ArrivalStream):
    """Values that are seen in batches: to be placed one by one, while the others of the batch are in sight."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self._sizes = problem.batches or ()
        self.in_sight = max(self._sizes) - 1
        if self.in_sight > MOST_IN_SIGHT:
            raise Ten18Error(f"accepted: batches of at most {MOST_IN_SIGHT + 1:,} values", "problem")
        self.width = 1 + 2 * self.in_sight
        self.counts = sum(self._sizes), sum(self._sizes)
        self.at_once = max(self._sizes)

    def start(self, random: Random, given: Options | None) -> None:
        """See `ArrivalStream`."""
        super().start(random, given)
        self._batch, self._rest = -1, deque[float]()

    def next(self) -> Arrival | None:
        """See `ArrivalStream`."""
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
    """A Poisson process until a deadline: the share of the time that is left is shown."""

    fields = ("values", "times")

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        assert isinstance(problem.arrivals, Poisson)
        self._clock = Clock(problem.arrivals, float(problem.chance))

    def _is_right(self, name: str, numbers: Sequence[Any]) -> bool:
        if not super()._is_right(name, numbers):
            return False
        if name == "values":
            return True
        is_increasing = all(before <= after for before, after in pairwise(numbers))
        return is_increasing and all(0 <= time <= self._clock.until for time in numbers)

    def _accepted(self, name: str) -> str:
        return (
            "numbers" if name == "values" else f"increasing times from 0 to {self._clock.until:g}, one for each value"
        )

    def start(self, random: Random, given: Options | None) -> None:
        """See `ArrivalStream`."""
        super().start(random, given)
        self._count = 0.0

    def next(self) -> Arrival | None:
        """See `ArrivalStream`."""
        if self._given is not None:
            if self._round == len(self._given["values"]):
                return None
            value, time = (float(self._given[name][self._round]) for name in self.fields)
            self._round += 1
        else:
            self._count += float(self._random.exponential())  # arrivals by the clock, of which a unit brings one
            if self._count > self._clock.total:
                return None
            value, time = self._draws[0](), float(self._clock.reached(np.array([self._count]))[0])
        left = self._clock.until - time
        return Arrival(value, time, left, None, (left / self._clock.until,))


class EndlessStream(ArrivalStream):
    """Arrivals for ever, each of which comes about with the discount as its chance: an episode ends at last."""

    width = 0

    def _accepted(self, name: str) -> str:  # noqa: ARG002
        return "numbers; no more come after them"

    def next(self) -> Arrival | None:
        """See `ArrivalStream`."""
        if self._given is not None and self._round == len(self._given["values"]):
            return None
        while self._given is not None or self._round == 0 or self._random.random() < float(self.problem.discount):
            self._round += 1
            value = self._value(self._round - 1)
            if value is not None:
                return Arrival(value, 0, None, None, ())
        return None


def stream_of(problem: Problem) -> ArrivalStream:
    """The stream of a problem, whatever its arrivals are; prices are not what an agent of these chooses."""
    if not isinstance(problem, Problem):
        raise Ten18Error("accepted: a tentimes18.assignment.Problem", "problem", problem)
    if problem.revenue:
        accepted = "a problem without revenue: a seller posts prices before a value is seen, and places none"
        raise Ten18Error(f"accepted: {accepted}", "problem")
    if problem.batches is not None:
        return BatchStream(problem)
    if isinstance(problem.arrivals, Poisson):
        return TimeStream(problem)
    return EndlessStream(problem) if isinstance(problem.arrivals, Endless) else RoundStream(problem)


def _sights(values: Sequence[float], most: int) -> tuple[float, ...]:
    """Which of the places for values in sight are taken, and by what."""
    empty = most - len(values)
    return (*([1.0] * len(values)), *([0.0] * empty), *values, *([0.0] * empty))


def _listed(given: Any) -> list[Any] | None:
    """The numbers of a list or an array."""
    if isinstance(given, np.ndarray):
        given = given.tolist()
    return list(given) if isinstance(given, list | tuple) else None
