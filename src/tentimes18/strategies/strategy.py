"""What a strategy is: a rule that gives a slot for a board and a roll; and the kinds of them.

A rule looks at the free slots and the roll; `random` at nothing; `hindsight` at the rolls to come; best play for an
objective at the score as well.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, Final, Protocol, runtime_checkable

from tentimes18.errors import IllegalMove, Ten18Error
from tentimes18.game import Board, Game, Number
from tentimes18.plan import GamePlan, Limits, Plan, admit, admit_game, kept_together
from tentimes18.solve.layers import Progress, stages
from tentimes18.solve.objectives.plans import play_law_plan
from tentimes18.solve.rules import Rule, optimal_rule
from tentimes18.solve.scores import exact_laws as scores
from tentimes18.solve.scores.plans import INSTEAD, float_law_plan, hindsight_plan, random_plan, rule_plan
from tentimes18.solve.scores.score_law import ScoreLaw

__all__ = [
    "Hindsight",
    "KnownStrategy",
    "ObjectiveStrategy",
    "RandomSlot",
    "RuleStrategy",
    "Solution",
    "Solver",
    "Strategy",
    "is_exact_sensible",
    "laws_plan",
    "play_game",
    "play_on",
    "score_law",
]

EXACT_SECONDS: Final = 10.0  # that an exact law may take where a rounded one would do


class Strategy(Protocol):
    """A rule that gives a slot for a board and a roll."""

    @property
    def name(self) -> str:
        """What it is called in every command."""
        ...

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:
        """The slot for this roll; ``future`` is the rolls still to come, which only hindsight may look at."""
        ...


@runtime_checkable
class KnownStrategy(Strategy, Protocol):
    """A strategy whose score has a law that we can compute."""

    def law(self, board: Board, *, exact: bool = True, progress: Progress | None = None) -> ScoreLaw:
        """The law of the final score from this board on."""
        ...

    def plan(self, board: Board, *, exact: bool = True) -> Plan:
        """What that law takes."""
        ...


@dataclass(frozen=True, slots=True)
class RuleStrategy:
    """A rule that looks at the free slots and the roll; ``rule`` gives it for a game.

    >>> from tentimes18.strategies.named import named
    >>> named("optimal").choose(Board(Game.classic()), 9)
    4
    """

    name: str
    rule: Callable[[Game], Rule] = field(repr=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:  # noqa: ARG002
        """The slot of the rule."""
        return self.rule(board.game)(board.free, roll)

    def law(self, board: Board, *, exact: bool = True, progress: Progress | None = None) -> ScoreLaw:
        """The law of the final score from this board on."""
        if exact:
            return scores.rule_law(board.game, self.rule(board.game), board.free, progress).shifted(board.score)
        from tentimes18.solve.scores.float_laws import float_rule_law

        return float_rule_law(board.game, self.rule(board.game), board.free, progress).shifted(board.score)

    def plan(self, board: Board, *, exact: bool = True) -> Plan:
        """What that law takes."""
        if exact:
            return rule_plan(board.game, board.free)
        return float_law_plan(board.game, board.free, is_optimal=self.rule is optimal_rule)


@dataclass(frozen=True, slots=True)
class RandomSlot:
    """Each free slot with the same chance.

    >>> RandomSlot(Random(18)).choose(Board(Game.classic()), 9) in range(1, 11)
    True
    """

    generator: Random = field(default_factory=Random)
    name: str = field(default="random", init=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:  # noqa: ARG002
        """Any free slot."""
        if not board.free:
            raise IllegalMove("the board is full")
        return self.generator.choice(board.free_slots)

    def law(self, board: Board, *, exact: bool = True, progress: Progress | None = None) -> ScoreLaw:  # noqa: ARG002
        """The law of the final score from this board on; always exact."""
        return scores.random_law(board.game, board.free, progress).shifted(board.score)

    def plan(self, board: Board, *, exact: bool = True) -> Plan:  # noqa: ARG002
        """What that law takes."""
        return random_plan(board.game, board.free)


@dataclass(frozen=True, slots=True)
class Hindsight:
    """The paper's "all-knowing" strategy: all rolls sorted into the slots.

    >>> Hindsight().choose(Board(Game.parse("1d6", "1-3")), 4, future=(6, 5))
    1
    """

    name: str = field(default="hindsight", init=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:
        """The slot of the roll's rank among all rolls still to be placed."""
        free = board.free_slots
        if len(future) != len(free) - 1:
            raise Ten18Error(
                f"hindsight needs the {len(free) - 1} rolls still to come, and got {len(future)}", field="rolls"
            )
        return free[sum(later < roll for later in future)]

    def law(self, board: Board, *, exact: bool = True, progress: Progress | None = None) -> ScoreLaw:  # noqa: ARG002
        """The law of the final score from this board on; always exact."""
        return scores.hindsight_law(board.game, board.free, progress).shifted(board.score)

    def plan(self, board: Board, *, exact: bool = True) -> Plan:  # noqa: ARG002
        """What that law takes."""
        return hindsight_plan(board.game, board.free)


