"""The windows that a GPU finds are those of the processor, in the same order."""

import numpy as np
import pytest

from tentimes18.duel.equilibrium import solve_equilibrium
from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.gpu.gpu_duels import GpuWindows
from tests.support.host_gpu import HostGpu, game_of
from tools.gpu import positions_at, read_positions


@pytest.mark.parametrize("half", [True, False])
def test_positions_are_found_and_read_by_their_places(host_gpu: HostGpu, half: bool) -> None:
    windows = GpuWindows(host_gpu, game_of("3d6 1-5"), half=half)
    for k in range(1, 6):
        layer = np.arange(windows.sizes[k]) / windows.sizes[k]
        places = np.arange(windows.sizes[k])
        mine, theirs, leads = positions_at(windows, k, places)
        assert read_positions(windows, layer, k, mine, theirs, leads).tolist() == layer.tolist()
        assert set(np.bitwise_count(mine)) == set(np.bitwise_count(theirs)) == {k}


def test_mirrored_and_decided_positions_are_read(host_gpu: HostGpu) -> None:
    table = solve_equilibrium(game_of("3d6 1-5"))
    windows = GpuWindows(host_gpu, table.game, half=True)
    layer = windows.layer(table.values, 2)
    mine, theirs = np.array([0b11000, 0b00011, 0b11000, 0b11000]), np.array([0b00011, 0b11000, 0b00011, 0b00011])
    found = read_positions(windows, layer, 2, mine, theirs, np.array([-60, 60, -1000, 1000]))
    assert found[0] == pytest.approx(1 - found[1], abs=1e-15)
    assert 0 < found[0] < 1
    assert found[2:].tolist() == [0.0, 1.0]


@pytest.mark.parametrize("slots", ["1-17", "1,1000000000"])
def test_what_is_too_large_for_a_gpu_is_rejected(host_gpu: HostGpu, slots: str) -> None:
    with pytest.raises(TooLarge, match="a GPU takes duels"):
        GpuWindows(host_gpu, Game.parse("1d6", slots), half=True)
