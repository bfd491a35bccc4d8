"""The problem: a law, slots, and a course of arrivals; what it takes, said in its own words.

Values arrive one by one. Each must at once be given to one of the free slots, or be refused; the worth is the sum of
multiplier × value. Slots may stay empty, unless `must_fill` says that they may not. The slots are known and there from
the beginning, and the worth is a product: where slots come later, or a value is worth something else in each slot,
the best play has no bounds that all slots share, and this library has no answer.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any, Final

import numpy as np

from tentimes18.assignment.arrivals import Endless, Poisson, RandomNumber
from tentimes18.assignment.courses.course import Course, Real
from tentimes18.assignment.courses.rounds import ExactRounds, FloatRounds, RoundsPlan
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.assignment.laws.reading import LawLike, as_law, is_number
from tentimes18.assignment.plan import AssignmentPlan
from tentimes18.errors import Ten18Error, quoted

__all__ = ["Problem"]

MOST_SLOTS: Final = 1_000_000
MOST_ARRIVALS: Final = 10**9


class Problem:
    """Values of this law, or of these laws in order of arrival; slots with these multipliers, or so many of multiplier 1.

    >>> from scipy import stats
    >>> problem = Problem(stats.gamma(2, scale=50), slots=[1, 1, 2, 5], arrivals=40)
    >>> plan = problem.solve()
    >>> round(plan.value, 4), plan.assign(130.0, free=[1, 3, 4], left=12)
    (2297.5723, None)

    ``arrivals`` is a number, `RandomNumber`, `Poisson` or `Endless`; ``discount`` what a value counts an arrival (or
    a unit of time) later, ``chance`` the chance that a value comes at all in a round.
    """

    def __init__(
        self,
        law: LawLike | Sequence[LawLike],
        slots: int | Iterable[Real],
        arrivals: int | RandomNumber | Poisson | Endless | None = None,
        *,
        discount: Real = 1,
        chance: Real = 1,
        must_fill: bool = False,
    ) -> None:
        self.laws = _laws(law)
        self.multipliers = _multipliers(slots)
        self.arrivals = _arrivals(arrivals, self.laws)
        self.discount = _share(discount, "discount")
        self.chance = _share(chance, "chance")
        self.must_fill = bool(must_fill)
        self._verify()

    def _verify(self) -> None:
        n, arrivals = len(self.multipliers), self.arrivals
        if self.must_fill:
            if not isinstance(arrivals, int) or self.chance != 1:
                raise Ten18Error("slots can only be sure to be filled by a known number of values", "must_fill", True)
            if n > arrivals:
                raise Ten18Error(f"{n} slots cannot all be filled by {arrivals} arrivals", "slots", n)
        if len(self.laws) > 1 and not isinstance(arrivals, int | RandomNumber):
            raise Ten18Error("a list of laws is one a round; accepted here: one law", "law", len(self.laws))

    def solve(self, exact: bool = False) -> AssignmentPlan:
        """The best play: in float64 with a bound of its error, or in Fractions where everything given is exact.

        >>> from tentimes18.dice import Dice
        >>> Problem(Dice.parse("1d6"), slots=[1, 2], arrivals=3).solve(exact=True).value
        Fraction(77, 6)
        """
        return AssignmentPlan(self.multipliers, self._course(exact))

    def _course(self, exact: bool) -> Course:
        arrivals = self.arrivals
        if isinstance(arrivals, int | RandomNumber):
            plan = self._rounds(exact)
            return ExactRounds(plan) if exact else FloatRounds(plan)
        raise Ten18Error("not yet", "arrivals")

    def _rounds(self, exact: bool) -> RoundsPlan:
        arrivals = self.arrivals
        N = arrivals if isinstance(arrivals, int) else arrivals.most
        numbers = np.arange(N) if len(self.laws) > 1 else np.zeros(N, dtype=np.int64)
        starts: Real = 1
        if isinstance(arrivals, int):
            go_on: Any = [1] * N if exact else np.ones(N)
            ends: Any = [0] * (N - 1) + [1] if exact else np.append(np.zeros(N - 1), 1.0)
        else:
            ends = list(arrivals.chances[1:])
            at_least = [arrivals.at_least(t) for t in range(1, N + 2)]
            starts = at_least[0]
            go_on = [after / before if after else 0 for before, after in zip(at_least, at_least[1:], strict=False)]
        if exact:
            laws, where = _different(self.laws)
            numbers = [where[number] for number in numbers] if len(self.laws) > 1 else [0] * N
            discount, chance = Fraction(self.discount), Fraction(self.chance)
            factors: Any = [discount * (Fraction(share) if isinstance(share, int) else share) for share in go_on]
            scales: Any = [discount**t for t in range(N)]
            chances: Any = [chance] * N
        else:
            laws, where = _different(self.laws)
            numbers = np.array(where)[numbers]
            factors = float(self.discount) * np.asarray(go_on, dtype=np.float64)
            scales = float(self.discount) ** np.arange(N)
            chances = np.full(N, float(self.chance))
            ends = np.asarray(ends, dtype=np.float64)
        return RoundsPlan(len(self.multipliers), laws, numbers, chances, factors, scales, ends, starts, self.must_fill)


def _different(laws: Sequence[ValueLaw]) -> tuple[tuple[ValueLaw, ...], list[int]]:
    """The laws without those that are there already, and where each of them is."""
    places: dict[int, int] = {}
    found: list[ValueLaw] = []
    where = []
    for law in laws:
        if id(law) not in places:
            places[id(law)] = len(found)
            found.append(law)
        where.append(places[id(law)])
    return tuple(found), where


def _laws(given: Any) -> tuple[ValueLaw, ...]:
    """One law; or one a round, where a list holds anything else than numbers."""
    if isinstance(given, list | tuple) and given and not all(map(is_number, given)):
        known: dict[int, ValueLaw] = {}
        return tuple(known.setdefault(id(law), as_law(law)) for law in given)
    return (as_law(given),)


def _multipliers(slots: Any) -> tuple[Real, ...]:
    if isinstance(slots, bool) or isinstance(slots, str):
        raise Ten18Error("accepted: a number of slots, or their multipliers", "slots", quoted(slots))
    if isinstance(slots, int | np.integer):
        if not 1 <= slots <= MOST_SLOTS:
            raise Ten18Error(f"accepted: 1 to {MOST_SLOTS} slots", "slots", slots)
        return (1,) * int(slots)
    if not isinstance(slots, Iterable):
        raise Ten18Error("accepted: a number of slots, or their multipliers", "slots", quoted(slots))
    found: list[Real] = []
    for multiplier in slots:
        if not is_number(multiplier) or not isfinite(multiplier):
            raise Ten18Error("a multiplier is a finite number", "slots", quoted(multiplier))
        if multiplier < 0:
            raise Ten18Error("a multiplier is 0 or more; where values are costs, turn their sign", "slots", multiplier)
        found.append(multiplier.item() if isinstance(multiplier, np.generic) else multiplier)
    if not 1 <= len(found) <= MOST_SLOTS:
        raise Ten18Error(f"accepted: 1 to {MOST_SLOTS} slots", "slots", len(found))
    return tuple(sorted(found))


def _arrivals(given: Any, laws: tuple[ValueLaw, ...]) -> int | RandomNumber | Poisson | Endless:
    if given is None and len(laws) > 1:
        return len(laws)
    if isinstance(given, np.integer):
        given = int(given)
    if isinstance(given, RandomNumber | Poisson | Endless):
        rounds = given.most if isinstance(given, RandomNumber) else None
    elif isinstance(given, int) and not isinstance(given, bool):
        if not 1 <= given <= MOST_ARRIVALS:
            raise Ten18Error(f"accepted: 1 to {MOST_ARRIVALS} arrivals", "arrivals", given)
        rounds = given
    else:
        raise Ten18Error("accepted: a number, RandomNumber, Poisson or Endless", "arrivals", quoted(given))
    if len(laws) > 1 and rounds is not None and rounds != len(laws):
        raise Ten18Error(f"{len(laws)} laws for {rounds} arrivals; accepted: a law for each, or one for all", "law")
    return given


def _share(given: Any, field: str) -> Real:
    if not is_number(given) or not 0 < given <= 1:
        raise Ten18Error("must be a number above 0, at most 1", field, quoted(given))
    return given.item() if isinstance(given, np.generic) else given
