"""The strategies by name, behind one protocol.

Names are the same everywhere: `random`, `optimal`, `hindsight`; the simple rules `nearest`, `bands`, `greedy`
(`solve.rules`); the aims `target:700`, `utility:exp:0.01`, `utility:power:0.5`, `quantile:0.1`, `cvar:0.1`. A utility
may also be a Python function of the score, as in `utility:math:sqrt`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from tentimes18.errors import IllegalMove, Ten18Error, TooLarge
from tentimes18.game import Board, Game, Number, slots_of
from tentimes18.solve.objectives.utilities import Utility, exponential, power
from tentimes18.solve.scores import laws as scores
from tentimes18.solve.scores.law import ScoreLaw
from tentimes18.storage.tables import Tell, kept_table
from tentimes18.strategies import rules

if TYPE_CHECKING:
    from tentimes18.solve.duel.equilibrium import Equilibrium
    from tentimes18.solve.duel.response import Response
    from tentimes18.solve.objectives.solvers import ChanceTable, ShortfallTable
    from tentimes18.solve.objectives.table import BestPlay

__all__ = [
    "ACCEPTED",
    "DUEL_STRATEGIES",
    "OBJECTIVES",
    "Hindsight",
    "KnownStrategy",
    "ObjectiveStrategy",
    "RandomSlot",
    "RuleStrategy",
    "Strategy",
    "equilibrium_table",
    "hunter_table",
    "kept_chance_table",
    "named",
    "play",
    "read_score",
    "rule_named",
    "score_law",
]

ACCEPTED: Final = (
    "random, optimal, hindsight, nearest, bands, greedy, "
    "target:700, utility:exp:0.01, utility:power:0.5, quantile:0.1, cvar:0.1"
)

DUEL_STRATEGIES: Final = ("hunter", "equilibrium")
"""They look at the opponent's board as well, so they play duels only."""

Result = TypeVar("Result")


class Strategy(Protocol):
    """A rule that gives a slot for a board and a roll."""

    @property
    def name(self) -> str:
        """What it is called in every command."""
        ...

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:
        """The slot for this roll; ``future`` is the rolls still to come, which only hindsight may look at."""
        ...


class KnownStrategy(Strategy, Protocol):
    """A strategy whose score has a law that we can compute."""

    def law(self, board: Board, *, exact: bool = True) -> ScoreLaw:
        """The law of the final score from this board on."""
        ...


