"""Sequential assignment by going through every action: values arrive one by one, each is placed at once or rejected.

Slots are numbered 1..n in the order of their multipliers, and a state is what is still to come together with the set
of free slots. Nothing is used but the statement of the problem: no thresholds, no sorting. What the arrivals are is
said by an `Arrivals`: from a state, every outcome of the next round with its chance, the value that comes (None: nobody
does) and the state after it. A decision knows the outcome and nothing else of what is to come.

Two readings of "reject": a slot *may stay empty*, then every value may be rejected; or all slots *must be filled* as
far as there are arrivals, then a value may be rejected only while as many may still come as slots are free.
Of equally good actions the one with the smallest multiplier is taken, rejecting counting as a multiplier of 0 and
coming first; then the slot of the smaller number.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any, TypeAlias

from . import Multipliers

ValueDistribution: TypeAlias = Mapping[Fraction, Fraction]
Outcome: TypeAlias = tuple[Fraction, Fraction | None, Any]
Action: TypeAlias = int | None


@dataclass(frozen=True)
class Arrivals:
    """What is to come: where it starts, what may happen from a state, and how many may still come after it."""

    start: Sequence[tuple[Fraction, Hashable]]
    outcomes: Callable[[Any], Sequence[Outcome]]
    most: Callable[[Any], int]


# What may come.


def in_order(dists: Sequence[ValueDistribution]) -> Arrivals:
    """Each round has a distribution of its own."""

    def outcomes(past: int) -> Sequence[Outcome]:
        return [(p, x, past + 1) for x, p in dists[past].items()] if past < len(dists) else []

    return Arrivals([(Fraction(1), 0)], outcomes, lambda past: len(dists) - past)


def with_chance(dists: Sequence[ValueDistribution], chances: Sequence[Fraction]) -> Arrivals:
    """In round t somebody comes with chance q_t; whether is seen."""

    def outcomes(past: int) -> Sequence[Outcome]:
        if past == len(dists):
            return []
        q = chances[past]
        return [(1 - q, None, past + 1), *((q * p, x, past + 1) for x, p in dists[past].items())]

    return Arrivals([(Fraction(1), 0)], outcomes, lambda past: len(dists) - past)


def random_number(dists: Sequence[ValueDistribution], numbers: Mapping[int, Fraction]) -> Arrivals:
    """N arrivals with P(N = m) = numbers[m]; that there are no more is seen only at the end."""

    def at_least(m: int) -> Fraction:
        return sum((p for number, p in numbers.items() if number >= m), Fraction(0))

    def outcomes(past: int | str) -> Sequence[Outcome]:
        if not isinstance(past, int) or at_least(past + 1) == 0:
            return []
        go_on = at_least(past + 1) / at_least(past)
        return [(1 - go_on, None, "end"), *((go_on * p, x, past + 1) for x, p in dists[past].items())]

    longest = max(number for number, p in numbers.items() if p > 0)
    return Arrivals([(Fraction(1), 0)], outcomes, lambda past: longest - past if isinstance(past, int) else 0)


def with_regimes(
    dists: Sequence[ValueDistribution], chain: Sequence[Sequence[Fraction]], start: Sequence[Fraction], rounds: int
) -> Arrivals:
    """A Markov chain of regimes, each with its distribution; the regime of a round is seen with the value."""

    def outcomes(state: tuple[int, int]) -> Sequence[Outcome]:
        past, regime = state
        if past == rounds:
            return []
        # The chain's next regime is not seen yet: it is drawn at the beginning of the next round.
        return [
            (after * p, x, (past + 1, then))
            for then, after in enumerate(chain[regime] if past else start)
            if after > 0
            for x, p in dists[then].items()
        ]

    return Arrivals([(Fraction(1), (0, -1))], outcomes, lambda state: rounds - state[0])


def seen_ahead(dists: Sequence[ValueDistribution], ahead: int) -> Arrivals:
    """Each decision about a value is made with this many later ones seen."""
    first = dists[:ahead]
    start = [
        (prod((dist[x] for dist, x in zip(first, window, strict=True)), start=Fraction(1)), (0, window))
        for window in product(*first)
    ]

    def outcomes(state: tuple[int, tuple[Fraction, ...]]) -> Sequence[Outcome]:
        past, window = state
        if past == len(dists):
            return []
        if past + ahead >= len(dists):
            return [(Fraction(1), window[0], (past + 1, window[1:]))]
        seen = [(p, (*window, x)) for x, p in dists[past + ahead].items()]
        return [(p, known[0], (past + 1, known[1:])) for p, known in seen]

    return Arrivals(start, outcomes, lambda state: len(dists) - state[0])


def distribution_of_samples(samples: Sequence[Fraction | int]) -> dict[Fraction, Fraction]:
    """A value drawn from these samples, each as likely as another."""
    dist: dict[Fraction, Fraction] = {}
    for sample in samples:
        dist[Fraction(sample)] = dist.get(Fraction(sample), Fraction(0)) + Fraction(1, len(samples))
    return dist


# The best play.


class Tree:
    """The best play of a problem, every action tried from every state."""

    def __init__(
        self, arrivals: Arrivals, multipliers: Multipliers, *, may_stay_empty: bool = True, discount: Fraction | int = 1
    ) -> None:
        self.arrivals = arrivals
        self.multipliers = multipliers
        self.may_stay_empty = may_stay_empty
        self.discount = Fraction(discount)
        self.all = frozenset(range(1, len(multipliers) + 1))
        self.worth = cache(self._worth)

    @property
    def value(self) -> Fraction:
        """The expected worth of all placed values, from the beginning; that of the first round is not discounted."""
        return sum((p * self.worth(state, self.all) for p, state in self.arrivals.start), Fraction(0))

    def _worth(self, state: Hashable, free: frozenset[int]) -> Fraction:
        return sum(
            (p * max(self.actions(x, then, free).values()) for p, x, then in self.arrivals.outcomes(state) if p > 0),
            Fraction(0),
        )

    def actions(self, value: Fraction | None, then: Hashable, free: frozenset[int]) -> dict[Action, Fraction]:
        """What each action with this value is worth, with the best play after it."""
        refuse = self.may_stay_empty or value is None or self.arrivals.most(then) >= len(free)
        worths: dict[Action, Fraction] = {}
        if refuse or not free:
            worths[None] = self.discount * self.worth(then, free)
        if value is not None:
            for slot in free:
                here = self.multipliers[slot - 1] * value
                worths[slot] = here + self.discount * self.worth(then, free - {slot})
        return worths

    def best(self, value: Fraction | None, then: Hashable, free: frozenset[int]) -> Action:
        """The best action; of equal ones the one of the smallest multiplier."""
        worths = self.actions(value, then, free)

        def order(action: Action) -> tuple[Fraction, Fraction | int, int]:
            return (-worths[action], 0 if action is None else self.multipliers[action - 1], action or 0)

        return min(worths, key=order)

    def filled(self) -> dict[tuple[int, int], tuple[Fraction, Fraction]]:
        """For (slot, round): the chance that it is filled then, and the expected value there, 0 where it is not."""
        found: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}
        for chance, state in self.arrivals.start:
            for slot, at, p, x in self._course(state, self.all, 1, chance):
                before = found.get((slot, at), (Fraction(0), Fraction(0)))
                found[slot, at] = (before[0] + p, before[1] + p * x)
        return found

    def _course(
        self, state: Hashable, free: frozenset[int], at: int, chance: Fraction
    ) -> Iterator[tuple[int, int, Fraction, Fraction]]:
        for p, x, then in self.arrivals.outcomes(state):
            if p > 0:
                slot = self.best(x, then, free)
                if slot is not None and x is not None:
                    yield slot, at, chance * p, x
                yield from self._course(then, free - {slot} if slot else free, at + 1, chance * p)


# Any rule.


def rule_worths(
    arrivals: Arrivals,
    multipliers: Multipliers,
    rule: Callable[[Fraction, frozenset[int], int, Any], Action],
    *,
    may_stay_empty: bool = True,
    discount: Fraction | int = 1,
) -> dict[Fraction, Fraction]:
    """The distribution of the worth of a rule (value, free slots, how many may still come, state), by all sequences."""
    found: dict[Fraction, Fraction] = {}

    def go(state: Hashable, free: frozenset[int], chance: Fraction, worth: Fraction, scale: Fraction) -> None:
        outcomes = [outcome for outcome in arrivals.outcomes(state) if outcome[0] > 0]
        if not outcomes:
            found[worth] = found.get(worth, Fraction(0)) + chance
        for p, x, then in outcomes:
            slot = rule(x, free, arrivals.most(then), then) if x is not None and free else None
            if slot is None and x is not None and not may_stay_empty and arrivals.most(then) < len(free):
                slot = min(free, key=lambda each: multipliers[each - 1])
            gain = scale * multipliers[slot - 1] * x if slot is not None and x is not None else 0
            go(then, free - {slot}, chance * p, worth + gain, scale * Fraction(discount))

    for p, state in arrivals.start:
        if p:
            go(state, frozenset(range(1, len(multipliers) + 1)), p, Fraction(0), Fraction(1))
    return found


# All at once.


def _placings(values: Sequence[Fraction], free: frozenset[int]) -> Iterator[tuple[dict[int, Fraction], frozenset[int]]]:
    """Every way to give some of these values to free slots: what is placed, and what stays free."""
    if not values:
        yield {}, free
        return
    for placed, rest in _placings(values[1:], free):
        yield placed, rest
        for slot in rest:
            yield {**placed, slot: values[0]}, rest - {slot}


def batch_value(
    batches: Sequence[Sequence[ValueDistribution]],
    multipliers: Multipliers,
    *,
    may_stay_empty: bool = True,
    discount: Fraction | int = 1,
) -> Fraction:
    """The best expected worth where the values of a batch are seen and placed together; a later batch counts less."""

    @cache
    def worth(past: int, free: frozenset[int]) -> Fraction:
        if past == len(batches):
            return Fraction(0)
        later = sum(len(batch) for batch in batches[past + 1 :])
        total = Fraction(0)
        for values in product(*batches[past]):
            chance = prod((dist[x] for dist, x in zip(batches[past], values, strict=True)), start=Fraction(1))
            total += chance * max(
                sum((multipliers[slot - 1] * x for slot, x in placed.items()), discount * worth(past + 1, rest))
                for placed, rest in _placings(values, free)
                if may_stay_empty or len(placed) == len(values) or later >= len(rest)
            )
        return total

    return worth(0, frozenset(range(1, len(multipliers) + 1)))


def hindsight_value(
    dists: Sequence[ValueDistribution], multipliers: Multipliers, *, may_stay_empty: bool = True
) -> Fraction:
    """The expected worth where all values are known before the first is placed: one batch of all."""
    return batch_value([dists], multipliers, may_stay_empty=may_stay_empty)


def regrets(dist: ValueDistribution, arrivals: int) -> list[Fraction]:
    """For k = 0..N slots of multiplier 1, all to be filled: what hindsight has more than the best play."""
    dists = [dist] * arrivals
    return [
        hindsight_value(dists, (1,) * k, may_stay_empty=False)
        - Tree(in_order(dists), (1,) * k, may_stay_empty=False).value
        for k in range(arrivals + 1)
    ]
