"""Who beats whom in a circle: an exact proof in a small game."""

from typing import TypedDict

from tentimes18.duel.plans import cycle_plan
from tentimes18.duel.response_cycle import find_cycle
from tentimes18.game import Game
from tentimes18.plan import Limits, admit_game
from tentimes18.solve.layers import Progress

__all__ = ["CycleAnswer", "ExactResult", "cycle"]


class ExactResult(TypedDict):
    """Exact chances, as fractions."""

    win: str
    draw: str
    loss: str


class CycleAnswer(TypedDict):
    """Strategies by name, each of which beats the next one and the last the first, with their results; or none."""

    names: list[str]
    results: list[ExactResult]


def cycle(game: Game, progress: Progress | None = None, limits: Limits | None = None) -> CycleAnswer:
    """A circle among best responses to best responses, from `optimal` on.

    >>> cycle(Game.parse("1d6", "1-4"))["results"][0]
    {'win': '13/216', 'draw': '1157/1296', 'loss': '61/1296'}
    """
    admit_game(game, cycle_plan, limits)
    found = find_cycle(game, progress)
    if found is None:
        return {"names": [], "results": []}
    return {
        "names": list(found.names),
        "results": [
            {"win": str(result.win), "draw": str(result.draw), "loss": str(result.loss)} for result in found.results
        ],
    }
