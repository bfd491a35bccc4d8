"""Sections of the paper on games that it does not speak of."""

from tentimes18.game import Game

__all__ = ["differing"]


def differing(section: object, game: str) -> set[str]:
    """The items of a section that neither agree nor are explained on this game."""
    assert callable(section)
    return {check.item for check in section(Game.parse(*game.split())) if check.differs}
