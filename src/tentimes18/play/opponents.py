"""Who sits across the table: every strategy by name, as someone who chooses at the same time as the player.

What an opponent leaves to chance comes from the seed and the round, so that a game that is taken up again goes on as it
would have.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeAlias

from tentimes18.errors import Ten18Error, blame
from tentimes18.game import Board, Game
from tentimes18.strategies.named import Finder, UnknownStrategy, named

__all__ = ["ACCEPTED", "Opponent", "opponent"]

ACCEPTED: Final = "optimal, random, nearest, bands, greedy, target:700, hunter, equilibrium"

Chooser: TypeAlias = Callable[[Board, Board, int], int]


@dataclass(frozen=True, slots=True)
class Opponent:
    """A strategy at the table; ``choose`` gives its slot for a roll, from its own board and the player's.

    Both boards are those before this roll is placed.

    >>> game = Game.parse("1d6", "1-4")
    >>> opponent("hunter", game, seed=18).choose(Board(game), Board(game), 6)
    4
    """

    name: str
    choose: Chooser = field(repr=False)


def opponent(name: str, game: Game, seed: int, find: Finder = named) -> Opponent:
    """The opponent of this name; raises ``Ten18Error`` where none of that name can play this game.

    >>> game = Game.classic()
    >>> board = Board(game)
    >>> slots = [opponent("random", game, seed=18).choose(board, board, 9) for _ in range(2)]
    >>> slots[0] == slots[1]
    True
    >>> opponent("hindsight", game, seed=18)
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: against: hindsight knows the rolls to come, which nobody at a table does; ...
    """
    seated = _SEATED.get(name)
    found = Opponent(name, seated(game, seed) if seated else _alone(name, find))
    # Tables are made, and games that are too large refused, before the first roll.
    found.choose(Board(game), Board(game), game.dice.support[0])
    return found


def _alone(name: str, find: Finder) -> Chooser:
    """A strategy that looks at its own board only."""
    try:
        strategy = find(name)
    except UnknownStrategy:
        raise UnknownStrategy(f"not known; accepted: {ACCEPTED}", "against", name) from None
    except Ten18Error as error:
        raise error.about("against") from None

    def choose(mine: Board, _: Board, roll: int) -> int:
        with blame("against", "strategy"):
            return strategy.choose(mine, roll)

    return choose


def _hunter(game: Game, _: int) -> Chooser:
    from tentimes18.strategies.solved import hunter

    response = hunter(game)
    return lambda mine, theirs, roll: response.choose(mine.free, theirs.free, mine.score - theirs.score, roll)


def _equilibrium(game: Game, seed: int) -> Chooser:
    from tentimes18.strategies.solved import equilibrium

    table = equilibrium(game)

    def choose(mine: Board, theirs: Board, roll: int) -> int:
        moves = table.moves(mine.free, theirs.free, mine.score - theirs.score, roll)
        return _generator(seed, mine).choices(tuple(moves), weights=tuple(moves.values()))[0]

    return choose


def _random(_: Game, seed: int) -> Chooser:
    return lambda mine, _, __: _generator(seed, mine).choice(mine.free_slots)


def _hindsight(_: Game, __: int) -> Chooser:
    raise Ten18Error(
        f"hindsight knows the rolls to come, which nobody at a table does; accepted: {ACCEPTED}", "against"
    )


_SEATED: Final[dict[str, Callable[[Game, int], Chooser]]] = {
    "hunter": _hunter,
    "equilibrium": _equilibrium,
    "random": _random,
    "hindsight": _hindsight,
}
"""Those who sit otherwise at a table than alone: they see the other board, or draw from the seed of the game."""


def _generator(seed: int, board: Board) -> Random:
    return Random(f"opponent {seed} {board.rounds}")
