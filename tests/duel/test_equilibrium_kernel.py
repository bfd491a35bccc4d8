"""The layers of the equilibrium: values against the matrix games one by one."""

import numpy as np
import pytest

from tentimes18.duel.equilibrium import fill_equilibrium
from tentimes18.duel.lead_windows import DuelWindows
from tentimes18.duel.matrix_games import mixed_move
from tentimes18.game import Game, slots_of
from tests.support.duels import stored_half


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
                                stored_half(
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
