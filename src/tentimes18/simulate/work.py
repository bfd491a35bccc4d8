"""Games that are counted in parts: cut into chunks, counted in threads or elsewhere, added up as they come.

What is counted of a game depends on its number alone, and counts are integers. So the chunks may be counted by any
thread or machine in any order; they add up to the same result, to the bit.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from time import perf_counter
from typing import Generic, Protocol, Self, TypeVar

from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.simulate.run import GAMES
from tentimes18.solve.parallel import Progress, thread_count


class Addable(Protocol):
    """What was counted in some games; counts of other games are added."""

    games: int

    def add(self, other: Self) -> None:
        """Add the counts of other games."""
        ...


Found = TypeVar("Found", bound=Addable)
FoundOut = TypeVar("FoundOut", bound=Addable, covariant=True)


class Work(Protocol[FoundOut]):
    """Games to be counted, which may travel to other machines."""

    @property
    def chunk(self) -> int:
        """How many games are counted at a time."""
        ...

    def counter(self) -> Callable[[int, int], FoundOut]:
        """Counts so many games from a number on; it holds the tables that this takes."""
        ...


class Runner(Protocol):
    """Who counts the chunks (first game, number of games) of some work, and gives them as they are done."""

    def __call__(self, work: Work[Found], chunks: Iterable[tuple[int, int]], /) -> Iterator[Found]:
        """The counts of the chunks, in any order."""
        ...


@dataclass(frozen=True, slots=True)
class Done(Generic[Found]):
    """What was counted, the seconds that took, and whether all games were played."""

    counts: Found
    seconds: float
    finished: bool


def count_in_chunks(work: Work[Found], games: int, runner: Runner | None = None, start: int = 0) -> Iterator[Found]:
    """The counts so far after each chunk: the last ones are those of all games."""
    verify_games(games)
    size = work.chunk
    chunks = ((first, min(size, start + games - first)) for first in range(start, start + games, size))
    total: Found | None = None
    for counts in (runner or local_runner)(work, chunks):
        if total is None:
            total = counts
        else:
            total.add(counts)
        yield total


def do(work: Work[Found], games: int, runner: Runner | None = None, progress: Progress | None = None) -> Done[Found]:
    """Count so many games; stopped by Ctrl-C, those that were played so far."""
    verify_games(games)
    if runner is None:
        work.counter()(0, 1)  # tables and compiled code are made before the clock starts
    began = perf_counter()
    counts: Found | None = None
    try:
        for counts in count_in_chunks(work, games, runner):
            if progress:
                progress(counts.games, games)
    except KeyboardInterrupt:
        if counts is None:
            raise
        return Done(counts, perf_counter() - began, finished=False)
    assert counts is not None
    return Done(counts, perf_counter() - began, finished=True)


def verify_games(games: int) -> None:
    """Raise where so many games cannot be played."""
    if games < 1:
        raise Ten18Error(f"{games} is too few; at least 1", field="games")
    if games > GAMES:
        raise TooLarge(f"{float(games):.1e} games are too many; at most {GAMES:.0e}", field="games")


def local_runner(work: Work[Found], chunks: Iterable[tuple[int, int]]) -> Iterator[Found]:
    """The chunks in threads of this process, two for each thread under way at a time."""
    count = work.counter()  # its tables are made before the threads start, and held until they are done
    with ThreadPoolExecutor(thread_count()) as pool:
        waiting: set[Future[Found]] = set()
        try:
            for first, games in chunks:
                if len(waiting) >= 2 * thread_count():
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        yield future.result()
                waiting.add(pool.submit(count, first, games))
            for future in waiting:
                yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
