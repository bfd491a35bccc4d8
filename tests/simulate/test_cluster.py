"""The same counts on a cluster of processes, to the bit, whatever happens to its workers."""

import json
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

import dask
import pytest
from distributed import Client, LocalCluster

from tentimes18 import Game, Ten18Error
from tentimes18.simulate import cluster as module
from tentimes18.simulate.cluster import cluster_runner, run_on
from tentimes18.simulate.games import AnyCounts, Counts, RunGames, count_games, simulate
from tentimes18.simulate.run import Run
from tentimes18.strategies.user_code import find
from tests.support.process import children_of, until
from tests.support.simulated import MINE, assert_same
from tests.support.terminal import Watched

pytestmark = pytest.mark.slow

RUN = Run(Game.classic(), ("optimal", "hindsight", "random", "target:650"), 18)
WORK = RunGames(RUN)
CHUNK = 50_000
CHUNKS = [(first, CHUNK) for first in range(0, 30 * CHUNK, CHUNK)]
HOW: Final = "distributed.worker.multiprocessing-method"


@contextmanager
def new_cluster(workers: int) -> Iterator[LocalCluster]:
    """Its workers are forks of one process that has the library loaded, so they start quickly."""
    with (
        dask.config.set({HOW: "forkserver"}),
        LocalCluster(workers, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50) as found,
    ):
        yield found


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with new_cluster(2) as found:
        yield found


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as found:
        found.wait_for_workers(2, timeout=60)
        yield found


@pytest.fixture(scope="module")
def wanted() -> Counts:
    return count_games(RUN, 0, 30 * CHUNK)


def added(parts: Iterator[AnyCounts]) -> AnyCounts:
    total = next(parts)
    for part in parts:
        total.add(part)
    return total


def test_by_address(cluster: LocalCluster, wanted: Counts) -> None:
    *_, counts = simulate(RUN, 30 * CHUNK, cluster_runner(cluster.scheduler_address))
    assert_same(counts, wanted)


def test_a_cluster_of_its_own() -> None:
    run = Run(Game.parse("1d6-3", "-2,0,0,1/2,3"), ("optimal", "random"), 18)
    with dask.config.set({HOW: "spawn"}):  # as without the cluster of these tests
        *_, counts = simulate(run, 10_000, cluster_runner("local"))
    assert_same(counts, count_games(run, 0, 10_000))


def test_a_function_of_the_user(client: Client) -> None:
    run = Run(Game.classic(), (MINE,), 18, find)
    assert_same(added(run_on(client, RunGames(run), [(0, 500), (500, 500)])), count_games(run, 0, 1_000))


def test_a_killed_worker_changes_nothing(client: Client, wanted: Counts) -> None:
    """Killed without a warning, in the middle, while it has chunks to count."""
    parts = run_on(client, WORK, CHUNKS)
    total = added(islice(parts, 3))
    pids = client.run(os.getpid)
    busy = max(pids, key=lambda address: len(client.processing()[address]))
    assert client.processing()[busy]
    os.kill(pids[busy], signal.SIGKILL)
    for part in parts:
        total.add(part)
    assert_same(total, wanted)
    client.wait_for_workers(2, timeout=60)
    assert pids[busy] not in client.run(os.getpid).values()


def test_a_lost_scheduler_is_reported_in_one_line() -> None:
    with new_cluster(1) as mine, Client(mine) as client:
        parts = run_on(client, RunGames(Run(Game.classic(), ("hindsight",), 18)), [(0, 10_000_000)] * 20)
        next(parts)
        mine.close()
        with pytest.raises(Ten18Error, match=r"^cluster: the scheduler is gone"):
            list(parts)


def test_an_error_is_that_of_the_strategy(client: Client, tmp_path: Path) -> None:
    """Raised here as it would be without a cluster, and after one try: the same chunk would fail the same way."""
    calls, file = tmp_path / "calls", tmp_path / "mine.py"
    file.write_text(
        f"def mine(board, roll):\n    with open({str(calls)!r}, 'a') as file:\n        file.write('.')\n    return 11\n"
    )
    run = Run(Game.classic(), (f"{file}:mine",), 18, find)
    with pytest.raises(Ten18Error, match="returned 11: there is no slot 11"):
        list(run_on(client, RunGames(run), [(0, 1)]))
    assert calls.read_text() == "."


@pytest.mark.parametrize("counts", [False, True], ids=["while it starts", "while it counts"])
def test_ctrl_c_is_for_the_one_that_started_the_cluster(counts: bool) -> None:
    """As on a terminal, where all processes get it: the games so far, or nothing yet, and no word of the workers."""
    with Watched("simulate", "--games", "100000000000", "--cluster", "local", "--json") as terminal:
        if counts:
            terminal.expect("games")
        else:
            until(lambda: children_of(terminal.process.pid), "workers are being started")
        os.killpg(terminal.process.pid, signal.SIGINT)
        result = terminal.end()
    assert result.code == 128 + signal.SIGINT
    assert "Traceback" not in result.err
    if counts:
        assert 0 < json.loads(result.out)["games"] < 100_000_000_000


@pytest.mark.parametrize("listening", [False, True])
def test_nobody_answers(listening: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Nobody listens there, or somebody who never says a word: one line, and no endless waiting.

    No client of distributed is made: one that could not connect would be in the way of the next one.
    """
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    monkeypatch.setattr(module, "Client", lambda *_, **__: pytest.fail("a client is made"))
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if listening:
            server.listen()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(Ten18Error) as refusal:
            next(cluster_runner(address)(WORK, [(0, 10)]))
    complaint = str(refusal.value)
    assert complaint.startswith(f"cluster: no scheduler answers at '{address}'")
    assert "\n" not in complaint
    assert capfd.readouterr() == ("", "")
