"""The layers of the equilibrium: saddle points against numpy, values against the matrix games one by one."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.game import Game, slots_of
from tentimes18.kernels.equilibrium import fill_equilibrium, find_saddles, list_matrices, new_saddles
from tentimes18.kernels.matrix import mixed_move
from tentimes18.kernels.types import Floats, Pair, Stored
from tentimes18.solve.duel.windows import DuelWindows


@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_saddles(k: int, size: int, seed: int) -> None:
    cells = np.random.default_rng(seed).integers(0, 5, (k, k, size + 2)) / 4
    found = new_saddles(size + 2)
    find_saddles(cells, size, found)
    for t in range(size):
        M = cells[:, :, t]
        assert found.maximin[t] == M.min(axis=1).max()
        assert found.minimax[t] == M.max(axis=0).min()
        assert found.column[t] == np.argmin(M.max(axis=0))


def value_at(windows: DuelWindows, values: Floats, A: int, B: int, e: int) -> float:
    """From the stored half."""
    if windows.ranks[A] > windows.ranks[B]:
        return 1.0 - value_at(windows, values, B, A, -e)
    return windows.read(values, A, B, e)


@pytest.mark.parametrize(("dice", "slots"), [("1d4", "1-3"), ("d{-3,0,4}:0=3", "-2,0,1/2"), ("1d3", "-1,2,2")])
def test_layers(dice: str, slots: str) -> None:
    windows = DuelWindows(Game.parse(dice, slots), half=True)
    values = np.full(windows.cells, np.nan)
    values[0] = 0.5
    for k in range(1, 4):
        pairs = np.ascontiguousarray(np.argwhere(windows.sizes[k] > 0))
        mixed, widest = fill_equilibrium(windows.moves, windows.layer(k), values, pairs)
        assert widest < 1e-12
        count = 0
        for a, b in pairs.tolist():
            A, B, low = int(windows.sets[k][a]), int(windows.sets[k][b]), int(windows.lows[k][a, b])
            for e in range(low, low + int(windows.sizes[k][a, b])):
                total = 0.0
                for x, p in enumerate(windows.P):
                    M = np.array(
                        [
                            [
                                value_at(
                                    windows,
                                    values,
                                    A ^ 1 << (i - 1),
                                    B ^ 1 << (j - 1),
                                    e + int(windows.shifts[i - 1, x] - windows.shifts[j - 1, x]),
                                )
                                for j in slots_of(B)
                            ]
                            for i in slots_of(A)
                        ]
                    )
                    row = np.empty(k)
                    total += p * mixed_move(M, row)
                    count += row.max() < 1
                assert windows.read(values, A, B, e) == pytest.approx(total, rel=0, abs=1e-12)
        assert mixed == count
    assert not np.isnan(values).any()


def test_matrices_of_a_pair_and_a_roll() -> None:
    windows = DuelWindows(Game.parse("1d4", "1-3"), half=True)
    values = np.arange(windows.cells) / windows.cells
    A, B, low, size = 0b011, 0b101, -4, 9
    cells = np.full((2, 2, size), np.nan)
    half = Stored(windows.of_size(1), values)
    list_matrices(windows.moves, 2, Pair(A, B, low, size), windows.ranks, half, cells)
    for (r, i), (c, j) in product(enumerate((0, 1)), enumerate((0, 2))):
        for t in range(size):
            e = low + t + int(windows.shifts[i, 2] - windows.shifts[j, 2])
            assert cells[r, c, t] == value_at(windows, values, A ^ 1 << i, B ^ 1 << j, e)
