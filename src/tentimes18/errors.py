"""What can be wrong: the problem in one line, and the field it is about.

A field is the name of what was given: `dice`, `slots`, `opponent_free`. The command shows it as its option, the web in
a problem document; nobody has to read the text to know.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

LONGEST = 60  # of a text that is quoted


class Ten18Error(ValueError):
    """Base of all errors raised on purpose: what was wrong and what is accepted, in one line for a user.

    ``field`` names what is to blame, ``given`` is the text that was given for it, where these are known.

    >>> error = Ten18Error("cannot read 'x'; accepted: 3d6", field="dice", given="3x6")
    >>> str(error), error.field, error.problem
    ("dice '3x6': cannot read 'x'; accepted: 3d6", 'dice', "cannot read 'x'; accepted: 3d6")
    """

    def __init__(self, problem: str, field: str | None = None, given: object = None) -> None:
        super().__init__(problem, field, given)  # all of them: so that a copy from another process is the same
        self.problem = problem
        self.field = field
        self.given = given

    def __str__(self) -> str:
        return self.told(self.field)

    def told(self, name: str | None) -> str:
        """The line, with this name for the field."""
        what = " ".join(part for part in (name, None if self.given is None else quoted(self.given)) if part)
        return f"{what}: {self.problem}" if what else self.problem

    def about(self, field: str, given: object = None) -> Self:
        """The same problem, with another field to blame: whoever asks knows better what the user gave."""
        return type(self)(self.problem, field, self.given if given is None else given)


class InvalidDice(Ten18Error):
    """Not the notation or the law of dice."""


class InvalidGame(Ten18Error):
    """Not a game, or not a position in it."""


class IllegalMove(Ten18Error):
    """A roll that cannot be placed there."""


class TooLarge(Ten18Error):
    """A request that needs more memory or time than is sensible: says how much, and what to use instead."""


class NotKept(UserWarning):
    """Something could not be kept on disk: the result is there all the same, the next run will take as long again."""


@contextmanager
def blame(field: str, *others: str) -> Iterator[None]:
    """Inside, an error about one of the other fields is one about this field: it was given by that name.

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
    """A value that was given, as a person may read it in one line."""
    if isinstance(value, int) and value.bit_length() > 200:
        return "with too many digits"
    try:
        text = repr(value[: LONGEST + 1] if isinstance(value, str) else value)
    except (ValueError, RecursionError):  # numbers of many digits inside, lists within lists
        return "what is given"
    line = " ".join(text.split()) if not text.isprintable() else text
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."
