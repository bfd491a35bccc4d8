"""Errors in one line for a user: the problem, and the field to blame.

A field is the name of a parameter: `dice`, `slots`, `opponent_free`. The command shows it as its option, the web in a
problem document.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Self

MAX_QUOTED = 60  # characters


class Ten18Error(ValueError):
    """Base of all errors raised on purpose: what was wrong and what is accepted, in one line for a user.

    ``field`` is the parameter to blame, ``value`` what the user gave for it, where these are known.

    >>> error = Ten18Error("cannot read 'x'; accepted: 3d6", field="dice", value="3x6")
    >>> str(error), error.field, error.problem
    ("dice '3x6': cannot read 'x'; accepted: 3d6", 'dice', "cannot read 'x'; accepted: 3d6")
    """

    def __init__(self, problem: str, field: str | None = None, value: object = None) -> None:
        super().__init__(problem, field, value)  # all of them, so that a copy from another process is the same
        self.problem = problem
        self.field = field
        self.value = value

    def __str__(self) -> str:
        return self.message(self.field)

    def message(self, name: str | None) -> str:
        """The line, with this name for the field."""
        subject = " ".join(part for part in (name, None if self.value is None else quoted(self.value)) if part)
        return f"{subject}: {self.problem}" if subject else self.problem

    def about(self, field: str, value: object = None) -> Self:
        """The same problem with another field to blame: the caller knows better what the user gave."""
        return type(self)(self.problem, field, self.value if value is None else value)


class InvalidDice(Ten18Error):
    """Not the notation or the distribution of dice."""


class InvalidGame(Ten18Error):
    """Not a game, or not a position in it."""


class IllegalMove(Ten18Error):
    """A roll that cannot be placed there."""


class TooLarge(Ten18Error):
    """A request that needs more memory or time than is sensible: says how much, and what to use instead."""


class CacheWarning(UserWarning):
    """A result could not be written to the cache: it is correct, but the next run computes it again."""


@contextmanager
def blame(field: str, *others: str) -> Iterator[None]:
    """Inside, an error about one of the other fields becomes one about this field.

    >>> with blame("to", "strategy"):
    ...     raise Ten18Error("not known", "strategy", "lucky")
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: to 'lucky': not known
    """
    try:
        yield
    except Ten18Error as error:
        if error.field not in others:
            raise
        raise error.about(field) from error


def quoted(value: object) -> str:
    """A value in one short printable line."""
    if isinstance(value, int) and value.bit_length() > 200:
        return "with too many digits"
    short = value[: MAX_QUOTED + 1] if isinstance(value, str) else value
    try:
        text = str(short) if isinstance(short, Fraction) else repr(short)
    except (ValueError, RecursionError):  # numbers of many digits inside, lists within lists
        return "what is given"
    line = " ".join(text.split()) if not text.isprintable() else text
    return line if len(line) <= MAX_QUOTED else f"{line[: MAX_QUOTED - 3]}..."
