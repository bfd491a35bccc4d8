"""How many values arrive, and when."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import fsum, inf, isfinite
from typing import Any, TypeAlias

import numpy as np

from tentimes18.assignment.distributions import verified_chances
from tentimes18.errors import Ten18Error

Share: TypeAlias = float | Fraction

Rate: TypeAlias = float | Callable[[float], float] | Sequence[tuple[float, float]]
"""A number, a function of time, or a table of (from this time on, this rate)."""

PIECES = 64  # a rate that is a function is read in this many parts, and halved where that is too few
DEEPEST = 30
MAX_ARRIVALS = 10**9
MAX_NUMBER = 10**6  # of arrivals whose number is random

_PLACES, _WEIGHTS = (side.tolist() for side in np.polynomial.legendre.leggauss(5))


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
        if hasattr(chances, "pmf"):
            with np.errstate(all="ignore"):
                (least, most), size = chances.support(), 64
                while chances.sf(size) > 1e-17 and size <= MAX_NUMBER:
                    size *= 2
            most = min(most, size)
            if not 0 <= least <= most <= MAX_NUMBER:
                raise Ten18Error(f"a number of arrivals is an integer from 0 to {MAX_NUMBER}", "arrivals")
            found = np.asarray(chances.pmf(np.arange(most + 1)), dtype=np.float64)
            given: Any = (found / found.sum()).tolist()
        elif isinstance(chances, Mapping):
            for number in chances:
                if not isinstance(number, int) or not 0 <= number <= MAX_NUMBER:
                    accepted = f"a number of arrivals is an integer from 0 to {MAX_NUMBER}"
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
        if end <= begin:
            return 0.0
        if isinstance(self.rate, Sequence):
            ends = [float(start) for start, _ in self.rate[1:]] + [inf]
            pieces = zip(self.rate, ends, strict=True)
            return fsum(float(rate) * max(0.0, min(end, stop) - max(begin, start)) for (start, rate), stop in pieces)
        if not callable(self.rate):
            return float(self.rate) * (end - begin)
        step = (end - begin) / PIECES
        return fsum(self._integral(begin + i * step, begin + (i + 1) * step, DEEPEST) for i in range(PIECES))

    def _integral(self, begin: float, end: float, deeper: int) -> float:
        middle = (begin + end) / 2
        whole, halves = self._gauss(begin, end), self._gauss(begin, middle) + self._gauss(middle, end)
        if deeper == 0 or abs(whole - halves) <= 1e-13 * abs(halves) + 1e-300:
            return halves
        return self._integral(begin, middle, deeper - 1) + self._integral(middle, end, deeper - 1)

    def _gauss(self, begin: float, end: float) -> float:
        middle, half = (begin + end) / 2, (end - begin) / 2
        return half * fsum(w * self.at(middle + half * u) for u, w in zip(_PLACES, _WEIGHTS, strict=True))


def _verify_rate(rate: float) -> float:
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not (isfinite(rate) and rate >= 0):
        try:
            number = float(rate)
        except (TypeError, ValueError):
            number = -1.0
        if not (isfinite(number) and number >= 0):
            raise Ten18Error("a rate is a number, 0 or more", "rate", rate)
        return number
    return float(rate)


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
