"""What a strategy is: a rule that gives a slot for a board and a roll; and the kinds of them.

A rule looks at the free slots and the roll; `random` at nothing; `hindsight` at the rolls to come; best play for an
objective at the score as well.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from tentimes18.errors import IllegalMove, Ten18Error
from tentimes18.game import Board, Game
from tentimes18.limits import max_bytes
from tentimes18.solve.parallel import Progress, split_progress
from tentimes18.solve.rule_distributions import (
    Size,
    hindsight_distribution,
    hindsight_size,
    play_size,
    random_distribution,
    random_size,
    rule_distribution,
    rule_size,
    table_size,
)
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import Rule

if TYPE_CHECKING:
    from tentimes18.solve.aim_tables import BestPlay

EXACT_OPERATIONS = 1e10  # beyond, a rounded distribution will do


class Strategy(Protocol):
    """A rule that gives a slot for a board and a roll."""

    @property
    def name(self) -> str: ...

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:
        """The slot for this roll; ``future`` is the rolls still to come, which only hindsight may look at."""
        ...


@runtime_checkable
class KnownStrategy(Strategy, Protocol):
    """A strategy whose score has a distribution that we can compute."""

    def distribution(self, board: Board, *, exact: bool = True, progress: Progress | None = None) -> ScoreDistribution:
        """The distribution of the final score from this board on."""
        ...

    def exact_size(self, board: Board) -> Size:
        """The size of that distribution in exact numbers."""
        ...


@dataclass(frozen=True, slots=True)
class RuleStrategy:
    """A rule that looks at the free slots and the roll; ``rule`` gives it for a game."""

    name: str
    rule: Callable[[Game], Rule] = field(repr=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:  # noqa: ARG002
        return self.rule(board.game)(board.free, roll)

    def distribution(self, board: Board, *, exact: bool = True, progress: Progress | None = None) -> ScoreDistribution:
        if exact:
            return rule_distribution(board.game, self.rule(board.game), board.free, progress).shifted(board.score)
        from tentimes18.solve.float_distributions import float_rule_distribution

        return float_rule_distribution(board.game, self.rule(board.game), board.free, progress).shifted(board.score)

    def exact_size(self, board: Board) -> Size:
        return rule_size(board.game, board.free)


@dataclass(frozen=True, slots=True)
class RandomSlot:
    """Each free slot with the same chance."""

    generator: Random = field(default_factory=Random)
    name: str = field(default="random", init=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:  # noqa: ARG002
        if not board.free:
            raise IllegalMove("the board is full")
        return self.generator.choice(board.free_slots)

    def distribution(self, board: Board, *, exact: bool = True, progress: Progress | None = None) -> ScoreDistribution:  # noqa: ARG002
        return random_distribution(board.game, board.free, progress).shifted(board.score)

    def exact_size(self, board: Board) -> Size:
        return random_size(board.game, board.free)


@dataclass(frozen=True, slots=True)
class Hindsight:
    """The paper's "all-knowing" strategy: all rolls sorted into the slots."""

    name: str = field(default="hindsight", init=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:
        """The slot of the roll's rank among all rolls still to be placed."""
        free = board.free_slots
        if len(future) != len(free) - 1:
            raise Ten18Error(
                f"hindsight needs the {len(free) - 1} rolls still to come, and got {len(future)}", field="rolls"
            )
        return free[sum(later < roll for later in future)]

    def distribution(self, board: Board, *, exact: bool = True, progress: Progress | None = None) -> ScoreDistribution:  # noqa: ARG002
        return hindsight_distribution(board.game, board.free, progress).shifted(board.score)

    def exact_size(self, board: Board) -> Size:
        return hindsight_size(board.game, board.free)


class Solver(Protocol):
    """Gives best play for an aim in a game; its table is made once and stays in memory."""

    def __call__(self, game: Game, progress: Progress | None = None) -> "BestPlay": ...


@dataclass(frozen=True, slots=True)
class ObjectiveStrategy:
    """Best play for an objective that depends on the score; ``solve`` gives it for a game.

    ``measure`` says how well a distribution serves the objective; no other serves it better than this strategy's.
    """

    name: str
    solve: Solver = field(repr=False)
    measure: Callable[[Game, ScoreDistribution], float] = field(repr=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:  # noqa: ARG002
        return self.solve(board.game).choose(board.free, board.score, roll)

    def distribution(self, board: Board, *, exact: bool = True, progress: Progress | None = None) -> ScoreDistribution:
        making, following = split_progress(
            progress, table_size(board.game).operations, play_size(board.game, board.free, exact=exact).operations
        )
        solution = self.solve(board.game, making)
        return solution.distribution(board.free, board.score, exact=exact, progress=following)

    def exact_size(self, board: Board) -> Size:
        table, after = table_size(board.game), play_size(board.game, board.free, exact=True)
        return Size(table.bytes + after.bytes, table.operations + after.operations)


def score_distribution(
    board: Board, strategy: KnownStrategy, *, exact: bool | None = None, progress: Progress | None = None
) -> ScoreDistribution:
    """The distribution of the final score; exact unless that takes too long, or as ``exact`` says.

    >>> from tentimes18.strategies.named import named
    >>> score_distribution(Board(Game.classic()), named("optimal")).median
    646
    """
    if exact is None:
        exact = is_exact_sensible(board, strategy)
    return strategy.distribution(board, exact=exact, progress=progress)


def is_exact_sensible(board: Board, strategy: KnownStrategy) -> bool:
    """Whether the exact distribution of the final score takes some seconds at most."""
    size = strategy.exact_size(board)
    return size.operations <= EXACT_OPERATIONS and size.bytes <= max_bytes()


def play_game(game: Game, strategy: Strategy, rolls: Sequence[int]) -> Board:
    """The full board after these rolls, one a round."""
    if len(rolls) != game.size:
        raise Ten18Error(f"a game on {game.size} slots takes {game.size} rolls, not {len(rolls)}", field="rolls")
    return play_on(Board(game), strategy, rolls)


def play_on(board: Board, strategy: Strategy, rolls: Sequence[int]) -> Board:
    """The board after these rolls as well, one a round."""
    for done, roll in enumerate(rolls, start=1):
        board = board.place(roll, strategy.choose(board, roll, rolls[done:]))
    return board
