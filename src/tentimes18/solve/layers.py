"""The loop over layers: each is cut into parts that do not need each other, and these run in several threads.

Kernels release the interpreter's lock, so that threads are enough (docs/decisions/0005-threads-outside-the-kernels.md).
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TypeAlias, TypeVar

__all__ = ["LayerPool", "Progress", "thread_count"]

Progress: TypeAlias = Callable[[int, int], None]
"""Told how much is done, and how much there is in all."""

Part = TypeVar("Part")
Found = TypeVar("Found")


def thread_count() -> int:
    """Number of threads to use: the processors this process may run on.

    >>> thread_count() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class LayerPool:
    """Threads for the layers of one table; ``total`` is the work of all layers, by whatever measure.

    >>> with LayerPool(total=5) as pool:
    ...     for layer in ([1, 2], [3, 4, 5]):
    ...         print(pool.run(lambda part: part**2, layer, work=len(layer)))
    [1, 4]
    [9, 16, 25]
    """

    def __init__(self, total: int, progress: Progress | None = None) -> None:
        self._total = total
        self._progress = progress
        self._done = 0
        self._threads = ThreadPoolExecutor(thread_count())

    def __enter__(self) -> "LayerPool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # After an error or Ctrl-C what has not begun never does; the parts that run are waited for, they are short.
        self._threads.shutdown(cancel_futures=True)

    def run(self, fill: Callable[[Part], Found], parts: Sequence[Part], work: int) -> list[Found]:
        """What ``fill`` gives for each part of a layer, once all are done; an error in a thread is raised here."""
        before, self._done = self._done, self._done + work
        waiting = [self._threads.submit(fill, part) for part in parts]
        found = []
        for number, future in enumerate(waiting, start=1):
            found.append(future.result())
            if self._progress:
                self._progress(before + work * number // len(parts), self._total)
        return found
