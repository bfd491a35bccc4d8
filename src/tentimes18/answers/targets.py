"""The best chance of a score or more, from the start or from a game in play."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypedDict

from tentimes18.game import Board, Number
from tentimes18.plan import Limits, admit_game
from tentimes18.queries.json_numbers import Plain, plain
from tentimes18.queries.targets import NextMove, next_moves
from tentimes18.solve.layers import Progress, stages
from tentimes18.solve.objectives.best_play import BestPlay
from tentimes18.strategies.named import named
from tentimes18.strategies.old_plans import best_chances_plan, laws_plan, target_plan
from tentimes18.strategies.solved import chances
from tentimes18.strategies.strategy import score_distribution

__all__ = ["SolvedTarget", "TargetAnswer", "solve_target", "target"]


class TargetAnswer(TypedDict):
    """The chance of the target for whoever plays for it, and with `optimal`; the means of both scores.

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
    """The play for a target from a board on, its chance and the mean of its score, and those of `optimal`."""

    board: Board
    target: Number
    play: BestPlay
    chance: Fraction | float
    with_optimal: Fraction | float
    mean: Fraction | float
    mean_with_optimal: Fraction | float

    @property
    def moves(self) -> list[NextMove]:
        """The next move for each roll."""
        return next_moves(self.board, self.play)

    @property
    def answer(self) -> TargetAnswer:
        """What is asked for most."""
        return {
            "target": plain(self.target),
            "probability": float(self.chance),
            "with_optimal": float(self.with_optimal),
            "mean": float(self.mean),
            "mean_with_optimal": float(self.mean_with_optimal),
            "next_move": {str(move.roll): move.slot for move in self.moves},
        }


def target(board: Board, score: Number, progress: Progress | None = None, limits: Limits | None = None) -> TargetAnswer:
    """The best chance to end with this score or more.

    >>> from tentimes18.game import Game
    >>> answer = target(Board(Game.parse("1d6", "1-3")), 36)
    >>> answer["probability"], answer["with_optimal"], answer["next_move"]["6"]
    (0.004629629629629629, 0.004629629629629629, 3)
    """
    return solve_target(board, score, progress, limits).answer


def solve_target(
    board: Board, score: Number, progress: Progress | None = None, limits: Limits | None = None
) -> SolvedTarget:
    """The same, with the play.

    >>> from tentimes18.game import Game
    >>> solve_target(Board(Game.parse("1d6", "1-3")), 30).moves[-1]
    NextMove(roll=6, slot=3, other=3)
    """
    admit_game(board.game, target_plan, limits)
    best, means = best_chances_plan(board.game), best_chances_plan(board.game)
    making, law, preparing = stages(progress, best, laws_plan((named("optimal"),), board.game), means)
    table = chances(board.game, making)
    play, optimal = table.best_play(score), score_distribution(board, named("optimal"), progress=law)
    play.prepare(preparing)
    return SolvedTarget(
        board,
        score,
        play,
        chance=table.chance(score, board.free, board.score),
        with_optimal=optimal.at_least(score),
        mean=table.mean(score, board.free, board.score),
        mean_with_optimal=optimal.mean,
    )
