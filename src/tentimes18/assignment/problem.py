"""The problem: a distribution, slots, and a course of arrivals; what it takes, said in its own words.

Values arrive one by one. Each must at once be given to one of the free slots, or be rejected; the worth is the sum of
multiplier × value. Slots may stay empty, unless `must_fill` says that they may not. The slots are known and there from
the beginning, and the worth is a product: where slots come later, or a value is worth something else in each slot,
the best play has no bounds that all slots share, and this library has no answer.
"""

from collections.abc import Iterable, Sequence
from copy import copy
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from typing import Any, Literal, overload

import numpy as np

from tentimes18.assignment.arrival_models import ArrivalModel, Real, Rounds
from tentimes18.assignment.arrivals import Endless, Poisson, RandomNumber, Regimes
from tentimes18.assignment.as_distribution import DistributionLike, as_distribution
from tentimes18.assignment.batches import BatchModel, LookaheadModel
from tentimes18.assignment.distributions import ValueDistribution, constant, is_number, mixed
from tentimes18.assignment.poisson_arrivals import PoissonModel
from tentimes18.assignment.policy import Policy
from tentimes18.assignment.rounds import KEPT_BYTES, EndlessRounds, ExactRounds, FloatRounds
from tentimes18.assignment.rule_values import Comparison, Evaluation, evaluate
from tentimes18.assignment.rules import Course, as_rule
from tentimes18.assignment.virtual_values import virtual_distribution
from tentimes18.errors import Ten18Error
from tentimes18.limits import check_size

MAX_SLOTS = 1_000_000
MAX_ARRIVALS = 10**9
MAX_IN_BATCHES = 10**7


