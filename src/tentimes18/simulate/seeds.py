"""Which seeds there are, and which games of a seed: what is beyond them is refused before anything is drawn.

A game takes its words from a stream of 2^64 (`kernels.simulate`), at most one a round. So many games as there are share
none, on as many slots as a game can have.
"""

from typing import Final

from tentimes18.errors import InvalidGame

__all__ = ["GAMES", "MAX_DIGITS", "verify_number", "verify_seed"]

MAX_DIGITS: Final = 40
"""Of a seed: more than anyone can tell a friend."""
GAMES: Final = 10**13
"""How many games a seed has."""


def verify_seed(seed: int) -> None:
    """Raise ``InvalidGame`` unless this is a seed.

    >>> verify_seed(-18)
    >>> verify_seed(10**40)
    Traceback (most recent call last):
    tentimes18.errors.InvalidGame: seed: 41 digits; accepted: whole numbers of at most 40 digits
    """
    if abs(seed) >= 10**MAX_DIGITS:
        given = f"{len(str(abs(seed)))} digits" if abs(seed) < 10**1000 else "too many digits"
        raise InvalidGame(f"{given}; accepted: whole numbers of at most {MAX_DIGITS} digits", field="seed")


def verify_number(number: int, field: str = "game") -> None:
    """Raise ``InvalidGame`` unless a seed has a game of this number.

    >>> verify_number(18)
    >>> verify_number(-1)
    Traceback (most recent call last):
    tentimes18.errors.InvalidGame: game: -1 is not the number of a game; accepted: 0 to 9,999,999,999,999
    """
    if not 0 <= number < GAMES:
        given = str(number) if abs(number) < 10**MAX_DIGITS else "a number of so many digits"
        raise InvalidGame(f"{given} is not the number of a game; accepted: 0 to {GAMES - 1:,}", field=field)
