"""The equilibrium that a GPU's kernels find is that of the processor: they are compiled as C++ here."""

from pathlib import Path

import numpy as np
import pytest

from tentimes18.duel.certificate import certify
from tentimes18.duel.equilibrium import solve_equilibrium
from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.gpu import gpu_duels as module
from tentimes18.gpu.gpu_duels import solve_on_gpu
from tentimes18.strategies.solved import equilibrium
from tentimes18.tables import table_cache
from tests.support.host_gpu import CASES, HostGpu, game_of

TOLERANCE = 1e-12
SMALL = {"block_shared": 11_000, "shared": 12_024}  # so little that rolls and leads are cut into several tiles


@pytest.mark.parametrize("figures", [{}, SMALL], ids=["large", "small"])
@pytest.mark.parametrize("case", CASES)
def test_the_table_is_that_of_the_processor(host_gpu: HostGpu, case: str, figures: dict[str, int]) -> None:
    game = game_of(case)
    here, there = solve_equilibrium(game), solve_on_gpu(host_gpu.with_figures(**figures), game)
    values = there.to_host()
    assert values.shape == here.values.shape
    assert np.abs(values - here.values).max() <= TOLERANCE
    assert there.widest <= TOLERANCE
    assert [count[:3] for count in there.counts] == [
        (count.free_count, count.positions, count.matrix_games) for count in here.counts
    ]


def test_games_without_a_saddle_point_are_counted(host_gpu: HostGpu) -> None:
    game = game_of("3d6 1-5")
    found = solve_on_gpu(host_gpu, game)
    assert [count[3] for count in found.counts] == [count.mixed for count in solve_equilibrium(game).counts]
    assert 0 < sum(found.queued) < sum(count[3] for count in found.counts)


def test_a_layer_is_cut_where_the_queue_is_small(host_gpu: HostGpu, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("1d6 1-6")
    whole = solve_on_gpu(host_gpu, game).to_host()
    monkeypatch.setattr(module, "MAX_QUEUE", 2000)
    monkeypatch.setattr(module, "MIN_QUEUE", 1)
    work = module._Work(host_gpu, game)
    launches = list(work.launches(3))
    assert len(launches) > 1
    assert [first for first, _ in launches] == [0, *(last for _, last in launches[:-1])]
    ends = work.windows.ends[3].astype(int).tolist()
    assert launches[-1][1] == len(ends)
    for first, last in launches:
        assert 6 * (ends[last - 1] - (ends[first - 1] if first else 0)) <= work.capacity
    assert np.array_equal(solve_on_gpu(host_gpu, game).to_host(), whole)


def test_progress_goes_to_the_end(host_gpu: HostGpu) -> None:
    told: list[tuple[int, int]] = []
    solve_on_gpu(host_gpu, game_of("1d6 1-3"), lambda done, total: told.append((done, total)))
    assert len(told) == 3
    assert told == sorted(told)
    assert told[-1] == (54, 54)


def test_what_does_not_fit_on_the_gpu_is_rejected(host_gpu: HostGpu) -> None:
    with pytest.raises(TooLarge, match=r"on 12 slots needs .* of GPU memory; 1 GB are free"):
        solve_on_gpu(host_gpu.with_figures(memory=10**9), Game.parse("3d6", "1-12"))


@pytest.mark.usefixtures("with_gpu")
def test_the_processor_certifies_it_and_reads_it_from_disk(tmp_path: Path) -> None:
    game = game_of("3d6 1-5")
    table = equilibrium(game, folder=tmp_path, device="cuda")
    certificate = certify(table)
    assert abs(certificate.start) <= TOLERANCE
    assert certificate.largest <= TOLERANCE
    table_cache.clear()
    read = equilibrium(game, folder=tmp_path, is_stored=True)
    assert np.array_equal(read.values, table.values)
    assert read.counts == table.counts
