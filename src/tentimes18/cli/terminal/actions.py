"""What a player wants: to place the roll, to ask for something, or to leave; and how that ends the program."""

import signal
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Final, TypeAlias

from tentimes18.cli.terminal.keys import Ended

__all__ = ["REQUESTS", "Action", "Ending", "Left", "Place", "Request"]


@dataclass(frozen=True, slots=True)
class Place:
    """The player wants the roll in this slot, which may not be there, or not be free."""

    slot: int


class Request(Enum):
    """What else a player may want; the value is what is typed for it."""

    hint = "h"
    help = "?"
    other_roll = "r"
    take_back = "u"


Action: TypeAlias = Place | Request

REQUESTS: Final = {request.value: request for request in Request}


class Left(Exception):
    """The player leaves: by q, or because there is nothing more to read."""


class Ending:
    """How a dialogue ends: at its end, because the player leaves, or by a signal; ``code`` is the exit code of each.

    >>> with Ending() as ending:
    ...     raise KeyboardInterrupt
    >>> ending.code
    130
    """

    def __init__(self) -> None:
        self.code = 0

    def __enter__(self) -> "Ending":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        match error:
            case Left():
                return True
            case KeyboardInterrupt():
                self.code = 128 + signal.SIGINT
            case Ended():
                self.code = 128 + error.signal_number
        return self.code != 0
