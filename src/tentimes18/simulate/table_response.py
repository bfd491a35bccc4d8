"""Many games of the best response at a table: beside the others, on the rolls that they play on without it.

It knows where the others are by following their list of positions, and takes the slot that its tables say. Who is first
is told from the scores that are made, as at any table: not from leads or windows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from tentimes18.duel import slot_choice as kernel
from tentimes18.duel.several_players_response import TableResponse, TableTurn, play_turn
from tentimes18.simulate.drawing import draw
from tentimes18.simulate.games import DUEL_CHUNK, block_of
from tentimes18.simulate.run import Run
from tentimes18.simulate.table import TableCounts, TablePlay, table_play_of
from tentimes18.solve.move_arrays import moves_of

__all__ = ["ResponseGames"]


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
        """Counts so many games from a number on.

        >>> from tentimes18.game import Game
        >>> from tentimes18.duel.several_players_response import table_response
        >>> from tentimes18.strategies.seats import seat_of
        >>> game, names = Game.parse("1d6", "1-3"), ("greedy", "nearest")
        >>> response = table_response(game, [seat_of(name, game) for name in names])
        >>> counts = ResponseGames(Run(game, names, seed=18), response).counter()(0, 1000)
        >>> counts.shares.round(2).tolist(), round(response.share, 2)
        ([0.29, 0.34, 0.37], 0.36)
        """
        turns = [self.response.turn(done) for done in range(self.run.game.size)]
        return partial(_count, self.run, table_play_of(self.run), turns)


def _count(run: Run, play: TablePlay, turns: list[TableTurn], first: int, games: int) -> TableCounts:
    m, block, shifts = len(run.strategies) + 1, block_of(run.game), moves_of(run.game).shifts
    counts = TableCounts(
        games,
        np.zeros((m, 1 << m, 1 << m), dtype=np.int64),
        np.zeros(m, dtype=np.int64),
        np.zeros(m, dtype=np.int64),
    )
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
        kernel.count_first(scores, tables, counts.first)
        kernel.add_ranks(scores, tables[0], counts.rank_sums, counts.rank_squares)
    return counts
