"""Laws of points set by set, and the slots of `optimal`, against plain loops."""

import numpy as np
import pytest

from tentimes18.kernels.scores import fill_laws, optimal_slots
from tentimes18.kernels.types import Moves, Spans

MOVES = Moves(np.array([0.25, 0.5, 0.25]), np.array([[0, 1, 2], [0, 2, 4]]))


def test_laws_of_two_slots() -> None:
    """The first roll to slot 0 unless it is the highest; by hand on nine pairs of rolls."""
    slots = np.array([[0, 0, 0], [0, 0, 0], [1, 1, 1], [0, 0, 1]], dtype=np.int8)
    widths, offsets = np.array([0, 2, 4, 6]), np.array([0, 0, 3, 0])
    one = np.full(8, np.nan)
    fill_laws(MOVES, slots, Spans(widths, offsets), np.ones(1), one, np.array([1, 2]))
    assert one.tolist() == [0.25, 0.5, 0.25, 0.25, 0, 0.5, 0, 0.25]
    both = np.full(7, np.nan)
    fill_laws(MOVES, slots, Spans(widths, offsets), one, both, np.array([3]))
    wanted = np.zeros(7)
    for x, p in enumerate(MOVES.P):
        for y, q in enumerate(MOVES.P):
            first, second = (0, 1) if x < 2 else (1, 0)
            wanted[MOVES.shifts[first, x] + MOVES.shifts[second, y]] += p * q
    assert both.tolist() == pytest.approx(wanted.tolist(), abs=1e-15)


def test_slots_by_rank_and_the_first_of_equal_ones() -> None:
    """Slots 1 and 2 have one multiplier: of both the first that is free is taken."""
    ranks = np.array([[0, 0], [0, 0], [0, 1], [0, 2], [1, 3]])
    slots = np.zeros((16, 2), dtype=np.int8)
    optimal_slots(ranks, np.array([0, 1, 1, 3]), slots)
    assert slots[0b1111].tolist() == [1, 3]
    assert slots[0b0111].tolist() == [0, 1]
    assert slots[0b0110].tolist() == [1, 1]
    assert slots[0b1100].tolist() == [2, 3]
    assert slots[0b0100].tolist() == [2, 2]
