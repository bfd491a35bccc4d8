"""What moves are measured by: expected points, the chance of a target, or the chance to win a duel.

An aim gives the worth of a position before a roll, and of each move for a roll. For every aim

    worth at the end = worth at the start + luck - loss + gifts,

where luck is what the rolls changed, loss what the moves gave up, and gifts, in duels only, what the opponent's moves
changed compared with their expectation.

Solved tables are imported where they are needed: the mean needs none, and advice for it should start fast.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import NamedTuple, TypeAlias

from tentimes18.coach.losses import Unit, Worth, values_by_rows
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tentimes18.game import Game, Number, Position, read_score
from tentimes18.records.notation import Record
from tentimes18.solve.lattice import lattice_width
from tentimes18.solve.parallel import Progress
from tentimes18.solve.thresholds import ExactRow, exact_thresholds
from tentimes18.strategies.named import rule_named

ACCEPTED = "mean, target:700, duel (against the best play), or duel:optimal (against a rule)"
EQUILIBRIUM = "equilibrium"  # plays best in a duel
MAX_MIXES = 256  # of the latest positions: both players' are asked for more than once
MAX_STEPS = 7e8  # of the table of a target that the user did not ask for: a few seconds
MAX_DUEL_STEPS = 1.5e10  # of the table of a duel

Mix: TypeAlias = tuple[tuple[int, float], ...]
"""A mixed move: slots with the chance of each, by slot."""


class Mixes(NamedTuple):
    """The mixed moves of both players for a roll, each the best against the other."""

    mine: Mix
    theirs: Mix


class Aim(ABC):
    """The worth of positions and moves to a player who wants as much of it as possible."""

    name: str
    unit = Unit.chance
    target: Number | None = None  # the score to be reached, where the aim is its chance
    against: str | None = None  # the opponent's strategy, where the aim is to win a duel

    @abstractmethod
    def worth(self, position: Position) -> Worth:
        """The worth of a position under the best play; of a full board its score or result."""

    def moves(self, position: Position, roll: int) -> dict[int, Worth]:
        """The worth of placing the roll in each free slot, by slot: the mean over the opponent's moves."""
        answers = self.answers(position, roll)
        return {
            slot: sum(share * self.worth(position.after(roll, slot, answer)) for answer, share in answers)
            for slot in position.board.free_slots
        }

    def answers(self, position: Position, roll: int) -> Collection[tuple[int | None, float]]:  # noqa: ARG002
        """The opponent's slots for the roll with their chances; None alone where there is no opponent."""
        return ((None, 1),)

    def preferred(self, position: Position, roll: int, best: Sequence[int]) -> int:  # noqa: ARG002
        return best[0]

    def mixes(self, position: Position, roll: int) -> Mixes | None:  # noqa: ARG002 (for those who mix)
        return None


class Mean(Aim):
    """The expected final score, exactly."""

    name = "mean"
    unit = Unit.points

    def __init__(self) -> None:
        self._dice: Dice | None = None
        self._rows: tuple[ExactRow, ...] = ()

    def rows(self, game: Game, k: int) -> tuple[ExactRow, ...]:
        if self._dice != game.dice or len(self._rows) < k:
            self._dice, self._rows = game.dice, exact_thresholds(game.dice, k)
        return self._rows

    def worth(self, position: Position) -> Fraction:
        board = position.board
        k = board.free.bit_count()
        if not k:
            return Fraction(board.score)
        return board.score + self.rows(board.game, k)[k - 1].value(board.game.multipliers_of(board.free))

    def moves(self, position: Position, roll: int) -> dict[int, Worth]:
        board = position.board
        values = values_by_rows(board.game, board.free, roll, self.rows(board.game, board.free.bit_count() - 1))
        return {slot: board.score + value for slot, value in values.items()}


class Chance(Aim):
    """The best chance of a final score of ``target`` or more."""

    target: Number

    def __init__(self, game: Game, target: Number, progress: Progress | None = None) -> None:
        self.name = f"target:{target}"
        self.target = target
        from tentimes18.strategies.solved import chances

        self.chances = chances(game, progress)

    def worth(self, position: Position) -> Worth:
        return self.chances.chance(self.target, position.board.free, position.board.score)

    def preferred(self, position: Position, roll: int, best: Sequence[int]) -> int:  # noqa: ARG002
        board = position.board  # among these the best play for the target takes the one with the best mean
        return self.chances.best_play(self.target).choose(board.free, board.score, roll)


