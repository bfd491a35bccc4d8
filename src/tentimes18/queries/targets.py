"""Best play for other aims than the mean: the probability of a score or more, utilities, quantiles, the worst games."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NamedTuple

from msgspec import Struct

from tentimes18.errors import Ten18Error, blame, quoted
from tentimes18.game import Board, Game, read_score
from tentimes18.queries import MAX_SCORE_CHARACTERS, DiceText, Doc, MovesText, SlotsText, query
from tentimes18.queries.distributions import KnownFinder
from tentimes18.queries.json_numbers import Plain, plain
from tentimes18.queries.moves import read_board
from tentimes18.solve.parallel import Progress, split_progress
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.front import FrontPoint, front_of, least_deviations
from tentimes18.strategies.named import ACCEPTED_OBJECTIVES, OBJECTIVES, named
from tentimes18.strategies.strategy import ObjectiveStrategy, score_distribution

if TYPE_CHECKING:
    from tentimes18.solve.aim_tables import BestPlay


def next_moves(board: Board, play: "BestPlay") -> dict[str, int]:
    """The slot of each roll that may be next; nothing where the board is full."""
    rolls = board.game.dice.support if board.free else ()
    return {str(roll): play.choose(board.free, board.score, roll) for roll in rolls}


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


@query(TargetAnswer)
def target(
    target: Annotated[
        str,
        Doc(
            "The score to reach or beat.", metavar="T", is_argument=True, max_length=MAX_SCORE_CHARACTERS, example="700"
        ),
    ],
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    moves: MovesText = "",
    progress: Progress | None = None,
) -> TargetAnswer:
    """The best chance of a score of T or more, and how to play for it."""
    board = read_board(Game.parse(dice, slots), moves)
    score = read_score(target, "target")
    making, first, second = split_progress(progress, 1, 1, 1)
    from tentimes18.strategies.solved import chances  # loads numba, which a server must not

    table = chances(board.game, making)
    optimal = score_distribution(board, named("optimal"), progress=first)
    scores = score_distribution(board, named(f"target:{score}"), progress=second)
    best, usual = float(table.chance(score, board.free, board.score)), float(optimal.at_least(score))
    next_move = next_moves(board, table.best_play(score))
    return TargetAnswer(plain(score), best, usual, float(scores.mean), float(optimal.mean), next_move)


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


class SolvedAim(NamedTuple):
    """Best play for an aim beside `optimal`: the distributions of their scores, and how well it serves the aim."""

    distribution: ScoreDistribution
    optimal_distribution: ScoreDistribution
    reached: float
    answer: AimAnswer


@query(AimAnswer)
def aim(
    aim: Annotated[
        str, Doc("The aim: target:700, utility:exp:0.01, quantile:0.1 or cvar:0.1.", metavar="AIM", is_argument=True)
    ],
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    find_known: KnownFinder = named,
    progress: Progress | None = None,
) -> SolvedAim:
    """Best play for an aim: what it reaches, and what it costs on average."""
    game = Game.parse(dice, slots)
    with blame("aim", "strategy"):
        kind, _, rest = aim.partition(":")
        known = find_known(aim) if kind in OBJECTIVES and rest else None
        if not isinstance(known, ObjectiveStrategy):
            raise Ten18Error(f"{quoted(aim)} is not an aim; accepted: {ACCEPTED_OBJECTIVES}", field="aim")
        board, optimal = Board(game), named("optimal")
        making, first, second = split_progress(progress, 2, 1, 1)
        play = known.solve(game, making)
        distribution = score_distribution(board, known, progress=first)
        usual = score_distribution(board, optimal, progress=second)
        reached, with_optimal = known.measure(game, distribution), known.measure(game, usual)
    value, moments = float(play.value), (float(distribution.mean), distribution.sd)
    answer = AimAnswer(aim, value, with_optimal, abs(value - reached), *moments, next_moves(board, play))
    return SolvedAim(distribution, usual, reached, answer)


class FrontAnswer(Struct, frozen=True):
    front: Sequence[FrontPoint]


@query(FrontAnswer)
def front(
    dice: DiceText = "3d6",
    slots: SlotsText = "1-10",
    least: Annotated[bool, Doc("Add the least deviation of any strategy with the same mean or more.")] = False,
    progress: Progress | None = None,
) -> FrontAnswer:
    """What a point of safety costs: mean and standard deviation of strategies with other aims."""
    game = Game.parse(dice, slots)
    comparing, searching = split_progress(progress, 1, 4) if least else (progress, None)
    points = front_of(game, progress=comparing)
    if least:
        deviations = least_deviations(game, [point.mean for point in points], searching)
        points = [replace(point, least_sd=sd) for point, sd in zip(points, deviations, strict=True)]
    return FrontAnswer(points)
