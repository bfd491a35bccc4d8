"""Answers that stay fresh for some seconds, where to find them anew takes long."""

import time
from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Fresh(Generic[Key, Value]):
    """The latest answers, each for so many seconds.

    >>> kept = Fresh[str, int](seconds=5, most=2, clock=lambda: 0.0)
    >>> for number, name in enumerate("abc"):
    ...     kept.put(name, number)
    >>> kept.get("a"), kept.get("c")
    (None, 2)
    """

    def __init__(self, seconds: float, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._most = most
        self._clock = clock
        self._found: dict[Key, tuple[float, Value]] = {}

    def get(self, key: Key) -> Value | None:
        """The answer, while it is fresh."""
        until, value = self._found.get(key, (0.0, None))
        return value if value is not None and self._clock() < until else None

    def put(self, key: Key, value: Value) -> None:
        """Keep an answer, in place of the one that was put longest ago if there are too many."""
        self._found.pop(key, None)
        while len(self._found) >= self._most:
            self._found.pop(next(iter(self._found)), None)
        self._found[key] = (self._clock() + self._seconds, value)
