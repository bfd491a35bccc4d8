"""The law of a strategy's final score: all of it, its moments alone, or the law of the roll in each slot.

The law is exact unless that takes too long; numbers are floats, or on demand fractions p/q. Laws of several strategies
stand side by side.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NotRequired, TypeAlias, TypedDict

from tentimes18.dice import Dice
from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.game import Board, Game, Number
from tentimes18.plan import Limits, Plan, admit, admit_game, kept_together
from tentimes18.queries.json_numbers import Written, fraction_text, plain, writer
from tentimes18.solve.layers import Progress, stages
from tentimes18.solve.scores.moments import (
    Moments,
    hindsight_moments,
    hindsight_moments_plan,
    optimal_moments,
    optimal_moments_plan,
    random_moments,
    slot_laws,
    slot_laws_plan,
)
from tentimes18.solve.scores.score_law import ScoreLaw
from tentimes18.strategies.named import named
from tentimes18.strategies.old_plans import law_plan
from tentimes18.strategies.strategy import KnownStrategy, is_exact_sensible, score_distribution

__all__ = [
    "Asked",
    "DistributionAnswer",
    "DistributionsAnswer",
    "KnownFinder",
    "Laws",
    "MomentsAnswer",
    "SeveralMomentsAnswer",
    "SlotLawsAnswer",
    "describe",
    "described",
    "distribution",
    "find_laws",
    "moments",
    "per_slot",
]

QUANTILES: Final = ("0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99")
_MOMENTS: Final[dict[str, tuple[Callable[[Game, Progress | None], Moments], Callable[[Dice, int], Plan]]]] = {
    "optimal": (optimal_moments, optimal_moments_plan),
    "hindsight": (hindsight_moments, hindsight_moments_plan),
    "random": (lambda game, _: random_moments(game), lambda _, n: Plan(f"the moments for {n:,} slots", 1e-6 * n)),
}

KnownFinder: TypeAlias = Callable[[str], KnownStrategy]
"""Gives the strategy of a name, whose law can be computed: `named`, or one that loads a user's own code as well."""


Laws: TypeAlias = Mapping[str, ScoreLaw]
"""Laws of scores by the names of the strategies."""


class DistributionAnswer(TypedDict):
    """What can be read off the law of a score; quantiles by their share, chances by the score that is asked for.

    ``exact``: whether the law was computed in integers. ``pmf`` has a pair (score, chance) for each score,
    ``cumulative`` the chances of that score or less, and of that score or more.
    """

    strategy: str
    mean: float | str
    variance: float | str
    sd: float
    skewness: float
    median: Written
    medians: list[Written]
    quantiles: dict[str, Written]
    exact: bool
    pmf: NotRequired[list[tuple[Written, float | str]]]
    cumulative: NotRequired[list[tuple[Written, float | str, float | str]]]
    at_least: NotRequired[dict[str, float | str]]
    at_most: NotRequired[dict[str, float | str]]


class DistributionsAnswer(TypedDict):
    """The laws of several strategies, in the order in which these were given."""

    laws: list[DistributionAnswer]


class MomentsAnswer(TypedDict):
    """Mean and variance of a score."""

    strategy: str
    mean: float | str
    variance: float | str
    sd: float


class SeveralMomentsAnswer(TypedDict):
    """Mean and variance for several strategies."""

    laws: list[MomentsAnswer]


