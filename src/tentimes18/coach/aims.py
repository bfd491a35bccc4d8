"""What moves are measured by: expected points, the chance of a target, or the chance to win a duel.

A aim gives the worth of a position before a roll, and of each move for a roll. Whatever it is, a game is told by

    worth at the end = worth at the start + luck - loss + gifts,

luck being what the rolls changed, loss what the moves gave up, and gifts, in duels only, what the opponent's moves
changed against what was to be expected of them.

Strategies are imported where they are needed: the mean needs none, and advice for it should start fast.
"""

from abc import ABC, abstractmethod
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from tentimes18.errors import Ten18Error
from tentimes18.game import Game, Number, Position, slots_of
from tentimes18.solve.thresholds import exact_thresholds

if TYPE_CHECKING:
    from tentimes18.solve.duel.response import Response

__all__ = [
    "ACCEPTED",
    "Aim",
    "Chance",
    "Duel",
    "Hunt",
    "Mean",
    "Worth",
    "aim_named",
    "move_values",
    "value_of",
]

ACCEPTED: Final = "mean, target:700, duel (against the best play), or duel:optimal (against a rule)"

Worth: TypeAlias = Fraction | float


class Aim(ABC):
    """The worth of positions and moves, to the one who wants most of it.

    >>> board = Board(Game.parse("1d6", "1,2"))
    >>> aim_named(board.game, "mean").worth(Position(board))
    Fraction(45, 4)
    """

    name: str
    is_chance = True
    """Whether it counts a chance, and not points."""

    @abstractmethod
    def worth(self, position: Position) -> Worth:
        """The worth of a position under the best play; of a full board what it made."""

    @abstractmethod
    def moves(self, position: Position, roll: int) -> dict[int, Worth]:
        """The worth of placing the roll in each free slot, by slot."""


class Mean(Aim):
    """The expected final score, exactly.

    >>> board = Board(Game.parse("1d6", "1,2")).place(5, 1)
    >>> Mean().worth(Position(board)), Mean().moves(Position(board), 4)
    (Fraction(12, 1), {2: Fraction(13, 1)})
    """

    name = "mean"
    is_chance = False

    def worth(self, position: Position) -> Fraction:
        """See `Aim`."""
        board = position.board
        return board.score + value_of(board.game, board.free)

    def moves(self, position: Position, roll: int) -> dict[int, Worth]:
        """See `Aim`."""
        board = position.board
        values = move_values(board.game, board.free, roll)
        return {slot: board.score + value for slot, value in values.items()}


class Chance(Aim):
    """The best chance of a final score of ``target`` or more.

    >>> game = Game.parse("1d6", "1,2")
    >>> Chance(game, 14).worth(Position(Board(game)))
    Fraction(1, 3)
    """

    def __init__(self, game: Game, target: Number) -> None:
        self.name = f"target:{target}"
        self.target = target
        from tentimes18.strategies.named import kept_chance_table

        self.chances = kept_chance_table(game)

    def worth(self, position: Position) -> Worth:
        """See `Aim`."""
        return self.chances.chance(self.target, position.board.free, position.board.score)

    def moves(self, position: Position, roll: int) -> dict[int, Worth]:
        """See `Aim`."""
        return {slot: self.worth(position.after(roll, slot)) for slot in slots_of(position.board.free)}


class Hunt(Aim):
    """The best chance to win a duel, draws counting one half, against an opponent who plays a rule.

    >>> game = Game.parse("1d6", "1-3")
    >>> round(Hunt(game, "greedy").worth(Position(Board(game), Board(game))), 6)
    0.541667
    """

    def __init__(self, game: Game, rule: str) -> None:
        from tentimes18.strategies.named import rule_named

        strategy = rule_named(rule)
        if strategy is None:
            raise Ten18Error(f"aim: {rule!r} is not a rule of its own board; accepted: {ACCEPTED}")
        self.name = f"duel:{rule}"
        self.rule = strategy.rule(game)
        self.reply = _reply(game, rule)

    def worth(self, position: Position) -> float:
        """See `Aim`."""
        board, lead = position.board, position.lead
        return self.reply.equity(board.free, position.theirs.free, lead) if board.free else _won(lead)

    def moves(self, position: Position, roll: int) -> dict[int, Worth]:
        """See `Aim`."""
        answer = self.rule(position.theirs.free, roll)
        return {slot: self.worth(position.after(roll, slot, answer)) for slot in slots_of(position.board.free)}


