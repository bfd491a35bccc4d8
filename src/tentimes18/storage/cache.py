"""Things that take long to make: each is made once, whoever asks, and kept while there is room.

When several threads ask for the same thing at the same time, one makes it and the others wait. What is kept has a limit
in bytes; beyond it the things that were asked for longest ago go first, and a thing that is larger than the limit stays
alone until the next one is asked for. A thing that somebody still holds is found again all the same, so nothing is made
twice while it is in use.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Any, Final, Protocol, TypeVar
from weakref import WeakValueDictionary

__all__ = ["MOST_BYTES", "Cache", "Sized", "solved"]

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
            return self._size()

    def get(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """The thing of this key, made now if it is not there.

        An error of the maker is raised to all who wait for the thing, and the next who asks tries again. Where the
        maker is interrupted, which is no fault of the thing, one of those who wait makes it.
        """
        while True:
            mine = making = Future[Any]()
            try:
                with self._lock:
                    found = self._kept.get(key)
                    if found is not None:
                        self._kept.move_to_end(key)
                    elif (found := self._in_use.get(key)) is not None:
                        self._keep(key, found)
                    if found is not None:
                        thing: Thing = found
                        return thing
                    making = self._making.setdefault(key, mine)
                if making is mine:
                    return self._made(key, make(), mine)
            except BaseException as error:
                self._give_up(key, mine, error)
                del mine, making  # or the error would keep itself, and all that was half made, in memory
                raise
            failure = making.exception()
            if failure is None:
                made: Thing = making.result()
                return made
            del mine, making
            try:
                if isinstance(failure, Exception):
                    raise failure
            finally:
                del failure

    def clear(self) -> None:
        """Keep nothing of what was made so far: whoever asks for it next has it made anew."""
        with self._lock:
            self._kept.clear()
            self._in_use.clear()

    def _made(self, key: Hashable, thing: Thing, mine: "Future[Any]") -> Thing:
        with self._lock:
            self._keep(key, thing)
            mine.set_result(thing)
            self._making.pop(key, None)
        return thing

    def _give_up(self, key: Hashable, mine: "Future[Any]", error: BaseException) -> None:
        """Tell those who wait; nobody does where the thing was not ours to make."""
        with self._lock:
            if self._making.get(key) is mine:
                del self._making[key]
        if not mine.done():
            mine.set_exception(error)

    def _keep(self, key: Hashable, thing: Sized) -> None:
        self._in_use[key] = thing
        self._kept[key] = thing
        self._kept.move_to_end(key)
        while len(self._kept) > 1 and self._size() > self.most_bytes:
            self._kept.popitem(last=False)

    def _size(self) -> int:
        return sum(thing.nbytes for thing in self._kept.values())


solved: Final = Cache()
"""The solved tables of this process."""
