"""What safety costs in a game: mean and standard deviation of the strategies with other objectives, one beside another.

Utilities that are too extreme for the scores of the game are left out.
"""

from collections.abc import Sequence

from tentimes18.errors import InvalidGame
from tentimes18.game import Board, Game
from tentimes18.solve.objectives.front import FrontPoint, front, front_names
from tentimes18.solve.thresholds import Progress
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import score_law

__all__ = ["front_of"]


def front_of(game: Game, strategies: Sequence[str] | None = None, progress: Progress | None = None) -> list[FrontPoint]:
    """These strategies, or the usual ones, by increasing standard deviation.

    >>> [point.strategy for point in front_of(Game.parse("1d6", "1-3"), ["random", "optimal", "cvar:0.1"])]
    ['cvar:0.1', 'optimal', 'random']
    """
    names = front_names(game) if strategies is None else strategies
    laws = []
    for done, name in enumerate(names, start=1):
        try:
            laws.append((name, score_law(Board(game), named(name), exact=False)))
        except InvalidGame:
            continue
        finally:
            if progress:
                progress(done, len(names))
    return front(laws)
