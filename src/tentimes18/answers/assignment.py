"""A problem of sequential assignment solved: what it is worth, the bounds to play by, one decision, prices."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import inf, isfinite
from typing import Any, Final, NotRequired, TypeAlias, TypedDict

from tentimes18.answers.numbers import Written, plain, writer
from tentimes18.assignment import AssignmentPlan, Endless, Poisson, Problem, RandomNumber
from tentimes18.errors import Ten18Error

__all__ = [
    "AssignmentAnswer",
    "BoundsRow",
    "ChoiceAnswer",
    "DecisionAnswer",
    "FilledAnswer",
    "Left",
    "MenuAnswer",
    "PriceAnswer",
    "SimulatedAnswer",
    "assignment",
    "described",
    "lefts_of",
    "lefts_shown",
]

MOST_NUMBERS: Final = 100_000  # of bounds in an answer: beyond, only some rows
TIMES: Final = 100  # rows until a deadline
SHOWN: Final = 12  # rows that a person reads
FEW_SLOTS: Final = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)  # numbers of equal slots in a menu

Left: TypeAlias = int | float | None
Bound: TypeAlias = float | str | None
"""What a value must exceed; none where a slot must be filled by whoever comes."""


class BoundsRow(TypedDict):
    """With this much still to come, one bound a slot, increasing."""

    left: Left
    bounds: list[Bound]


class ChoiceAnswer(TypedDict):
    """A slot, or none to refuse, and what choosing it gives up."""

    slot: int | None
    loss: float | str


class DecisionAnswer(TypedDict):
    """What to do with a value, best first."""

    value: Written
    left: Left
    free: list[int]
    best: int | None
    choices: list[ChoiceAnswer]


class PriceAnswer(TypedDict):
    """The price of a free slot, and the value from which on somebody buys it or a better one."""

    slot: int
    multiplier: Written
    price: float | str
    bought_from: float | str


class MenuAnswer(TypedDict):
    """Equal slots: what one of them costs with this much still to come, by how many of them are left."""

    left: Left
    prices: dict[str, float | str]


class FilledAnswer(TypedDict):
    """The chances that the value of an arrival goes to each slot."""

    arrival: int
    chances: list[float]


class SimulatedAnswer(TypedDict):
    """What simulated courses of arrivals were worth."""

    games: int
    seed: int
    mean: float
    sd: float
    stderr: float


class AssignmentAnswer(TypedDict):
    """The problem in its own words, and what it is worth; hindsight where there is an end."""

    law: str
    slots: list[Written]
    arrivals: str
    must_fill: bool
    revenue: bool
    value: float | str
    hindsight: float | str | None
    regret: float | str | None
    error: float
    thresholds: list[BoundsRow]
    decision: NotRequired[DecisionAnswer]
    prices: NotRequired[list[PriceAnswer]]
    menu: NotRequired[list[MenuAnswer]]
    filled: NotRequired[list[FilledAnswer]]
    simulated: NotRequired[SimulatedAnswer]


def assignment(
    problem: Problem,
    *,
    exact: bool = False,
    value: float | Fraction | None = None,
    free: Sequence[int] | None = None,
    left: Left = None,
    prices: bool = False,
    filled: bool = False,
    games: int | None = None,
    seed: int = 0,
    named: str | None = None,
) -> AssignmentAnswer:
    """The problem solved; with a ``value``, what to do with it, and ``prices``, what slots should cost.

    ``filled`` adds who goes where, ``games`` so many simulated courses; ``named`` is what the law is called by whoever
    asks.

    >>> from tentimes18.assignment import UniformLaw
    >>> answer = assignment(Problem(UniformLaw(0, 1), [1, 3], 3), exact=True, value=Fraction(1, 2), left=2)
    >>> answer["value"], answer["decision"]["choices"][:2]
    ('331/128', [{'slot': 1, 'loss': '0/1'}, {'slot': None, 'loss': '1/8'}])
    """
    plan = problem.solve(exact=exact)
    write = writer(exact)
    hindsight = None if isinstance(problem.arrivals, Endless) else plan.hindsight
    answer: AssignmentAnswer = {
        "law": named or described(problem),
        "slots": [writer(exact)(multiplier) if exact else plain(multiplier) for multiplier in plan.multipliers],
        "arrivals": _arrivals(problem),
        "must_fill": problem.must_fill,
        "revenue": problem.revenue,
        "value": write(plan.value),
        "hindsight": None if hindsight is None else write(hindsight),
        "regret": None if hindsight is None else write(hindsight - plan.value),
        "error": plan.error,
        "thresholds": [{"left": now, "bounds": _bounds(plan, now, write)} for now in lefts_of(problem)],
    }
    now = _left(problem, left)
    if value is not None:
        answer["decision"] = _decision(plan, value, free, now, write)
    if prices:
        answer["prices"] = _prices(plan, free, now, write)
        if left is None and free is None and len(set(plan.multipliers)) == 1:
            answer["menu"] = [_menu(plan, then, write) for then in lefts_shown(lefts_of(problem))]
    if filled:
        rows = enumerate(plan.fates(), start=1)
        answer["filled"] = [{"arrival": t, "chances": list(map(float, row))} for t, row in rows]
    if games is not None:
        found = plan.simulate(games, seed)
        answer["simulated"] = {
            "games": found.games,
            "seed": seed,
            "mean": found.mean,
            "sd": found.sd,
            "stderr": found.stderr,
        }
    return answer


def described(problem: Problem) -> str:
    """The law of the values, or the laws in order of arrival.

    >>> from tentimes18.assignment import UniformLaw
    >>> described(Problem(UniformLaw(0, 1), 2, 5))
    'uniform(0, 1)'
    """
    names = [str(law) for law in problem.laws]
    return names[0] if len(set(names)) == 1 else "; ".join(names)


def _arrivals(problem: Problem) -> str:
    """How many arrive, in words."""
    told = _number_of_arrivals(problem)
    if problem.chance != 1:
        told += f", each with chance {float(problem.chance):g}"
    return told if problem.discount == 1 else f"{told}, discount {float(problem.discount):g}"


def _number_of_arrivals(problem: Problem) -> str:
    arrivals = problem.arrivals
    if isinstance(arrivals, Poisson):
        until = f"until {arrivals.until:g}"
        if isinstance(arrivals.rate, int | float):
            return f"poisson at rate {arrivals.rate:g} {until}"
        return f"poisson, {arrivals.expected(0.0, float(arrivals.until)):.6g} expected {until}"
    if isinstance(arrivals, RandomNumber):
        return f"at most {arrivals.most}"
    return "endless" if isinstance(arrivals, Endless) else str(arrivals)


def lefts_of(problem: Problem) -> list[Left]:
    """What may still be to come at an arrival, from the first one on; of very many rows, some.

    >>> from tentimes18.assignment import UniformLaw
    >>> lefts_of(Problem(UniformLaw(0, 1), 1, 4)), lefts_of(Problem(UniformLaw(0, 1), 1, Endless(), discount=0.9))
    ([3, 2, 1, 0], [None])
    """
    arrivals = problem.arrivals
    if isinstance(arrivals, Endless):
        return [None]
    if isinstance(arrivals, Poisson):
        return [float(arrivals.until) * (TIMES - step) / TIMES for step in range(TIMES)]
    rounds = arrivals.most if isinstance(arrivals, RandomNumber) else arrivals
    if rounds * len(problem.multipliers) <= MOST_NUMBERS:
        return list(range(rounds - 1, -1, -1))
    some = _some(rounds)
    return some[: max(1, 10 * MOST_NUMBERS // len(problem.multipliers))]


def lefts_shown(lefts: Sequence[Left]) -> list[Left]:
    """Of these, as many as a person reads.

    >>> lefts_shown(range(39, -1, -1)), lefts_shown([2, 1, 0])
    ([39, 20, 10, 5, 4, 3, 2, 1, 0], [2, 1, 0])
    """
    if len(lefts) <= SHOWN:
        return list(lefts)
    if all(isinstance(left, int) for left in lefts):
        return _some(len(lefts))
    return [lefts[step * len(lefts) // 10] for step in range(10)]


def _some(rounds: int) -> list[Left]:
    """The first arrival, the last ones, and round numbers between them."""
    series = [first * 10**power for power in range(len(str(rounds))) for first in (1, 2, 5)]
    found = {rounds - 1, *range(min(6, rounds)), *(left for left in series if left < rounds - 1)}
    return sorted(found, reverse=True)


def _left(problem: Problem, left: Left) -> Left:
    """What is still to come; without a word, all that may be after the first arrival."""
    arrivals = problem.arrivals
    if left is None:
        return lefts_of(problem)[0]
    if not isfinite(left):
        raise Ten18Error("must be a number", "left", left)
    if isinstance(arrivals, Endless):
        raise Ten18Error("there is no end to endless arrivals: it is never nearer", "left", left)
    if isinstance(arrivals, Poisson):
        return float(left)
    if left != int(left):
        raise Ten18Error("must be a whole number of arrivals", "left", left)
    return int(left)


def _bounds(plan: AssignmentPlan, left: Left, write: Callable[[Any], float | str]) -> list[Bound]:
    return [_finite(bound, write) for bound in reversed(list(plan.course.row(left)))]


def _finite(bound: Any, write: Callable[[Any], float | str]) -> Bound:
    return write(bound) if bound > -inf else None


def _decision(
    plan: AssignmentPlan,
    value: float | Fraction,
    free: Iterable[int] | None,
    left: Left,
    write: Callable[[Any], float | str],
) -> DecisionAnswer:
    slots = None if free is None else list(free)
    losses = plan.losses(value, free=slots, left=left)
    best = plan.assign(value, free=slots, left=left)
    order = sorted(losses, key=lambda slot: (losses[slot], slot != best, slot or 0))
    return {
        "value": write(value) if plan.is_exact else plain(value),
        "left": left,
        "free": list(range(1, len(plan.multipliers) + 1)) if slots is None else sorted(slots),
        "best": best,
        "choices": [{"slot": slot, "loss": write(losses[slot])} for slot in order],
    }


def _prices(
    plan: AssignmentPlan, free: Iterable[int] | None, left: Left, write: Callable[[Any], float | str]
) -> list[PriceAnswer]:
    slots = list(range(1, len(plan.multipliers) + 1)) if free is None else sorted(free)
    found: list[PriceAnswer] = []
    before: tuple[Any, Any, Any] = (0, 0, 0)  # multiplier, price, and the value that pays it, of the slot before
    for slot, price in zip(slots, plan.prices(left=left, free=slots), strict=True):
        multiplier: Any = plan.multipliers[slot - 1]
        step = multiplier - before[0]
        bought_from = (price - before[1]) / step if step else before[2]
        found.append(
            {
                "slot": slot,
                "multiplier": write(multiplier) if plan.is_exact else plain(multiplier),
                "price": write(price),
                "bought_from": write(bought_from),
            }
        )
        before = multiplier, price, bought_from
    return found


def _menu(plan: AssignmentPlan, left: Left, write: Callable[[Any], float | str]) -> MenuAnswer:
    n = len(plan.multipliers)
    counts = sorted({count for count in FEW_SLOTS if count < n} | {n})
    prices = {str(count): plan.prices(left=left, free=range(1, count + 1))[0] for count in counts}
    return {"left": left, "prices": {count: write(price) for count, price in prices.items()}}
