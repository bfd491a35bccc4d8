"""What a GPU's kernels count is what the processor counts, to the bit: they are compiled as C++ here."""

import pytest
from msgspec.structs import replace

from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Board, Game
from tentimes18.queries.simulations import play_games, simulated
from tentimes18.simulate.games import count_games, count_in_chunks
from tentimes18.simulate.gpu_games import GpuGames, check_gpu_games, one_by_one
from tentimes18.simulate.run import Run
from tests.support.command import Run as RunTen18
from tests.support.command import read_json
from tests.support.host_gpu import HostGpu
from tests.support.simulated import assert_same

FIELD = ("optimal", "random", "hindsight", "greedy", "target:10")
BOARD = Board(Game.classic()).place(8, 5)
RUNS = {
    "one rule": Run(Game.classic(), ("optimal",), seed=18),
    "on from a board": Run(Game.classic(), ("optimal",), seed=18, boards=(BOARD,)),
    "several": Run(Game.parse("1d6", "-3,-1,2,5/2"), FIELD, seed=18),
    "a large total": Run(Game.parse("d{1:100000,5:70000,7}", "1-6"), ("nearest", "random"), seed=3),
    "many scores": Run(Game.parse("1d6", "1,20000"), ("optimal", "hindsight"), seed=3),
    "many slots": Run(Game.parse("1d6", "1-20"), ("random", "hindsight"), seed=3),
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("block_shared", [227 * 1024, 20_000])
def test_the_counts_are_those_of_the_processor(host_gpu: HostGpu, run: Run, block_shared: int) -> None:
    gpu = host_gpu.with_figures(block_shared=block_shared)
    assert_same(GpuGames(run, gpu).counter()(100, 1000), count_games(run, 100, 1000))


def test_chunks_add_up(host_gpu: HostGpu, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tentimes18.simulate.gpu_games.RULE_CHUNK", 700)
    run = RUNS["one rule"]
    found = list(count_in_chunks(GpuGames(run, host_gpu), 2000, one_by_one))
    assert len(found) == 3
    assert_same(found[-1], count_games(run, 0, 2000))


def test_sums_of_squares_fit(host_gpu: HostGpu) -> None:
    work = GpuGames(Run(Game.parse("d{0,1,20000}", "1,20000"), ("random", "hindsight"), seed=3), host_gpu)
    assert work.chunk * work.width**2 < 2**63


@pytest.mark.parametrize("name", ["hunter", "equilibrium"])
def test_who_looks_at_the_other_board_is_not_played(host_gpu: HostGpu, name: str) -> None:
    with pytest.raises(Ten18Error, match=f"device 'cuda': '{name}' is not played on a GPU"):
        GpuGames(Run(Game.classic(), ("optimal", name), seed=18), host_gpu)


def test_a_rule_on_many_slots_is_rejected(host_gpu: HostGpu) -> None:
    work = GpuGames(Run(Game.parse("1d6", "1-17"), ("optimal", "random"), seed=18), host_gpu)
    with pytest.raises(Ten18Error, match="'optimal' is played on a GPU with at most 16 slots, not with 17"):
        work.counter()(0, 1)


def test_too_many_games_are_rejected() -> None:
    with pytest.raises(TooLarge, match=r"games: a run of 10,000,000,000,000,000 games needs .* operations; the limit"):
        check_gpu_games(RUNS["one rule"], 10**16)


@pytest.mark.usefixtures("with_gpu")
def test_answers_are_the_same_on_either_device(run_here: RunTen18) -> None:
    run = RUNS["one rule"]
    here, there = (simulated(play_games(run, 2000, device=device)).answer for device in ("cpu", "cuda"))
    assert replace(here, seconds=0) == replace(there, seconds=0)
    arguments = ("tournament", "--dice", "1d6", "--slots", "1-3", "--strategies", "optimal,random", "--games", "1000")
    answers = [read_json(run_here(*arguments, "--json", "--device", device)) for device in ("cpu", "cuda")]
    assert answers[0] == answers[1]
