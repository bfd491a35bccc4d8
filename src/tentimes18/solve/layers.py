"""The loop over layers: each is cut into parts that do not need each other, and these run in several threads.

Kernels release the interpreter's lock, so that threads are enough (docs/decisions/0005-threads-outside-the-kernels.md).
While they run, this thread waits, and can be interrupted: parts are cut short, and where one is not, nobody waits for
it.
"""

from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from tentimes18.plan import Plan, thread_count

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["LayerPool", "Progress", "apart", "part_count", "shared", "stages", "thread_count"]

Progress: TypeAlias = Callable[[int, int], None]
"""Told how much is done, and how much there is in all."""

Part = TypeVar("Part")
Found = TypeVar("Found")

PART_SECONDS: Final = 0.2  # that a part should take at most
PARTS_A_THREAD: Final = 4  # at least: parts that look alike may take differently long
FINE: Final = 1000  # steps of a bar over several jobs
SHORTEST, LONGEST = 1e-3, 1e9  # seconds of one of them
MOST_SHARING: Final = 16  # beyond this many threads, memory is what they wait for

_Task: TypeAlias = "tuple[Future[Any], Callable[[Any], Any], Any] | None"


def shared(seconds: float) -> float:
    """How long work of so many seconds takes, shared by all threads.

    >>> shared(1.0) <= 1.0
    True
    """
    return seconds / min(thread_count(), MOST_SHARING)


def part_count(things: int, seconds: float) -> int:
    """Into how many parts to cut so many things, which take one thread so many seconds.

    >>> part_count(3, 60.0), part_count(1000, 60.0)
    (3, 300)
    """
    return max(1, min(things, max(PARTS_A_THREAD * thread_count(), round(min(seconds, 1e6) / PART_SECONDS))))


def stages(progress: Progress | None, *plans: Plan) -> list[Progress | None]:
    """Progress for jobs one after another: each gets the share of the whole that is planned for it.

    >>> told = []
    >>> first, second = stages(lambda done, total: told.append((done, total)), Plan("a", 1.0), Plan("b", 3.0))
    >>> first(5, 10), second(1, 3)
    (None, None)
    >>> told
    [(125, 1000), (500, 1000)]
    """
    if progress is None:
        return [None] * len(plans)
    seconds = [max(min(plan.seconds, LONGEST), SHORTEST) for plan in plans]

    def stage(number: int) -> Progress:
        before, share = sum(seconds[:number]) / sum(seconds), seconds[number] / sum(seconds)
        return lambda done, total: progress(round(FINE * (before + share * done / max(1, total))), FINE)

    return [stage(number) for number in range(len(plans))]


def apart(work: Callable[[], Found]) -> Found:
    """What a call of compiled code gives, made in a thread of its own: this one can be interrupted meanwhile.

    >>> apart(lambda: 18)
    18
    """
    with LayerPool(1, threads=1) as pool:
        (found,) = pool.run(lambda _: work(), [None], work=1)
    return found


class LayerPool:
    """Threads for the layers of one table; ``total`` is the work of all layers, by whatever measure.

    >>> with LayerPool(total=5) as pool:
    ...     for layer in ([1, 2], [3, 4, 5]):
    ...         print(pool.run(lambda part: part**2, layer, work=len(layer)))
    [1, 4]
    [9, 16, 25]
    """

    def __init__(self, total: int, progress: Progress | None = None, threads: int | None = None) -> None:
        self._total = total
        self._progress = progress
        self._done = 0
        self._tasks: SimpleQueue[_Task] = SimpleQueue()
        self._waiting: list[Future[Any]] = []
        # Daemons: the interpreter does not wait for them at its end, as it does for those of an executor.
        self._threads = [
            Thread(target=_work_through, args=(self._tasks,), daemon=True) for _ in range(threads or thread_count())
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> "LayerPool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # After an error or Ctrl-C what has not begun never does; parts that run are waited for, unless in a hurry.
        for future in self._waiting:
            future.cancel()
        for _ in self._threads:
            self._tasks.put(None)
        if kind is None or issubclass(kind, Exception):
            for thread in self._threads:
                thread.join()

    def run(self, fill: Callable[[Part], Found], parts: Sequence[Part], work: int) -> list[Found]:
        """What ``fill`` gives for each part of a layer, once all are done; an error in a thread is raised here."""
        from concurrent.futures import Future  # it loads logging, for which a short command does not wait

        before, self._done = self._done, self._done + work
        waiting: list[Future[Found]] = [Future() for _ in parts]
        self._waiting = list(waiting)
        for future, part in zip(waiting, parts, strict=True):
            self._tasks.put((future, fill, part))
        found = []
        for number, future in enumerate(waiting, start=1):
            found.append(future.result())
            if self._progress:
                self._progress(before + work * number // len(parts), self._total)
        return found


def _work_through(tasks: "SimpleQueue[_Task]") -> None:
    """What a thread does: one task after another, until there is none."""
    while (task := tasks.get()) is not None:
        future, fill, part = task
        if future.set_running_or_notify_cancel():
            try:
                found = fill(part)
            except BaseException as error:  # raised where the result is asked for
                future.set_exception(error)
            else:
                future.set_result(found)
                del found
        del task, future, fill, part
