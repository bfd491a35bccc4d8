"""The errors of this package: each says in one line what was wrong and what is accepted.

The line starts with the word for what was wrong, where there is one (`dice '3x6': ...`, `free: ...`): the command turns
that word into the name of its option.
"""

__all__ = ["IllegalMove", "InvalidDice", "InvalidGame", "Ten18Error", "TooLarge"]


class Ten18Error(ValueError):
    """Base of all errors raised on purpose; its text is one line for a user."""


class InvalidDice(Ten18Error):
    """Not the notation or the law of dice."""


class InvalidGame(Ten18Error):
    """Not a game, or not a position in it."""


class IllegalMove(Ten18Error):
    """A roll that cannot be placed there."""


class TooLarge(Ten18Error):
    """A request that needs more memory or time than is sensible: says how much, and what to use instead."""
