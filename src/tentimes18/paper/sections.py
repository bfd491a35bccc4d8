"""The paper, gone through in its order: every number that it prints beside ours, and where it slips."""

from collections.abc import Callable, Iterator
from functools import partial

from tentimes18.game import Game
from tentimes18.paper.best_play import dynamic_programming, playing, polynomial
from tentimes18.paper.checks import Check
from tentimes18.paper.scores import important_scores, knowing_the_future, simulations
from tentimes18.paper.the_game import complicated, introduction, preliminaries
from tentimes18.paper.variants import conclusion, variants
from tentimes18.solve.layers import Progress

__all__ = ["check_paper"]


def check_paper(progress: Progress | None = None) -> list[Check]:
    """Every check, in the order of the paper; the progress is told by sections.

    >>> checks = check_paper()
    >>> any(check.differs for check in checks)
    False
    """
    about_the_game = (
        *(introduction, preliminaries, complicated, dynamic_programming, playing, polynomial),
        *(knowing_the_future, important_scores, simulations),
    )
    classic = Game.classic()
    sections: list[Callable[[], Iterator[Check]]] = [
        *(partial(s, classic) for s in about_the_game),
        variants,
        conclusion,
    ]
    checks: list[Check] = []
    for done, section in enumerate(sections, start=1):
        checks += section()
        if progress:
            progress(done, len(sections))
    return checks
