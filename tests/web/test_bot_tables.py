"""The tables of duels in the processes of a service: one process makes, all map, and problems are told."""

import json
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

from tentimes18.errors import Ten18Error
from tentimes18.files import LIMIT_VARIABLE
from tentimes18.game import Board, Game, Position
from tentimes18.server.bot_tables import KINDS, DuelTables, NotReady, Table, make_table
from tentimes18.server.problems import problem_of
from tentimes18.strategies import solved
from tentimes18.tables import table_cache, table_path
from tests.support.process import PROCESSES, finished, started
from tests.support.waiting import until

GAME = Game.parse("1d6", "1-4")
LARGER = Game.parse("3d6", "1-9")
PROGRAM = """
import logging, sys, time
import msgspec
from pathlib import Path
from tentimes18.game import Game
from tentimes18.server.bot_tables import DuelTables
logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
tables = DuelTables(Game.parse(sys.argv[1], sys.argv[2]), Path(sys.argv[3]))
tables.start()
while not tables.is_ready:
    if tables.maker and sys.argv[4] == "wait":
        priority = Path(f"/proc/{tables.maker}/stat").read_text().split()[18]
        if priority == "19":
            print("maker", tables.maker, flush=True)
            time.sleep(600)
    time.sleep(0.02)
print(msgspec.json.encode(tables.state()).decode(), flush=True)
tables.stop()
"""
MEMORY = """
import json, sys
from pathlib import Path
from tentimes18.game import Board, Game
from tentimes18.server.bots import Bots
from tentimes18.server.bot_tables import DuelTables

def memory():
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]
    fields = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines}
    return fields["Anonymous"], fields["Rss"]

def play(slots, folder):
    game = Game.parse("3d6", slots)
    tables = DuelTables(game, folder, makes=False)
    tables._look()
    before = memory()
    bots, mine, theirs = Bots(tables), Board(game), Board(game)
    for round in range(game.size):
        roll = game.dice.support[round * 7 % 16]
        slot = bots.choose("hunter", "18", mine, theirs, roll)
        mine, theirs = mine.place(roll, slot), theirs.place(roll, bots.choose("optimal", "18", theirs, mine, roll))
    return before, tables

first = play("1-3", Path(sys.argv[1]))  # its code is loaded now
start = memory()
mapped, tables = play("1-9", Path(sys.argv[1]))
table = tables.hunter(tables.game).values.nbytes
print(json.dumps({"table": table, "start": start, "mapped": mapped, "played": memory()}))
"""


@contextmanager
def running(tables: DuelTables) -> Iterator[DuelTables]:
    tables.start()
    try:
        yield tables
    finally:
        tables.stop()


def program(game: Game, folder: Path, what: str = "go on") -> tuple[str | Path, ...]:
    return sys.executable, "-c", PROGRAM, str(game.dice), game.slots, folder, what


def make_all(game: Game, folder: Path) -> None:
    solved.hunter(game, None, folder)
    solved.equilibrium(game, None, folder)


def unfinished(folder: Path) -> list[Path]:
    """The files of tables, whole or not; a lock may stay."""
    return [file for file in folder.iterdir() if file.suffix not in (".lock", ".making")]


@pytest.mark.parametrize("name", KINDS)
def test_a_table_is_made_once_and_again_if_it_is_damaged(tmp_path: Path, name: str) -> None:
    assert make_table(name, GAME, tmp_path) is None
    path = table_path(KINDS[name], GAME, tmp_path)
    stamp, content = path.stat().st_ino, path.read_bytes()
    assert make_table(name, GAME, tmp_path) is None
    assert path.stat().st_ino == stamp
    path.write_bytes(content[:-8])
    table_cache.clear()  # another process does not have it in memory
    with running(DuelTables(GAME, tmp_path)) as tables:
        until(lambda: tables.is_ready, "the tables are there")
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


def test_a_disk_that_is_full_before_it_is_known(tmp_path: Path) -> None:
    """Writing fails in the middle: the line says why, and not where the folder lies."""
    text = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from tentimes18.game import Game\n"
        "from tentimes18.server.bot_tables import make_table\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "print(make_table('hunter', Game.parse('3d6', '1-5'), Path(sys.argv[1])))\n"
    )
    told = finished((sys.executable, "-c", text, tmp_path)).stdout.decode().strip()
    assert told == "the table could not be kept in the cache folder: File too large"
    assert unfinished(tmp_path) == []


def test_of_two_processes_at_once_one_makes_and_both_have_the_tables(tmp_path: Path) -> None:
    with (
        started(program(GAME, tmp_path), stdout=subprocess.PIPE) as one,
        started(program(GAME, tmp_path), stdout=subprocess.PIPE) as other,
    ):
        lines = [line for process in (one, other) for line in process.communicate(timeout=60)[0].decode().splitlines()]
        assert [process.returncode for process in (one, other)] == [0, 0]
    for name in KINDS:
        assert lines.count(f"the table of {name} is to be made") == 1
        assert lines.count(f"the table of {name} is there") == 2
    ready = {"ready": True, "progress": None, "problem": None}
    states = [json.loads(line) for line in lines if line.startswith("{")]
    assert states == 2 * [{"target:700": ready, "hunter": ready, "equilibrium": ready}]
    assert not list(tmp_path.glob("*.making"))


