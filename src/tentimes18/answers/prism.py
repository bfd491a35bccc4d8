"""The game for model checkers, and what to ask them."""

from typing import TypedDict

from tentimes18.game import Game
from tentimes18.solve.prism_model import PROPERTY, prism_model

__all__ = ["PrismAnswer", "prism"]


class PrismAnswer(TypedDict):
    """The text of a model, and the property whose answer is the value of the game."""

    model: str
    property: str


def prism(game: Game) -> PrismAnswer:
    """The game as a Markov decision process.

    >>> prism(Game.parse("1d2", "1"))["property"]
    'R{"points"}max=? [ F "done" ]'
    """
    return {"model": f"{prism_model(game)}\n", "property": PROPERTY}
