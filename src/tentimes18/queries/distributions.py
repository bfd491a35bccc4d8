"""The distribution of a strategy's final score, its moments alone, the roll in each slot, and one roll of dice.

A distribution is exact unless that takes too long; numbers are floats, or on demand fractions p/q.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Annotated, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from tentimes18.dice import Dice
from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.game import Board, Game, Number, read_score
from tentimes18.queries import DiceText, Doc, Exact, MovesText, Progress, SlotsText, query, split_progress
from tentimes18.queries.json_numbers import Written, fraction_text, plain, writer
from tentimes18.queries.positions import read_board
from tentimes18.solve.moments import Moments, hindsight_moments, optimal_moments, random_moments, slot_distributions
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
    """The distributions of several strategies, in the order in which these were given."""

    laws: list[DistributionAnswer]


class MomentsAnswer(Struct, frozen=True):
    """Mean and variance of a score."""

    strategy: str
    mean: float | str
    variance: float | str
    sd: float


class SeveralMomentsAnswer(Struct, frozen=True):
    """Mean and variance for several strategies."""

    laws: list[MomentsAnswer]


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
    laws: Mapping[str, ScoreDistribution]
    at_least: Sequence[Number]
    at_most: Sequence[Number]
    cumulative: bool
    exact: bool
    summary: bool

    @property
    def answer(self) -> DistributionAnswer | DistributionsAnswer:
        """The answer on one strategy, or on several."""
        answers = [self._describe(strategy, law) for strategy, law in self.laws.items()]
        return answers[0] if len(answers) == 1 else DistributionsAnswer(answers)

    def _describe(self, strategy: str, law: ScoreDistribution) -> DistributionAnswer:
        share = writer(self.exact)
        score: Callable[[Number], Written] = fraction_text if self.exact else plain
        return DistributionAnswer(
            strategy,
            share(law.mean),
            share(law.variance),
            law.sd,
            law.skewness,
            score(law.median),
            [score(median) for median in law.medians],
            {q: score(law.quantile(Fraction(q))) for q in QUANTILES},
            law.is_exact,
            UNSET if self.summary else [(score(points), share(law.probability(points))) for points in law.scores],
            [(score(points), share(law.at_most(points)), share(law.at_least(points))) for points in law.scores]
            if self.cumulative
            else UNSET,
            {str(points): share(law.at_least(points)) for points in self.at_least} or UNSET,
            {str(points): share(law.at_most(points)) for points in self.at_most} or UNSET,
        )


@query(DistributionAnswer | DistributionsAnswer | MomentsAnswer | SeveralMomentsAnswer | SlotRollsAnswer)
def distribution(
    strategy: Annotated[
        str, Doc("optimal, random, target:700, cvar:0.1, ...; several with commas.", metavar="NAMES")
    ] = "optimal",
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    moves: MovesText = "",
    at_least: Annotated[str | None, Doc("Chance of these scores or more, like 650,700.", metavar="SCORES")] = None,
    at_most: Annotated[str | None, Doc("Chance of these scores or less, like 600,620.", metavar="SCORES")] = None,
    cumulative: Annotated[bool, Doc("Also the chances of each score or less, and or more.")] = False,
    moments: Annotated[bool, Doc("Mean and variance alone, in polynomial time: for many slots.")] = False,
    per_slot: Annotated[bool, Doc("The law of the roll in each slot, under optimal, instead.")] = False,
    exact: Exact = False,
    summary: Annotated[bool, Doc("Leave out the chances of the single scores.")] = False,
    find_known: KnownFinder = named,
    progress: Progress | None = None,
) -> Distributions | MomentsAnswer | SeveralMomentsAnswer | SlotRollsAnswer:
    """The exact law of a strategy's final score, from the start or from a game in play.

    A law of few scores shows each, one of many shows ranges of them; rare scores at the ends are one line.
    """
    game = Game.parse(dice, slots)
    names = list(dict.fromkeys(name.strip() for name in strategy.split(",")))
    if len(names) > MAX_STRATEGIES:
        raise Ten18Error(f"{len(names)} strategies, at most {MAX_STRATEGIES} are accepted", field="strategy")
    if moments or per_slot:
        for field, is_given in (("at_least", at_least), ("at_most", at_most), ("cumulative", cumulative)):
            if is_given:
                raise Ten18Error("needs the law; leave `moments` and `per_slot` out", field=field)
        if moments and per_slot:
            raise Ten18Error("cannot be combined with `per_slot`; give one of them", field="moments")
        if moves:
            raise Ten18Error("`moments` and `per_slot` are for whole games; leave the moves out", field="moves")
    if moments:
        answers = [_moments(game, name, exact, progress) for name in names]
        return answers[0] if len(answers) == 1 else SeveralMomentsAnswer(answers)
    if per_slot:
        return _per_slot(game, strategy, exact, progress)
    if cumulative and summary:
        raise Ten18Error("is about the single scores, which the summary leaves out", field="cumulative")
    asked = _scores(at_least, "at_least"), _scores(at_most, "at_most")
    board = read_board(game, moves)
    laws = score_laws(board, names, exact=exact, find=find_known, progress=progress)
    return Distributions(board, moves, laws, *asked, cumulative, exact, summary)


def score_laws(
    board: Board,
    strategies: Sequence[str],
    *,
    exact: bool = False,
    find: KnownFinder = named,
    progress: Progress | None = None,
) -> dict[str, ScoreDistribution]:
    """The distributions of the final score from this board on, by strategy; all names are looked up first."""
    known = {name: find(name) for name in strategies}
    stages = split_progress(progress, *[1.0] * len(known))
    return {
        name: score_distribution(board, strategy, exact=True if exact else None, progress=stage)
        for (name, strategy), stage in zip(known.items(), stages, strict=True)
    }


def _scores(text: str | None, field: str) -> list[Number]:
    parts = [] if text is None else text.split(",")
    if len(parts) > MAX_SCORES:
        raise Ten18Error(f"{len(parts)} scores, at most {MAX_SCORES} are accepted", field=field)
    return [read_score(part.strip(), field) for part in parts]


def _moments(game: Game, strategy: str, exact: bool, progress: Progress | None) -> MomentsAnswer:
    if strategy not in _MOMENTS:
        raise Ten18Error(f"has no polynomial moments; accepted: {', '.join(_MOMENTS)}", "strategy", strategy)
    moments, write = _MOMENTS[strategy](game, progress), writer(exact)
    return MomentsAnswer(strategy, write(moments.mean), write(moments.variance), moments.sd)


def _per_slot(game: Game, strategy: str, exact: bool, progress: Progress | None) -> SlotRollsAnswer:
    if strategy != "optimal":
        raise Ten18Error("the laws of the single slots are known for optimal only", "strategy", strategy)
    if len(set(game.multipliers)) < game.size:
        raise InvalidGame("the laws of the single slots need multipliers that all differ", field="slots")
    write = writer(exact)
    laws = slot_distributions(game.dice, game.size, progress)
    return SlotRollsAnswer(
        strategy, list(game.dice.support), [[write(probability) for probability in law] for law in laws]
    )


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
    """The distributions of dice, in the order in which these were given."""

    laws: list[DiceAnswer]


def roll_law(dice: Dice) -> ScoreDistribution:
    """The distribution of one roll, as if it were a score.

    >>> roll_law(Dice.parse("3d6")).at_least(17)
    Fraction(1, 54)
    """
    return ScoreDistribution(dice.support, dice.counts, dice.total)


def read_several_dice(texts: Sequence[str]) -> list[Dice]:
    """The dice, each once, however they are written."""
    return list({str(one): one for one in map(Dice.parse, texts)}.values())


@query(SeveralDiceAnswer)
def dice(
    dice: Annotated[
        list[str],
        Doc(
            "One or more, like 3d6 4d6kh3 2d6+1d8-3.",
            metavar="DICE...",
            is_argument=True,
            is_required=True,
            max_items=MAX_LAB_DICE,
            example=["3d6"],
        ),
    ] = ["3d6"],  # noqa: B006 (it is not changed)
    exact: Exact = False,
) -> SeveralDiceAnswer:
    """The law of one roll: the chance of each, of that much or less, and or more; several dice side by side.

    3d6 adds up, 4d6kh3 keeps the three highest, 2d20kl1 the lowest,
    1d6! explodes at most 3 times, 1d6!x9 at most 9, 2d6*2 doubles,
    d{1:3,2:1} has faces with weights, 2d12:12=2 a loaded face,
    and 2d6+4d6kh3-1 is a sum of them.
    """
    return SeveralDiceAnswer([_describe_dice(one, exact) for one in read_several_dice(dice)])


def _describe_dice(dice: Dice, exact: bool) -> DiceAnswer:
    law, write = roll_law(dice), writer(exact)
    rolls = [
        RollAnswer(roll, write(law.probability(roll)), write(law.at_least(roll)), write(law.at_most(roll)))
        for roll in dice.support
    ]
    return DiceAnswer(
        str(dice),
        write(dice.mean),
        write(dice.variance),
        sqrt(dice.variance),
        dice.support[0],
        dice.support[-1],
        [int(median) for median in law.medians],
        rolls,
    )
