"""The tables of duels in the processes of a server: made when asked for, by one process; problems are reported."""

import logging
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock

from tentimes18.files import LIMIT_VARIABLE
from tentimes18.game import Game
from tentimes18.server.bots import DuelTables, Table
from tentimes18.server.problems import Problem
from tentimes18.server.query_process import TABLES, make_table
from tentimes18.tables import table_path
from tests.support.process import PROCESSES, started, until

GAME = Game.parse("1d6", "1-4")
LARGER = Game.parse("3d6", "1-9")
READY = Table(ready=True, progress=None, problem=None)
PROGRAM = """
import logging, sys, time
from pathlib import Path
from tentimes18.game import Game
from tentimes18.server.bots import DuelTables
from tentimes18.server.problems import Problem
logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
if __name__ == "__main__":
    tables = DuelTables(Game.parse(sys.argv[1], sys.argv[2]), Path(sys.argv[3]))
    while not tables.is_ready(sys.argv[4]):
        try:
            tables.verify_ready(sys.argv[4])
        except Problem:
            pass
        if tables.maker and len(sys.argv) > 5:
            if Path(f"/proc/{tables.maker}/stat").read_text().split()[18] == "19":
                print("maker", tables.maker, flush=True)
                time.sleep(600)
        time.sleep(0.02)
    tables.stop()
"""


@contextmanager
def asking(tables: DuelTables, name: str) -> Iterator[None]:
    """Ask for a table as a request does; the maker is stopped in the end."""
    with pytest.raises(Problem):
        tables.verify_ready(name)
    try:
        yield
    finally:
        tables.stop()


def program(game: Game, folder: Path, name: str, *others: str) -> tuple[str | Path, ...]:
    return sys.executable, "-c", PROGRAM, str(game.dice), game.slots, folder, name, *others


def unfinished(folder: Path) -> list[Path]:
    """The files of tables, whole or not; a lock may stay."""
    return [file for file in folder.iterdir() if file.suffix not in (".lock", ".making")]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_made_when_it_is_asked_for_and_again_if_it_is_damaged(tmp_path: Path, name: str) -> None:
    tables = DuelTables(GAME, tmp_path)
    assert unfinished(tmp_path) == []
    with asking(tables, name):
        until(lambda: tables.is_ready(name), "the table exists")
    (path,) = unfinished(tmp_path)
    assert path == table_path(TABLES[name], GAME, tmp_path)
    stamp, content = path.stat().st_ino, path.read_bytes()
    assert make_table(name, GAME, tmp_path) is None
    assert path.stat().st_ino == stamp
    path.write_bytes(content[:-8])
    tables = DuelTables(GAME, tmp_path)
    tables.verify_ready(name)
    tables.reject(name)  # as soon as a bot could not play by it
    with asking(tables, name):
        until(lambda: tables.is_ready(name), "the table exists")
    assert path.read_bytes()[: 8 * GAME.size] == content[: 8 * GAME.size]
    assert path.stat().st_size == len(content)


def test_why_a_table_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert make_table("hunter", GAME, blocked / "cache") == "the cache folder cannot be used: Not a directory"
    assert make_table("hunter", Game.parse("3d6", "1-20"), tmp_path), "too large"
    for limit in ("0", "5"):
        with monkeypatch.context() as patched:
            patched.setenv(LIMIT_VARIABLE, limit)
            problem = f"the table takes 0.0 MB, more than all tables may ({LIMIT_VARIABLE})"
            assert make_table("hunter", GAME, tmp_path) == problem
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=10))
    assert make_table("hunter", GAME, tmp_path) == "the table takes 0.0 MB, and 0.0 MB are free on its disk"
    assert unfinished(tmp_path) == [blocked]


def test_one_of_two_processes_makes_and_both_have_the_table(tmp_path: Path) -> None:
    command = program(GAME, tmp_path, "equilibrium")
    with started(command, stdout=subprocess.PIPE) as one, started(command, stdout=subprocess.PIPE) as other:
        lines = [line for process in (one, other) for line in process.communicate(timeout=60)[0].decode().splitlines()]
        assert [process.returncode for process in (one, other)] == [0, 0]
    assert lines == ["making the table of equilibrium"]
    assert not list(tmp_path.glob("*.making"))


def test_a_maker_that_is_killed_is_reported_and_another_one_makes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tables = DuelTables(GAME, tmp_path, retry=0)
    with asking(tables, "hunter"):
        until(lambda: tables.maker, "a process makes the table")
        assert tables.maker is not None
        os.kill(tables.maker, signal.SIGKILL)
        problem = "its process ended with signal 9 (SIGKILL)"
        until(lambda: tables.state()["hunter"].problem == problem, "its end is reported")
        with pytest.raises(Problem, match="could not be made yet"):
            tables.verify_ready("hunter")
        until(lambda: tables.is_ready("hunter"), "the table exists")
        assert tables.state()["hunter"] == READY
    assert any("next attempt in" in line for line in caplog.messages)


def test_the_progress_of_another_process_is_shown(tmp_path: Path) -> None:
    beside, tables = table_path("duels", GAME, tmp_path), DuelTables(GAME, tmp_path)
    beside.with_suffix(".making").write_text("equilibrium 0.5")
    with FileLock(beside.with_suffix(".lock")):
        with pytest.raises(Problem, match=r"is being made \(50% so far\)"):
            tables.verify_ready("equilibrium")
        assert tables.state()["hunter"] == Table(ready=False, progress=None, problem=None)
        assert tables.maker is None
        tables.stop()


def test_a_maker_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    with started(program(LARGER, tmp_path, "hunter", "wait"), stdout=subprocess.PIPE) as service:
        assert service.stdout is not None
        words = [b""]
        while words[0] != b"maker":  # which has the lowest priority
            words = service.stdout.readline().split() or [b""]
        maker = PROCESSES / words[1].decode()
        assert maker.exists()
        os.kill(service.pid, signal.SIGKILL)
        until(lambda: not maker.exists(), "the maker has ended")
    assert unfinished(tmp_path) == []


def test_a_server_that_makes_none_uses_those_that_exist(tmp_path: Path) -> None:
    tables = DuelTables(GAME, tmp_path, makes=False)
    with pytest.raises(Problem) as refused:
        tables.verify_ready("equilibrium")
    problem = refused.value
    assert (problem.kind.status, problem.field, problem.headers) == (503, "against", {"Retry-After": "5"})
    assert problem.detail.endswith("its table is missing, and this server makes none; ask again soon")
    tables.verify_ready("optimal")
    assert make_table("equilibrium", GAME, tmp_path) is None
    tables.verify_ready("equilibrium")


def test_it_is_stopped_while_it_makes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    tables = DuelTables(LARGER, tmp_path)
    with asking(tables, "hunter"):
        until(lambda: tables.maker, "a process makes the table")
        maker = PROCESSES / str(tables.maker)
    assert not maker.exists()
    assert unfinished(tmp_path) == []
