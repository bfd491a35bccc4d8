"""Games that are counted in parts: divided into chunks, counted in threads or elsewhere, and added up.

The counts of a game depend on its number alone and are integers. So any thread or machine may count the chunks in any
order: they add up to the same result, to the bit.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, fields
from time import perf_counter
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.simulate.run import GAMES
from tentimes18.solve.parallel import Progress, thread_count


@dataclass
class GameCounts:
    """Integers that are counted in some games."""

    games: int

    def add(self, other: Self) -> None:
        """Add the counts of other games."""
        for each in fields(self):
            total = getattr(self, each.name)
            total += getattr(other, each.name)
            setattr(self, each.name, total)


AnyCounts = TypeVar("AnyCounts", bound=GameCounts)
AnyCountsOut = TypeVar("AnyCountsOut", bound=GameCounts, covariant=True)


class Work(Protocol[AnyCountsOut]):
    """Games to count, which may be sent to other machines."""

    @property
    def chunk(self) -> int: ...

    def counter(self) -> Callable[[int, int], AnyCountsOut]:
        """A function of the first game and the number of games; it holds the tables that it needs."""
        ...


Runner: TypeAlias = Callable[[Work[Any], Iterable[tuple[int, int]]], Iterator[Any]]
"""Counts the chunks (first game, number of games) of some work, and yields the counts in any order."""


@dataclass(frozen=True, slots=True)
class Done(Generic[AnyCounts]):
    """The counts, the seconds that they took, and whether all games were played."""

    counts: AnyCounts
    seconds: float
    finished: bool


def count_in_chunks(
    work: Work[AnyCounts], games: int, runner: Runner | None = None, start: int = 0
) -> Iterator[AnyCounts]:
    """The counts so far after each chunk: the last ones are those of all games."""
    verify_games(games)
    size = work.chunk
    chunks = ((first, min(size, start + games - first)) for first in range(start, start + games, size))
    total: AnyCounts | None = None
    for counts in (runner or local_runner)(work, chunks):
        if total is None:
            total = counts
        else:
            total.add(counts)
        yield total


def do(
    work: Work[AnyCounts], games: int, runner: Runner | None = None, progress: Progress | None = None
) -> Done[AnyCounts]:
    """Count these games; after Ctrl-C, those that were played so far."""
    verify_games(games)
    if runner is None:
        work.counter()(0, 1)  # makes the tables and compiles the kernels before the clock starts
    began = perf_counter()
    counts: AnyCounts | None = None
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
    if games < 1:
        raise Ten18Error(f"{games} is too few; at least 1", field="games")
    if games > GAMES:
        raise TooLarge(f"{float(games):.1e} games are too many; at most {GAMES:.0e}", field="games")


def local_runner(work: Work[AnyCounts], chunks: Iterable[tuple[int, int]]) -> Iterator[AnyCounts]:
    """Count the chunks in threads of this process, with two chunks per thread in progress."""
    count = work.counter()  # its tables exist before the threads start, and until they are done
    with ThreadPoolExecutor(thread_count()) as pool:
        waiting: set[Future[AnyCounts]] = set()
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