class Problem:
    """Values of one distribution, or of one per arrival; slots with these multipliers, or this many of multiplier 1.

    >>> from scipy import stats
    >>> problem = Problem(stats.gamma(2, scale=50), slots=[1, 1, 2, 5], arrivals=40)
    >>> policy = problem.solve()
    >>> round(policy.value, 4), policy.assign(130.0, free=[1, 3, 4], left=12)
    (2297.5723, None)

    ``arrivals`` is a number, `RandomNumber`, `Poisson` or `Endless`; ``discount`` what a value counts an arrival (or
    a unit of time) later, ``chance`` the chance that a value comes at all in a round. With ``regimes`` the
    distributions are those of the regimes; with ``batches`` some values are seen together (a discount is then that of a
    batch), with ``ahead`` that many values are seen before they must be placed. With ``revenue`` the worth is what
    posted prices make instead of what the slots are worth to those who take them.

    Slots are numbered 1..n in the order in which they are given.

    Slots may stay empty: a value below 0 is rejected. With ``must_fill`` none may: then values below 0 are taken, too.

    >>> [Problem([-3, 1], 1, arrivals=1, must_fill=filled).solve().value for filled in (False, True)]
    [0.5, -1.0]
    """

    def __init__(
        self,
        distribution: DistributionLike | Sequence[DistributionLike],
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
        self.distributions = _distributions(distribution)
        self.multipliers = _multipliers(slots)
        self.arrivals = _arrivals(arrivals, self.distributions if regimes is None else self.distributions[:1])
        self.discount = _share(discount, "discount")
        self.chance = _share(chance, "chance")
        self.must_fill = bool(must_fill)
        self.regimes = regimes
        self.batches = self._batches(batches)
        self.ahead = ahead
        self.revenue = bool(revenue)
        self._verify()

    def _batches(self, given: Any) -> tuple[int, ...] | None:
        if given is None:
            return None
        if not isinstance(self.arrivals, int):
            raise Ten18Error("batches need a known number of arrivals", "batches", given)
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
        n, count, arrivals = len(self.multipliers), len(self.distributions), self.arrivals
        if self.must_fill:
            if not isinstance(arrivals, int) or self.chance != 1:
                raise Ten18Error("slots that must be filled need a known number of arrivals", "must_fill", True)
            if n > arrivals:
                raise Ten18Error(f"{n} slots cannot all be filled by {arrivals} arrivals", "slots", n)
            if self.revenue:
                raise Ten18Error("a seller who must sell has no prices; accepted: slots that may stay empty", "revenue")
        if self.regimes is not None and not isinstance(self.regimes, Regimes):
            raise Ten18Error("accepted: Regimes, with the transition probabilities", "regimes", self.regimes)
        if self.regimes is not None and count != self.regimes.size:
            problem = f"{count} distributions for {self.regimes.size} regimes; accepted: one distribution per regime"
            raise Ten18Error(problem, "distribution")
        if isinstance(self.ahead, bool) or not isinstance(self.ahead, int) or self.ahead < 0:
            raise Ten18Error("accepted: a number of values that are seen ahead, 0 or more", "ahead", self.ahead)
        special = {"regimes": self.regimes is not None, "batches": self.batches is not None, "ahead": self.ahead > 0}
        named = [field for field, is_there in special.items() if is_there]
        if len(named) > 1:
            raise Ten18Error(f"cannot be combined with {named[0]}; accepted: one of {', '.join(special)}", named[1])
        if named and not isinstance(arrivals, int if named[0] != "regimes" else int | RandomNumber):
            raise Ten18Error(f"with {named[0]} a known number of arrivals is accepted", "arrivals")
        if named and self.revenue:
            raise Ten18Error(f"cannot be combined with {named[0]}", "revenue")
        if count > 1 and self.regimes is None:
            if not isinstance(arrivals, int | RandomNumber) or named:
                problem = "a list has one distribution per round; accepted here: one distribution"
                raise Ten18Error(problem, "distribution", count)
            if self.revenue:
                raise Ten18Error("with revenue one distribution is accepted", "distribution", count)

    @overload
    def solve(self, exact: Literal[False] = False) -> Policy[float]: ...
    @overload
    def solve(self, exact: Literal[True]) -> Policy[Fraction]: ...
    @overload
    def solve(self, exact: bool) -> Policy[Any]: ...
    def solve(self, exact: bool = False) -> Policy[Any]:
        """The best play: in float64 with a bound of its error, or in Fractions where everything given is exact.

        >>> from tentimes18.dice import Dice
        >>> Problem(Dice.parse("1d6"), slots=[1, 2], arrivals=3).solve(exact=True).value
        Fraction(77, 6)
        """
        seller = virtual_distribution(self.distributions[0]) if self.revenue else None
        model = self._model(exact, self.distributions if seller is None else (seller,))
        return Policy(self, model, seller)

    def evaluate(self, rule: Any = "optimal", *, exact: bool = False, games: int = 2000, seed: int = 0) -> Evaluation:
        """The value of a rule, its loss against the best, and the distribution of its worth.

        ``rule`` is a `Rule` such as ``resolving()``, its name, a price, a policy, a table of thresholds by (left,
        number of free slots), or a function (value, free, left) -> slot or None. The function may also have parameters
        ``known`` and ``seen``, the values so far. Thresholds go to the free slots by multiplier, and a value goes to
        the best slot whose threshold is below it. What is too large to compute is simulated, and so is every rule but
        the optimal one where values are seen in batches or ahead: ``games`` games of this seed, with the same values
        for all rules. The error is then a standard error, as ``error_kind`` says.

        >>> problem = Problem({1: Fraction(1, 2), 5: Fraction(1, 2)}, 1, arrivals=2)
        >>> greedy = problem.evaluate(lambda value, free, left: free[0], exact=True)
        >>> greedy.value, greedy.loss, greedy.distribution.at_least(5)
        (Fraction(3, 1), Fraction(1, 1), Fraction(1, 2))
        """
        return evaluate(Course(self, exact), as_rule(rule), games, seed)

    def compare(self, rules: Iterable[Any], *, exact: bool = False, games: int = 2000, seed: int = 0) -> Comparison:
        """These rules beside the optimal one, the best first, with hindsight and the fluid bound.

        >>> from tentimes18.assignment import UniformDistribution
        >>> Problem(UniformDistribution(0, 1), 1, arrivals=10).compare(["prophet", "resolving"])
        rule               value       loss  of hindsight
        optimal        0.8610982          0        94.72%
        resolving      0.8535516   0.007547        93.89%
        prophet        0.7269989     0.1341        79.97%
        hindsight      0.9090909                  100.00%
        fluid bound         0.95                  104.50%
        """
        if isinstance(rules, str) or not isinstance(rules, Iterable):
            raise Ten18Error("accepted: a list of rules", "rules", rules)
        course = Course(self, exact)
        found = [evaluate(course, as_rule(rule), games, seed) for rule in ["optimal", *rules]]
        different = {each.rule: each for each in found}
        ordered = sorted(different.values(), key=lambda each: (-each.value, each.rule != "optimal"))
        return Comparison(tuple(ordered), course.fluid_bound)

    def sampling_error(self, samples: int = 200, seed: int = 0) -> float:
        """The standard error of the value if the distributions are samples: by the bootstrap, with this many resamples.

        >>> round(Problem([1, 2, 3, 4, 5, 6] * 10, 1, arrivals=1).sampling_error(), 1)  # √(35/12/60) = 0.22
        0.2
        """
        sizes = [getattr(dist, "size", None) for dist in self.distributions]
        if None in sizes:
            raise Ten18Error("accepted: samples, as arrays or lists of numbers", "distribution", str(self))
        if isinstance(samples, bool) or not isinstance(samples, int) or samples < 2:
            raise Ten18Error("at least two samples are required", "samples", samples)
        random, other, values = np.random.default_rng(seed), copy(self), []
        for _ in range(samples):
            drawn = {id(dist): dist.resampled(random) for dist in self.distributions}  # type: ignore[attr-defined]
            other.distributions = tuple(drawn[id(dist)] for dist in self.distributions)
            values.append(float(other.solve().value))
        return float(np.std(values, ddof=1))

    def __repr__(self) -> str:
        names = list(dict.fromkeys(map(str, self.distributions)))
        values = "; ".join(names[:3]) + ("; ..." if len(names) > 3 else "")
        options = {"discount": 1, "chance": 1, "must_fill": False, "regimes": None, "batches": None, "ahead": 0}
        options["revenue"] = False
        other = [f", {name}={getattr(self, name)}" for name, usual in options.items() if getattr(self, name) != usual]
        return f"Problem({values}, {len(self.multipliers)} slots, arrivals={self.arrivals}{''.join(other)})"

    def _model(self, exact: bool, distributions: tuple[ValueDistribution, ...]) -> ArrivalModel:
        arrivals, n = self.arrivals, len(self.multipliers)
        if exact:
            for distribution in distributions:
                distribution.exact_mean()  # complains where that is not known
            for multiplier in self.multipliers:
                _exactly(multiplier, "slots")
        if isinstance(arrivals, Poisson | Endless):
            if exact:
                raise Ten18Error("a number of arrivals, known or random, is accepted for exact results", "arrivals")
            discount, chance = float(self.discount), float(self.chance)
            if isinstance(arrivals, Endless):
                return EndlessRounds(n, distributions[0], discount, chance)
            return PoissonModel(n, distributions[0], arrivals, discount, chance)
        if self.batches is not None:
            factor, dist = self._number("discount", exact), self._with_nothing(distributions[0], exact)
            return BatchModel(n, dist, self.batches, factor, self.must_fill, exact)
        if self.ahead:
            rounds = self._rounds(arrivals, (self._with_nothing(distributions[0], exact),), exact, always=True)
            return LookaheadModel(rounds, self.ahead, exact)
        rounds = self._rounds(arrivals, distributions, exact)
        return ExactRounds(rounds) if exact else FloatRounds(rounds)

    def _with_nothing(self, distribution: ValueDistribution, exact: bool) -> ValueDistribution:
        """The distribution with a zero mixed in for the chance that no value comes."""
        if self.chance == 1:
            return distribution
        chance = _exactly(self.chance, "chance") if exact else self.chance
        return mixed([chance, 1 - chance], [distribution, constant(0)])

    def _number(self, field: Literal["discount", "chance"], exact: bool) -> Real:
        share: Real = getattr(self, field)
        return _exactly(share, field) if exact else float(share)

    def _rounds(
        self, arrivals: int | RandomNumber, given: tuple[ValueDistribution, ...], exact: bool, always: bool = False
    ) -> Rounds:
        """The rounds of these distributions; ``always`` says that a value comes in each."""
        N, n = arrivals if isinstance(arrivals, int) else arrivals.most, len(self.multipliers)
        check_size(
            "these rows",
            operations=15.0 * n * N,
            bytes=min(8.0 * n * (N + 1), KEPT_BYTES) + 16.0 * n + 100.0 * N,
            field="arrivals",
        )
        number: Any = Fraction if exact else float
        kind: Any = object if exact else np.float64
        discount, chance = self._number("discount", exact), number(1) if always else self._number("chance", exact)
        starts: Real = 1
        go_on, ends = np.ones(N, dtype=kind), np.append(np.zeros(N - 1, dtype=kind), number(1))
        if not isinstance(arrivals, int):
            at_least = [arrivals.at_least(t) for t in range(1, N + 2)]
            starts = at_least[0] if exact else float(at_least[0])
            go_on = np.array([after / before if after else 0 for before, after in pairwise(at_least)], dtype=kind)
            ends = np.array([number(chance) for chance in arrivals.chances[1:]], dtype=kind)
        distributions, numbers = given, np.zeros(N, dtype=np.int64)
        if self.regimes is None and len(given) > 1:
            places = {distribution: place for place, distribution in enumerate(dict.fromkeys(given))}
            distributions, numbers = tuple(places), np.array([places[distribution] for distribution in given])
        scales = np.full(N, discount, dtype=kind) ** np.arange(N, dtype=kind)
        chances = np.full(N, chance, dtype=kind)
        return Rounds(
            n, distributions, numbers, chances, discount * go_on, scales, ends, starts, self.must_fill, self.regimes
        )


def _exactly(number: Real, field: str) -> Fraction:
    if not isinstance(number, int | Fraction):
        raise Ten18Error("exact results need integers or Fractions", field, number)
    return Fraction(number)


def _distributions(given: Any) -> tuple[ValueDistribution, ...]:
    """One distribution; or one a round, where a list holds anything else than numbers."""
    if isinstance(given, list | tuple) and given and not all(map(is_number, given)):
        known: dict[int, ValueDistribution] = {}
        return tuple(known.setdefault(id(distribution), as_distribution(distribution)) for distribution in given)
    return (as_distribution(given),)


def _multipliers(slots: Any) -> tuple[Real, ...]:
    if isinstance(slots, int | np.integer) and not isinstance(slots, bool):
        if not 1 <= slots <= MAX_SLOTS:
            raise Ten18Error(f"accepted: 1 to {MAX_SLOTS} slots", "slots", slots)
        return (1,) * int(slots)
    if isinstance(slots, str) or not isinstance(slots, Iterable):
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
            raise Ten18Error("a multiplier is 0 or more; if values are costs, change their signs", "slots", multiplier)
        found.append(multiplier.item() if isinstance(multiplier, np.generic) else multiplier)
    if not 1 <= len(found) <= MAX_SLOTS:
        raise Ten18Error(f"accepted: 1 to {MAX_SLOTS} slots", "slots", len(found))
    return tuple(found)


def _arrivals(given: Any, distributions: tuple[ValueDistribution, ...]) -> int | RandomNumber | Poisson | Endless:
    if given is None and len(distributions) > 1:
        return len(distributions)
    arrivals = int(given) if isinstance(given, np.integer) else given
    if isinstance(arrivals, bool) or not isinstance(arrivals, int | RandomNumber | Poisson | Endless):
        raise Ten18Error("accepted: a number, RandomNumber, Poisson or Endless", "arrivals", given)
    if isinstance(arrivals, int) and not 1 <= arrivals <= MAX_ARRIVALS:
        raise Ten18Error(f"accepted: 1 to {MAX_ARRIVALS} arrivals", "arrivals", arrivals)
    rounds = arrivals.most if isinstance(arrivals, RandomNumber) else arrivals
    if isinstance(rounds, int) and len(distributions) not in (1, rounds):
        problem = f"{len(distributions)} distributions for {rounds} arrivals; accepted: one for each, or one for all"
        raise Ten18Error(problem, "distribution")
    return arrivals


def _share(given: Any, field: str) -> Real:
    if not is_number(given) or not 0 < given <= 1:
        raise Ten18Error("must be a number above 0, at most 1", field, given)
    number: Real = given.item() if isinstance(given, np.generic) else given
    return number
