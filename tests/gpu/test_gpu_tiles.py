"""Tiles cover all rolls, and fit into what a block of threads shares."""

from itertools import combinations

import numpy as np
import pytest

from tentimes18.errors import TooLarge
from tentimes18.gpu.gpu_duels import (
    MAX_ROLLS,
    MIN_LEADS,
    queue_shape,
    tableau_bytes,
    tiles_of,
    widest_moves,
)
from tests.support.host_gpu import HostGpu

SLOPES = np.array([-7, -2, 0, 1, 5, 5, 9], dtype=np.int32)


@pytest.mark.parametrize("k", range(1, 8))
def test_the_widest_moves_are_those_of_all_pairs_of_sets(k: int) -> None:
    sets = [np.array(chosen) for chosen in combinations(SLOPES.tolist(), k)]
    most = max(int(np.abs(mine[:, None] - theirs).sum()) for mine in sets for theirs in sets)
    assert widest_moves(tuple(SLOPES.tolist()), k) == most


@pytest.mark.parametrize("shared", [227 * 1024, 64 * 1024, 16 * 1024, 5 * 1024])
@pytest.mark.parametrize("steps", [np.arange(16), np.arange(100), np.array([0]), np.array([0, 1, 2, 90, 91, 5000])])
def test_tiles_cover_all_rolls_and_fit(host_gpu: HostGpu, shared: int, steps: np.ndarray) -> None:
    gpu = host_gpu.with_figures(block_shared=shared, shared=shared + 1024)
    steps = steps.astype(np.int32)
    for k in range(1, 4):
        tiles = tiles_of(gpu, 128, k, steps, SLOPES)
        assert tiles.cuts[0] == 0 and tiles.cuts[-1] == len(steps)
        assert (np.diff(tiles.cuts) > 0).all() and tiles.rolls <= MAX_ROLLS
        for first, last in zip(tiles.cuts, tiles.cuts[1:], strict=False):
            assert steps[last - 1] - steps[first] <= tiles.span
        used = MIN_LEADS * (k * k + 1.5 * tiles.rolls + 1) + tiles.span * widest_moves(tuple(SLOPES.tolist()), k)
        assert used <= tiles.room <= (shared - 128) // 8
        threads, blocks = queue_shape(gpu, k)
        assert tableau_bytes(k, threads) <= shared
        assert blocks == 1 or blocks * tableau_bytes(k, threads) <= gpu.shared


def test_a_gpu_with_too_little_to_share_is_rejected(host_gpu: HostGpu) -> None:
    gpu = host_gpu.with_figures(block_shared=4096, shared=4096)
    with pytest.raises(TooLarge, match="7 free slots need more memory for a block"):
        tiles_of(gpu, 0, 7, np.arange(16, dtype=np.int32), SLOPES)
