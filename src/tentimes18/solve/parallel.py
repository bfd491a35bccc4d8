"""Work in several threads, in parts, with progress.

Kernels release the interpreter's lock, so threads are enough (docs/decisions/0005-threads-outside-the-kernels.md). The
calling thread only waits, so Ctrl-C interrupts it: parts take a fraction of a second each, and parts that have not
started are cancelled.
"""

import os
from collections.abc import Callable, Sequence
from threading import Thread
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the work done so far and the total work."""

Part = TypeVar("Part")
Result = TypeVar("Result")

PART_OPERATIONS = 2e8  # a part takes a fraction of a second
PARTS_PER_THREAD = 4  # at least, because parts that look alike take different times
STEPS = 1000  # of the progress over several stages


def thread_count() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def part_count(items: int, operations: float) -> int:
    """The number of parts to cut work of this many operations into."""
    parts = round(min(operations, 1e15) / PART_OPERATIONS)
    return max(1, min(items, max(PARTS_PER_THREAD * thread_count(), parts)))


def split_progress(progress: Progress | None, *weights: float) -> list[Progress | None]:
    """Split one progress over several stages, in proportion to their weights.

    >>> calls = []
    >>> first, second = split_progress(lambda done, total: calls.append((done, total)), 1, 3)
    >>> first(5, 10), second(1, 3)
    (None, None)
    >>> calls
    [(125, 1000), (500, 1000)]
    """
    if progress is None:
        return [None] * len(weights)
    whole = sum(weights) or 1.0

    def stage(number: int) -> Progress:
        before, share = sum(weights[:number]) / whole, weights[number] / whole
        return lambda done, total: progress(round(STEPS * (before + share * done / max(1, total))), STEPS)

    return [stage(number) for number in range(len(weights))]


def interruptible(work: Callable[[], Result]) -> Result:
    """Do the work in a thread of its own, so that Ctrl-C interrupts a long call of compiled code."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=run, daemon=True)  # the interpreter does not wait for daemons when it exits
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]


class LayerPool:
    """Threads that fill a table layer by layer; ``total`` is the work of all layers, in any unit."""

    def __init__(self, total: int, progress: Progress | None = None, threads: int | None = None) -> None:
        from concurrent.futures import ThreadPoolExecutor  # it loads logging, which a short command can do without

        self._total = total
        self._progress = progress
        self._done = 0
        self._executor = ThreadPoolExecutor(threads or thread_count())

    def __enter__(self) -> "LayerPool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # After Ctrl-C, do not wait for the parts that are running.
        self._executor.shutdown(wait=kind is None or issubclass(kind, Exception), cancel_futures=True)

    def run(self, fill: Callable[[Part], Result], parts: Sequence[Part], work: int) -> list[Result]:
        """Run ``fill`` on each part of a layer and return the results; an error in a thread is raised here."""
        before, self._done = self._done, self._done + work
        futures: list[Future[Result]] = [self._executor.submit(fill, part) for part in parts]
        results = []
        for number, future in enumerate(futures, start=1):
            results.append(future.result())
            if self._progress:
                self._progress(before + work * number // len(parts), self._total)
        return results
