"""A problem of sequential assignment solved: what it is worth, the bounds to play by, one decision, prices."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import inf
from typing import Any, Final, NotRequired, TypeAlias, TypedDict

from tentimes18.answers.still_to_come import MOST_NUMBERS, Left, known_of, left_of, lefts_of, lefts_shown
from tentimes18.assignment import Endless, Poisson, Policy, Problem, RandomNumber
from tentimes18.errors import Ten18Error
from tentimes18.game import Number
from tentimes18.queries.json_numbers import Written, plain, writer

__all__ = [
    "AssignmentAnswer",
    "BatchAnswer",
    "BoundsRow",
    "ChoiceAnswer",
    "DecisionAnswer",
    "FilledAnswer",
    "MenuAnswer",
    "PriceAnswer",
    "SimulatedAnswer",
    "assignment",
    "described",
]

FEW_SLOTS: Final = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)  # numbers of equal slots in a menu

Bound: TypeAlias = float | str | None
"""What a value must exceed; none where a slot must be filled by whoever comes."""


class BoundsRow(TypedDict):
    """With this much still to come, and this known of it, one bound a slot, increasing."""

    left: Left
    regime: NotRequired[int]
    ahead: NotRequired[list[Written]]
    bounds: list[Bound]


class ChoiceAnswer(TypedDict):
    """A slot, or none to refuse, and what choosing it gives up."""

    slot: int | None
    loss: float | str


class DecisionAnswer(TypedDict):
    """What to do with a value, best first."""

    value: Written
    left: Left
    regime: NotRequired[int]
    ahead: NotRequired[list[Written]]
    free: list[int]
    best: int | None
    choices: list[ChoiceAnswer]


class BatchAnswer(TypedDict):
    """Where each of the values that are seen together goes, in their order; none: it is refused."""

    values: list[Written]
    left: Left
    free: list[int]
    slots: list[int | None]


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
    """The chances that an arrival, one of a batch, or one between two times goes to each slot."""

    arrival: NotRequired[int]
    batch: NotRequired[int]
    begin: NotRequired[float]
    end: NotRequired[float]
    chances: list[float | str]


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
    regimes: NotRequired[list[list[Written]]]
    batches: NotRequired[list[int]]
    ahead: NotRequired[int]
    value: float | str
    hindsight: float | str | None
    regret: float | str | None
    error: float
    hindsight_error: float | None
    regret_error: float | None
    thresholds: list[BoundsRow]
    decision: NotRequired[DecisionAnswer]
    placed: NotRequired[BatchAnswer]
    prices: NotRequired[list[PriceAnswer]]
    menu: NotRequired[list[MenuAnswer]]
    filled: NotRequired[list[FilledAnswer]]
    simulated: NotRequired[SimulatedAnswer]


def assignment(
    problem: Problem,
    *,
    exact: bool = False,
    value: float | Fraction | Sequence[float | Fraction] | None = None,
    free: Sequence[int] | None = None,
    left: Left = None,
    known: Sequence[Number] | None = None,
    prices: bool = False,
    filled: bool = False,
    games: int | None = None,
    seed: int = 0,
    named: str | None = None,
) -> AssignmentAnswer:
    """The problem solved; with a ``value``, what to do with it, and ``prices``, what slots should cost.

    ``known`` is the regime of this arrival, or the values that are seen after it; of batches ``value`` may be several,
    which are seen together. ``filled`` adds who goes where, ``games`` so many simulated courses; ``named`` is what the
    law is called by whoever asks.

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
        "hindsight_error": None if hindsight is None else plan.hindsight_error,
        "regret_error": None if hindsight is None else plan.regret_error,
        "thresholds": list(islice(_rows(problem, plan, write), max(1, 10 * MOST_NUMBERS // len(plan.multipliers)))),
    }
    _name_form(problem, answer, exact)
    now = left_of(problem, left)
    seen = known_of(problem, known, exact=exact) if value is not None or prices else None
    if isinstance(value, Sequence):
        answer["placed"] = _placed(problem, plan, value, free, now, write)
    elif value is not None:
        answer["decision"] = _decision(plan, value, free, now, seen, write)
    if prices:
        if problem.batches is not None:
            raise Ten18Error("buyers who are seen together have no posted prices", "prices")
        answer["prices"] = _prices(plan, free, now, seen, write)
        if left is None and free is None and seen is None and len(set(plan.multipliers)) == 1:
            answer["menu"] = [_menu(plan, then, write) for then in lefts_shown(lefts_of(problem))]
    if filled:
        answer["filled"] = _filled(problem, plan, write)
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


def _name_form(problem: Problem, answer: AssignmentAnswer, exact: bool) -> None:
    """Say what is seen of the time to come, where anything is."""
    if problem.regimes is not None:
        write: Callable[[Any], Written] = writer(exact) if exact else plain
        answer["regimes"] = [[write(chance) for chance in row] for row in problem.regimes.transitions]
    if problem.batches is not None:
        answer["batches"] = list(problem.batches)
    if problem.ahead:
        answer["ahead"] = problem.ahead


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
    if problem.regimes is not None:
        told += f" in {problem.regimes.size} regimes"
    if problem.batches is not None:
        sizes = sorted(set(problem.batches), reverse=True)
        told += f" in {len(problem.batches):,} batches of {' or '.join(map(str, sizes[:3]))}"
        told += " or fewer" if len(sizes) > 3 else ""
    if problem.ahead:
        told += f", {problem.ahead} seen ahead"
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


def _rows(problem: Problem, plan: Policy, write: Callable[[Any], float | str]) -> Iterator[BoundsRow]:
    """The bounds, by what is still to come and by what may be known of it."""
    for left in lefts_of(problem):
        for known in plan.model.knowns(left):
            bounds = [_finite(bound, write) for bound in reversed(list(plan.model.row(left, known)))]
            row: BoundsRow = {"left": left, "bounds": bounds}
            _tell_known(row, known, write if plan.is_exact else plain)
            yield row


def _tell_known(row: BoundsRow | DecisionAnswer, known: Any, write: Callable[[Any], Written]) -> None:
    """Add what is known of the time to come: a regime, or the values that are seen ahead."""
    if isinstance(known, tuple):
        row["ahead"] = [write(value) for value in known]
    elif known is not None:
        row["regime"] = known


def _finite(bound: Any, write: Callable[[Any], float | str]) -> Bound:
    return write(bound) if bound > -inf else None


def _decision(
    plan: Policy,
    value: float | Fraction,
    free: Iterable[int] | None,
    left: Left,
    known: Any,
    write: Callable[[Any], float | str],
) -> DecisionAnswer:
    slots = None if free is None else list(free)
    losses = plan.losses(value, free=slots, left=left, known=known)
    best = plan.assign(value, free=slots, left=left, known=known)
    order = sorted(losses, key=lambda slot: (losses[slot], slot != best, slot or 0))
    told: DecisionAnswer = {
        "value": write(value) if plan.is_exact else plain(value),
        "left": left,
        "free": list(range(1, len(plan.multipliers) + 1)) if slots is None else sorted(slots),
        "best": best,
        "choices": [{"slot": slot, "loss": write(losses[slot])} for slot in order],
    }
    _tell_known(told, known, write if plan.is_exact else plain)
    return told


def _placed(
    problem: Problem,
    plan: Policy,
    values: Sequence[float | Fraction],
    free: Sequence[int] | None,
    left: Left,
    write: Callable[[Any], float | str],
) -> BatchAnswer:
    """Where the values of a batch go, which has the size that it has so many batches before the end."""
    if problem.batches is None:
        raise Ten18Error("several values are seen together in batches only; accepted: one", "value")
    sizes = problem.batches
    if isinstance(left, int) and 0 <= left < len(sizes) and len(values) != sizes[-1 - left]:
        wanted = f"accepted: all {sizes[-1 - left]} values of this batch"
        raise Ten18Error(f"{len(values)} of the values that are seen together; {wanted}", "value")
    return {
        "values": [write(value) if plan.is_exact else plain(value) for value in values],
        "left": left,
        "free": list(range(1, len(plan.multipliers) + 1)) if free is None else sorted(free),
        "slots": plan.assign_batch(values, free=free, left=left),
    }


def _filled(problem: Problem, plan: Policy, write: Callable[[Any], float | str]) -> list[FilledAnswer]:
    """Who goes where: by arrival, by batch, or by the time between two others."""
    rows: list[FilledAnswer] = [{"chances": [write(chance) for chance in row]} for row in plan.fates()]
    for place, row in enumerate(rows):
        if isinstance(problem.arrivals, Poisson):
            row["begin"], row["end"] = (float(problem.arrivals.until) * (place + i) / len(rows) for i in (0, 1))
        elif problem.batches is not None:
            row["batch"] = place + 1
        else:
            row["arrival"] = place + 1
    return rows


def _prices(
    plan: Policy, free: Iterable[int] | None, left: Left, known: Any, write: Callable[[Any], float | str]
) -> list[PriceAnswer]:
    slots = list(range(1, len(plan.multipliers) + 1)) if free is None else sorted(free)
    found: list[PriceAnswer] = []
    before: tuple[Any, Any, Any] = (0, 0, 0)  # multiplier, price, and the value that pays it, of the slot before
    for slot, price in zip(slots, plan.prices(left=left, free=slots, known=known), strict=True):
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


def _menu(plan: Policy, left: Left, write: Callable[[Any], float | str]) -> MenuAnswer:
    n = len(plan.multipliers)
    counts = sorted({count for count in FEW_SLOTS if count < n} | {n})
    prices = {str(count): plan.prices(left=left, free=range(1, count + 1))[0] for count in counts}
    return {"left": left, "prices": {count: write(price) for count, price in prices.items()}}
