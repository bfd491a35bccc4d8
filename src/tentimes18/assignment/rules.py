"""The rules that the field compares: static prices, the fluid rule and its re-solving, prophet inequalities, and more.

A rule has thresholds, or makes choices. With f slots free and thresholds t_1 >= ... >= t_f a value x goes to the free
slot of rank 1 + #{k: t_k >= x}, the best slot having rank 1; if all t_k >= x it is rejected. In a problem of revenue
the thresholds are values of buyers, and a buyer who is exactly at one buys.

With D(t) the expected number of values above t that are still to come, the *fluid* problem replaces random numbers of
values by their means: the k best slots get the values above τ_k, where D(τ_k) = k, and are worth at most

    L_k = min_t E[Σ max(X - t, 0)] + k t,        Σ (λ_k - λ_{k+1}) L_k in all.

No rule makes more on average, and hindsight does not either (Gallego and van Ryzin 1994).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from inspect import signature
from math import inf, isfinite, log, sqrt
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from tentimes18.arrays import Floats
from tentimes18.assignment.arrival_models import Rounds
from tentimes18.assignment.distributions import FiniteDistribution, ValueDistribution, is_number
from tentimes18.assignment.hindsight import Tails, tails_of
from tentimes18.assignment.poisson_arrivals import PoissonModel
from tentimes18.assignment.policy import Policy
from tentimes18.assignment.rounds import EndlessRounds
from tentimes18.errors import Ten18Error

if TYPE_CHECKING:
    from tentimes18.assignment.problem import Problem

MAX_ROWS = 4096  # of thresholds that a rule remembers

Group: TypeAlias = tuple[float, float, ValueDistribution]
"""Values to come: their expected number, what multiplies them, and their distribution."""

Row: TypeAlias = Callable[[Any, int, Any], Any]
"""(left, number of free slots, known) -> their thresholds, or one for all."""

Choose: TypeAlias = Callable[[Any, Sequence[int], Any, Any, Sequence[Any]], "int | None"]
"""(value, free, left, known, values seen so far) -> a slot, or None: reject."""


@dataclass(frozen=True)
class Rule:
    """A rule by its name: what makes thresholds for a problem, or choices.

    Thresholds are ``constant`` where they do not depend on what is still to come; choices have a ``memory`` where they
    depend on the values seen so far.
    """

    name: str
    thresholds: "Callable[[Course], Row] | None" = None
    choices: "Callable[[Course], Choose] | None" = None
    constant: bool = False
    memory: bool = False


class Course:
    """What a rule may ask of a problem."""

    def __init__(self, problem: "Problem", exact: bool = False) -> None:
        self.problem, self.exact = problem, exact
        self.policy: Policy[Any] = problem.solve(exact=exact)
        self.n = len(self.policy.multipliers)
        self.floor = -inf if problem.must_fill else 0.0
        self.has_equal_slots = len(set(self.policy.multipliers)) == 1
        self._least_price = -inf if self.policy.seller is None else float(self.policy.seller.price(0))

    @cached_property
    def rounds(self) -> Rounds | None:
        """The rounds of the problem, where its values are seen one by one; of endless arrivals those that count."""
        model: Any = self.policy.model
        if self.problem.batches is not None or self.problem.ahead or isinstance(model, PoissonModel):
            return None
        return (model.finite if isinstance(model, EndlessRounds) else model).rounds

    def to_come(
        self, left: Any = None, known: Any = None, *, this: bool = True, everything: bool = False
    ) -> list[Group]:
        """The values that are still to come, with or without this one, or all of them; seen from now."""
        problem, model = self.problem, self.policy.model
        if isinstance(model, PoissonModel):
            seen = model.to_come(model.clock.until if everything else float(left))
            return [(weight, scale, problem.distributions[0]) for weight, scale in seen]
        if problem.batches is not None:
            sizes = problem.batches if everything else problem.batches[len(problem.batches) - 1 - left :]
            now = sizes[0] if everything else this + len(known or ())
            numbers = [float(problem.chance) * size for size in (now, *sizes[1:])]
            return [(m, float(problem.discount) ** t, problem.distributions[0]) for t, m in enumerate(numbers)]
        rounds: Rounds = model.rounds if self.rounds is None else self.rounds  # type: ignore[attr-defined]
        dists = rounds.dists if self.policy.seller is None else problem.distributions
        first = 0 if everything or left is None else rounds.size - 1 - left
        if isinstance(problem.arrivals, int) and len(dists) == 1 and problem.discount == 1:
            later = float(rounds.chances[0]) * (rounds.size - first - (not everything))
            return [(later + (this and not everything), 1.0, dists[0])]
        continues, choices = rounds.continues(), rounds.choices
        shares, chain = rounds.chain(np.float64)
        if known is not None and rounds.regimes is not None:
            shares = (np.arange(len(chain)) == known).astype(np.float64)
        groups: dict[tuple[int, float], float] = {}
        happens = 1.0
        for t in range(first, rounds.size):
            comes = float(this)
            if t > first:
                shares = shares @ chain
            if t > first or everything:
                happens *= continues[t]
                comes = happens * float(rounds.chances[t])
            scale = float(rounds.scales[t]) / float(rounds.scales[first])
            for number, share in zip(choices[t].tolist(), shares.tolist(), strict=True):
                groups[number, scale] = groups.get((number, scale), 0.0) + comes * share
        return [(weight, scale, dists[number]) for (number, scale), weight in groups.items() if weight]

    def moment(self, left: Any, known: Any) -> tuple[Any, Any]:
        """All that `to_come` depends on."""
        return left, known if self.problem.regimes is not None else range(len(known or ()))

    def levels(self, groups: Sequence[Group], numbers: Sequence[float], *, middle: bool = False) -> list[float]:
        """The thresholds above which these numbers of values are expected; ``middle`` counts half of those at one."""
        whole = sum(weight for weight, _, _ in groups)
        asked = np.array([number for number in numbers if number < whole], dtype=np.float64)
        if not len(asked):
            return [self.floor] * len(numbers)
        if len(groups) == 1 and not middle:
            found = groups[0][1] * groups[0][2].upper_quantiles(asked / whole)
        else:
            ends = np.array([scale * dist.upper_quantiles(asked / whole) for _, scale, dist in groups])
            low, high = np.nextafter(ends.min(axis=0), -inf), np.nextafter(ends.max(axis=0), inf)
            for _ in range(200):
                mid = low / 2 + high / 2
                if not np.any((low < mid) & (mid < high)):
                    break
                few = _above(groups, mid, middle=middle) <= asked
                low, high = np.where(few, low, mid), np.where(few, mid, high)
            found = np.nextafter(high, -inf) if middle else high
        return [max(self.floor, level) for level in found.tolist()] + [self.floor] * (len(numbers) - len(asked))

    def fluid_levels(
        self, left: Any = None, known: Any = None, *, everything: bool = False, middle: bool = False
    ) -> list[float]:
        """τ_1 >= ... >= τ_n of what is still to come; a seller asks no less than of a single buyer."""
        groups = self.to_come(left, known, everything=everything)
        levels = self.levels(groups, range(1, self.n + 1), middle=middle)
        return [max(level, self._least_price) for level in levels]

    def all_to_come(self) -> list[Group]:
        """All values, to a seller the virtual ones."""
        groups, seller = self.to_come(everything=True), self.policy.seller
        return groups if seller is None else [(weight, scale, seller) for weight, scale, _ in groups]

    @cached_property
    def fluid_bound(self) -> float:
        """The worth of the fluid problem: no rule makes more on average."""
        groups = self.all_to_come()
        multipliers = [float(multiplier) for multiplier in sorted(self.policy.multipliers, reverse=True)]
        total = 0.0
        levels = self.levels(groups, range(1, self.n + 1))
        for k, (level, here, after) in enumerate(zip(levels, multipliers, [*multipliers[1:], 0.0], strict=True), 1):
            if level == -inf:  # all values, in this many slots
                best = sum(weight * scale * dist.mean for weight, scale, dist in groups)
            else:
                best = sum(weight * scale * float(dist.excess(level / scale)) for weight, scale, dist in groups)
                best += k * level
            total += (here - after) * best
        return total


def _above(groups: Sequence[Group], bounds: Floats, *, middle: bool) -> Floats:
    """The expected number of values above these bounds; with ``middle``, half of those at a bound are above it."""
    total: Floats = np.zeros(len(bounds))
    for weight, scale, dist in groups:
        at = dist.above(bounds / scale)
        if middle and isinstance(dist, FiniteDistribution):
            at = (at + dist.above(np.nextafter(bounds / scale, -inf))) / 2
        total += weight * at
    return total


# The rules.


def optimal() -> Rule:
    """The optimal policy."""
    return Rule("optimal", lambda course: _row_of(course.policy, course))


def _row_of(policy: Policy[Any], course: Course) -> Row:
    @lru_cache(MAX_ROWS)
    def rows(left: Any, known: Any) -> list[Any]:
        return course.policy.asked([*policy.model.row(left, known)])

    return lambda left, count, known: rows(left, known)[:count]


def static_price(price: float | Fraction | None = None) -> Rule:
    """Every value above one price is taken, for the best free slot; without a price, the best one is searched for."""
    if price is None:
        return Rule("static_price")
    if not is_number(price) or not isfinite(price):
        raise Ten18Error("accepted: a finite number", "price", price)
    name = f"static_price:{price if isinstance(price, Fraction) else f'{float(price):.6g}'}"
    return Rule(name, lambda _: constant_row(price), constant=True)


def constant_row(price: Any) -> Row:
    return lambda _left, count, _known: [price] * count


def fluid() -> Rule:
    """The thresholds τ_1 >= ... >= τ_n of the fluid problem, solved once; with f slots free, the f lowest of them."""

    def thresholds(course: Course) -> Row:
        levels = course.fluid_levels(everything=True)
        return lambda _left, count, _known: levels[course.n - count :]

    return Rule("fluid", thresholds, constant=True)


def resolving() -> Rule:
    """The fluid problem, solved at each arrival for what is still to come and the slots that are free.

    Of several equal slots the last free ones are filled by the best share of values: the budget-ratio rule of Arlotto
    and Gurvich (2019).
    """
    return Rule("resolving", lambda course: _by_moment(course, course.fluid_levels))


def _by_moment(course: Course, levels: Callable[[Any, Any], Sequence[Any]]) -> Row:
    """Thresholds that do not depend on how many slots are free, but for their number."""
    rows = lru_cache(MAX_ROWS)(levels)
    return lambda left, count, known: rows(*course.moment(left, known))[:count]


def nearest() -> Rule:
    """The game's `nearest`: the place of a value among those that are still to come, by its quantile, is its slot."""
    return Rule("nearest", lambda course: _by_moment(course, partial(course.fluid_levels, middle=True)))


