"""Windows of leads: what can still be gained, and values read from them, against plain recursions."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.duel.lead_windows import (
    DuelTable,
    Standing,
    copy_mirrored,
    copy_window,
    largest_gains,
    list_slots,
    read,
)
from tentimes18.game import Game
from tentimes18.solve.lattice import lattice_of
from tests.support.games import games


@given(games(max_slots=3, max_rolls=3))
def test_largest_gains(game: Game) -> None:
    shifts = np.array(lattice_of(game).shifts, dtype=np.int64)

    @cache
    def gain(A: int, B: int) -> int:
        if not A:
            return 0
        moves = [(i, j) for i in range(game.size) for j in range(game.size) if A >> i & 1 and B >> j & 1]
        return max(int(max(shifts[i] - shifts[j])) + gain(A ^ 1 << i, B ^ 1 << j) for i, j in moves)

    sets = [np.array([A for A in range(1 << game.size) if A.bit_count() == k]) for k in range(game.size + 1)]
    ranks = np.zeros(1 << game.size, dtype=np.int64)
    for group in sets:
        ranks[group] = np.arange(len(group))
    smaller = np.zeros((1, 1), dtype=np.int64)
    for group in sets[1:]:
        gains = np.empty((len(group), len(group)), dtype=np.int64)
        largest_gains(shifts, group, ranks, smaller, gains)
        assert gains.tolist() == [[gain(A, B) for B in group.tolist()] for A in group.tolist()]
        smaller = gains


def test_slots_of_a_set() -> None:
    slots = np.empty(3, dtype=np.int64)
    list_slots(0b101001, slots)
    assert slots.tolist() == [0, 3, 5]


VALUES = np.array([9.0, 0.25, 0.5, 0.75, 9.0])


def stored(e: int) -> float:
    """The value at a lead, from the window of the leads 2, 3 and 4."""
    return 0.0 if e < 2 else 1.0 if e > 4 else [0.25, 0.5, 0.75][e - 2]


@given(st.integers(-9, 9), st.integers(0, 9))
def test_copies(start: int, count: int) -> None:
    out = np.full(count, np.nan)
    copy_window(VALUES, 1, 2, 3, start, out)
    assert out.tolist() == [stored(start + t) for t in range(count)]
    copy_mirrored(VALUES, 1, 2, 3, start, out)
    assert out.tolist() == [1 - stored(-(start + t)) for t in range(count)]


@pytest.mark.parametrize("half", [True, False])
def test_single_positions(half: bool) -> None:
    """Two sets of one slot each; pair (1, 0) has a window of its own, or is the mirror image of (0, 1)."""
    ranks = np.array([0, 0, 1, 0])
    offsets, lows = np.array([0, 1, 2, 5, 8]), np.array([0, 0, 2, -3, 0])
    sizes = np.array([1, 1, 3, 0 if half else 3, 1])
    values = np.array([0.5, 0.5, 0.25, 0.5, 0.75, 0.1, 0.2, 0.3, 0.5])
    table = DuelTable(ranks, np.array([0, 1]), np.array([1, 2]), offsets, lows, sizes, values)
    for e in range(-7, 8):
        assert read(table, half, Standing(1, 2, 1, e)) == stored(e)
        own = 0.0 if e < -3 else 1.0 if e > -1 else [0.1, 0.2, 0.3][e + 3]
        assert read(table, half, Standing(2, 1, 1, e)) == (1 - stored(-e) if half else own)
    assert read(table, half, Standing(0, 0, 0, 0)) == 0.5