class Hunt(Aim):
    """The best chance to win a duel, draws counting one half, against an opponent who plays a rule."""

    def __init__(self, game: Game, rule: str, progress: Progress | None = None) -> None:
        from tentimes18.strategies.solved import response_to

        strategy = rule_named(rule)
        if strategy is None:
            raise Ten18Error(f"{rule[:60]!r} does not look at its own board only; accepted: {ACCEPTED}", field="aim")
        self.name = f"duel:{rule}"
        self.against = rule
        self.response = response_to(strategy, game, progress)
        self.rule = strategy.rule(game)

    def worth(self, position: Position) -> float:
        board, lead = position.board, position.lead
        return self.response.equity(board.free, position.theirs.free, lead) if board.free else _won(lead)

    def answers(self, position: Position, roll: int) -> Collection[tuple[int | None, float]]:
        return ((self.rule(position.theirs.free, roll), 1),)


class Duel(Aim):
    """The chance to win a duel, draws counting one half, when both play the equilibrium from here on."""

    name = "duel"
    against = EQUILIBRIUM

    def __init__(self, game: Game, progress: Progress | None = None) -> None:
        from tentimes18.strategies.solved import equilibrium

        self.table = equilibrium(game, progress)
        self._mix = lru_cache(MAX_MIXES)(self.table.moves)

    def worth(self, position: Position) -> float:
        board, lead = position.board, position.lead
        return self.table.value(board.free, position.theirs.free, lead) if board.free else _won(lead)

    def answers(self, position: Position, roll: int) -> Collection[tuple[int, float]]:
        """The opponent's mixed move: what is not best against that gives the opponent something."""
        return self._mix(position.theirs.free, position.board.free, -position.lead, roll).items()

    def mixes(self, position: Position, roll: int) -> Mixes:
        mine = self._mix(position.board.free, position.theirs.free, position.lead, roll)
        return Mixes(tuple(mine.items()), tuple(self.answers(position, roll)))


def aim_named(game: Game, aim: str, progress: Progress | None = None) -> Aim:
    """The aim of this name: mean, target:700, duel or duel:optimal."""
    kind, _, rest = aim.partition(":")
    if aim == "mean":
        return Mean()
    if aim in ("duel", f"duel:{EQUILIBRIUM}"):
        return Duel(game, progress)
    if kind == "duel" and rest:
        return Hunt(game, rest, progress)
    if kind == "target" and rest:
        return Chance(game, read_score(rest, "aim", aim), progress)
    raise Ten18Error(f"{aim[:60]!r} is not an aim; accepted: {ACCEPTED}", field="aim")


def is_of_duels(aim: str) -> bool:
    """Whether the aim of this name is to win duels: it needs the boards of two."""
    return aim.partition(":")[0] == "duel"


def _won(lead: Number) -> float:
    return 0.5 if lead == 0 else float(lead > 0)


def played_for(record: Record) -> str:
    """The aim that a game was played for, by name, as its tags say; the mean where they say nothing."""
    name = record.tags.get("aim", "mean")
    if not isinstance(name, str):
        return "unknown"
    return "duel" if name == f"duel:{EQUILIBRIUM}" else name


def takebacks_of(record: Record) -> int:
    """How many moves were taken back: such a game was practice."""
    count = record.tags.get("takebacks", 0)
    return count if type(count) is int and count > 0 else 0


def own_aim(record: Record) -> Aim | None:
    """The aim that a game was played for; None where it is not known, or takes too long to measure by.

    Measured by the mean, a game for a target or a duel would show losses that are not mistakes.
    """
    name, game = played_for(record), record.board.game
    if name == "mean":
        return Mean()
    if (is_of_duels(name) and record.opponent is None) or not is_quick(game, name):
        return None
    try:
        return aim_named(game, name)
    except Ten18Error:
        return None


def is_quick(game: Game, aim: str) -> bool:
    """Whether the tables behind an aim exist, or take seconds to make."""
    n, per_score = game.size, len(game.dice.support) * lattice_width(game)
    if n > 40:
        return False
    if not is_of_duels(aim):
        return (1 << n) * per_score * n / 4 <= MAX_STEPS
    from tentimes18.tables import table_path  # it loads NumPy

    kind = {"duel": "equilibrium", "duel:optimal": "response"}.get(aim)
    if kind is not None and table_path(kind, game).is_file():
        return True
    moves = n * n / 4 if aim == "duel" else n / 2
    return comb(2 * n, n) * per_score / 3 * moves <= MAX_DUEL_STEPS
