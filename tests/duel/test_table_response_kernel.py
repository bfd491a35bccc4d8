"""One step of the best response at a table, against the maximum written out."""

import numpy as np
import pytest

from tentimes18.duel.several_players_response import TableLayer, fill_table_response
from tentimes18.kernels.types import Moves


def test_one_slot_left() -> None:
    """Two positions of the others, my slots with 1 or 2 units a roll: below a window nothing, above it all is won."""
    moves = Moves(np.array([0.25, 0.75]), np.array([[0, 1], [0, 2]]))
    sets, ranks = np.array([0b01, 0b10]), np.array([0, 0, 1, 0])
    nexts, steps = np.array([[0, 1], [1, 1]]), np.array([[0, 1], [0, 2]])
    after = TableLayer(np.array([[0], [1]]), np.array([[0], [0]]), np.array([[1], [1]]))
    smaller = np.array([1 / 2, 1 / 3])
    here = TableLayer(np.array([[0, 4], [8, 12]]), np.full((2, 2), -2), np.full((2, 2), 4))
    share = np.full(16, np.nan)
    fill_table_response(moves, (sets, ranks), (nexts, steps), here, after, (share, smaller), np.arange(2))

    def end(q: int, e: int) -> float:
        return 0.0 if e < 0 else 1.0 if e > 0 else float(smaller[q])

    for q in range(2):
        for a, i in ((0, 0), (1, 1)):
            for t in range(4):
                e = t - 2
                wanted = sum(
                    float(moves.P[x]) * end(int(nexts[q, x]), e + int(moves.shifts[i, x] - steps[q, x]))
                    for x in range(2)
                )
                assert share[here.offsets[q, a] + t] == pytest.approx(wanted)


def test_the_better_slot_is_taken() -> None:
    moves = Moves(np.ones(1), np.array([[1], [3]]))
    sets, ranks = np.array([0b11]), np.array([0, 0, 1, 0])
    after = TableLayer(np.array([[0, 5]]), np.array([[0, 0]]), np.array([[5, 5]]))
    smaller = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.15, 0.25, 0.45, 0.35, 0.6])
    here = TableLayer(np.array([[0]]), np.array([[0]]), np.array([[3]]))
    share = np.empty(3)
    nothing = np.zeros((1, 1), dtype=np.int64)
    fill_table_response(moves, (sets, ranks), (nothing, nothing), here, after, (share, smaller), np.arange(1))
    # Slot 1 leaves the set of rank 1 with a unit more, slot 2 that of rank 0 with three more.
    assert share.tolist() == [max(0.25, 0.4), max(0.45, 0.5), 1.0]
