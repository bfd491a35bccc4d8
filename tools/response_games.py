"""Games of several strategies and of the best response to them, which sits last: a check of its exact shares."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tentimes18.duel.several_players_response import TableResponse
from tentimes18.simulate.games import DUEL_CHUNK, TableCounts, drawn_blocks, play_of
from tentimes18.simulate.run import Run
from tentimes18.solve.move_arrays import moves_of


@dataclass(frozen=True, slots=True)
class ResponseGames:
    """The others play as in the games of ``run``; the response follows their positions and takes its slots."""

    run: Run
    response: TableResponse

    @property
    def chunk(self) -> int:
        return DUEL_CHUNK

    def counter(self) -> Callable[[int, int], TableCounts]:
        run, play, m = self.run, play_of(self.run), len(self.run.strategies) + 1
        shifts = moves_of(run.game).shifts

        def count(first: int, games: int) -> TableCounts:
            counts = TableCounts.none(m)
            for start, rolls in drawn_blocks(run, first, games):
                size = rolls.shape[1]
                scores = np.zeros((m, size), dtype=np.int32)
                play(start, rolls, scores[:-1])
                positions, leads = np.zeros((2, size), dtype=np.int64)
                sets = np.full(size, run.game.all_free)
                for done, row in enumerate(rolls):
                    layer, x = self.response.layers[done], row.astype(np.int64)
                    slots = self.response.choose(done, positions, sets, leads)[0][np.arange(size), x]
                    scores[-1] += shifts[slots, x].astype(np.int32)
                    leads += shifts[slots, x] - layer.steps[positions, x]
                    sets ^= 1 << slots
                    positions = layer.after[positions, x]
                counts.count(scores)
            return counts

        return count
