"""Metrics of several processes: added up, kept when one is killed, and never going back."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tentimes18.server.edge.metrics import Registry
from tentimes18.server.edge.processes import SILENT, SharedMetrics
from tests.support.process import Argument, started

WORKER = """
import sys
from pathlib import Path
from tentimes18.server.edge.metrics import Registry
from tentimes18.server.edge.processes import SharedMetrics

registry = Registry()
moves = registry.counter("ten18_moves_total", "Moves.")
registry.gauge("ten18_streams", "Streams.").set(4)
shared = SharedMetrics(registry, Path(sys.argv[1]))
shared.start()
for line in sys.stdin:
    moves.add(int(line))
    print(shared.families()[0].samples[()][0], flush=True)
"""


class Worker:
    """A process of the service, as far as it counts."""

    def __init__(self, folder: Path | None, now: list[float]) -> None:
        self.registry = Registry()
        self.moves = self.registry.counter("ten18_moves_total", "Moves.")
        self.streams = self.registry.gauge("ten18_streams", "Streams.")
        self.shared = SharedMetrics(self.registry, folder, clock=lambda: now[0])

    def seen(self) -> dict[str, float]:
        return {family.name: family.samples[()][0] for family in self.shared.families()}


def test_whoever_is_asked_knows_of_all(tmp_path: Path) -> None:
    now = [0.0]
    workers = [Worker(tmp_path, now) for _ in range(3)]
    for number, worker in enumerate(workers):
        worker.moves.add(10**number)
        worker.streams.set(1)
        worker.shared.write()
    assert [worker.seen() for worker in workers] == [{"ten18_moves_total": 111, "ten18_streams": 3}] * 3


def test_a_dead_process_keeps_its_counts_and_loses_its_gauges(tmp_path: Path) -> None:
    now = [0.0]
    dead, alive = Worker(tmp_path, now), Worker(tmp_path, now)
    dead.moves.add(5)
    dead.streams.set(2)
    dead.shared.write()
    now[0] += SILENT + 1
    alive.moves.add(1)
    assert alive.seen() == {"ten18_moves_total": 6, "ten18_streams": 0}


def test_who_stops_has_no_gauges_at_once(tmp_path: Path) -> None:
    now = [0.0]
    stopped, alive = Worker(tmp_path, now), Worker(tmp_path, now)
    stopped.shared.start()
    stopped.moves.add(5)
    stopped.streams.set(2)
    stopped.shared.stop()
    assert alive.seen() == {"ten18_moves_total": 5, "ten18_streams": 0}


def test_what_was_shown_is_there_after_a_kill(tmp_path: Path) -> None:
    other = Worker(tmp_path, [0.0])
    command: list[Argument] = [sys.executable, "-c", WORKER, tmp_path]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(os.environ)) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in (b"3\n", b"4\n"):
            process.stdin.write(line)
            process.stdin.flush()
            shown = float(process.stdout.readline())
            process.send_signal(signal.SIGSTOP if line == b"3\n" else signal.SIGKILL)
            assert other.seen()["ten18_moves_total"] == shown
            process.send_signal(signal.SIGCONT)
        assert shown == 7


@pytest.mark.parametrize("content", [b"", b"{"])
def test_a_file_that_is_no_file_of_ours_is_not_read(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "1-x.json").write_bytes(content)
    worker = Worker(tmp_path, [0.0])
    worker.moves.add(2)
    assert worker.seen()["ten18_moves_total"] == 2


def test_where_nothing_can_be_written_a_process_knows_itself(tmp_path: Path) -> None:
    for folder in (None, tmp_path / "nowhere"):
        worker = Worker(folder, [0.0])
        worker.moves.add(2)
        worker.shared.start()
        assert worker.seen()["ten18_moves_total"] == 2
        worker.shared.stop()
