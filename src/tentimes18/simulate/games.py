"""Millions of games: the scores of strategies on the same rolls, or their first places and ranks, counted in integers.

A run is games 0, 1, ..., N - 1 of a seed, which are divided into chunks, counted in threads or elsewhere, and added up.
The counts of a game depend on its number alone and are integers. So any thread or machine may count the chunks in any
order: they add up to the same result, to the bit.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, fields
from math import erfc, exp, fsum, lgamma, log, sqrt
from time import perf_counter
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Floats, Ints
from tentimes18.compiled import compiled
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.limits import as_float, check_size
from tentimes18.simulate.drawing import draw
from tentimes18.simulate.players import Play, Scores, check_tables, duel_player, is_fast, players_of
from tentimes18.simulate.run import GAMES, Run
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.parallel import Progress, thread_count
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.strategies.named import DUEL_STRATEGIES
from tentimes18.strategies.strategy import RuleStrategy

BLOCK = 8192
"""Games per kernel call, at most: their rolls and boards stay in the cache."""
MAX_SQUARES = 1 << 62
CHUNK = 64 * BLOCK
DUEL_CHUNK = 4 * BLOCK
SLOW_CHUNK = 1024  # of games that a Python function plays
MIN_EXPECTED = 10.0  # games of a group of scores in a chi-square test


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


@dataclass
class Counts(GameCounts):
    """The counts of some games of a run; ``add`` adds those of other games."""

    histograms: Ints  # [strategy, index of the score]
    wins: Ints  # [strategy, other]
    draws: Ints
    first_places: Ints  # [strategy, shared by how many]
    difference: int = 0  # of the first two strategies, in units: the sum,
    squared_difference: int = 0  # the sum of squares,
    largest: tuple[int, int] = (0, 0)  # the largest either way

    @classmethod
    def none(cls, m: int, width: int) -> "Counts":
        """Zeros for m strategies, for scores with the indices 0 to ``width``."""
        shapes = ((m, width + 1), (m, m), (m, m), (m, m + 1))
        histograms, wins, draws, first_places = (np.zeros(shape, dtype=np.int64) for shape in shapes)
        return cls(0, histograms, wins, draws, first_places)

    def count(self, scores: Scores) -> None:
        """Count the games of these scores [strategy, game]."""
        self.games += scores.shape[1]
        for row, histogram in zip(scores, self.histograms, strict=True):
            add_histogram(row, histogram)
        if len(scores) > 1:
            compare(scores, self.wins, self.draws, self.first_places)
            difference = scores[0].astype(np.int64) - scores[1]
            self.difference += int(difference.sum())
            self.squared_difference += int(difference @ difference)
            low, high = self.largest
            self.largest = (min(low, int(difference.min())), max(high, int(difference.max())))

    def add(self, other: "Counts") -> None:
        largest = min(self.largest[0], other.largest[0]), max(self.largest[1], other.largest[1])
        super().add(other)
        self.largest = largest

    def distribution(self, game: Game, strategy: int = 0) -> ScoreDistribution:
        """The simulated distribution of a strategy's score."""
        lattice = lattice_of(game)
        counts = self.histograms[strategy].tolist()
        scores = lattice.scores(game.all_free, range(len(counts)))
        seen = {score: count for score, count in zip(scores, counts, strict=True) if count}
        return ScoreDistribution(tuple(seen), tuple(seen.values()), self.games)


