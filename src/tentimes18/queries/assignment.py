"""Sequential assignment: what a problem is worth, thresholds, one decision, prices; ranks alone; regret.

A problem is one text per part (`queries.assignment_text`). There is a row of thresholds for each state: what is still
to come, and what is known about it. If there are very many rows, an answer has some of them.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import inf, isfinite
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tentimes18.assignment import (
    Endless,
    Poisson,
    Policy,
    Problem,
    RandomNumber,
    Reward,
    ValueDistribution,
    multisecretary,
    secretary,
)
from tentimes18.errors import Ten18Error, blame
from tentimes18.game import Number
from tentimes18.queries import Doc, Seed, query
from tentimes18.queries import assignment_text as texts
from tentimes18.queries.json_numbers import Written, plain, writer
from tentimes18.solve.parallel import Progress

FEW_SLOTS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)  # numbers of equal slots in a menu
MAX_NUMBERS = 100_000  # of thresholds in an answer: beyond, only some rows
MAX_GAMES = 1_000_000_000
TIMES = 100  # rows until a deadline
SHOWN_ROWS = 12  # that a person reads
RANKS = 10  # relative and final ranks in an answer
MAX_CHOICES = 20  # for which the rule is in an answer
MAX_REGRETS = 20_000  # numbers of slots in an answer: beyond, only some
SHOWN_REGRETS = 11  # both ends and nine between them

Left: TypeAlias = int | float | None
"""Arrivals or batches after this one, or the time until the deadline; none where there is no end."""

Rates: TypeAlias = Callable[[str], float | Sequence[tuple[float, float]]]
"""Reads a rate, or a file of rates."""

DistributionText = Annotated[
    str | None,
    Doc(
        "The values: gamma(2, 50), uniform(0, 1), 3d6, samples:FILE, ...; or one each, with ; between them.",
        metavar="DISTRIBUTION",
        is_argument=True,
    ),
]
SlotCounts = Annotated[str, Doc("A number of slots of multiplier 1, or multipliers: 1-10, 15x1,5x2.", metavar="SLOTS")]
ArrivalsText = Annotated[str | None, Doc("How many arrive: 40, endless, or chances like 1:0.1,2:0.9.", metavar="N")]
RateText = Annotated[str | None, Doc("The rate of Poisson arrivals, or a file of times and rates.", metavar="RATE")]
Deadline = Annotated[float | None, Doc("The deadline of Poisson arrivals, which start at time 0.", metavar="TIME")]
ChanceText = Annotated[str, Doc("The chance that a value arrives in each round.", metavar="Q")]
DiscountText = Annotated[str, Doc("The discount factor per arrival, or per unit of time.", metavar="B")]
MustFill = Annotated[bool, Doc("Fill every slot, even with values below 0.")]
Revenue = Annotated[bool, Doc("Maximize the revenue of posted prices, not the worth to buyers.")]


class ThresholdRow(Struct, frozen=True):
    """With this much still to come, and this known about it, one threshold per slot, by number.

    None where a slot must be filled by any value.
    """

    left: Left
    bounds: list[float | str | None]
    regime: int | UnsetType = UNSET
    ahead: list[Written] | UnsetType = UNSET


class Choice(Struct, frozen=True):
    slot: int | None
    loss: float | str


class Decision(Struct, frozen=True):
    """What to do with a value, best first."""

    value: Written
    left: Left
    free: list[int]
    best: int | None
    choices: list[Choice]
    regime: int | UnsetType = UNSET
    ahead: list[Written] | UnsetType = UNSET


class PlacedBatch(Struct, frozen=True):
    """The slot of each value of a batch, in their order; None if it is rejected."""

    values: list[Written]
    left: Left
    free: list[int]
    slots: list[int | None]


class SlotPrice(Struct, frozen=True):
    """The price of a free slot, and the value from which on somebody buys it or a better one."""

    slot: int
    multiplier: Written
    price: float | str
    bought_from: float | str


class Menu(Struct, frozen=True):
    """Equal slots: what one of them costs with this much still to come, by how many of them are left."""

    left: Left
    prices: dict[str, float | str]


class Placements(Struct, frozen=True):
    """The chances that an arrival, one of a batch, or one between two times goes to each slot."""

    chances: list[float | str]
    begin: float | UnsetType = UNSET
    end: float | UnsetType = UNSET
    batch: int | UnsetType = UNSET
    arrival: int | UnsetType = UNSET


class SimulatedWorth(Struct, frozen=True):
    games: int
    seed: int
    mean: float
    sd: float
    stderr: float


class ComparedRule(Struct, frozen=True):
    """What a rule is worth, what it loses against the best, and its share of hindsight."""

    rule: str
    value: float | str
    loss: float | str
    ratio: float
    error: float
    error_kind: str


class AssignmentAnswer(Struct, frozen=True):
    """The problem in its own words, and what it is worth; hindsight where there is an end."""

    distribution: str
    slots: list[Written]
    arrivals: str
    must_fill: bool
    revenue: bool
    value: float | str
    hindsight: float | str | None
    regret: float | str | None
    error: float
    error_kind: str
    hindsight_error: float | None
    regret_error: float | None
    thresholds: list[ThresholdRow]
    regimes: list[list[Written]] | UnsetType = UNSET
    batches: list[int] | UnsetType = UNSET
    ahead: int | UnsetType = UNSET
    placed: PlacedBatch | UnsetType = UNSET
    decision: Decision | UnsetType = UNSET
    prices: list[SlotPrice] | UnsetType = UNSET
    menu: list[Menu] | UnsetType = UNSET
    filled: list[Placements] | UnsetType = UNSET
    simulated: SimulatedWorth | UnsetType = UNSET
    comparison: list[ComparedRule] | UnsetType = UNSET


class RuleRow(Struct, frozen=True):
    """With this many choices left: from which arrival on the relative ranks 1, 2, ... are taken."""

    choices_left: int
    first_arrivals: list[int]


class SecretaryAnswer(Struct, frozen=True):
    """The best choice by ranks alone; ``chosen`` are the chances that final ranks 1, 2, ... are chosen."""

    arrivals: int
    reward: str | list[float]
    choices: int
    value: float | str
    error: float
    rule: list[RuleRow]
    chosen: list[float]


class LargestRegret(Struct, frozen=True):
    slots: int
    regret: float | str


class RegretAnswer(Struct, frozen=True):
    """The best play and hindsight for some numbers of slots, all of them where they are not too many."""

    distribution: str
    arrivals: int
    slots: list[int]
    value: list[float | str]
    hindsight: list[float | str]
    regret: list[float | str]
    largest: LargestRegret
    error: float
    hindsight_error: float
    regret_error: float


def no_samples(name: str) -> Sequence[float]:  # noqa: ARG001
    raise Ten18Error("files are not read here", "distribution")


@query(AssignmentAnswer | SecretaryAnswer | RegretAnswer)
def assign(
    distribution: DistributionText = None,
    slots: SlotCounts = "1",
    arrivals: ArrivalsText = None,
    poisson: RateText = None,
    until: Deadline = None,
    chance: ChanceText = "1",
    discount: DiscountText = "1",
    must_fill: MustFill = False,
    revenue: Revenue = False,
    regimes: Annotated[
        str | None,
        Doc(
            "Values depend on a regime, with one distribution each: the transition probabilities, 0.9,0.1;0.5,0.5.",
            metavar="CHANCES",
        ),
    ] = None,
    start: Annotated[
        str | None,
        Doc("The first regime, counted from 0, or its probabilities: 0.5,0.5.", metavar="REGIME", default="0"),
    ] = None,
    batches: Annotated[
        str | None, Doc("Values are seen in batches of this size, or of sizes like 3,2,1.", metavar="SIZES")
    ] = None,
    ahead: Annotated[int, Doc("How many values are seen before they must be placed.", metavar="K")] = 0,
    value: Annotated[
        str | None,
        Doc("Decide on one value: the best slot, and what each alternative loses. For a batch: 3,1,4.", metavar="X"),
    ] = None,
    free: Annotated[str | None, Doc("Free slots by number, like 1,3-4.", metavar="SLOTS", default="all")] = None,
    left: Annotated[float | None, Doc("How many arrivals, or how much time, remain after it.", metavar="N")] = None,
    known: Annotated[
        str | None, Doc("Its regime, counted from 0; or the values seen ahead, like 3,5.", metavar="SEEN")
    ] = None,
    prices: Annotated[bool, Doc("Add posted prices at which self-interested buyers make the optimal choices.")] = False,
    filled: Annotated[bool, Doc("Add the chance that each arrival fills each slot.")] = False,
    compare: Annotated[
        str | None,
        Doc("Add other rules for comparison: static_price, fluid, resolving, prophet, nearest.", metavar="RULES"),
    ] = None,
    games: Annotated[int | None, Doc("How many times to simulate it.", metavar="N", least=1, most=MAX_GAMES)] = None,
    seed: Seed = 1987,
    secretary: Annotated[
        Literal["best", "rank"] | None,
        Doc("Only ranks are seen: choose --slots arrivals, to get the best one or low ranks."),
    ] = None,
    multisecretary: Annotated[
        bool, Doc("Hindsight's advantage over the best play, for every number of slots.")
    ] = False,
    exact: Annotated[bool, Doc("Every number as a fraction p/q, where distributions are exact.")] = False,
    read_samples: texts.Samples = no_samples,
    read_rate: Rates = float,
    progress: Progress | None = None,
) -> AssignmentAnswer | SecretaryAnswer | RegretAnswer:
    """Sequential assignment: values arrive one by one, and each goes at once to a free slot or is rejected.

    A value x in a slot of multiplier m is worth m times x. Slots may stay empty, unless --must-fill says otherwise.
    Distributions: uniform(a, b), exponential(mean), normal(mean, sd), lognormal(s, scale), gamma(shape, scale),
    beta(a, b), weibull(shape, scale), pareto(shape, scale), poisson(rate), binomial(n, p), dice, a number,
    samples:FILE or samples:FILE:COLUMN, and mixtures like 0.3*3d6 + 0.7*gamma(2, 5).
    """
    if secretary is not None or multisecretary:
        _reject(poisson=poisson, until=until, must_fill=must_fill, value=value, free=free, left=left, prices=prices)
        _reject(chance=chance != "1", discount=discount != "1", revenue=revenue, filled=filled, games=games)
        _reject(compare=compare, regimes=regimes, start=start, batches=batches, ahead=ahead != 0, known=known)
    if secretary is not None:
        _reject(distribution=distribution, multisecretary=multisecretary)
        with blame("arrivals", "n"), blame("slots", "choices"):
            return solve_secretary(read_count(arrivals, "arrivals"), secretary, read_count(slots, "slots"), exact=exact)
    if multisecretary:
        _reject(slots=slots != "1")
        one, count = read_one_distribution(distribution, read_samples), read_count(arrivals, "arrivals")
        return solve_regret(one, count, distribution_name(distribution), exact=exact, progress=progress)
    name = distribution_name(distribution)
    problem = read_problem(
        name,
        slots,
        arrivals,
        poisson=poisson,
        until=until,
        chance=chance,
        discount=discount,
        must_fill=must_fill,
        revenue=revenue,
        regimes=regimes,
        start=start,
        batches=batches,
        ahead=ahead,
        read_samples=read_samples,
        read_rate=read_rate,
    )
    alone = [field for field, text in {"free": free, "left": left, "known": known}.items() if text is not None]
    if alone and value is None and not prices:
        raise Ten18Error("is used only with --value or --prices", alone[0])
    values = [] if value is None else [x if exact else float(x) for x in texts.read_numbers(value, "value")]
    slots_free = None if free is None else texts.read_free(free, len(problem.multipliers))
    numbers = None if known is None else texts.read_numbers(known, "known")
    policy, write = problem.solve(exact=exact), writer(exact)
    number = write if exact else plain  # integers of the problem stay integers
    answer, now = _answer(policy, name), left_of(problem, left)
    seen = known_of(problem, numbers, exact=exact) if values or prices else None
    shown = list(range(1, len(problem.multipliers) + 1)) if slots_free is None else slots_free
    parts: dict[str, Any] = {}
    if problem.batches is not None and values:
        size = problem.batches[-1 - now] if isinstance(now, int) and 0 <= now < len(problem.batches) else len(values)
        if len(values) != size:
            raise Ten18Error(f"{len(values)} values; accepted: all {size} values of this batch", "value")
        placed = policy.assign_batch(values, free=slots_free, left=now)
        parts["placed"] = PlacedBatch([number(each) for each in values], now, shown, placed)
    elif len(values) > 1:
        raise Ten18Error("only batches take several values; accepted: one", "value")
    elif values:
        losses = policy.losses(values[0], free=slots_free, left=now, known=seen)
        best = policy.assign(values[0], free=slots_free, left=now, known=seen)
        order = sorted(losses, key=lambda slot: (losses[slot], slot != best, slot or 0))
        choices = [Choice(slot, write(losses[slot])) for slot in order]
        parts["decision"] = Decision(number(values[0]), now, shown, best, choices, **_shown(seen, number))
    if prices:
        if problem.batches is not None:
            raise Ten18Error("batches of buyers have no posted prices", "prices")
        parts["prices"] = _prices(policy, shown, now, seen)
        if left is None and free is None and seen is None and len(set(problem.multipliers)) == 1:
            parts["menu"] = _menu(policy)
    if filled:
        parts["filled"] = list(_placements(policy))
    if compare is not None:
        with blame("compare", "rule"):
            rules = problem.compare(compare.split(","), exact=exact, seed=seed).evaluations
        parts["comparison"] = [
            ComparedRule(each.rule, write(each.value), write(each.loss), each.ratio, each.error, each.error_kind)
            for each in rules
        ]
    if games is not None:
        simulated = policy.simulate(games, seed)
        parts["simulated"] = SimulatedWorth(games, seed, simulated.mean, simulated.sd, simulated.stderr)
    return replace(answer, **parts)


# From texts.


def _reject(**arguments: object) -> None:
    for name, value in arguments.items():
        if value is not None and value is not False:
            raise Ten18Error("cannot be used with this form of the problem", name)


def distribution_name(distribution: str | None) -> str:
    """The text of a distribution, with single blanks."""
    if distribution is None:
        raise Ten18Error(
            "which values arrive? accepted: gamma(2, 50), uniform(0, 1), 3d6, samples:FILE", "distribution"
        )
    return " ".join(distribution.split())


def read_one_distribution(distribution: str | None, read_samples: texts.Samples | None) -> ValueDistribution:
    distributions = texts.read_distributions(distribution_name(distribution), read_samples)
    if len(distributions) > 1:
        raise Ten18Error("one distribution for all arrivals is accepted here", "distribution", distribution)
    return distributions[0]


def read_count(text: str | None, field: str) -> int:
    if text is None or (count := texts.count_of(text.strip())) is None:
        raise Ten18Error("must be a whole number here", field, text)
    return count


def read_problem(
    distribution: str,
    slots: str,
    arrivals: str | None = None,
    *,
    poisson: str | None = None,
    until: float | None = None,
    chance: str = "1",
    discount: str = "1",
    must_fill: bool = False,
    revenue: bool = False,
    regimes: str | None = None,
    start: str | None = None,
    batches: str | None = None,
    ahead: int = 0,
    read_samples: texts.Samples | None = None,
    read_rate: Rates = float,
) -> Problem:
    distributions = texts.read_distributions(distribution, read_samples)
    if start is not None and regimes is None:
        raise Ten18Error("is the first regime; give --regimes as well", "start", start)
    coming: int | RandomNumber | Poisson | Endless | None = None if arrivals is None else texts.read_arrivals(arrivals)
    if poisson is not None or until is not None:
        rate = None if poisson is None else read_rate(poisson)
        if rate is None or until is None:
            missing, given = ("poisson", "a deadline") if rate is None else ("until", "a rate")
            raise Ten18Error(f"{given} alone does not say how many arrive; give both", missing)
        if coming is not None:
            raise Ten18Error("give either a number of arrivals or a rate and a deadline", "arrivals", arrivals)
        with blame("poisson", "rate"):
            coming = Poisson(rate, until)
    elif coming is None and (len(distributions) == 1 or regimes is not None):
        raise Ten18Error(f"is missing; {texts.ACCEPTED_ARRIVALS}", "arrivals")
    with blame("poisson", "rate"):
        return Problem(
            distributions if len(distributions) > 1 else distributions[0],
            texts.read_multipliers(slots),
            coming,
            discount=texts.read_number(discount, "discount"),
            chance=texts.read_number(chance, "chance"),
            must_fill=must_fill,
            regimes=None if regimes is None else texts.read_regimes(regimes, start),
            batches=None if batches is None else texts.read_batches(batches),
            ahead=ahead,
            revenue=revenue,
        )


# A problem solved.


def _answer(policy: Policy[Any], name: str) -> AssignmentAnswer:
    """What the problem is worth, and the thresholds; ``name`` is that of the distribution."""
    problem, write = policy.problem, writer(policy.is_exact)
    number, regimes = write if policy.is_exact else plain, problem.regimes
    has_end = not isinstance(problem.arrivals, Endless)
    return AssignmentAnswer(
        name,
        [number(multiplier) for multiplier in problem.multipliers],
        _arrivals_text(problem),
        problem.must_fill,
        problem.revenue,
        write(policy.value),
        write(policy.hindsight) if has_end else None,
        write(policy.regret) if has_end else None,
        policy.error,
        policy.error_kind,
        policy.hindsight_error if has_end else None,
        policy.regret_error if has_end else None,
        list(islice(_threshold_rows(policy), max(1, 10 * MAX_NUMBERS // len(problem.multipliers)))),
        UNSET if regimes is None else [[number(chance) for chance in row] for row in regimes.transitions],
        UNSET if problem.batches is None else list(problem.batches),
        problem.ahead or UNSET,
    )


def _shown(known: Any, number: Callable[[Any], Written]) -> dict[str, Any]:
    """What is known of the time to come: a regime, or the values that are seen ahead."""
    if isinstance(known, tuple):
        return {"ahead": [number(value) for value in known]}
    return {} if known is None else {"regime": known}


def _threshold_rows(policy: Policy[Any]) -> Iterator[ThresholdRow]:
    """The thresholds, by what is still to come and by what may be known of it."""
    write = writer(policy.is_exact)
    for left in lefts_of(policy.problem):
        for known in policy.model.knowns(left):
            bounds = [write(bound) if bound > -inf else None for bound in policy.row(left, known)]
            yield ThresholdRow(left, bounds, **_shown(known, write if policy.is_exact else plain))


def _prices(policy: Policy[Any], slots: Sequence[int], left: Left, known: Any) -> list[SlotPrice]:
    write, multipliers = writer(policy.is_exact), policy.multipliers
    prices = dict(zip(slots, policy.prices(left=left, free=slots, known=known), strict=True))
    rows = {}
    before: tuple[Any, Any, Any] = (0, 0, 0)  # multiplier, price, and the value that pays it, of the slot before
    for slot in sorted(slots, key=lambda slot: multipliers[slot - 1]):
        multiplier, price = multipliers[slot - 1], prices[slot]
        step = multiplier - before[0]
        bought_from = (price - before[1]) / step if step else before[2]
        shown = write(multiplier) if policy.is_exact else plain(multiplier)
        rows[slot] = SlotPrice(slot, shown, write(price), write(bought_from))
        before = multiplier, price, bought_from
    return [rows[slot] for slot in slots]


def _menu(policy: Policy[Any]) -> list[Menu]:
    n, write, lefts = len(policy.multipliers), writer(policy.is_exact), lefts_shown(lefts_of(policy.problem))
    counts = sorted({count for count in FEW_SLOTS if count < n} | {n})
    rows = zip(lefts, policy.price_table(lefts), strict=True)
    return [Menu(left, {str(count): write(row[count - 1]) for count in counts}) for left, row in rows]


def _placements(policy: Policy[Any]) -> Iterator[Placements]:
    """The chances to fill each slot: by arrival, by batch, or by the time between two others."""
    rows, problem, write = policy.placements(), policy.problem, writer(policy.is_exact)
    for place, row in enumerate(rows):
        chances = [write(chance) for chance in row]
        if isinstance(problem.arrivals, Poisson):
            until = float(problem.arrivals.until)
            yield Placements(chances, begin=until * place / len(rows), end=until * (place + 1) / len(rows))
        else:
            yield Placements(chances, **{"arrival" if problem.batches is None else "batch": place + 1})


def _arrivals_text(problem: Problem) -> str:
    """How many arrive, in words."""
    arrivals = problem.arrivals
    if isinstance(arrivals, Poisson):
        text = f"poisson, {arrivals.expected(0.0, float(arrivals.until)):.6g} expected until {arrivals.until:g}"
        if isinstance(arrivals.rate, int | float):
            text = f"poisson at rate {arrivals.rate:g} until {arrivals.until:g}"
    elif isinstance(arrivals, RandomNumber):
        text = f"at most {arrivals.most}"
    else:
        text = "endless" if isinstance(arrivals, Endless) else str(arrivals)
    if problem.regimes is not None:
        text += f" in {problem.regimes.size} regimes"
    if problem.batches is not None:
        sizes = sorted(set(problem.batches), reverse=True)
        text += f" in {len(problem.batches):,} batches of {' or '.join(map(str, sizes[:3]))}"
        text += " or fewer" if len(sizes) > 3 else ""
    if problem.ahead:
        text += f", {problem.ahead} seen ahead"
    if problem.chance != 1:
        text += f", each with chance {float(problem.chance):g}"
    return text if problem.discount == 1 else f"{text}, discount {float(problem.discount):g}"


# What may still be to come, and be known of it.


def lefts_of(problem: Problem) -> list[Left]:
    """What may still be to come at an arrival, from the first one on; of very many rows, some."""
    arrivals = problem.arrivals
    if isinstance(arrivals, Endless):
        return [None]
    if isinstance(arrivals, Poisson):
        return [float(arrivals.until) * (TIMES - step) / TIMES for step in range(TIMES)]
    rounds = arrivals.most if isinstance(arrivals, RandomNumber) else arrivals
    if problem.batches is not None:
        rounds = len(problem.batches)
    bounds = len(problem.multipliers) * (1 if problem.regimes is None else problem.regimes.size)
    if rounds * bounds <= MAX_NUMBERS:
        return list(range(rounds - 1, -1, -1))
    return _some(rounds)[: max(1, 10 * MAX_NUMBERS // bounds)]


def lefts_shown(lefts: Sequence[Left]) -> list[Left]:
    """Of these, as many as a person reads."""
    if len(lefts) <= SHOWN_ROWS:
        return list(lefts)
    if all(isinstance(left, int) for left in lefts):
        return _some(len(lefts))
    return [lefts[step * len(lefts) // 10] for step in range(10)]


def _some(rounds: int) -> list[Left]:
    """The first arrival, the last ones, and round numbers between them."""
    series = [first * 10**power for power in range(len(str(rounds))) for first in (1, 2, 5)]
    return sorted({rounds - 1, *range(min(6, rounds)), *(left for left in series if left < rounds - 1)}, reverse=True)


def left_of(problem: Problem, left: Left) -> Left:
    """What is still to come; if nothing is said, all that may be after the first arrival."""
    arrivals = problem.arrivals
    if left is None:
        return lefts_of(problem)[0]
    if not isfinite(left):
        raise Ten18Error("must be a number", "left", left)
    if isinstance(arrivals, Endless):
        raise Ten18Error("endless arrivals have no end, so this is meaningless", "left", left)
    if isinstance(arrivals, Poisson):
        return float(left)
    if left != int(left):
        what = "arrivals" if problem.batches is None else "batches"
        raise Ten18Error(f"must be a whole number of {what}", "left", left)
    return int(left)


def known_of(problem: Problem, known: Sequence[Number] | None, *, exact: bool) -> Any:
    """What is known of the time to come, as a policy takes it: a regime, or the values that are seen ahead."""
    if problem.regimes is not None:
        return problem.regimes.verify(known[0] if known is not None and len(known) == 1 else known)
    if problem.ahead:
        return tuple(value if exact else float(value) for value in known or ())
    if known is not None:
        raise Ten18Error("is used only with --regimes or --ahead", "known")
    return None


# Ranks alone, and every number of slots.


def solve_secretary(n: int, reward: Reward = "best", choices: int = 1, *, exact: bool = False) -> SecretaryAnswer:
    best = secretary(n, reward, choices, exact=exact)
    return SecretaryAnswer(
        n,
        best.reward if isinstance(best.reward, str) else [float(worth) for worth in best.reward],
        choices,
        writer(exact)(best.value),
        best.error,
        [
            RuleRow(left, [arrival for _, arrival in best.rule(left, RANKS)])
            for left in range(choices, max(0, choices - MAX_CHOICES), -1)
        ],
        best.ranks(RANKS).tolist(),
    )


def solve_regret(
    distribution: ValueDistribution, arrivals: int, name: str, *, exact: bool = False, progress: Progress | None = None
) -> RegretAnswer:
    """Hindsight's advantage over the best play, for every number of slots; ``name`` is that of the distribution."""
    solved = multisecretary(distribution, arrivals, exact=exact, progress=progress)
    write = writer(exact)
    count = len(solved.regret)
    slots = list(range(count)) if count <= MAX_REGRETS else slots_shown(range(count), 1000)
    worst = int(solved.regret.argmax())
    return RegretAnswer(
        name,
        arrivals,
        slots,
        [write(solved.value[k]) for k in slots],
        [write(solved.hindsight[k]) for k in slots],
        [write(solved.regret[k]) for k in slots],
        LargestRegret(worst, write(solved.regret[worst])),
        solved.error,
        solved.hindsight_error,
        solved.regret_error,
    )


def slots_shown(slots: Sequence[int], most: int = SHOWN_REGRETS) -> list[int]:
    """At most this many of these numbers of slots, with both ends."""
    if len(slots) <= most:
        return list(slots)
    return sorted({slots[round(step * (len(slots) - 1) / (most - 1))] for step in range(most)})
