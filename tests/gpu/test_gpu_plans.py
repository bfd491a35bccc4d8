"""What a table takes on a GPU is about what is planned, and what does not fit is refused before it starts."""

import pytest

from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.gpu.cuda_plans import (
    QUEUE_SHARE,
    QUEUED_BYTES,
    admit_on_gpu,
    admit_table,
    gpu_equilibrium_plan,
    gpu_response_plan,
)
from tentimes18.gpu.duel_windows import GpuWindows
from tests.support.host_gpu import HostGpu


def test_the_memory_is_about_that_of_the_table(host_gpu: HostGpu) -> None:
    game = Game.parse("3d6", "1-7")
    half, whole = (GpuWindows(host_gpu, game, half=is_half) for is_half in (True, False))
    queue = min(16 * max(whole.sizes) * QUEUED_BYTES, host_gpu.memory_left() // QUEUE_SHARE)
    assert gpu_equilibrium_plan(host_gpu, game).memory == pytest.approx(8 * half.cells + queue, rel=0.2)
    assert gpu_response_plan(host_gpu, game).memory == pytest.approx(16 * whole.cells, rel=0.2)


def test_two_layers_take_less_than_all(host_gpu: HostGpu) -> None:
    game = Game.classic()
    two = gpu_response_plan(host_gpu, game, with_draws=False, whole=False)
    assert two.memory < gpu_response_plan(host_gpu, game, with_draws=False).memory < 16e9
    assert two.seconds > 0


def test_what_does_not_fit_is_refused_with_what_does(host_gpu: HostGpu) -> None:
    gpu = host_gpu.with_figures(memory=10**9)
    admit_on_gpu(gpu, Game.parse("3d6", "1-8"), gpu_equilibrium_plan)
    with pytest.raises(TooLarge, match=r"on 12 slots on a GPU would need about .* GB; .*: slots 1-\d+ "):
        admit_on_gpu(gpu, Game.parse("3d6", "1-12"), gpu_equilibrium_plan)


def test_a_table_is_admitted_to_the_byte(host_gpu: HostGpu) -> None:
    admit_table(host_gpu, Game.classic(), host_gpu.memory_left())
    with pytest.raises(TooLarge, match="on 10 slots on a GPU would need about 8 GB; at most 8 GB here"):
        admit_table(host_gpu, Game.classic(), host_gpu.memory_left() + 1)


def test_no_gpu_has_room_for_many_slots(host_gpu: HostGpu) -> None:
    with pytest.raises(TooLarge, match="would need"):
        admit_on_gpu(host_gpu, Game.parse("3d6", "1-30"), gpu_response_plan)
