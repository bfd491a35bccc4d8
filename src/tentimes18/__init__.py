"""Ten times eighteen, solved: best play for the dice game and for sequential stochastic assignment.

>>> from tentimes18 import Board, Game, advise
>>> advise(Board(Game.classic()), roll=9).best
4

These are the names that most people need; the others are in the packages, such as `tentimes18.assignment` or
`tentimes18.strategies`, and in their modules, such as `tentimes18.simulate.games`. A name is imported when it is first
used, so that a short command starts fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tentimes18.coach.advice import Advice, advise
    from tentimes18.coach.aims import aim_named
    from tentimes18.coach.review import Review, review
    from tentimes18.dice import Dice
    from tentimes18.errors import IllegalMove, InvalidDice, InvalidGame, Ten18Error, TooLarge
    from tentimes18.game import Board, Game, Placement, Position
    from tentimes18.records.notation import Record, format_record, parse_record
    from tentimes18.solve.score_distribution import ScoreDistribution
    from tentimes18.solve.thresholds import exact_thresholds
    from tentimes18.strategies.named import named
    from tentimes18.strategies.strategy import Strategy, play_game, score_distribution

__all__ = ["Advice", "Board", "Dice", "Game", "IllegalMove", "InvalidDice", "InvalidGame", "Placement", "Position"]
__all__ += ["Record", "Review", "ScoreDistribution", "Strategy", "Ten18Error", "TooLarge", "advise", "aim_named"]
__all__ += ["exact_thresholds", "format_record", "named", "parse_record", "play_game", "review", "score_distribution"]

_MODULES = {
    "coach.advice": ("Advice", "advise"),
    "coach.aims": ("aim_named",),
    "coach.review": ("Review", "review"),
    "dice": ("Dice",),
    "errors": ("IllegalMove", "InvalidDice", "InvalidGame", "Ten18Error", "TooLarge"),
    "game": ("Board", "Game", "Placement", "Position"),
    "records.notation": ("Record", "format_record", "parse_record"),
    "solve.score_distribution": ("ScoreDistribution",),
    "solve.thresholds": ("exact_thresholds",),
    "strategies.named": ("named",),
    "strategies.strategy": ("Strategy", "play_game", "score_distribution"),
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        metadata = import_module("importlib.metadata")  # slow to import
        try:
            return metadata.version("tentimes18")
        except metadata.PackageNotFoundError:
            return "not installed"  # run from a clone, as `make play` does
    for module, names in _MODULES.items():
        if name in names:
            globals()[name] = value = getattr(import_module(f"tentimes18.{module}"), name)
            return value
    raise AttributeError(f"module 'tentimes18' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