class Duel(Aim):
    """The chance to win a duel, draws counting one half, when both play the equilibrium from here on.

    >>> game = Game.parse("1d6", "1-3")
    >>> round(Duel(game).worth(Position(Board(game), Board(game))), 12)
    0.5
    """

    name = "duel"

    def __init__(self, game: Game) -> None:
        from tentimes18.strategies.named import equilibrium_table

        self.table = equilibrium_table(game)

    def worth(self, position: Position) -> float:
        """See `Aim`."""
        board, lead = position.board, position.lead
        return self.table.value(board.free, position.theirs.free, lead) if board.free else _won(lead)

    def moves(self, position: Position, roll: int) -> dict[int, Worth]:
        """Against the opponent's mixed move: what is not best against that gives the opponent something."""
        answers = self.table.moves(position.theirs.free, position.board.free, -position.lead, roll)
        return {
            slot: sum(share * self.worth(position.after(roll, slot, answer)) for answer, share in answers.items())
            for slot in slots_of(position.board.free)
        }


def aim_named(game: Game, aim: str) -> Aim:
    """The aim of an aim by name.

    >>> aim_named(Game.classic(), "target:700").name
    'target:700'
    """
    kind, _, rest = aim.partition(":")
    if aim == "mean":
        return Mean()
    if aim in ("duel", "duel:equilibrium"):
        return Duel(game)
    if kind == "duel" and rest:
        return Hunt(game, rest)
    if kind == "target" and rest:
        from tentimes18.strategies.named import read_score

        return Chance(game, read_score(f"aim {aim!r}", rest))
    raise Ten18Error(f"aim: {aim[:60]!r} is not one that moves are measured by; accepted: {ACCEPTED}")


def value_of(game: Game, free: int) -> Fraction:
    """The value of a free set: the points that the best play makes of it on average.

    >>> value_of(Game.parse("1d6", "1,2"), 3)
    Fraction(45, 4)
    """
    return exact_thresholds(game.dice, free.bit_count())[-1].value(game.multipliers_of(free)) if free else Fraction(0)


def move_values(game: Game, free: int, roll: int) -> dict[int, Fraction]:
    """The points of placing a roll in each free slot and of the best play after it.

    With E the row of one slot less, moving the roll to the next free slot changes the value by
    (λ_{r+1} - λ_r)(roll - E[r]); so one sum gives the first value, and these steps the others.

    >>> move_values(Game.parse("1d6", "1,2"), 3, 5)
    {1: Fraction(12, 1), 2: Fraction(27, 2)}
    """
    game.verify_mask(free)
    game.verify_roll(roll)
    slots, multipliers = slots_of(free), game.multipliers_of(free)
    value = multipliers[0] * roll + value_of(game, free & (free - 1))
    values = {slots[0]: value}
    if len(slots) > 1:
        row = exact_thresholds(game.dice, len(slots) - 1)[-1]
        for slot, low, high, threshold in zip(slots[1:], multipliers, multipliers[1:], row, strict=False):
            value += (high - low) * (roll - threshold)
            values[slot] = value
    return values


def _won(lead: Number) -> float:
    return 0.5 if lead == 0 else float(lead > 0)


@lru_cache(maxsize=2)
def _reply(game: Game, rule: str) -> "Response":
    from tentimes18.solve.duel.response import best_response
    from tentimes18.strategies.named import hunter_table, rule_named

    strategy = rule_named(rule)
    assert strategy is not None
    return hunter_table(game) if rule == "optimal" else best_response(game, strategy.rule(game))