def certainty_equivalent() -> Rule:
    """Every value that is still to come is taken for its mean."""

    def thresholds(course: Course) -> Row:
        if course.policy.seller is not None:
            raise Ten18Error("the certainty equivalent has no prices; accepted: a problem without revenue", "rule")

        def levels(left: Any, known: Any) -> list[float]:
            groups = course.to_come(left, known, this=False)
            means = sorted(((scale * dist.mean, weight) for weight, scale, dist in groups), reverse=True)
            found, place, room = [], 0, 1.0
            for _ in range(course.n):
                total, room = 0.0, 1.0
                while place < len(means) and room > 1e-12:
                    mean, weight = means[place]
                    part = min(room, weight)
                    total += part * max(mean, course.floor)
                    room -= part
                    means[place] = mean, weight - part
                    place += means[place][1] <= 1e-12
                found.append(course.floor if room > 1 - 1e-12 else total)
            return found

        return _by_moment(course, levels)

    return Rule("certainty_equivalent", thresholds)


def prophet(kind: Literal["half", "median", "units"] = "half") -> Rule:
    """One threshold that guarantees a share of hindsight, whatever the distributions are; for equal slots.

    ``half``: half of what hindsight makes of a slot, which makes 1/2 of hindsight (Kleinberg and Weinberg 2012).
    ``median``: at least as many values as slots exceed it with probability 1/2, which makes 1/2 for one slot
    (Samuel-Cahn 1984). ``units``: of k slots k - √(2 k ln k) values exceed it on average, which makes
    1 - O(√(ln k / k)) (Hajiaghayi, Kleinberg and Sandholm 2007).
    """
    if kind not in ("half", "median", "units"):
        raise Ten18Error("accepted: half, median, units", "kind", kind)

    def thresholds(course: Course) -> Row:
        n = course.n
        if kind == "half":
            level = float(course.policy.hindsight) / (2.0 * (float(sum(course.policy.multipliers)) or 1.0))
        else:
            groups = course.all_to_come()
            if kind == "units":
                (level,) = course.levels(groups, [n - sqrt(2.0 * n * log(n))])
            else:
                level = _median(course, groups, n)
        return constant_row(course.policy.asked([level])[0])

    return Rule("prophet" if kind == "half" else f"prophet:{kind}", thresholds, constant=True)


