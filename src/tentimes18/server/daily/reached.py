"""What could be made of the rolls of a day."""

from functools import lru_cache

from tentimes18.game import Game
from tentimes18.queries.json_numbers import Plain, plain
from tentimes18.strategies.named import named
from tentimes18.strategies.strategy import play_game

__all__ = ["scores_on"]


@lru_cache(maxsize=512)
def scores_on(rolls: tuple[int, ...]) -> tuple[Plain, Plain]:
    """What the optimal strategy makes of the rolls of a classic game, and the best that can be made of them.

    >>> scores_on((3, 4, 5, 6, 7, 8, 9, 10, 11, 12))
    (489, 495)
    """
    game = Game.classic()
    optimal, best = (play_game(game, named(name), list(rolls)).score for name in ("optimal", "hindsight"))
    return plain(optimal), plain(best)
