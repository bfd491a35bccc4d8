"""The problem: a law, slots, and a course of arrivals; what it takes, said in its own words.

Values arrive one by one. Each must at once be given to one of the free slots, or be refused; the worth is the sum of
multiplier × value. Slots may stay empty, unless `must_fill` says that they may not. The slots are known and there from
the beginning, and the worth is a product: where slots come later, or a value is worth something else in each slot,
the best play has no bounds that all slots share, and this library has no answer.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np

from tentimes18.assignment.arrival_models import ArrivalModel, Real, Rounds
from tentimes18.assignment.arrivals import Endless, Poisson, RandomNumber, Regimes
from tentimes18.assignment.as_law import LawLike, as_law
from tentimes18.assignment.batches import BatchModel, ExactBatches, FloatBatches
from tentimes18.assignment.distributions import ValueLaw, constant, is_number, mixed
from tentimes18.assignment.lookahead import LookaheadModel
from tentimes18.assignment.poisson_arrivals import PoissonModel
from tentimes18.assignment.policy import Policy
from tentimes18.assignment.rounds import KEPT_BYTES, EndlessRounds, ExactRounds, FloatRegimes, FloatRounds
from tentimes18.assignment.virtual_values import virtual_law
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size

MAX_SLOTS = 1_000_000
MAX_ARRIVALS = 10**9
MAX_IN_BATCHES = 10**7


class Problem:
    """Values of this law, or of these laws in order; slots with these multipliers, or so many of multiplier 1.

    >>> from scipy import stats
    >>> problem = Problem(stats.gamma(2, scale=50), slots=[1, 1, 2, 5], arrivals=40)
    >>> policy = problem.solve()
    >>> round(policy.value, 4), policy.assign(130.0, free=[1, 3, 4], left=12)
    (2297.5723, None)

    ``arrivals`` is a number, `RandomNumber`, `Poisson` or `Endless`; ``discount`` what a value counts an arrival (or
    a unit of time) later, ``chance`` the chance that a value comes at all in a round. With ``regimes`` the laws are
    those of the regimes; with ``batches`` some values are seen together (a discount is then that of a batch), with
    ``ahead`` so many values are seen before they are to be placed. With ``revenue`` the worth is what posted prices
    make instead of what the slots are worth to those who take them.

    Slots are numbered 1..n by increasing multiplier, in whatever order they are given.

    Slots may stay empty: a value below 0 is refused. With ``must_fill`` none may: then values below 0 are taken, too.

    >>> [Problem([-3, 1], 1, arrivals=1, must_fill=filled).solve().value for filled in (False, True)]
    [0.5, -1.0]
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
        regimes: Regimes | None = None,
        batches: int | Sequence[int] | None = None,
        ahead: int = 0,
        revenue: bool = False,
    ) -> None:
        self.laws = _laws(law)
        self.multipliers = _multipliers(slots)
        self.arrivals = _arrivals(arrivals, self.laws if regimes is None else self.laws[:1])
        self.discount = _share(discount, "discount")
        self.chance = _share(chance, "chance")
        self.must_fill = bool(must_fill)
        self.regimes = regimes
        self.batches = self._batches(batches)
        self.ahead = ahead
        self.revenue = bool(revenue)
        self._verify()

    def _batches(self, given: Any) -> tuple[int, ...] | None:
        """The sizes of the batches, in order of arrival."""
        if given is None:
            return None
        if not isinstance(self.arrivals, int):
            raise Ten18Error("batches are of a known number of arrivals", "batches", given)
        N = self.arrivals
        if N > MAX_IN_BATCHES:
            raise Ten18Error(f"at most {MAX_IN_BATCHES} arrivals in batches are accepted", "arrivals", N)
        if isinstance(given, int) and not isinstance(given, bool) and given > 0:
            sizes = (given,) * (N // given) + ((N % given,) if N % given else ())
        else:
            sizes = tuple(given) if isinstance(given, Sequence) else ()
        if not sizes or not all(isinstance(size, int) and size > 0 for size in sizes) or sum(sizes) != N:
            raise Ten18Error(f"a size, or positive sizes that add up to {N}, are accepted", "batches", given)
        return sizes

    def _verify(self) -> None:
        n, arrivals = len(self.multipliers), self.arrivals
        if self.must_fill:
            if not isinstance(arrivals, int) or self.chance != 1:
                raise Ten18Error("slots can only be sure to be filled by a known number of values", "must_fill", True)
            if n > arrivals:
                raise Ten18Error(f"{n} slots cannot all be filled by {arrivals} arrivals", "slots", n)
            if self.revenue:
                raise Ten18Error("a seller who must sell has no prices; accepted: slots that may stay empty", "revenue")
        if self.regimes is not None and not isinstance(self.regimes, Regimes):
            raise Ten18Error("accepted: Regimes, with the chances to go from each to each", "regimes", self.regimes)
        if self.regimes is not None and len(self.laws) != self.regimes.size:
            problem = f"{len(self.laws)} laws for {self.regimes.size} regimes; accepted: a law a regime"
            raise Ten18Error(problem, "law")
        if isinstance(self.ahead, bool) or not isinstance(self.ahead, int) or self.ahead < 0:
            raise Ten18Error("accepted: a number of values that are seen ahead, 0 or more", "ahead", self.ahead)
        special = {"regimes": self.regimes is not None, "batches": self.batches is not None, "ahead": self.ahead > 0}
        named = [field for field, is_there in special.items() if is_there]
        if len(named) > 1:
            raise Ten18Error(f"not together with {named[0]}; accepted: one of {', '.join(special)}", named[1])
        if named and not isinstance(arrivals, int if named[0] != "regimes" else int | RandomNumber):
            raise Ten18Error(f"with {named[0]} a known number of arrivals is accepted", "arrivals")
        if named and self.revenue:
            raise Ten18Error(f"not together with {named[0]}", "revenue")
        if len(self.laws) > 1 and self.regimes is None:
            if not isinstance(arrivals, int | RandomNumber) or named:
                raise Ten18Error("a list of laws is one a round; accepted here: one law", "law", len(self.laws))
            if self.revenue:
                raise Ten18Error("with revenue one law is accepted", "law", len(self.laws))

    def solve(self, exact: bool = False) -> Policy:
        """The best play: in float64 with a bound of its error, or in Fractions where everything given is exact.

        >>> from tentimes18.dice import Dice
        >>> Problem(Dice.parse("1d6"), slots=[1, 2], arrivals=3).solve(exact=True).value
        Fraction(77, 6)
        """
        seller = virtual_law(self.laws[0]) if self.revenue else None
        return Policy(self.multipliers, self._model(exact, self.laws if seller is None else (seller,)), seller)

    def _model(self, exact: bool, laws: tuple[ValueLaw, ...]) -> ArrivalModel:
        arrivals, n = self.arrivals, len(self.multipliers)
        if exact:
            for law in laws:
                law.exact_mean()  # complains where that is not known
            for multiplier in self.multipliers:
                _exactly(multiplier, "slots")
        if isinstance(arrivals, Poisson | Endless):
            if exact:
                raise Ten18Error("a number of arrivals, known or random, is accepted for exact results", "arrivals")
            discount, chance = float(self.discount), float(self.chance)
            if isinstance(arrivals, Endless):
                return EndlessRounds(n, laws[0], discount, chance)
            return PoissonModel(n, laws[0], arrivals, discount, chance)
        if self.batches is not None:
            factor = _exactly(self.discount, "discount") if exact else self.discount
            kind: type[BatchModel] = ExactBatches if exact else FloatBatches
            return kind(n, self._with_nothing(laws[0], exact), self.batches, factor, self.must_fill)
        if self.ahead:
            rounds = self._rounds(arrivals, (self._with_nothing(laws[0], exact),), exact, always=True)
            return LookaheadModel(rounds, self.ahead, exact)
        rounds = self._rounds(arrivals, laws, exact)
        if exact:
            return ExactRounds(rounds)
        return FloatRounds(rounds) if self.regimes is None else FloatRegimes(rounds)

    def _with_nothing(self, law: ValueLaw, exact: bool) -> ValueLaw:
        """The law with a zero mixed in for the chance that no value comes."""
        if self.chance == 1:
            return law
        chance = _exactly(self.chance, "chance") if exact else self.chance
        return mixed([chance, 1 - chance], [law, constant(0)])

    def _rounds(
        self, arrivals: int | RandomNumber, given: tuple[ValueLaw, ...], exact: bool, always: bool = False
    ) -> Rounds:
        """The rounds of these laws; ``always`` says that a value comes in each."""
        starts: Real = 1
        N = arrivals if isinstance(arrivals, int) else arrivals.most
        n = len(self.multipliers)
        check_size(
            "these rows",
            operations=15.0 * n * N,
            bytes=min(8.0 * n * (N + 1), KEPT_BYTES) + 16.0 * n + 100.0 * N,
            field="arrivals",
        )
        if isinstance(arrivals, int):
            go_on: Any = [1] * N if exact else np.ones(N)
            ends: Any = [0] * (N - 1) + [1] if exact else np.append(np.zeros(N - 1), 1.0)
        else:
            ends = list(arrivals.chances[1:])
            at_least = [arrivals.at_least(t) for t in range(1, N + 2)]
            starts = at_least[0]
            go_on = [after / before if after else 0 for before, after in pairwise(at_least)]
        laws, where = _different(given) if self.regimes is None else (given, [0])
        numbers: Any = where if len(where) > 1 else np.zeros(N, dtype=np.int64)
        comes: Real = 1 if always else self.chance
        if exact:
            discount, chance = _exactly(self.discount, "discount"), _exactly(comes, "chance")
            factors: Any = [discount * share for share in go_on]
            scales: Any = [discount**t for t in range(N)]
            chances: Any = [chance] * N
        else:
            factors = float(self.discount) * np.asarray(go_on, dtype=np.float64)
            scales = float(self.discount) ** np.arange(N)
            chances = np.full(N, float(comes))
            ends = np.asarray(ends, dtype=np.float64)
        return Rounds(n, laws, numbers, chances, factors, scales, ends, starts, self.must_fill, self.regimes)


def _exactly(number: Real, field: str) -> Fraction:
    """A number that is given exactly."""
    if not isinstance(number, int | Fraction):
        raise Ten18Error("exact results need integers or Fractions", field, number)
    return Fraction(number)


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
    if isinstance(slots, bool | str):
        raise Ten18Error("accepted: a number of slots, or their multipliers", "slots", slots)
    if isinstance(slots, int | np.integer):
        if not 1 <= slots <= MAX_SLOTS:
            raise Ten18Error(f"accepted: 1 to {MAX_SLOTS} slots", "slots", slots)
        return (1,) * int(slots)
    if not isinstance(slots, Iterable):
        raise Ten18Error("accepted: a number of slots, or their multipliers", "slots", slots)
    found: list[Real] = []
    for multiplier in slots:
        if callable(multiplier):
            problem = "the worth must be multiplier × value: of other functions no bounds are shared by all slots"
            raise Ten18Error(problem, "slots", multiplier)
        if isinstance(multiplier, Sequence):
            problem = "a slot is a multiplier, there from the beginning: slots that come later share no bounds"
            raise Ten18Error(problem, "slots", multiplier)
        if not is_number(multiplier) or not isfinite(multiplier):
            raise Ten18Error("a multiplier is a finite number", "slots", multiplier)
        if multiplier < 0:
            raise Ten18Error("a multiplier is 0 or more; where values are costs, turn their sign", "slots", multiplier)
        found.append(multiplier.item() if isinstance(multiplier, np.generic) else multiplier)
    if not 1 <= len(found) <= MAX_SLOTS:
        raise Ten18Error(f"accepted: 1 to {MAX_SLOTS} slots", "slots", len(found))
    return tuple(sorted(found))


def _arrivals(given: Any, laws: tuple[ValueLaw, ...]) -> int | RandomNumber | Poisson | Endless:
    if given is None and len(laws) > 1:
        return len(laws)
    if isinstance(given, np.integer):
        given = int(given)
    if isinstance(given, RandomNumber | Poisson | Endless):
        rounds = given.most if isinstance(given, RandomNumber) else None
    elif isinstance(given, int) and not isinstance(given, bool):
        if not 1 <= given <= MAX_ARRIVALS:
            raise Ten18Error(f"accepted: 1 to {MAX_ARRIVALS} arrivals", "arrivals", given)
        rounds = given
    else:
        raise Ten18Error("accepted: a number, RandomNumber, Poisson or Endless", "arrivals", given)
    if len(laws) > 1 and rounds is not None and rounds != len(laws):
        raise Ten18Error(f"{len(laws)} laws for {rounds} arrivals; accepted: a law for each, or one for all", "law")
    found: int | RandomNumber | Poisson | Endless = given
    return found


def _share(given: Any, field: str) -> Real:
    if not is_number(given) or not 0 < given <= 1:
        raise Ten18Error("must be a number above 0, at most 1", field, given)
    number: Real = given.item() if isinstance(given, np.generic) else given
    return number