class Solution(Protocol):
    """Best play for an objective in one game, as `solve.objectives` finds it."""

    @property
    def value(self) -> Fraction | float:
        """What it reaches from the empty board."""
        ...

    def choose(self, free: int, score: Number, roll: int) -> int:
        """The best slot for a roll, given the free set and the score so far."""
        ...

    def slot_table(self) -> tuple[Any, Any]:
        """The slots, from 0, of all free sets, scores and rolls, as two arrays."""
        ...

    def law(
        self, free: int | None = None, score: Number = 0, *, exact: bool = True, progress: Progress | None = None
    ) -> ScoreLaw:
        """The law of the final score from a position."""
        ...


class Solver(Protocol):
    """Gives best play for an objective in a game; its table is made once, and kept."""

    def __call__(self, game: Game, progress: Progress | None = None) -> Solution:
        """The best play in this game."""
        ...


@dataclass(frozen=True, slots=True)
class ObjectiveStrategy:
    """Best play for an objective that depends on the score; ``solve`` gives it for a game.

    ``measure`` says how well a law serves the objective; no law serves it better than this strategy's. ``table`` is
    what the table for a game takes.

    >>> from tentimes18.strategies.named import named
    >>> named("target:30").choose(Board(Game.parse("1d6", "1-3")), 4)
    2
    """

    name: str
    solve: Solver = field(repr=False)
    measure: Callable[[Game, ScoreLaw], float] = field(repr=False)
    table: GamePlan = field(repr=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:  # noqa: ARG002
        """The best slot for the objective."""
        return self.solve(board.game).choose(board.free, board.score, roll)

    def law(self, board: Board, *, exact: bool = True, progress: Progress | None = None) -> ScoreLaw:
        """The law of the final score from this board on."""
        making, law = stages(progress, self.table(board.game), play_law_plan(board.game, board.free, exact=exact))
        return self.solve(board.game, making).law(board.free, board.score, exact=exact, progress=law)

    def plan(self, board: Board, *, exact: bool = True) -> Plan:
        """What that law takes, with the table that it needs."""
        law = play_law_plan(board.game, board.free, exact=exact)
        return kept_together(law.what, self.table(board.game), law)


def score_law(
    board: Board,
    strategy: KnownStrategy,
    *,
    exact: bool | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> ScoreLaw:
    """The law of the final score; exact unless that takes too long, or as asked for.

    >>> from tentimes18.strategies.named import named
    >>> score_law(Board(Game.classic()), named("optimal")).median
    646
    """

    def is_exact(position: Board) -> bool:
        return is_exact_sensible(position, strategy, limits) if exact is None else exact

    if board.rounds:
        admit(strategy.plan(board, exact=is_exact(board)), limits, instead=INSTEAD)
    else:
        admit_game(
            board.game, lambda game: strategy.plan(Board(game), exact=is_exact(Board(game))), limits, instead=INSTEAD
        )
    return strategy.law(board, exact=is_exact(board), progress=progress)


def is_exact_sensible(board: Board, strategy: KnownStrategy, limits: Limits | None = None) -> bool:
    """Whether the exact law of the final score takes seconds at most.

    >>> from tentimes18.strategies.named import named
    >>> is_exact_sensible(Board(Game.classic()), named("optimal"))
    True
    """
    plan = strategy.plan(board, exact=True)
    return plan.seconds <= EXACT_SECONDS and plan.fits(limits)


def laws_plan(strategies: Sequence[KnownStrategy], game: Game) -> Plan:
    """What the laws of these strategies take in a game, each exact or not, as is sensible.

    >>> laws_plan((RandomSlot(), Hindsight()), Game.classic()).fits()
    True
    """
    board = Board(game)
    plans = [strategy.plan(board, exact=is_exact_sensible(board, strategy)) for strategy in strategies]
    what = plans[0].what if len(plans) == 1 else f"the laws of {len(plans)} scores on {game.size:,} slots"
    return kept_together(what, *plans)


def play_game(game: Game, strategy: Strategy, rolls: Sequence[int]) -> Board:
    """The full board after these rolls, one a round.

    >>> play_game(Game.parse("1d6", "1-3"), Hindsight(), [4, 6, 5]).score
    32
    """
    if len(rolls) != game.size:
        raise Ten18Error(f"a game on {game.size} slots takes {game.size} rolls, not {len(rolls)}", field="rolls")
    return play_on(Board(game), strategy, rolls)


def play_on(board: Board, strategy: Strategy, rolls: Sequence[int]) -> Board:
    """The board after these rolls as well, one a round.

    >>> play_on(Board(Game.parse("1d6", "1-3")).place(4, 1), Hindsight(), [6, 5]).score
    32
    """
    for done, roll in enumerate(rolls, start=1):
        board = board.place(roll, strategy.choose(board, roll, rolls[done:]))
    return board
