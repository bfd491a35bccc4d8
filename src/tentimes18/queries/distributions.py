"""The distribution of a strategy's final score, its moments alone, the roll in each slot, and one roll of dice.

A distribution is exact unless that takes too long; numbers are floats, or on demand fractions p/q.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Annotated, TypeAlias

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tentimes18.dice import Dice
from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.game import Board, Game, Number, read_score
from tentimes18.queries import DiceText, Doc, Exact, MovesText, SlotsText, query
from tentimes18.queries.json_numbers import Written, fraction_text, plain, writer
from tentimes18.queries.moves import read_board
from tentimes18.solve.moments import Moments, hindsight_moments, optimal_moments, random_moments, slot_distributions
from tentimes18.solve.parallel import Progress, split_progress
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import KnownStrategy, score_distribution

QUANTILES = ("0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99")
MAX_STRATEGIES = 8
MAX_SCORES = 50
MAX_LAB_DICE = 8
_MOMENTS: dict[str, Callable[[Game, Progress | None], Moments]] = {
    "optimal": optimal_moments,
    "hindsight": hindsight_moments,
    "random": lambda game, _: random_moments(game),
}

KnownFinder: TypeAlias = Callable[[str], KnownStrategy]
"""Looks up a strategy whose distribution can be computed: `named`, or a function that loads a user's code as well."""


