"""Games of several strategies and of the best response to them, which sits last: a check of its exact shares."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tentimes18.arrays import Ints
from tentimes18.compiled import compiled
from tentimes18.duel.several_players_response import TableResponse, TableTurn, choose_at_table
from tentimes18.simulate.games import DUEL_CHUNK, drawn_blocks, play_of
from tentimes18.simulate.group_games import TableCounts
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
        turns = [self.response.turn(done) for done in range(run.game.size)]
        shifts = moves_of(run.game).shifts

        def count(first: int, games: int) -> TableCounts:
            counts = TableCounts.none(m)
            for start, rolls in drawn_blocks(run, first, games):
                size = rolls.shape[1]
                scores = np.zeros((m, size), dtype=np.int32)
                play(start, rolls, scores[:-1])
                positions, leads = np.zeros((2, size), dtype=np.int64)
                sets = np.full(size, run.game.all_free)
                for turn, row in zip(turns, rolls, strict=True):
                    play_turn(turn, shifts, row, positions, sets, leads, scores[-1])
                counts.count(scores)
            return counts

        return count


@compiled()
def play_turn(
    turn: TableTurn,
    shifts: Ints,
    rolls: NDArray[np.uint8] | NDArray[np.uint16],
    positions: Ints,
    sets: Ints,
    leads: Ints,
    scores: NDArray[np.int32],
) -> None:
    """One roll of many games: where the others are in each, my free sets, my leads and my score indices change."""
    for g in range(len(rolls)):
        q, x = positions[g], int(np.int64(rolls[g]))
        i, _, _ = choose_at_table(turn, shifts, q, sets[g], leads[g], x)
        scores[g] += shifts[i, x]
        leads[g] += shifts[i, x] - turn.steps[q, x]
        sets[g] ^= 1 << i
        positions[g] = turn.nexts[q, x]
