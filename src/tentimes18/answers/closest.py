"""The closest calls: the moves whose runner-up loses least, and exact ties."""

from typing import TypedDict

from tentimes18.answers.numbers import Plain, plain
from tentimes18.game import Game
from tentimes18.plan import Limits, admit_game
from tentimes18.solve.closest import ClosestCall, closest_calls, closest_plan, exact_ties
from tentimes18.solve.layers import Progress

__all__ = ["Call", "ClosestAnswer", "TiedRanks", "closest"]


class Call(TypedDict):
    """A roll and two ranks among the free slots, decided by the smallest margin; ``example``: one such free set."""

    loss: Plain
    free_count: int
    roll: int
    best: int
    runner_up: int
    free_sets: int
    example: list[int]


class TiedRanks(TypedDict):
    """A roll that is equally good in the free slots of this rank and of the next one."""

    free_count: int
    roll: int
    rank: int


class ClosestAnswer(TypedDict):
    """The closest calls of the first move and of the whole game, and all exact ties."""

    first_move: list[Call]
    game: list[Call]
    ties: list[TiedRanks]


def closest(game: Game, progress: Progress | None = None, limits: Limits | None = None) -> ClosestAnswer:
    """The closest calls of a game.

    >>> closest(Game.parse("2d6", "1,2"))["ties"]
    [{'free_count': 2, 'roll': 7, 'rank': 1}]
    """
    admit_game(game, closest_plan, limits)
    return {
        "first_move": [_call(call) for call in closest_calls(game, first_move=True)],
        "game": [_call(call) for call in closest_calls(game, progress=progress)],
        "ties": [{"free_count": tie.free_count, "roll": tie.roll, "rank": tie.rank} for tie in exact_ties(game)],
    }


def _call(call: ClosestCall) -> Call:
    return {
        "loss": plain(call.loss),
        "free_count": call.free_count,
        "roll": call.roll,
        "best": call.best,
        "runner_up": call.runner_up,
        "free_sets": call.free_sets,
        "example": list(call.example),
    }