class DistributionAnswer(Struct, frozen=True):
    """The distribution of a score; quantiles by their share, probabilities by the score that was asked for.

    ``exact``: whether it was computed in integers. ``pmf`` has a pair (score, probability) for each score,
    ``cumulative`` the probabilities of that score or less, and of that score or more.
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
    pmf: list[tuple[Written, float | str]] | UnsetType = UNSET
    cumulative: list[tuple[Written, float | str, float | str]] | UnsetType = UNSET
    at_least: dict[str, float | str] | UnsetType = UNSET
    at_most: dict[str, float | str] | UnsetType = UNSET


class DistributionsAnswer(Struct, frozen=True):
    """The distributions of several strategies, in the order of their names in the question."""

    distributions: list[DistributionAnswer]


class MomentsAnswer(Struct, frozen=True):
    """Mean and variance of a score."""

    strategy: str
    mean: float | str
    variance: float | str
    sd: float


class SeveralMomentsAnswer(Struct, frozen=True):
    """Mean and variance for several strategies."""

    distributions: list[MomentsAnswer]


class SlotRollsAnswer(Struct, frozen=True):
    """For each slot the probabilities of the rolls that it ends with."""

    strategy: str
    rolls: list[int]
    slots: list[list[float | str]]


@dataclass(frozen=True)
class Distributions:
    """Distributions of the final score by strategy, and what is asked about them."""

    board: Board
    moves: str
    distributions: Mapping[str, ScoreDistribution]
    at_least: Sequence[Number]
    at_most: Sequence[Number]
    cumulative: bool
    exact: bool
    summary: bool

    @property
    def answer(self) -> DistributionAnswer | DistributionsAnswer:
        answers = [self._describe(strategy, distribution) for strategy, distribution in self.distributions.items()]
        return answers[0] if len(answers) == 1 else DistributionsAnswer(answers)

    def _describe(self, strategy: str, one: ScoreDistribution) -> DistributionAnswer:
        share = writer(self.exact)
        score: Callable[[Number], Written] = fraction_text if self.exact else plain
        answer = DistributionAnswer(
            *(strategy, share(one.mean), share(one.variance), one.sd, one.skewness),
            *(score(one.median), [score(median) for median in one.medians]),
            {q: score(one.quantile(Fraction(q))) for q in QUANTILES},
            one.is_exact,
            at_least={str(points): share(one.at_least(points)) for points in self.at_least} or UNSET,
            at_most={str(points): share(one.at_most(points)) for points in self.at_most} or UNSET,
        )
        if self.cumulative:
            sums = [(score(points), share(one.at_most(points)), share(one.at_least(points))) for points in one.scores]
            answer = replace(answer, cumulative=sums)
        if self.summary:
            return answer
        return replace(answer, pmf=[(score(points), share(one.probability(points))) for points in one.scores])


@query(DistributionAnswer | DistributionsAnswer | MomentsAnswer | SeveralMomentsAnswer | SlotRollsAnswer)
def distribution(
    strategy: Annotated[
        str,
        Doc(
            "Strategies by name: optimal, random, target:700, cvar:0.1, ..., with commas between them.", metavar="NAMES"
        ),
    ] = "optimal",
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    moves: MovesText = "",
    at_least: Annotated[
        str | None, Doc("Show the chance of these scores or more, like 650,700.", metavar="SCORES")
    ] = None,
    at_most: Annotated[
        str | None, Doc("Show the chance of these scores or less, like 600,620.", metavar="SCORES")
    ] = None,
    cumulative: Annotated[bool, Doc("Add the chances of each score or less, and of each score or more.")] = False,
    moments: Annotated[bool, Doc("Compute only the mean and variance, also for hundreds of slots.")] = False,
    per_slot: Annotated[bool, Doc("Show the distribution of the roll in each slot under optimal play.")] = False,
    exact: Exact = False,
    summary: Annotated[bool, Doc("Leave out the table of scores.")] = False,
    find_known: KnownFinder = named,
    progress: Progress | None = None,
) -> Distributions | MomentsAnswer | SeveralMomentsAnswer | SlotRollsAnswer:
    """The distribution of a strategy's final score, from the start or from a game in play.

    A few scores are shown one by one, many in ranges; the rare scores at each end share a line.
    """
    game = Game.parse(dice, slots)
    names = list(dict.fromkeys(name.strip() for name in strategy.split(",")))
    if len(names) > MAX_STRATEGIES:
        raise Ten18Error(f"{len(names)} strategies, at most {MAX_STRATEGIES} are accepted", field="strategy")
    if moments or per_slot:
        for field, is_given in (("at_least", at_least), ("at_most", at_most), ("cumulative", cumulative)):
            if is_given:
                raise Ten18Error("needs the distribution; leave `moments` and `per_slot` out", field=field)
        if moments and per_slot:
            raise Ten18Error("cannot be combined with `per_slot`; give one of them", field="moments")
        if moves:
            raise Ten18Error("`moments` and `per_slot` are for whole games; leave the moves out", field="moves")
    share = writer(exact)
    if moments:
        answers = []
        for name in names:
            if name not in _MOMENTS:
                raise Ten18Error(f"has no polynomial moments; accepted: {', '.join(_MOMENTS)}", "strategy", name)
            score = _MOMENTS[name](game, progress)
            answers.append(MomentsAnswer(name, share(score.mean), share(score.variance), score.sd))
        return answers[0] if len(answers) == 1 else SeveralMomentsAnswer(answers)
    if per_slot:
        if strategy != "optimal":
            raise Ten18Error("the distributions of single slots are computed for optimal only", "strategy", strategy)
        if len(set(game.multipliers)) < game.size:
            raise InvalidGame("the distributions of single slots need multipliers that all differ", field="slots")
        rolls = slot_distributions(game.dice, game.size, progress)
        return SlotRollsAnswer(strategy, list(game.dice.support), [list(map(share, slot)) for slot in rolls])
    if cumulative and summary:
        raise Ten18Error("lists single scores, which the summary leaves out", field="cumulative")
    thresholds = _scores(at_least, "at_least"), _scores(at_most, "at_most")
    board = read_board(game, moves)
    known = {name: find_known(name) for name in names}  # all names are looked up before anything is computed
    distributions = {
        name: score_distribution(board, strategy, exact=True if exact else None, progress=stage)
        for (name, strategy), stage in zip(known.items(), split_progress(progress, *[1.0] * len(known)), strict=True)
    }
    return Distributions(board, moves, distributions, *thresholds, cumulative, exact, summary)


def _scores(text: str | None, field: str) -> list[Number]:
    parts = [] if text is None else text.split(",")
    if len(parts) > MAX_SCORES:
        raise Ten18Error(f"{len(parts)} scores, at most {MAX_SCORES} are accepted", field=field)
    return [read_score(part.strip(), field) for part in parts]


class RollAnswer(Struct, frozen=True):
    """A roll, its probability, and the probabilities of that much or more, or less."""

    roll: int
    chance: float | str
    at_least: float | str
    at_most: float | str


class DiceAnswer(Struct, frozen=True):
    """The distribution of dice; there are two ``medians`` where exactly half of it lies up to the first."""

    dice: str
    mean: float | str
    variance: float | str
    sd: float
    least: int
    most: int
    medians: list[int]
    rolls: list[RollAnswer]


class SeveralDiceAnswer(Struct, frozen=True):
    """The distributions of dice, in the order of the question."""

    distributions: list[DiceAnswer]


def roll_distribution(dice: Dice) -> ScoreDistribution:
    """The distribution of one roll, as if it were a score."""
    return ScoreDistribution(dice.support, dice.counts, dice.total)


def read_several_dice(texts: Sequence[str]) -> list[Dice]:
    return list({str(one): one for one in map(Dice.parse, texts)}.values())


@query(SeveralDiceAnswer)
def dice(
    dice: Annotated[
        list[str],
        Doc(
            "One or more kinds of dice, like 3d6 4d6kh3 2d6+1d8-3.",
            metavar="DICE...",
            is_argument=True,
            is_required=True,
            max_items=MAX_LAB_DICE,
            example=["3d6"],
        ),
    ] = ["3d6"],  # noqa: B006 (it is not changed)
    exact: Exact = False,
) -> SeveralDiceAnswer:
    """The distribution of one roll: the chance of each, of that much or less, or more; several dice side by side.

    3d6 adds up, 4d6kh3 keeps the three highest, 2d20kl1 the lowest,
    1d6! explodes at most 3 times, 1d6!x9 at most 9, 2d6*2 doubles,
    d{1:3,2:1} has faces with weights, 2d12:12=2 a loaded face,
    and 2d6+4d6kh3-1 is a sum of them.
    """
    write = writer(exact)
    answers = []
    for one in read_several_dice(dice):
        distribution, ends = roll_distribution(one), (one.support[0], one.support[-1])
        chances = distribution.probability, distribution.at_least, distribution.at_most
        rolls = [RollAnswer(roll, *(write(chance(roll)) for chance in chances)) for roll in one.support]
        moments = write(one.mean), write(one.variance), sqrt(one.variance)
        answers.append(DiceAnswer(str(one), *moments, *ends, list(map(int, distribution.medians)), rolls))
    return SeveralDiceAnswer(answers)