class SlotLawsAnswer(TypedDict):
    """For each slot the chances of the rolls that it ends with."""

    strategy: str
    rolls: list[int]
    slots: list[list[float | str]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a law: chances of these scores or more, or less, fractions, the single scores or not.

    >>> Asked(at_least=(700,)).cumulative
    False
    """

    at_least: Sequence[Number] = ()
    at_most: Sequence[Number] = ()
    exact: bool = False
    summary: bool = False
    cumulative: bool = False


def find_laws(
    board: Board,
    strategies: Sequence[str],
    *,
    exact: bool = False,
    find: KnownFinder = named,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> Laws:
    """The laws of the final score from this board on, by strategy.

    All names are looked up, and whatever takes too long is refused, before any law is computed.

    >>> laws = find_laws(Board(Game.parse("1d2", "1,2")), ["optimal", "random"])
    >>> [(name, law.median) for name, law in laws.items()]
    [('optimal', 5), ('random', 4)]
    """
    known = {name: find(name) for name in strategies}

    def law(strategy: KnownStrategy, told: Progress | None = None) -> ScoreLaw:
        return score_distribution(board, strategy, exact=True if exact else None, progress=told)

    def plan(strategy: KnownStrategy) -> Plan:
        return law_plan(strategy, board, exact=exact or is_exact_sensible(board, strategy))

    plans = [plan(strategy) for strategy in known.values()]
    for strategy, planned in zip(known.values(), plans, strict=True):
        if not planned.fits(limits):
            law(strategy)  # which says what would fit
    admit(kept_together(f"the laws of {len(plans)} scores on {board.game.size:,} slots", *plans), limits)
    stage = stages(progress, *plans)
    return {name: law(strategy, told) for (name, strategy), told in zip(known.items(), stage, strict=True)}


def distribution(
    board: Board,
    strategy: str,
    *,
    at_least: Sequence[Number] = (),
    exact: bool = False,
    summary: bool = False,
    find: KnownFinder = named,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> DistributionAnswer:
    """The law of the final score from this board on; ``summary`` leaves the single scores out.

    >>> answer = distribution(Board(Game.parse("1d2", "1")), "optimal", at_least=[2])
    >>> answer["mean"], answer["pmf"], answer["at_least"]
    (1.5, [(1, 0.5), (2, 0.5)], {'2': 0.5})
    """
    law = find_laws(board, [strategy], exact=exact, find=find, progress=progress, limits=limits)[strategy]
    return describe(strategy, law, Asked(at_least, exact=exact, summary=summary))


def describe(strategy: str, law: ScoreLaw, asked: Asked) -> DistributionAnswer:
    """What can be read off the law of a strategy's score.

    >>> describe("mine", ScoreLaw((1, 2), (1, 1), 2), Asked(at_most=[1], cumulative=True))["cumulative"]
    [(1, 0.5, 1.0), (2, 1.0, 0.5)]
    """
    share = writer(asked.exact)
    score: Callable[[Number], Written] = fraction_text if asked.exact else plain
    answer: DistributionAnswer = {
        "strategy": strategy,
        "mean": share(law.mean),
        "variance": share(law.variance),
        "sd": law.sd,
        "skewness": law.skewness,
        "median": score(law.median),
        "medians": [score(median) for median in law.medians],
        "quantiles": {q: score(law.quantile(Fraction(q))) for q in QUANTILES},
        "exact": law.is_exact,
    }
    if not asked.summary:
        answer["pmf"] = [(score(points), share(law.probability(points))) for points in law.scores]
    if asked.cumulative:
        answer["cumulative"] = [
            (score(points), share(law.at_most(points)), share(law.at_least(points))) for points in law.scores
        ]
    if asked.at_least:
        answer["at_least"] = {str(wanted): share(law.at_least(wanted)) for wanted in asked.at_least}
    if asked.at_most:
        answer["at_most"] = {str(wanted): share(law.at_most(wanted)) for wanted in asked.at_most}
    return answer


def described(laws: Laws, asked: Asked) -> DistributionAnswer | DistributionsAnswer:
    """The answer on a law, or on several in the order in which they were asked for.

    >>> laws = find_laws(Board(Game.parse("1d2", "1,2")), ["optimal", "random"])
    >>> [law["median"] for law in described(laws, Asked())["laws"]]
    [5, 4]
    """
    found = [describe(strategy, law, asked) for strategy, law in laws.items()]
    return found[0] if len(found) == 1 else {"laws": found}


def moments(
    game: Game, strategy: str, *, exact: bool = False, progress: Progress | None = None, limits: Limits | None = None
) -> MomentsAnswer:
    """Mean and variance alone, in polynomial time: for many slots.

    >>> moments(Game.parse("1d6", "1,2"), "random", exact=True)
    {'strategy': 'random', 'mean': '21/2', 'variance': '175/12', 'sd': 3.8188130791298667}
    """
    if strategy not in _MOMENTS:
        raise Ten18Error(f"has no polynomial moments; accepted: {', '.join(_MOMENTS)}", "strategy", strategy)
    compute, plan_of = _MOMENTS[strategy]
    admit_game(game, lambda part: plan_of(part.dice, part.size), limits)
    found, write = compute(game, progress), writer(exact)
    return {"strategy": strategy, "mean": write(found.mean), "variance": write(found.variance), "sd": found.sd}


def per_slot(
    game: Game,
    strategy: str = "optimal",
    *,
    exact: bool = False,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> SlotLawsAnswer:
    """The law of the roll in each slot, under `optimal`.

    >>> per_slot(Game.parse("1d2", "1,2"), exact=True)["slots"]
    [['3/4', '1/4'], ['1/4', '3/4']]
    """
    if strategy != "optimal":
        raise Ten18Error("the laws of the single slots are known for optimal only", "strategy", strategy)
    if len(set(game.multipliers)) < game.size:
        raise InvalidGame("the laws of the single slots need multipliers that all differ", field="slots")
    admit_game(game, lambda part: slot_laws_plan(part.dice, part.size), limits)
    write = writer(exact)
    laws = slot_laws(game.dice, game.size, progress)
    return {
        "strategy": strategy,
        "rolls": list(game.dice.support),
        "slots": [[write(chance) for chance in law] for law in laws],
    }
