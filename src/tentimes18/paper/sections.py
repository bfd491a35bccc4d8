"""The paper, gone through in its order: every number that it prints beside ours, and where it slips."""

from tentimes18.game import Game
from tentimes18.paper.best_play import dynamic_programming, playing, polynomial
from tentimes18.paper.checks import Check
from tentimes18.paper.scores import important_scores, knowing_the_future, simulations
from tentimes18.paper.the_game import complicated, introduction, preliminaries
from tentimes18.paper.variants import conclusion, variants

__all__ = ["check_paper"]


def check_paper() -> list[Check]:
    """Every check, in the order of the paper.

    >>> checks = check_paper()
    >>> any(check.differs for check in checks)
    False
    """
    game = Game.classic()
    return [
        *introduction(game),
        *preliminaries(game),
        *complicated(game),
        *dynamic_programming(game),
        *playing(game),
        *polynomial(game),
        *knowing_the_future(game),
        *important_scores(game),
        *simulations(game),
        *variants(),
        *conclusion(),
    ]
