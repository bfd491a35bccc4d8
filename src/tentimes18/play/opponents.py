"""Opponents: every strategy by name, as someone who chooses at the same time as the player.

What an opponent leaves to chance comes from the seed and the round, so that a game that is taken up again goes on as it
would have.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Protocol, TypeAlias

from tentimes18.errors import Ten18Error, blame
from tentimes18.game import Board, Game, Position
from tentimes18.strategies.named import Finder, UnknownStrategy, named
from tentimes18.strategies.strategy import ObjectiveStrategy

if TYPE_CHECKING:
    from tentimes18.duel.best_response import Response
    from tentimes18.duel.equilibrium import Equilibrium

ACCEPTED = "optimal, random, nearest, bands, greedy, target:700, hunter, equilibrium"

Chooser: TypeAlias = Callable[[Board, Board, int], int]
"""The slot for the own board and the player's, both before this roll is placed, and a roll."""
Seat: TypeAlias = Callable[[int, Board, Board, int], int]
"""The slot for a game's seed, the own board, the player's, and a roll: for any number of games, in any threads."""


class DuelSolver(Protocol):
    """Gives the tables of duels: `strategies.solved` makes them, another may have them, or not yet."""

    def hunter(self, game: Game, /) -> "Response":
        """The best response to `optimal`."""
        ...

    def equilibrium(self, game: Game, /) -> "Equilibrium":
        """The equilibrium."""
        ...


def opponent(name: str, game: Game, seed: int, find: Finder = named) -> Chooser:
    """How the opponent of this name chooses; raises ``Ten18Error`` where none of that name can play this game.

    >>> game = Game.classic()
    >>> board = Board(game)
    >>> slots = [opponent("random", game, seed=18)(board, board, 9) for _ in range(2)]
    >>> slots[0] == slots[1]
    True
    >>> opponent("hindsight", game, seed=18)
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: against: hindsight knows the rolls to come, which nobody at a table does; ...
    """
    choose = partial(seat(name, game, find), seed)
    # Tables are made, and games that are too large rejected, before the first roll.
    choose(Board(game), Board(game), game.dice.support[0])
    return choose


def seat(name: str, game: Game, find: Finder = named, solver: DuelSolver | None = None) -> Seat:
    """How the opponent of this name chooses, whatever the seed of a game is; ``solver`` has the tables of duels."""
    seated = _SEATED.get(name)
    return seated(game, solver) if seated else _alone(name, game, find)


def _alone(name: str, game: Game, find: Finder) -> Seat:
    """A strategy that looks at its own board only."""
    try:
        strategy = find(name)
        best_play = strategy.solve(game) if isinstance(strategy, ObjectiveStrategy) else None
    except UnknownStrategy:
        raise UnknownStrategy(f"not known; accepted: {ACCEPTED}", "against", name) from None
    except Ten18Error as error:
        raise error.about("against") from None
    if best_play is not None:
        return lambda _, mine, __, roll: best_play.choose(mine.free, mine.score, roll)

    def choose(_: int, mine: Board, __: Board, roll: int) -> int:
        with blame("against", "strategy"):
            return strategy.choose(mine, roll)

    return choose


def _hunter(game: Game, solver: DuelSolver | None) -> Seat:
    response = (solver or _solver()).hunter(game)
    return lambda _, mine, theirs, roll: response.choose_on(Position(mine, theirs), roll)


def _equilibrium(game: Game, solver: DuelSolver | None) -> Seat:
    table = (solver or _solver()).equilibrium(game)

    def choose(seed: int, mine: Board, theirs: Board, roll: int) -> int:
        moves = table.moves_on(Position(mine, theirs), roll)
        return _generator(seed, mine).choices(tuple(moves), weights=tuple(moves.values()))[0]

    return choose


def _solver() -> DuelSolver:
    from tentimes18.strategies import solved

    return solved


def _random(_: Game, __: DuelSolver | None) -> Seat:
    return lambda seed, mine, _, __: _generator(seed, mine).choice(mine.free_slots)


def _hindsight(_: Game, __: DuelSolver | None) -> Seat:
    raise Ten18Error(
        f"hindsight knows the rolls to come, which nobody at a table does; accepted: {ACCEPTED}", "against"
    )


_SEATED: dict[str, Callable[[Game, DuelSolver | None], Seat]] = {
    "hunter": _hunter,
    "equilibrium": _equilibrium,
    "random": _random,
    "hindsight": _hindsight,
}
"""Those who sit otherwise at a table than alone: they see the other board, or draw from the seed of the game."""


def _generator(seed: int, board: Board) -> Random:
    return Random(f"opponent {seed} {board.rounds}")
