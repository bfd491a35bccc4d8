"""Many games at one table: several strategies on the same rolls, who is first, and who would be without one of them.

Everybody's scores of a game stand in rows, one for each seat; where a player of a duel has another rival once a seat is
empty, it has a row for that as well. What is counted are integers: who is first, as a set, at the whole table together
with who is first at the table without seat j, for each j; and ranks. Shares, standard errors, and who gains from whose
company follow from these.

With X_p the part of a win that seat p gets in a game, Y_p the same at the table without seat j, and a, b, c the means
of X_p, X_j and Y_p, the company of j is worth a / (1 - b) - c to p: its part of the wins that j leaves to the others,
against its share without j. It is above 0 for some and below 0 for others, Σ_p being 0. Its standard error is that of
X_p / (1 - b) + a X_j / (1 - b)² - Y_p, which has the same first-order error.

The best response to a table plays beside the others, on the rolls that they play on without it. It knows where the
others are by following their list of positions, and takes the slot that its tables say. Who is first follows from the
scores, as at any table: not from leads or windows.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Floats, Ints
from tentimes18.duel.several_players import MAX_PLAYERS
from tentimes18.duel.several_players_response import TableResponse, TableTurn, play_turn
from tentimes18.duel.slot_choice import add_ranks, count_first
from tentimes18.errors import Ten18Error
from tentimes18.simulate.drawing import draw
from tentimes18.simulate.duel_players import beside_player, duel_player, rivals_of
from tentimes18.simulate.games import DUEL_CHUNK, block_of, chunk_of
from tentimes18.simulate.players import Play, check_tables, player_of
from tentimes18.simulate.run import Run
from tentimes18.solve.move_arrays import moves_of
from tentimes18.solve.parallel import Progress
from tentimes18.tables import table_cache


def verify_table(run: Run) -> None:
    """Raise an error where these strategies make no table."""
    m = len(run.strategies)
    if not 2 <= m <= MAX_PLAYERS:
        many = "few" if m < 2 else "many"
        raise Ten18Error(f"{m} is too {many} at a table; accepted: 2 to {MAX_PLAYERS}", field="strategies")
    rivals_of(run.strategies, range(m))


class TablePlay:
    """Plays the games of a table: fills in rows of scores.

    tables[0] are the rows of all seats, tables[1 + j] those at the table without seat j: -1 for that seat, and for all
    where nobody is left whom a player of a duel could play against.
    """

    def __init__(self, run: Run, progress: Progress | None = None) -> None:
        verify_table(run)
        check_tables(run)
        m = len(run.strategies)
        self.nbytes = 0
        self._plays: list[tuple[int | slice, Play]] = []
        self._rows: dict[tuple[int, int], int] = {}
        self.tables = np.full((m + 1, m), -1, dtype=np.int64)
        for left in range(-1, m):
            there = [seat for seat in range(m) if seat != left]
            try:
                rivals = rivals_of(run.strategies, there)
            except Ten18Error:
                continue
            self._sit_down(run, rivals, progress)
            for seat in there:
                self.tables[left + 1, seat] = self._rows[seat, rivals[seat]]

    def _sit_down(self, run: Run, rivals: dict[int, int], progress: Progress | None) -> None:
        """Have a row for each of these seats with these rivals."""
        new = [(seat, rival) for seat, rival in rivals.items() if (seat, rival) not in self._rows]
        start = len(self._rows)
        self._rows |= {one: start + number for number, one in enumerate(new)}
        if len(new) == len(rivals) and min(rivals.values()) >= 0:  # two who play a duel with each other
            pair = duel_player(replace(run, strategies=tuple(run.strategies[seat] for seat in rivals)), progress)
            self._plays.append((slice(start, start + 2), pair))
            self.nbytes += pair.nbytes
            return
        for seat, rival in new:
            if rival < 0:
                player = player_of(run.find(run.strategies[seat]), run, seat)
            else:
                player = beside_player(run, seat, rival, progress)
            self._plays.append((self._rows[seat, rival], player.going_on(run.board())))
            self.nbytes += player.nbytes

    def scores(self, run: Run, first: int, games: int) -> NDArray[np.int32]:
        """The score indices of these games, [row, game]."""
        rolls = draw(run, first, games)
        found = np.empty((len(self._rows), games), dtype=np.int32)
        for rows, play in self._plays:
            play(first, rolls, found[rows])
        return found


def table_play_of(run: Run, progress: Progress | None = None) -> TablePlay:
    """Who plays the games of a table; the tables that this takes are made once, and kept."""
    return table_cache.get(("table play", run), lambda: TablePlay(run, progress))


@dataclass
class TableCounts:
    """What is counted in some games at a table; counts of other games are added with ``add``."""

    games: int
    first: NDArray[np.int64]  # [left out, who is first at the whole table, who is so without that seat]
    rank_sums: NDArray[np.int64]  # of twice the rank, from 0
    rank_squares: NDArray[np.int64]

    def add(self, other: "TableCounts") -> None:
        """Add the counts of other games."""
        self.games += other.games
        self.first += other.first
        self.rank_sums += other.rank_sums
        self.rank_squares += other.rank_squares

    @property
    def shares(self) -> Floats:
        """The share of the wins of each seat."""
        return self._mean(self._parts(), self.first[0].sum(axis=1))

    @property
    def share_errors(self) -> Floats:
        """Their standard errors."""
        squares = self._mean(self._parts() ** 2, self.first[0].sum(axis=1))
        return np.sqrt(np.maximum(0.0, squares - self.shares**2) / self.games)

    @property
    def sole(self) -> Floats:
        """The share of games in which a seat was first alone."""
        alone: Floats = self.first[0].sum(axis=1)[1 << np.arange(len(self.first))] / self.games
        return alone

    @property
    def ranks(self) -> Floats:
        """The mean rank of each seat, from 1."""
        return 1 + self.rank_sums / (2.0 * self.games)

    @property
    def rank_errors(self) -> Floats:
        """Their standard errors."""
        means = self.rank_sums / self.games
        return np.sqrt(np.maximum(0.0, self.rank_squares / self.games - means**2) / self.games) / 2

    def without(self, left: int) -> Floats:
        """The shares at the table without a seat, whose own is 0."""
        return self._mean(self._parts(), self.first[left].sum(axis=0))

    def company_error(self, seat: int, left: int) -> float:
        """The standard error of what the company of one is worth to another; see the top of this file."""
        parts, counts = self._parts(), self.first[left]
        a, b = self.shares[seat], self.shares[left]
        if b >= 1:
            return 0.0
        whole = parts[seat] / (1 - b) + a * parts[left] / (1 - b) ** 2
        values = whole[:, np.newaxis] - parts[seat][np.newaxis, :]
        mean = float((values * counts).sum()) / self.games
        return sqrt(max(0.0, float((values**2 * counts).sum()) / self.games - mean**2) / self.games)

    def _mean(self, parts: Floats, counts: Ints) -> Floats:
        """The mean over all games of what stands by who is first."""
        means: Floats = parts @ counts / self.games
        return means

    def _parts(self) -> Floats:
        """[seat, who is first]: the part of a win that a seat gets."""
        masks = np.arange(self.first.shape[1])
        sizes = np.maximum(1, np.bitwise_count(masks))
        return np.array([(masks >> seat & 1) / sizes for seat in range(len(self.first))])


@dataclass(frozen=True, slots=True)
class TableGames:
    """The games of a table, to be counted in parts."""

    run: Run

    @property
    def chunk(self) -> int:
        """How many games are counted at a time."""
        return DUEL_CHUNK if self.run.is_duel else chunk_of(self.run)

    def counter(self) -> Callable[[int, int], TableCounts]:
        """Counts so many games from a number on."""
        return partial(_count, self.run, table_play_of(self.run))


def _count(run: Run, play: TablePlay, first: int, games: int) -> TableCounts:
    m, block = len(run.strategies), block_of(run.game)
    counts = _no_counts(games, m)
    for start in range(first, first + games, block):
        scores = play.scores(run, start, min(block, first + games - start))
        count_first(scores, play.tables, counts.first)
        add_ranks(scores, play.tables[0], counts.rank_sums, counts.rank_squares)
    return counts


def _no_counts(games: int, m: int) -> TableCounts:
    first = np.zeros((m, 1 << m, 1 << m), dtype=np.int64)
    return TableCounts(games, first, np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.int64))


@dataclass(frozen=True, slots=True)
class ResponseGames:
    """The games of a table and of the best response to it, which sits last, to be counted in parts.

    There is no table without one of them: it would be answered by another response.
    """

    run: Run
    response: TableResponse

    @property
    def chunk(self) -> int:
        """How many games are counted at a time."""
        return DUEL_CHUNK

    def counter(self) -> Callable[[int, int], TableCounts]:
        """Counts so many games from a number on."""
        turns = [self.response.turn(done) for done in range(self.run.game.size)]
        return partial(_count_response, self.run, table_play_of(self.run), turns)


def _count_response(run: Run, play: TablePlay, turns: list[TableTurn], first: int, games: int) -> TableCounts:
    m, block, shifts = len(run.strategies) + 1, block_of(run.game), moves_of(run.game).shifts
    counts = _no_counts(games, m)
    tables = np.full((m + 1, m), -1, dtype=np.int64)
    tables[0] = np.arange(m)
    for start in range(first, first + games, block):
        rolls = draw(run, start, min(block, first + games - start))
        scores = np.zeros((m, rolls.shape[1]), dtype=np.int32)
        scores[:-1] = play.scores(run, start, rolls.shape[1])[play.tables[0]]
        positions, leads = np.zeros((2, rolls.shape[1]), dtype=np.int64)
        sets = np.full(rolls.shape[1], run.game.all_free)
        for turn, row in zip(turns, rolls, strict=True):
            play_turn(turn, shifts, row, positions, sets, leads, scores[-1])
        count_first(scores, tables, counts.first)
        add_ranks(scores, tables[0], counts.rank_sums, counts.rank_squares)
    return counts
