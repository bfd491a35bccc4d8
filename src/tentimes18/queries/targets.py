"""Best play for other aims than the mean: the probability of a score or more, utilities, quantiles, the worst games."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, NamedTuple

from msgspec import Struct

from tentimes18.errors import Ten18Error, blame, quoted
from tentimes18.game import Board, Game, Number, read_score
from tentimes18.queries import (
    MAX_SCORE_CHARACTERS,
    DiceText,
    Doc,
    MovesText,
    Progress,
    SlotsText,
    query,
    split_progress,
)
from tentimes18.queries.distributions import KnownFinder
from tentimes18.queries.json_numbers import Plain, answer_from, plain
from tentimes18.queries.positions import read_board
from tentimes18.solve.best_play import BestPlay
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.front import front_of
from tentimes18.strategies.named import ACCEPTED_OBJECTIVES, OBJECTIVES, named
from tentimes18.strategies.solved import chances
from tentimes18.strategies.strategy import ObjectiveStrategy, score_distribution


class NextMove(NamedTuple):
    """Where a roll goes, and where the strategy beside it, mostly `optimal`, places it."""

    roll: int
    slot: int
    other: int


def next_moves(board: Board, play: BestPlay) -> list[NextMove]:
    """Where the next roll goes, beside `optimal`; nothing where the board is full."""
    optimal = named("optimal")
    return [
        NextMove(roll, play.choose(board.free, board.score, roll), optimal.choose(board, roll))
        for roll in (board.game.dice.support if board.free else ())
    ]


class TargetAnswer(Struct, frozen=True):
    """The probability of the target with play for it, and with `optimal`; the means of both scores.

    ``next_move`` has a slot for each roll.
    """

    target: Plain
    probability: float
    with_optimal: float
    mean: float
    mean_with_optimal: float
    next_move: dict[str, int]


@dataclass(frozen=True, slots=True)
class SolvedTarget:
    """The play for a target from a board on, and the numbers of `optimal` beside it."""

    board: Board
    target: Number
    probability: Fraction | float
    with_optimal: Fraction | float
    mean: Fraction | float
    mean_with_optimal: Fraction | float
    moves: Sequence[NextMove]

    @property
    def answer(self) -> TargetAnswer:
        """The answer."""
        return TargetAnswer(
            plain(self.target),
            float(self.probability),
            float(self.with_optimal),
            float(self.mean),
            float(self.mean_with_optimal),
            {str(move.roll): move.slot for move in self.moves},
        )


@query(TargetAnswer)
def target(
    target: Annotated[
        str,
        Doc(
            "The score to reach or beat.",
            metavar="T",
            is_argument=True,
            max_length=MAX_SCORE_CHARACTERS,
            example="700",
        ),
    ],
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    moves: MovesText = "",
    progress: Progress | None = None,
) -> SolvedTarget:
    """The best chance of a score of T or more, and how to play for it."""
    board = read_board(Game.parse(dice, slots), moves)
    score = read_score(target, "target")
    making, law, preparing = split_progress(progress, 1, 1, 1)
    table = chances(board.game, making)
    play, optimal = table.best_play(score), score_distribution(board, named("optimal"), progress=law)
    play.prepare(preparing)
    return SolvedTarget(
        board,
        score,
        table.chance(score, board.free, board.score),
        optimal.at_least(score),
        table.mean(score, board.free, board.score),
        optimal.mean,
        next_moves(board, play),
    )


class AimAnswer(Struct, frozen=True):
    """What best play for an aim reaches, from the empty board.

    ``gap`` is the distance between the value that the solver promises and what its play reaches; ``first_move`` has a
    slot for each roll.
    """

    strategy: str
    value: float
    with_optimal: float
    gap: float
    mean: float
    sd: float
    first_move: dict[str, int]


@dataclass(frozen=True, slots=True)
class SolvedAim:
    """Best play for an aim beside `optimal`: the distributions of their scores, and how well these serve the aim."""

    strategy: str
    board: Board
    play: BestPlay
    law: ScoreDistribution
    optimal_law: ScoreDistribution
    reached: float
    with_optimal: float

    @property
    def gap(self) -> float:
        """The distance between the value that the solver promises and what its play reaches."""
        return abs(float(self.play.value) - self.reached)

    @property
    def moves(self) -> list[NextMove]:
        """The first move for each roll."""
        return next_moves(self.board, self.play)

    @property
    def answer(self) -> AimAnswer:
        """The answer."""
        return AimAnswer(
            self.strategy,
            float(self.play.value),
            self.with_optimal,
            self.gap,
            float(self.law.mean),
            self.law.sd,
            {str(move.roll): move.slot for move in self.moves},
        )


@query(AimAnswer)
def aim(
    aim: Annotated[str, Doc("target:700, utility:exp:0.01, quantile:0.1, cvar:0.1.", metavar="AIM", is_argument=True)],
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    find_known: KnownFinder = named,
    progress: Progress | None = None,
) -> SolvedAim:
    """Best play for an aim: what it reaches, and what it gives up in the mean."""
    game = Game.parse(dice, slots)
    with blame("aim", "strategy"):
        return solve_aim(game, aim, find_known, progress)


def solve_aim(game: Game, aim: str, find: KnownFinder = named, progress: Progress | None = None) -> SolvedAim:
    """Best play for the aim of this name."""
    kind, _, rest = aim.partition(":")
    known = find(aim) if kind in OBJECTIVES and rest else None
    if not isinstance(known, ObjectiveStrategy):
        raise Ten18Error(f"{quoted(aim)} is not an aim; accepted: {ACCEPTED_OBJECTIVES}", field="aim")
    board, optimal = Board(game), named("optimal")
    making, first, second = split_progress(progress, 2, 1, 1)
    play = known.solve(game, making)
    law = score_distribution(board, known, progress=first)
    usual = score_distribution(board, optimal, progress=second)
    return SolvedAim(aim, board, play, law, usual, known.measure(game, law), known.measure(game, usual))


class StrategyPoint(Struct, frozen=True):
    """A strategy, mean and standard deviation of its score; ``efficient``: none here beats it in both."""

    strategy: str
    mean: float
    sd: float
    efficient: bool


class FrontAnswer(Struct, frozen=True):
    """The strategies by increasing standard deviation."""

    front: list[StrategyPoint]


@query(FrontAnswer)
def front(dice: DiceText = "3d6", slots: SlotsText = "1-10", progress: Progress | None = None) -> FrontAnswer:
    """What a point of safety costs: mean and standard deviation of strategies with other aims."""
    points = front_of(Game.parse(dice, slots), progress=progress)
    return FrontAnswer([answer_from(StrategyPoint, point) for point in points])
