"""What the decisions of `Assignment-v0` are worth, by a plan in float64 or in Fractions.

All is counted in the points of the beginning: an arrival of age a counts discount^a.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tentimes18.assignment.courses.course import Real
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.assignment.plan import AssignmentPlan
from tentimes18.assignment.problem import Problem
from tentimes18.envs.arrival_streams import Arrival
from tentimes18.errors import Ten18Error

__all__ = ["AssignmentWorths", "exact_worths", "float_worths"]

Slots = list[int]
Number = Callable[[Any], Any]


class AssignmentWorths:
    """By a plan; ``number`` makes what was drawn or given a number of its kind. Slots are counted from 1."""

    def __init__(self, plan: AssignmentPlan, problem: Problem, number: Number, value: Number) -> None:
        self.plan = plan
        self._multipliers = [number(multiplier) for multiplier in plan.multipliers]
        self._discount = number(problem.discount)
        self._must_fill = problem.must_fill
        self._least = min((value(law.support[0]) for law in problem.laws), default=0) if problem.must_fill else 0
        self._value = value
        self._zero = number(0)

    @property
    def optimal(self) -> Any:
        """What the best play makes of all, on average."""
        return self.plan.value

    def scale(self, arrival: Arrival) -> Any:
        """What a point of this arrival counts."""
        return self._discount**arrival.age

    def losses(self, arrival: Arrival, free: Slots) -> dict[int | None, Any]:
        """What every choice that is allowed gives up, in the points of the arrival."""
        return self.plan.losses(self._value(arrival.value), free, arrival.left, self._known(arrival))

    def choice(self, arrival: Arrival, free: Slots) -> int | None:
        """The best one."""
        return self.plan.assign(self._value(arrival.value), free, arrival.left, self._known(arrival))

    def reward(self, arrival: Arrival, choice: int | None) -> Any:
        """What a choice brings at once."""
        if choice is None:
            return self._zero
        return self.scale(arrival) * self._multipliers[choice - 1] * self._value(arrival.value)

    def best(self, arrival: Arrival, free: Slots) -> Any:
        """What the best choice is worth, with the best play after it."""
        choice = self.choice(arrival, free)
        return self.reward(arrival, choice) + self.to_come(arrival, [slot for slot in free if slot != choice])

    def to_come(self, arrival: Arrival, free: Slots) -> Any:
        """What free slots can expect after this arrival."""
        if not free:
            return self._zero
        bounds = self.plan.thresholds(arrival.left, free, self._known(arrival))
        total = self._zero
        for slot, bound in zip(free, bounds, strict=True):
            multiplier = self._multipliers[slot - 1]
            if multiplier:  # a slot without one expects nothing, also where its bound is -inf
                total += multiplier * bound
        return self.scale(arrival) * total

    def illegal_reward(self, arrival: Arrival, free: Slots) -> Any:
        """The reward of an illegal action: nothing, or the least that slots which must be filled could get."""
        if not self._must_fill:
            return self._zero
        total = sum((self._multipliers[slot - 1] for slot in free), self._zero)
        return self.scale(arrival) * min(self._zero, total * self._least)

    def _known(self, arrival: Arrival) -> Any:
        if isinstance(arrival.known, tuple):
            return tuple(self._value(value) for value in arrival.known)
        return arrival.known


def float_worths(problem: Problem) -> AssignmentWorths:
    """In float64; the error of the plan bounds what they can be off."""
    return AssignmentWorths(problem.solve(), problem, float, float)


def exact_worths(problem: Problem) -> AssignmentWorths:
    """In Fractions; raises ``Ten18Error`` where something that is given is not exact.

    >>> from tentimes18.assignment import UniformLaw
    >>> exact_worths(Problem(UniformLaw(0, 1), [1, 2], arrivals=2)).optimal
    Fraction(13, 8)
    """
    plan = problem.solve(exact=True)
    atoms: dict[float, Fraction] = {}
    for law in problem.laws:
        atoms.update({float(value): value for value in _atoms(law)})

    def value(drawn: Real) -> Fraction:
        """The value that a float64 stands for: that of a finite law, or the number itself."""
        return atoms.get(float(drawn), Fraction(drawn))

    return AssignmentWorths(plan, problem, Fraction, value)


def _atoms(law: ValueLaw) -> list[Fraction]:
    try:
        return [value for value, _ in law.exact_atoms()]
    except Ten18Error:  # it has no atoms
        return []
