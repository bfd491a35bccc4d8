"""Best play for another objective than the mean: what it reaches, what it gives up, and how it starts."""

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypedDict

from tentimes18.answers.distribution import KnownFinder
from tentimes18.errors import Ten18Error, quoted
from tentimes18.game import Board, Game
from tentimes18.plan import Limits, admit_game
from tentimes18.solve.layers import Progress, stages
from tentimes18.solve.scores.score_law import ScoreLaw
from tentimes18.strategies.named import ACCEPTED_OBJECTIVES, OBJECTIVES, named
from tentimes18.strategies.strategy import ObjectiveStrategy, Solution, laws_plan, score_law

__all__ = ["NextMove", "ObjectiveAnswer", "SolvedObjective", "next_moves", "objective", "solve_objective"]


class ObjectiveAnswer(TypedDict):
    """What best play for an objective reaches, from the empty board.

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


class NextMove(NamedTuple):
    """Where a roll goes, and where the strategy beside it, `optimal` mostly, would place it."""

    roll: int
    slot: int
    other: int


@dataclass(frozen=True, slots=True)
class SolvedObjective:
    """Best play for an objective beside `optimal`: the laws of their scores, and how well these serve the objective."""

    strategy: str
    board: Board
    play: Solution
    law: ScoreLaw
    optimal_law: ScoreLaw
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
    def answer(self) -> ObjectiveAnswer:
        """What is asked for most."""
        return {
            "strategy": self.strategy,
            "value": float(self.play.value),
            "with_optimal": self.with_optimal,
            "gap": self.gap,
            "mean": float(self.law.mean),
            "sd": self.law.sd,
            "first_move": {str(move.roll): move.slot for move in self.moves},
        }


def objective(
    game: Game,
    strategy: str,
    find: KnownFinder = named,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> ObjectiveAnswer:
    """Best play for the objective of this name.

    >>> answer = objective(Game.parse("1d6", "1-3"), "target:30")
    >>> round(answer["value"], 6), answer["first_move"]["6"]
    (0.189815, 3)
    """
    return solve_objective(game, strategy, find, progress, limits).answer


def solve_objective(
    game: Game,
    strategy: str,
    find: KnownFinder = named,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> SolvedObjective:
    """The same, with the laws of both scores.

    >>> solve_objective(Game.parse("1d6", "1-3"), "target:30").law.median
    23
    """
    kind, _, rest = strategy.partition(":")
    known = find(strategy) if kind in OBJECTIVES and rest else None
    if not isinstance(known, ObjectiveStrategy):
        raise Ten18Error(f"{quoted(strategy)} is not an aim; accepted: {ACCEPTED_OBJECTIVES}", field="strategy")
    board = Board(game)
    admit_game(game, partial(laws_plan, (known, named("optimal"))), limits)
    optimal = named("optimal")
    making, *laws = stages(progress, known.table(game), *(laws_plan((one,), game) for one in (known, optimal)))
    play = known.solve(game, making)
    law, usual = (score_law(board, one, progress=at) for one, at in zip((known, optimal), laws, strict=True))
    return SolvedObjective(
        strategy, board, play, law, usual, reached=known.measure(game, law), with_optimal=known.measure(game, usual)
    )


def next_moves(board: Board, play: Solution) -> list[NextMove]:
    """Where the next roll goes, beside `optimal`; nothing where the board is full."""
    optimal = named("optimal")
    return [
        NextMove(roll, play.choose(board.free, board.score, roll), optimal.choose(board, roll))
        for roll in (board.game.dice.support if board.free else ())
    ]
