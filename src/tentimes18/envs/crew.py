"""Threads that share the work of a step: a part is handed over in microseconds, of which a step has a few hundred."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeAlias

from tentimes18.kernels.types import Ints

__all__ = ["Crew", "crew"]

Job: TypeAlias = Callable[[Ints], None]
Done: TypeAlias = "SimpleQueue[BaseException | None]"


class Crew:
    """So many threads beside the one that calls; several may call at once.

    >>> import numpy as np
    >>> squares = np.zeros(9, dtype=np.int64)
    >>> def square(numbers):
    ...     squares[numbers] = numbers**2
    >>> Crew(1).run(square, np.arange(9), parts=2, ahead=1)
    >>> squares.tolist()
    [0, 1, 4, 9, 16, 25, 36, 49, 64]
    """

    def __init__(self, count: int) -> None:
        self._jobs: SimpleQueue[tuple[Job, Ints, Done]] = SimpleQueue()
        for _ in range(count):
            Thread(target=self._work, name="crew", daemon=True).start()

    def run(self, job: Job, things: Ints, parts: int, ahead: int) -> None:
        """Do a job on all things, in so many parts at once; returns when all are done, and raises what one raised.

        The thread that calls begins while the others wake up, and does so many things more than any of them.
        """
        share = max(0, len(things) - ahead) // parts
        cuts = [len(things) - share * later for later in range(parts - 1, -1, -1)]
        done: Done = SimpleQueue()
        for start, end in pairwise(cuts):
            self._jobs.put((job, things[start:end], done))
        own = _tried(job, things[: cuts[0]])
        raised = [own, *(done.get() for _ in cuts[1:])]
        for exception in raised:
            if exception is not None:
                raise exception

    def _work(self) -> None:
        while True:
            job, part, done = self._jobs.get()
            done.put(_tried(job, part))
            del job, part, done  # what is done is not held until the next job comes


def _tried(job: Any, part: Ints) -> BaseException | None:
    """Do a part; what it raised, which is for the thread that called."""
    try:
        job(part)
    except BaseException as exception:
        return exception
    return None


@cache
def crew(process: int, count: int) -> Crew:  # noqa: ARG001 (a process that was forked has none of the threads)
    """The crew that all vector environments of a process share."""
    return Crew(count)