@dataclass
class TableCounts(GameCounts):
    """The first places and ranks in some games of several strategies."""

    first: Ints  # by the set of those who are first
    rank_sums: Ints  # of twice the rank, from 0
    rank_squares: Ints

    @classmethod
    def none(cls, m: int) -> "TableCounts":
        return cls(0, np.zeros(1 << m, dtype=np.int64), *np.zeros((2, m), dtype=np.int64))

    def count(self, scores: Scores) -> None:
        """Count the games of these scores [strategy, game]."""
        self.games += scores.shape[1]
        add_places(scores, self.first, self.rank_sums, self.rank_squares)

    @property
    def shares(self) -> Floats:
        """The part of all wins that each strategy gets, a shared win split evenly."""
        return self._mean(self._parts())

    @property
    def share_errors(self) -> Floats:
        return np.sqrt(np.maximum(0.0, self._mean(self._parts() ** 2) - self.shares**2) / self.games)

    @property
    def sole(self) -> Floats:
        """The share of games in which each strategy was first alone."""
        return np.asarray(self.first[1 << np.arange(len(self.rank_sums))] / self.games)

    @property
    def ranks(self) -> Floats:
        """The mean rank of each strategy, from 1."""
        return 1 + self.rank_sums / (2.0 * self.games)

    @property
    def rank_errors(self) -> Floats:
        means = self.rank_sums / self.games
        return np.sqrt(np.maximum(0.0, self.rank_squares / self.games - means**2) / self.games) / 2

    def _mean(self, parts: Floats) -> Floats:
        return np.asarray(parts @ self.first / self.games)

    def _parts(self) -> Floats:
        """[strategy, who is first]: the part of a win that a strategy gets."""
        masks = np.arange(len(self.first))
        sizes = np.maximum(1, np.bitwise_count(masks))
        return np.array([(masks >> seat & 1) / sizes for seat in range(len(self.rank_sums))])


BlockCounts = TypeVar("BlockCounts", Counts, TableCounts)


@dataclass(frozen=True, slots=True)
class _Games:
    """The games of a run, counted in blocks."""

    run: Run

    @property
    def chunk(self) -> int:
        return chunk_of(self.run)

    def _counter(self, none: Callable[[], BlockCounts]) -> Callable[[int, int], BlockCounts]:
        play, m = play_of(self.run), len(self.run.strategies)

        def count(first: int, games: int) -> BlockCounts:
            counts = none()
            for start, rolls in drawn_blocks(self.run, first, games):
                scores = np.empty((m, rolls.shape[1]), dtype=np.int32)
                play(start, rolls, scores)
                counts.count(scores)
            return counts

        return count


class RunGames(_Games):
    def counter(self) -> Callable[[int, int], Counts]:
        m, game = len(self.run.strategies), self.run.game
        return self._counter(lambda: Counts.none(m, lattice_of(game).width(game.all_free)))


class TableGames(_Games):
    def counter(self) -> Callable[[int, int], TableCounts]:
        return self._counter(lambda: TableCounts.none(len(self.run.strategies)))


def simulate(run: Run, games: int, runner: Runner | None = None, start: int = 0) -> Iterator[Counts]:
    """Play the games of a run and yield the counts so far after each chunk: the last ones are those of all games.

    >>> run = Run(Game.classic(), ("optimal",), seed=18)
    >>> *_, counts = simulate(run, 10_000)
    >>> counts.games, abs(float(counts.distribution(run.game).mean) - 642.239) < 4 * 0.55
    (10000, True)
    """
    return count_in_chunks(RunGames(run), games, runner, start)


def check_games(run: Run, games: int, *, times: int = 1) -> None:
    """Raise ``TooLarge`` if the tables of a run, or its games, each played ``times`` times, are too large."""
    check_tables(run)
    per_round = len(run.strategies) * (200 if run.is_duel else 2 if is_fast(run) else 10_000)
    operations = as_float(games * times) * run.rounds * per_round
    check_size(f"a run of {games:,} games on {run.game.size:,} slots", operations=operations, field="games")


def chunk_of(run: Run) -> int:
    return DUEL_CHUNK if run.is_duel else CHUNK if is_fast(run) else SLOW_CHUNK