def test_a_maker_that_is_killed_is_told_of_and_another_one_makes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tentimes18.server.bot_tables")
    with running(DuelTables(GAME, tmp_path, retry=0.5)) as tables:
        until(lambda: tables.maker, "a maker is there")
        assert tables.maker is not None
        os.kill(tables.maker, signal.SIGKILL)
        problem = "the process that was making it has ended with signal 9 (SIGKILL)"
        until(lambda: tables.state()["hunter"].problem == problem, "its end is told")
        with pytest.raises(NotReady, match="could not be made yet"):
            tables.hunter(GAME)
        until(lambda: tables.is_ready, "the tables are there")
        assert tables.state()["hunter"].problem is None
    assert any("the next try is in" in line for line in caplog.messages)


def test_while_another_process_makes_its_progress_is_shown_and_its_tables_are_taken(tmp_path: Path) -> None:
    beside = table_path("duels", GAME, tmp_path)
    beside.with_suffix(".making").write_text("equilibrium 0.5")
    with FileLock(beside.with_suffix(".lock")), running(DuelTables(GAME, tmp_path)) as tables:
        until(lambda: tables.state()["equilibrium"].progress == 0.5, "the progress of the other one")
        assert tables.state()["hunter"] == Table(ready=False, progress=None, problem=None)
        with pytest.raises(NotReady, match=r"is being made \(50% so far\)"):
            tables.equilibrium(GAME)
        until(lambda: tables.state()["target:700"].ready, "what needs no file is there")
        assert tables.maker is None
        make_all(GAME, tmp_path)
        until(lambda: tables.is_ready, "the tables are there")
        start = Position(Board(GAME), Board(GAME))
        assert tables.equilibrium(GAME).value_on(start) == pytest.approx(0.5, abs=1e-12)


def test_a_service_that_is_killed_takes_its_maker_along(tmp_path: Path) -> None:
    with started(program(LARGER, tmp_path, "wait"), stdout=subprocess.PIPE) as service:
        assert service.stdout is not None
        words = [b""]
        while words[0] != b"maker":  # which has the lowest priority
            words = service.stdout.readline().split() or [b""]
        maker = PROCESSES / words[1].decode()
        assert maker.exists()
        os.kill(service.pid, signal.SIGKILL)
        until(lambda: not maker.exists(), "the maker has ended")
    assert unfinished(tmp_path) == []


def test_a_folder_that_cannot_be_used_is_told_of_and_tried_again(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with running(DuelTables(GAME, blocked / "cache", retry=0.1)) as tables:
        problem = "the cache folder cannot be used: Not a directory"
        for name in KINDS:
            until(lambda name=name: tables.state()[name].problem == problem, f"the problem of {name}")  # type: ignore[misc]
        until(lambda: tables.state()["target:700"].ready, "what needs no file is there")
        blocked.unlink()
        until(lambda: tables.is_ready, "they are there once the folder can be used")


def test_without_making_tables_are_waited_for(tmp_path: Path) -> None:
    with running(DuelTables(GAME, tmp_path, makes=False)) as tables:
        until(lambda: tables.state()["target:700"].ready, "what needs no file is there")
        problem = "it is not there, and this service has no tables made"
        assert all(tables.state()[name] == Table(ready=False, progress=None, problem=problem) for name in KINDS)
        make_all(GAME, tmp_path)
        until(lambda: tables.is_ready, "the tables are there")
        assert tables.state()["hunter"].problem is None


def test_it_is_stopped_while_it_makes_and_before_it_starts(tmp_path: Path) -> None:
    DuelTables(GAME, tmp_path).stop()
    tables = DuelTables(LARGER, tmp_path)
    with running(tables):
        until(lambda: tables.maker, "a maker is there")
        maker = PROCESSES / str(tables.maker)
    assert not maker.exists()
    assert unfinished(tmp_path) == []


def test_tables_are_of_one_game(tmp_path: Path) -> None:
    tables = DuelTables(GAME, tmp_path)
    with pytest.raises(Ten18Error, match="its table is of 1d6 1-4 alone"):
        tables.hunter(LARGER)
    with pytest.raises(NotReady) as refused:
        tables.verify_ready("equilibrium")
    assert (refused.value.field, refused.value.given) == ("against", "equilibrium")
    tables.verify_ready("optimal")
    problem = problem_of(refused.value)
    assert (problem.kind.status, problem.field, problem.headers) == (503, "against", {"Retry-After": "5"})
    assert problem.detail == "against 'equilibrium': the table that it plays by is not made yet; ask again soon"


@pytest.mark.skipif(not (PROCESSES / "self" / "smaps_rollup").exists(), reason="the system does not tell")
def test_a_table_takes_no_memory_of_its_own_in_a_process(tmp_path: Path) -> None:
    for slots in ("1-3", "1-9"):
        solved.hunter(Game.parse("3d6", slots), None, tmp_path)
    table_cache.clear()
    told = json.loads(finished((sys.executable, "-c", MEMORY, tmp_path)).stdout)
    assert told["table"] > 80e6
    own, resident = (after - before for after, before in zip(told["mapped"], told["start"], strict=True))
    assert own < told["table"] / 8
    assert resident < told["table"] / 4, "checking a table maps nothing of it"
    assert told["played"][0] - told["start"][0] < told["table"] / 8