@dataclass(frozen=True, slots=True)
class RuleStrategy:
    """A rule that looks at the free slots and the roll; ``rule`` gives it for a game.

    >>> named("optimal").choose(Board(Game.classic()), 9)
    4
    """

    name: str
    rule: Callable[[Game], scores.Rule] = field(repr=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:  # noqa: ARG002
        """The slot of the rule."""
        return self.rule(board.game)(board.free, roll)

    def law(self, board: Board, *, exact: bool = True) -> ScoreLaw:
        """The law of the final score from this board on."""
        compute = scores.rule_law if exact else scores.float_rule_law
        return compute(board.game, self.rule(board.game), board.free).shifted(board.score)


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
        return self.generator.choice(slots_of(board.free))

    def law(self, board: Board, *, exact: bool = True) -> ScoreLaw:  # noqa: ARG002
        """The law of the final score from this board on; always exact."""
        return scores.random_law(board.game, board.free).shifted(board.score)


@dataclass(frozen=True, slots=True)
class Hindsight:
    """The paper's "all-knowing" strategy: all rolls sorted into the slots.

    >>> Hindsight().choose(Board(Game.parse("1d6", "1-3")), 4, future=(6, 5))
    1
    """

    name: str = field(default="hindsight", init=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:
        """The slot of the roll's rank among all rolls still to be placed."""
        free = slots_of(board.free)
        if len(future) != len(free) - 1:
            raise Ten18Error(f"hindsight needs the {len(free) - 1} rolls still to come, and got {len(future)}")
        return free[sum(later < roll for later in future)]

    def law(self, board: Board, *, exact: bool = True) -> ScoreLaw:  # noqa: ARG002
        """The law of the final score from this board on; always exact."""
        return scores.hindsight_law(board.game, board.free).shifted(board.score)


@dataclass(frozen=True, slots=True)
class ObjectiveStrategy:
    """Best play for an aim that depends on the score; solved once for each game.

    ``measure`` says how well a law serves the aim; no law serves it better than this strategy's.

    >>> named("target:30").choose(Board(Game.parse("1d6", "1-3")), 4)
    1
    """

    name: str
    solve: Callable[[Game], "BestPlay"] = field(repr=False)
    measure: Callable[[Game, ScoreLaw], float] = field(repr=False)

    def choose(self, board: Board, roll: int, future: Sequence[int] = ()) -> int:  # noqa: ARG002
        """The best slot for the aim."""
        return self.solve(board.game).choose(board.free, board.score, roll)

    def law(self, board: Board, *, exact: bool = True) -> ScoreLaw:
        """The law of the final score from this board on."""
        return self.solve(board.game).law(board.free, board.score, exact=exact)


def named(name: str) -> KnownStrategy:
    """The strategy of this name.

    >>> named("optimal").name
    'optimal'
    >>> named("lucky")
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: strategy 'lucky' is not known; accepted: random, optimal, hindsight, nearest, ...
    """
    if name == "random":
        return RandomSlot()
    if name == "hindsight":
        return Hindsight()
    if rule := rule_named(name):
        return rule
    kind, _, rest = name.partition(":")
    if name in DUEL_STRATEGIES:
        raise Ten18Error(f"strategy {name!r} looks at the opponent's board: it plays duels only, as in `duel play`")
    if kind not in OBJECTIVES or not rest:
        raise Ten18Error(f"strategy {name!r} is not known; accepted: {ACCEPTED}")
    return OBJECTIVES[kind](name, rest)


def rule_named(name: str) -> RuleStrategy | None:
    """The rule of this name, which looks at the free slots and the roll only; none where no rule has it.

    >>> rule_named("nearest").name, rule_named("random")
    ('nearest', None)
    """
    return RuleStrategy(name, _RULES[name]) if name in _RULES else None


def score_law(board: Board, strategy: KnownStrategy, *, exact: bool | None = None) -> ScoreLaw:
    """The law of the final score; exact unless that takes too long, or as asked for.

    >>> score_law(Board(Game.classic()), named("optimal")).median
    646
    """
    try:
        return strategy.law(board, exact=exact is not False)
    except TooLarge:
        if exact:
            raise
        return strategy.law(board, exact=False)


def play(game: Game, strategy: Strategy, rolls: Sequence[int]) -> Board:
    """The full board after these rolls, one a round.

    >>> play(Game.parse("1d6", "1-3"), Hindsight(), [4, 6, 5]).score
    32
    """
    if len(rolls) != game.size:
        raise Ten18Error(f"rolls: a game on {game.size} slots takes {game.size} rolls, not {len(rolls)}")
    board = Board(game)
    for done, roll in enumerate(rolls, start=1):
        board = board.place(roll, strategy.choose(board, roll, rolls[done:]))
    return board


@lru_cache(maxsize=2)
def hunter_table(game: Game, folder: Path | None = None, tell: Tell | None = None) -> "Response":
    """The best reply to `optimal` in a duel, kept on disk as well (`tables`)."""
    from tentimes18.solve.duel.response import best_response

    return best_response(
        game,
        scores.optimal_rule(game),
        kept=lambda cells, make: kept_table("response", game, cells, make, folder, tell),
    )


@lru_cache(maxsize=2)
def equilibrium_table(game: Game, folder: Path | None = None, tell: Tell | None = None) -> "Equilibrium":
    """The equilibrium of the duel, kept on disk as well (`tables`)."""
    from tentimes18.solve.duel.equilibrium import Equilibrium

    return Equilibrium(game, kept=lambda cells, make: kept_table("equilibrium", game, cells, make, folder, tell))


@lru_cache(maxsize=4)
def kept_chance_table(game: Game) -> "ChanceTable":
    """The best chances of all targets, kept for the next call."""
    from tentimes18.solve.objectives.solvers import chance_table

    return chance_table(game)


@lru_cache(maxsize=4)
def _shortfall_table(game: Game) -> "ShortfallTable":
    from tentimes18.solve.objectives.solvers import ShortfallTable

    return ShortfallTable(game)


def _target(name: str, text: str) -> ObjectiveStrategy:
    score = read_score(f"strategy {name!r}", text)
    return ObjectiveStrategy(
        name, _once(lambda game: kept_chance_table(game).best_play(score)), lambda _, law: float(law.at_least(score))
    )


def _quantile(name: str, text: str) -> ObjectiveStrategy:
    share = _share(name, text)

    def solve(game: Game) -> "BestPlay":
        from tentimes18.solve.objectives.solvers import best_quantile

        return best_quantile(kept_chance_table(game), share)

    return ObjectiveStrategy(name, _once(solve), lambda _, law: float(law.quantile(share)))


def _cvar(name: str, text: str) -> ObjectiveStrategy:
    share = _share(name, text)

    def solve(game: Game) -> "BestPlay":
        from tentimes18.solve.objectives.solvers import best_worst_share

        return best_worst_share(_shortfall_table(game), share)

    return ObjectiveStrategy(name, _once(solve), lambda _, law: float(law.lower_mean(share)))


def _utility(name: str, text: str) -> ObjectiveStrategy:
    family, _, rest = text.partition(":")
    make: Callable[[Game], Utility]
    if family in ("exp", "power"):
        parameter = float(read_score(f"strategy {name!r}", rest))
        make = partial(exponential if family == "exp" else power, parameter=parameter)
    else:
        utility = _python_utility(name, family, rest)
        make = lambda _: utility  # noqa: E731

    def solve(game: Game) -> "BestPlay":
        from tentimes18.solve.objectives.solvers import UtilityTable

        return UtilityTable(game, make(game)).best_play()

    return ObjectiveStrategy(name, _once(solve), lambda game, law: make(game).of_law(law))


def _python_utility(name: str, module: str, function: str) -> Utility:
    """A function of the score, by module and name, such as ``utility:math:sqrt``."""
    try:
        utility = getattr(import_module(module), function)
        if not callable(utility):
            raise TypeError
        return Utility(utility)
    except (ImportError, AttributeError, TypeError, ValueError):
        raise Ten18Error(
            f"strategy {name!r}: there is no utility {module}:{function}; accepted: utility:exp:0.01, "
            "utility:power:0.5, or a Python function of the score like utility:math:sqrt"
        ) from None


_RULES: Final[dict[str, Callable[[Game], scores.Rule]]] = {
    "optimal": scores.optimal_rule,
    "nearest": rules.nearest,
    "bands": rules.bands,
    "greedy": rules.greedy,
}

OBJECTIVES: Final[dict[str, Callable[[str, str], ObjectiveStrategy]]] = {
    "target": _target,
    "quantile": _quantile,
    "cvar": _cvar,
    "utility": _utility,
}


def _once(solve: Callable[[Game], Result]) -> Callable[[Game], Result]:
    return lru_cache(maxsize=2)(solve)


def read_score(what: str, text: str) -> Number:
    """A score from text; ``what`` starts the error."""
    try:
        if len(text) > 40 or not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+|[0-9]+/[0-9]+)", text):
            raise ValueError
        score = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise Ten18Error(f"{what[:60]}: {text[:40]!r} is not a number; accepted: numbers like 700 or 0.01") from None
    return score.numerator if score.denominator == 1 else score


def _share(name: str, text: str) -> Fraction:
    share = Fraction(read_score(f"strategy {name!r}", text))
    if not 0 < share <= 1:
        raise Ten18Error(f"strategy {name!r}: a share is above 0 and at most 1, as in quantile:0.1 or cvar:0.1")
    return share
