"""The law of a strategy's final score: all of it, its moments alone, or the law of the roll in each slot.

The law is exact unless that takes too long; numbers are floats, or on demand fractions p/q.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final, NotRequired, TypeAlias, TypedDict

from tentimes18.answers.numbers import Written, fraction_text, plain, writer
from tentimes18.dice import Dice
from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.game import Board, Game, Number
from tentimes18.plan import Limits, Plan, admit_game
from tentimes18.solve.layers import Progress
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
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import KnownStrategy, score_law

__all__ = [
    "DistributionAnswer",
    "KnownFinder",
    "MomentsAnswer",
    "SlotLawsAnswer",
    "distribution",
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


class DistributionAnswer(TypedDict):
    """What can be read off the law of a score; quantiles by their share, chances by the score that is asked for.

    ``exact``: whether the law was computed in integers. ``pmf`` has a pair (score, chance) for each score.
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
    at_least: NotRequired[dict[str, float | str]]


class MomentsAnswer(TypedDict):
    """Mean and variance of a score."""

    strategy: str
    mean: float | str
    variance: float | str
    sd: float


class SlotLawsAnswer(TypedDict):
    """For each slot the chances of the rolls that it ends with."""

    strategy: str
    rolls: list[int]
    slots: list[list[float | str]]


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
    law = score_law(board, find(strategy), exact=True if exact else None, progress=progress, limits=limits)
    share = writer(exact)
    score: Callable[[Number], Written] = fraction_text if exact else plain
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
    if not summary:
        answer["pmf"] = [(score(points), share(law.probability(points))) for points in law.scores]
    if at_least:
        answer["at_least"] = {str(wanted): share(law.at_least(wanted)) for wanted in at_least}
    return answer


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