def block_of(game: Game) -> int:
    """How many games a kernel plays at a time: so few that 64 bits hold the sum of the squares of their scores."""
    width = lattice_of(game).width(game.all_free)
    return max(1, min(BLOCK, MAX_SQUARES // max(1, width) ** 2))


def drawn_blocks(run: Run, first: int, games: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """These games in blocks: the number of the first one, and the places of the rolls in the support, [round, game]."""
    block = block_of(run.game)
    for start in range(first, first + games, block):
        yield start, draw(run, start, min(block, first + games - start))


def count_games(run: Run, first: int, games: int) -> Counts:
    return RunGames(run).counter()(first, games)


def play_of(run: Run, progress: Progress | None = None) -> Play:
    """How the games of a run are played; this makes the tables, which may take a while."""
    duelists = [name in DUEL_STRATEGIES or isinstance(run.find(name), RuleStrategy) for name in run.strategies]
    if run.is_duel and len(duelists) <= 2 and (run.boards or all(duelists)):  # two duelists can go on from boards
        return duel_player(run, progress)
    return players_of(run, progress)


@compiled()
def add_histogram(scores: Scores, histogram: Ints) -> None:
    for score in scores:
        histogram[score] += 1


@compiled()
def compare(scores: NDArray[np.int32], wins: Ints, draws: Ints, first_places: Ints) -> None:
    """Count wins and draws of each pair in scores[player, game], and first places by how many share them."""
    players, games = scores.shape
    for i in range(players):
        for j in range(i):
            a = 0
            b = 0
            for g in range(games):
                a += scores[i, g] > scores[j, g]
                b += scores[i, g] < scores[j, g]
            wins[i, j] += a
            wins[j, i] += b
            draws[i, j] += games - a - b
            draws[j, i] += games - a - b
    for g in range(games):
        best = scores[0, g]
        shared = 0
        for i in range(players):
            if scores[i, g] > best:
                best = scores[i, g]
                shared = 0
            shared += scores[i, g] == best
        for i in range(players):
            if scores[i, g] == best:
                first_places[i, shared] += 1


@compiled()
def add_places(scores: NDArray[Any], first: Ints, sums: Ints, squares: Ints) -> None:
    """Count who is first in each game, and add up twice the rank of each seat, from 0, and its square.

    Equal scores share their ranks.
    """
    m, games = scores.shape
    winners, before, ranks = np.zeros((3, games), dtype=np.int64)
    for p in range(m):
        before[:], ranks[:] = 0, -1
        for q in range(m):
            for g in range(games):
                before[g] += scores[q, g] > scores[p, g]
                ranks[g] += (scores[q, g] > scores[p, g]) + (scores[q, g] >= scores[p, g])
        for g in range(games):
            winners[g] |= (before[g] == 0) << p
            sums[p] += ranks[g]
            squares[p] += ranks[g] * ranks[g]
    for g in range(games):
        first[winners[g]] += 1


@dataclass(frozen=True, slots=True)
class Fit:
    """z: how many standard errors the mean is off; chi_square with its degrees of freedom and p-value."""

    z: float
    chi_square: float
    degrees: int
    p_value: float


def fit(counted: ScoreDistribution, distribution: ScoreDistribution) -> Fit:
    """Compare counts with the distribution that they should follow, in groups of neighbouring scores.

    A group expects ``MIN_EXPECTED`` games or more.
    """
    games = counted.total
    error = distribution.sd / sqrt(games)
    z = float(counted.mean - distribution.mean) / error if error else 0.0
    observed = dict(zip(counted.scores, counted.weights, strict=True))
    groups: list[tuple[float, float]] = []
    seen = expected = 0.0
    for score, weight in zip(distribution.scores, distribution.weights, strict=True):
        seen += observed.pop(score, 0)
        expected += weight / distribution.total * games
        if expected >= MIN_EXPECTED:
            groups.append((seen, expected))
            seen = expected = 0.0
    if groups:
        groups[-1] = (groups[-1][0] + seen, groups[-1][1] + expected)
    chi_square = sum((seen - expected) ** 2 / expected for seen, expected in groups)
    if observed:  # a score that cannot happen
        chi_square = float("inf")
    degrees = max(0, len(groups) - 1)
    return Fit(z, chi_square, degrees, _tail(chi_square, degrees))


def _tail(chi_square: float, degrees: int) -> float:
    """P(χ² > chi_square) = Q(d/2, x) for x = chi_square/2, by Q(a + 1, x) = Q(a, x) + x^a e^{-x} / Γ(a + 1)."""
    if chi_square == float("inf"):
        return 0.0
    if degrees == 0 or chi_square <= 0:
        return 1.0
    x = chi_square / 2
    terms = (exp((degrees / 2 - i) * log(x) - x - lgamma(degrees / 2 - i + 1)) for i in range(1, degrees // 2 + 1))
    return min(1.0, (erfc(sqrt(x)) if degrees % 2 else 0.0) + fsum(terms))