def _median(course: Course, groups: list[Group], n: int) -> float:
    """The threshold that at least n values exceed with probability 1/2."""
    model = course.policy.model
    if isinstance(model, PoissonModel):
        tails: Tails = model.tails
    elif course.rounds is not None:
        tails = tails_of(course.rounds)
    else:
        raise Ten18Error("values are seen together or ahead here; accepted: prophet, prophet:units", "rule")
    low, high = 0.0, sum(weight for weight, _, _ in groups)  # of the expected number of values above it
    for _ in range(60):
        middle = (low + high) / 2
        (level,) = course.levels(groups, [middle])
        low, high = (middle, high) if tails(np.array([level]))[0, n - 1] < 0.5 else (low, middle)
    return course.levels(groups, [high])[0]


def learning() -> Rule:
    """The re-solving rule of somebody who knows no distribution, only the values so far: their quantiles.

    The first value is rejected, unless there is a slot for all that come.
    """

    def choices(course: Course) -> Choose:
        ranked = sorted(range(1, course.n + 1), key=lambda slot: (-course.policy.multipliers[slot - 1], slot))

        @lru_cache(MAX_ROWS)
        def mass_at(left: Any, known: Any) -> float:
            """What is still to come, counted as its discount counts it."""
            return sum(weight * scale for weight, scale, _ in course.to_come(left, known))

        def choose(value: Any, free: Sequence[int], left: Any, known: Any, seen: Sequence[Any]) -> int | None:
            mass = mass_at(*course.moment(left, known))
            best_first = [slot for slot in ranked if slot in free]
            if value <= course.floor or (not seen and len(free) < mass):
                return None
            # Among m values seen with this one, the share of those that are larger, in the middle of its own place.
            larger = sum(other > value for other in seen) + sum(other == value for other in seen) / 2
            rank = int(mass * (larger + 0.5) / (len(seen) + 1))
            return best_first[rank] if rank < len(best_first) else None

        return choose

    return Rule("learning", choices=choices, memory=True)


