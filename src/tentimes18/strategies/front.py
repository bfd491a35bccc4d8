"""What safety costs in a game: mean and standard deviation of the strategies with other objectives, one beside another.

Utilities that are too extreme for the scores of the game are left out.
"""

from collections.abc import Sequence
from functools import partial
from math import inf
from typing import Final

from tentimes18.errors import InvalidGame
from tentimes18.game import Board, Game
from tentimes18.plan import Plan, admit_game
from tentimes18.solve.layers import Progress
from tentimes18.solve.objectives.front import FrontPoint, front, front_names
from tentimes18.solve.objectives.plans import utilities_plan
from tentimes18.storage.cache import MOST_BYTES
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import ObjectiveStrategy, score_law

__all__ = ["front_of", "front_plan"]

MOST_SLOTS: Final = 1000


def front_plan(game: Game, strategies: Sequence[str] | None = None) -> Plan:
    """What the comparison takes: the tables, each once, and the laws of all strategies."""
    board = Board(game)
    if game.size > MOST_SLOTS:  # laws for so many are beyond everything, and names would take long to find
        return Plan(f"the comparison of strategies on {game.size:,} slots", inf, inf)
    found = [named(name) for name in (front_names(game) if strategies is None else strategies)]
    plans = [strategy.plan(board, exact=False) for strategy in found]
    tables = {
        strategy.table if strategy.table is not utilities_plan else strategy.name: strategy.table(game)
        for strategy in found
        if isinstance(strategy, ObjectiveStrategy)
    }
    made_again = sum(strategy.table(game).seconds for strategy in found if isinstance(strategy, ObjectiveStrategy))
    seconds = sum(plan.seconds for plan in plans) - made_again + sum(plan.seconds for plan in tables.values())
    kept = min(MOST_BYTES, sum(plan.memory for plan in tables.values()))
    return Plan(
        f"the comparison of {len(found)} strategies on {game.size:,} slots",
        seconds,
        max((plan.memory for plan in plans), default=0.0) + kept,
    )


def front_of(game: Game, strategies: Sequence[str] | None = None, progress: Progress | None = None) -> list[FrontPoint]:
    """These strategies, or the usual ones, by increasing standard deviation.

    >>> [point.strategy for point in front_of(Game.parse("1d6", "1-3"), ["random", "optimal", "cvar:0.1"])]
    ['cvar:0.1', 'optimal', 'random']
    """
    names = tuple(front_names(game) if strategies is None else strategies)
    admit_game(game, partial(front_plan, strategies=strategies))

    def within(number: int) -> Progress | None:
        """Progress within one strategy."""
        return progress and (lambda done, total: progress(total * number + done, total * len(names)))

    laws = []
    for done, name in enumerate(names, start=1):
        try:
            laws.append((name, score_law(Board(game), named(name), exact=False, progress=within(done - 1))))
        except InvalidGame:
            continue
        finally:
            if progress:
                progress(done, len(names))
    return front(laws)
