"""What a point of safety costs: mean and standard deviation of strategies with other objectives."""

from typing import TypedDict

from tentimes18.game import Game
from tentimes18.plan import Limits, admit_game
from tentimes18.solve.layers import Progress
from tentimes18.strategies.front import front_of, front_plan

__all__ = ["FrontAnswer", "StrategyPoint", "front"]


class StrategyPoint(TypedDict):
    """A strategy, mean and standard deviation of its score; ``efficient``: none here beats it in both."""

    strategy: str
    mean: float
    sd: float
    efficient: bool


class FrontAnswer(TypedDict):
    """The strategies by increasing standard deviation."""

    front: list[StrategyPoint]


def front(game: Game, progress: Progress | None = None, limits: Limits | None = None) -> FrontAnswer:
    """The usual strategies of a game, and those on the front.

    >>> front(Game.parse("1d6", "1-3"))["front"][-1]["strategy"]
    'utility:exp:-0.5'
    """
    admit_game(game, front_plan, limits)
    return {
        "front": [
            {"strategy": point.strategy, "mean": point.mean, "sd": point.sd, "efficient": point.efficient}
            for point in front_of(game, progress=progress)
        ]
    }
