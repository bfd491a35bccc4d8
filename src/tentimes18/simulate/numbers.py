"""Which games a seed has, by number: what is beyond them is refused before anything is drawn.

A game takes its words from a stream of 2^64 (`kernels.simulate`), at most one a round. So many games as there are share
none, on as many slots as a game can have.
"""

from typing import Final

from tentimes18.errors import InvalidGame

__all__ = ["GAMES", "verify_number"]

GAMES: Final = 10**13
"""How many games a seed has."""
LONGEST: Final = 10**40  # what is told of a number that is none


def verify_number(number: int) -> None:
    """Raise ``InvalidGame`` unless a seed has a game of this number.

    >>> verify_number(18)
    >>> verify_number(-1)
    Traceback (most recent call last):
    tentimes18.errors.InvalidGame: game: -1 is not the number of a game; accepted: 0 to 9,999,999,999,999
    """
    if not 0 <= number < GAMES:
        given = str(number) if abs(number) < LONGEST else "a number of so many digits"
        raise InvalidGame(f"{given} is not the number of a game; accepted: 0 to {GAMES - 1:,}", field="game")
