"""Opponents: every strategy by name, as someone who chooses at the same time as the player.

What an opponent leaves to chance comes from the seed and the round, so that a game that is taken up again goes on as it
would have.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, TypeAlias

from tentimes18.errors import Ten18Error, blame
from tentimes18.game import Board, Game, Position
from tentimes18.strategies.named import Finder, UnknownStrategy, named
from tentimes18.strategies.strategy import ObjectiveStrategy

ACCEPTED = "optimal, random, nearest, bands, greedy, target:700, hunter, equilibrium"

Chooser: TypeAlias = Callable[[Board, Board, int], int]
"""The opponent's slot, given its own board, the player's board, both before this roll is placed, and the roll."""
Seat: TypeAlias = Callable[[int, Board, Board, int], int]
"""The same with the game's seed first: for any number of games, in any threads."""


def opponent(name: str, game: Game, seed: int, find: Finder = named) -> Chooser:
    """How the opponent of this name chooses; raises ``Ten18Error`` for one that cannot play this game."""
    choose = partial(seat(name, game, find), seed)
    # Tables are made, and games that are too large rejected, before the first roll.
    choose(Board(game), Board(game), game.dice.support[0])
    return choose


def seat(name: str, game: Game, find: Finder = named, **options: Any) -> Seat:
    """How the opponent of this name chooses, for any seed of a game; ``options`` are for the tables of duels."""
    if name == "random":
        return lambda seed, mine, _, __: _generator(seed, mine).choice(mine.free_slots)
    if name in ("hunter", "equilibrium"):
        from tentimes18.strategies import solved  # compiled code, which the others do without

        if name == "hunter":
            response = solved.hunter(game, **options)
            return lambda _, mine, theirs, roll: response.choose_on(Position(mine, theirs), roll)
        table = solved.equilibrium(game, **options)

        def draw(seed: int, mine: Board, theirs: Board, roll: int) -> int:
            moves = table.moves_on(Position(mine, theirs), roll)
            return _generator(seed, mine).choices(tuple(moves), weights=tuple(moves.values()))[0]

        return draw
    if name == "hindsight":
        problem = f"hindsight knows the rolls to come, which nobody at a table does; accepted: {ACCEPTED}"
        raise Ten18Error(problem, "against")
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


def _generator(seed: int, board: Board) -> Random:
    return Random(f"opponent {seed} {board.rounds}")
