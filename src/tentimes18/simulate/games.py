"""Millions of games: the scores of strategies on the same rolls, counted in integers.

A run is games 0, 1, ..., N - 1 of a seed, and a game's rolls depend on its number alone. So a run is cut into chunks
that may be made by any thread or machine in any order; what is counted in them adds up to the same result, to the bit.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.kernels import simulate as kernel
from tentimes18.simulate.drawing import draw
from tentimes18.simulate.duel_player import duel_player
from tentimes18.simulate.players import Play, is_fast, players_of
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.layers import thread_count
from tentimes18.solve.scores.score_law import ScoreLaw

__all__ = ["BLOCK", "Counts", "Runner", "count_games", "local_runner", "simulate", "verify_games"]

BLOCK: Final = 8192
"""Games a kernel call: their rolls and boards stay in the cache."""
CHUNK: Final = 64 * BLOCK
DUEL_CHUNK: Final = 4 * BLOCK
SLOW_CHUNK: Final = 1024  # of games that a Python function plays
MAX_GAMES: Final = 10**13


@dataclass
class Counts:
    """What is counted in some games of a run; counts of other games of the same run are added with ``add``.

    >>> run = Run(Game.classic(), ("optimal", "random"), seed=18)
    >>> counts = count_games(run, 0, 1000)
    >>> int(counts.wins[0, 1] + counts.draws[0, 1] + counts.wins[1, 0])
    1000
    """

    games: int
    histograms: NDArray[np.int64]  # [strategy, index of the score]
    wins: NDArray[np.int64]  # [strategy, other]
    draws: NDArray[np.int64]
    first_places: NDArray[np.int64]  # [strategy, shared by how many]
    difference: int = 0  # of the first two strategies, in units: the sum,
    squared_difference: int = 0  # the sum of squares,
    largest: tuple[int, int] = (0, 0)  # the largest either way

    def add(self, other: "Counts") -> None:
        """Add the counts of other games."""
        self.games += other.games
        self.histograms += other.histograms
        self.wins += other.wins
        self.draws += other.draws
        self.first_places += other.first_places
        self.difference += other.difference
        self.squared_difference += other.squared_difference
        self.largest = (min(self.largest[0], other.largest[0]), max(self.largest[1], other.largest[1]))

    def law(self, game: Game, strategy: int = 0) -> ScoreLaw:
        """The simulated law of a strategy's score: how often each score happened."""
        lattice = lattice_of(game)
        counts = self.histograms[strategy].tolist()
        found = {lattice.score(game.all_free, j): count for j, count in enumerate(counts) if count}
        return ScoreLaw(tuple(found), tuple(found.values()), self.games)


Runner: TypeAlias = Callable[[Run, Iterable[tuple[int, int]]], Iterator[Counts]]
"""Counts of the chunks (first game, number of games) of a run, as they are done."""


def simulate(run: Run, games: int, runner: Runner | None = None, start: int = 0) -> Iterator[Counts]:
    """Play the games of a run, and give the counts so far after each chunk: the last ones are those of all games.

    >>> run = Run(Game.classic(), ("optimal",), seed=18)
    >>> *_, counts = simulate(run, 10_000)
    >>> counts.games, abs(float(counts.law(run.game).mean) - 642.239) < 4 * 0.55
    (10000, True)
    """
    verify_games(games)
    size = DUEL_CHUNK if run.is_duel else CHUNK if is_fast(run) else SLOW_CHUNK
    chunks = ((first, min(size, start + games - first)) for first in range(start, start + games, size))
    total: Counts | None = None
    for counts in (runner or local_runner)(run, chunks):
        if total is None:
            total = counts
        else:
            total.add(counts)
        yield total


def verify_games(games: int) -> None:
    """Raise where so many games cannot be played."""
    if games < 1:
        raise Ten18Error(f"{games} is too few; at least 1", field="games")
    if games > MAX_GAMES:
        raise TooLarge(f"{float(games):.1e} games are too many; at most {MAX_GAMES:.0e}", field="games")


def local_runner(run: Run, chunks: Iterable[tuple[int, int]]) -> Iterator[Counts]:
    """The chunks in threads of this process, two for each thread under way at a time."""
    play = _play_of(run)  # its tables are made before the threads start, and held until they are done
    with ThreadPoolExecutor(thread_count()) as pool:
        waiting: set[Future[Counts]] = set()
        try:
            for first, games in chunks:
                if len(waiting) >= 2 * thread_count():
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        yield future.result()
                waiting.add(pool.submit(_count, run, play, first, games))
            for future in waiting:
                yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def count_games(run: Run, first: int, games: int) -> Counts:
    """The counts of these games of a run.

    >>> run = Run(Game.classic(), ("hindsight",), seed=18)
    >>> first, second = count_games(run, 0, 600), count_games(run, 600, 400)
    >>> first.add(second)
    >>> first.law(run.game) == count_games(run, 0, 1000).law(run.game)
    True
    """
    return _count(run, _play_of(run), first, games)


def _play_of(run: Run) -> Play:
    return duel_player(run) if run.is_duel else players_of(run)


def _count(run: Run, play: Play, first: int, games: int) -> Counts:
    m, width = len(run.strategies), lattice_of(run.game).width(run.game.all_free)
    counts = Counts(
        games=games,
        histograms=np.zeros((m, width + 1), dtype=np.int64),
        wins=np.zeros((m, m), dtype=np.int64),
        draws=np.zeros((m, m), dtype=np.int64),
        first_places=np.zeros((m, m + 1), dtype=np.int64),
    )
    for start in range(first, first + games, BLOCK):
        size = min(BLOCK, first + games - start)
        rolls = draw(run, start, size)
        scores = np.empty((m, size), dtype=np.int32)
        play(start, rolls, scores)
        for row, histogram in zip(scores, counts.histograms, strict=True):
            kernel.add_histogram(row, histogram)
        if m > 1:
            kernel.compare(scores, counts.wins, counts.draws, counts.first_places)
            difference = scores[0].astype(np.int64) - scores[1]
            counts.difference += int(difference.sum())
            counts.squared_difference += int(difference @ difference)
            low, high = counts.largest
            counts.largest = (min(low, int(difference.min())), max(high, int(difference.max())))
    return counts
