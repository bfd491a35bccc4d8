"""Many games of several strategies on the same rolls: first places and ranks, counted in integers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Floats, Ints
from tentimes18.compiled import compiled
from tentimes18.duel.several_players import MAX_PLAYERS
from tentimes18.errors import Ten18Error
from tentimes18.simulate.duel_players import rivals_of
from tentimes18.simulate.games import chunk_of, play_of, played_blocks
from tentimes18.simulate.run import Run
from tentimes18.simulate.work import GameCounts


def verify_table(run: Run) -> None:
    m = len(run.strategies)
    if not 2 <= m <= MAX_PLAYERS:
        many = "few" if m < 2 else "many"
        raise Ten18Error(f"{m} players are too {many}; accepted: 2 to {MAX_PLAYERS}", field="strategies")
    rivals_of(run.strategies)


@dataclass
class TableCounts(GameCounts):
    """The counts of some games of several strategies."""

    first: NDArray[np.int64]  # by the set of those who are first
    rank_sums: NDArray[np.int64]  # of twice the rank, from 0
    rank_squares: NDArray[np.int64]

    @classmethod
    def none(cls, m: int) -> "TableCounts":
        return cls(0, np.zeros(1 << m, dtype=np.int64), *np.zeros((2, m), dtype=np.int64))

    def count(self, scores: NDArray[np.int32]) -> None:
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


@dataclass(frozen=True, slots=True)
class TableGames:
    run: Run

    @property
    def chunk(self) -> int:
        return chunk_of(self.run)

    def counter(self) -> Callable[[int, int], TableCounts]:
        run, play, m = self.run, play_of(self.run), len(self.run.strategies)

        def count(first: int, games: int) -> TableCounts:
            counts = TableCounts.none(m)
            for scores in played_blocks(run, play, first, games):
                counts.count(scores)
            return counts

        return count


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
