"""Things that take long to make: each is made once, whoever asks, and kept while there is room.

When several threads ask for the same thing at the same time, one makes it and the others wait. What is kept has a limit
in bytes; beyond it the things that were asked for longest ago go first. A thing that somebody still holds is found
again all the same, so nothing is made twice while it is in use.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Any, Final, Protocol, TypeVar
from weakref import WeakValueDictionary

__all__ = ["Cache", "Sized", "solved"]

MOST_BYTES: Final = 2_000_000_000


class Sized(Protocol):
    """What knows how much memory it takes."""

    @property
    def nbytes(self) -> int:
        """The bytes of its arrays."""
        ...


Thing = TypeVar("Thing", bound=Sized)


class Cache:
    """Things by key, up to so many bytes in all.

    >>> from array import array
    >>> class Row:
    ...     def __init__(self, size: int) -> None:
    ...         self.nbytes = size
    >>> cache = Cache(most_bytes=100)
    >>> cache.get("a", lambda: Row(60)) is cache.get("a", lambda: Row(60))
    True
    >>> _ = cache.get("b", lambda: Row(60))
    >>> cache.nbytes
    60
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._in_use: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
        self._making: dict[Hashable, Future[Any]] = {}

    @property
    def nbytes(self) -> int:
        """The bytes of all things that are kept."""
        with self._lock:
            return sum(thing.nbytes for thing in self._kept.values())

    def get(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """The thing of this key, made now if it is not there; what stops the maker stops all who wait for it."""
        while True:
            with self._lock:
                if (found := self._kept.get(key) or self._in_use.get(key)) is not None:
                    self._keep(key, found)
                    thing: Thing = found
                    return thing
                making = self._making.get(key)
                is_mine = making is None
                if making is None:
                    making = self._making[key] = Future()
            if is_mine:
                return self._make(key, make, making)
            if isinstance(error := making.exception(), Exception):
                raise error
            if error is None:
                made: Thing = making.result()
                return made

    def _make(self, key: Hashable, make: Callable[[], Thing], making: "Future[Any]") -> Thing:
        try:
            thing = make()
        except BaseException as error:
            with self._lock:
                del self._making[key]
            making.set_exception(error)
            raise
        with self._lock:
            del self._making[key]
            self._keep(key, thing)
        making.set_result(thing)
        return thing

    def _keep(self, key: Hashable, thing: Sized) -> None:
        self._in_use[key] = thing
        self._kept[key] = thing
        self._kept.move_to_end(key)
        while self._kept and sum(kept.nbytes for kept in self._kept.values()) > self.most_bytes:
            self._kept.popitem(last=False)

    def clear(self) -> None:
        """Keep nothing from now on of what was made so far."""
        with self._lock:
            self._kept.clear()
            self._in_use.clear()


solved: Final = Cache()
"""The solved tables of this process."""