_NAMED: dict[str, Callable[..., Rule]] = {
    rule.__name__: rule
    for rule in (optimal, static_price, fluid, resolving, certainty_equivalent, nearest, prophet, learning)
}


def rule_named(text: str) -> Rule:
    """A rule by its name, such as ``fluid``, ``static_price:120`` or ``prophet:median``."""
    name, colon, option = text.strip().partition(":")
    if name in _NAMED and not colon:
        return _NAMED[name]()
    if name == "prophet":
        return prophet(option)  # type: ignore[arg-type]
    if name == "static_price":
        try:
            return static_price(Fraction(option) if "/" in option else float(option))
        except (ValueError, ZeroDivisionError):
            raise Ten18Error("is not a price; accepted: a number, like static_price:120", "rule", text) from None
    raise Ten18Error(f"is not a rule; accepted: {', '.join(_NAMED)}", "rule", text)


def as_rule(description: Any) -> Rule:
    """A rule of whatever describes one: a name, a price, a policy, a table of thresholds, or a function."""
    if isinstance(description, Rule):
        return description
    if isinstance(description, str):
        return rule_named(description)
    if is_number(description):
        return static_price(description)
    if isinstance(description, Policy):
        return Rule("policy", lambda course: _row_of(description, course))
    if isinstance(description, Mapping | Sequence | np.ndarray):
        return Rule("table", lambda _: _table_row(description))
    if callable(description):
        code = getattr(description, "__code__", None)
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code is not None else ()
        asked = [name for name in ("known", "seen") if name in names]

        try:
            signature(description).bind(0, [1], 0, **dict.fromkeys(asked))
        except TypeError:
            accepted = "a function of (value, free, left), and of known and seen where it asks for them"
            raise Ten18Error(f"accepted: {accepted}", "rule", description) from None

        def choose(value: Any, free: Sequence[int], left: Any, known: Any, seen: Sequence[Any]) -> Any:
            more = {"known": known, "seen": seen}
            return description(value, list(free), left, **{name: more[name] for name in asked})

        return Rule(getattr(description, "__name__", "rule"), choices=lambda _: choose, memory="seen" in asked)
    accepted = "a rule, its name, a price, a policy, a table {(left, free slots): thresholds}, or a function"
    raise Ten18Error(f"is not a rule; accepted: {accepted}", "rule", description)


def _table_row(table: Any) -> Row:
    def row(left: Any, count: int, known: Any) -> Any:
        try:
            if isinstance(table, Mapping):
                found = table[left, count] if known is None else table[left, count, known]
            else:
                found = table[left][count - 1]
        except (LookupError, TypeError):
            problem = f"has no thresholds with {left} still to come and {count} free slots"
            raise Ten18Error(problem, "rule") from None
        if not all(is_number(level) and level == level for level in np.atleast_1d(np.asarray(found, dtype=object))):
            raise Ten18Error("a threshold is a number", "rule", found)
        return found

    return row
