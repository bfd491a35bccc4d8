"""The tables of duels in the processes of a service: one process makes, all map, and problems are told."""

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Position
from tentimes18.server.app import Application
from tentimes18.server.bots.locks import only_one
from tentimes18.server.bots.making import KINDS, lock_path, making_path
from tentimes18.server.bots.tables import DuelTables, NotReady
from tentimes18.server.problems import problem_of
from tentimes18.server.settings import Service
from tentimes18.strategies import solved
from tentimes18.tables import table_cache, table_path
from tests.support.process import PROCESSES, finished, started
from tests.support.waiting import until

GAME = Game.parse("1d6", "1-4")
LARGER = Game.parse("3d6", "1-9")
PROGRAM = """
import json, logging, sys, time
from pathlib import Path
from tentimes18.game import Game
from tentimes18.server.bots.making import how_far
from tentimes18.server.bots.tables import DuelTables
logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
game, folder = Game.parse(sys.argv[1], sys.argv[2]), Path(sys.argv[3])
tables = DuelTables(game, folder)
tables.start()
while not tables.is_ready:
    if tables.maker and how_far(game, folder):
        print("maker", tables.maker, flush=True)
        time.sleep(600 if sys.argv[4] == "wait" else 0)
    time.sleep(0.02)
print(json.dumps(tables.state()), flush=True)
tables.stop()
"""
MEMORY = """
import json, sys
from pathlib import Path
from tentimes18.game import Board, Game
from tentimes18.server.bots.bots import Bots
from tentimes18.server.bots.tables import DuelTables

def memory():
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]
    fields = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines}
    return fields["Anonymous"], fields["Rss"]

def play(slots, folder):
    game = Game.parse("3d6", slots)
    tables = DuelTables(game, folder, makes=False)
    tables._look_for(tables._wanted["hunter"])
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
def running(tables: DuelTables, other: ExitStack | None = None) -> Iterator[DuelTables]:
    """Tables that are brought inside of the block; at its start another one has the lock of those who make them."""
    if other is not None:
        assert other.enter_context(only_one(lock_path(tables.game, tables.folder))) is not None
    tables.start()
    try:
        yield tables
    finally:
        tables.stop()


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "tentimes18.server.bots.tables")
    return caplog


def program(game: Game, folder: Path, what: str = "go on") -> tuple[str | Path, ...]:
    return sys.executable, "-c", PROGRAM, str(game.dice), game.slots, folder, what


def make_all(game: Game, folder: Path) -> None:
    solved.hunter(game, None, folder)
    solved.equilibrium(game, None, folder)


def test_of_two_processes_at_once_one_makes_and_both_have_the_tables(tmp_path: Path) -> None:
    with (
        started(program(GAME, tmp_path), stdout=subprocess.PIPE) as one,
        started(program(GAME, tmp_path), stdout=subprocess.PIPE) as other,
    ):
        lines = [line for process in (one, other) for line in process.communicate(timeout=60)[0].decode().splitlines()]
        assert [process.returncode for process in (one, other)] == [0, 0]
    for name in KINDS:
        assert lines.count(f"the table of {name} is made") == 1
        assert lines.count(f"the table of {name} is there") == 2
    ready = {"ready": True, "progress": None, "problem": None}
    states = [json.loads(line) for line in lines if line.startswith("{")]
    assert states == 2 * [{"target:700": ready, "hunter": ready, "equilibrium": ready}]
    assert not making_path(GAME, tmp_path).exists()


def test_a_maker_that_is_killed_is_told_of_and_another_one_makes(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    with running(DuelTables(GAME, tmp_path, first_pause=0.3)) as tables:
        until(lambda: tables.maker, "a maker is there")
        assert tables.maker is not None
        os.kill(tables.maker, signal.SIGKILL)
        problem = "the process that was making it has ended with signal 9 (SIGKILL)"
        until(lambda: tables.state()["hunter"]["problem"] == problem, "its end is told")
        with pytest.raises(NotReady, match="could not be made yet"):
            tables.hunter(GAME)
        until(lambda: tables.is_ready, "the tables are there")
        assert tables.state()["hunter"]["problem"] is None
    assert any("the next try is in" in line for line in log.messages)


def test_nothing_is_made_while_another_process_has_the_lock_and_its_end_is_seen(tmp_path: Path) -> None:
    making_path(GAME, tmp_path).write_bytes(b'{"name": "equilibrium", "share": 0.5}')
    with ExitStack() as other, running(DuelTables(GAME, tmp_path, first_pause=600), other) as tables:
        until(lambda: tables.state()["equilibrium"]["progress"] == 0.5, "the progress of the other one")
        assert tables.state()["hunter"] == {"ready": False, "progress": None, "problem": None}
        with pytest.raises(NotReady, match=r"is being made \(50% so far\)"):
            tables.equilibrium(GAME)
        until(lambda: tables.state()["target:700"]["ready"], "what needs no file is there")
        assert tables.maker is None
        other.close()
        problem = "the process that was making it has ended before it was done"
        until(lambda: tables.state()["equilibrium"]["problem"] == problem, "the end of the other one is told")


def test_tables_that_another_makes_are_taken(tmp_path: Path) -> None:
    with ExitStack() as other, running(DuelTables(GAME, tmp_path), other) as tables:
        make_all(GAME, tmp_path)
        until(lambda: tables.is_ready, "the tables are there")
        assert tables.maker is None
        start = Position(Board(GAME), Board(GAME))
        assert tables.equilibrium(GAME).value_on(start) == pytest.approx(0.5, abs=1e-12)


def test_a_service_that_is_killed_takes_its_maker_along(tmp_path: Path) -> None:
    with started(program(LARGER, tmp_path, "wait"), stdout=subprocess.PIPE) as service:
        assert service.stdout is not None
        words = [b""]
        while words[0] != b"maker":
            words = service.stdout.readline().split() or [b""]
        maker = PROCESSES / words[1].decode()
        assert maker.exists()
        os.kill(service.pid, signal.SIGKILL)
        until(lambda: not maker.exists(), "the maker has ended")
    assert not list(tmp_path.glob("*.npy"))
    assert not list(tmp_path.glob(".*.part"))


def test_a_folder_that_cannot_be_used_is_told_of_and_tried_again(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with running(DuelTables(GAME, blocked / "cache", first_pause=0.1)) as tables:
        problem = "it cannot be made here: Not a directory"
        for name in KINDS:
            until(lambda name=name: tables.state()[name]["problem"] == problem, f"the problem of {name}")  # type: ignore[misc]
        assert tables.state()["target:700"] == {"ready": True, "progress": None, "problem": None}
        blocked.unlink()
        until(lambda: tables.is_ready, "they are there once the folder can be used")
    pauses = [
        record.args[-1] for record in log.records if "next try" in record.message if isinstance(record.args, tuple)
    ]
    assert pauses
    assert all(isinstance(pause, float) and 0.1 <= pause <= 0.125 * 2**number for number, pause in enumerate(pauses))


def test_a_damaged_table_is_made_anew(tmp_path: Path) -> None:
    make_all(GAME, tmp_path)
    table_cache.clear()
    path = table_path("response", GAME, tmp_path)
    path.write_bytes(path.read_bytes()[:-8])
    with running(DuelTables(GAME, tmp_path)) as tables:
        until(lambda: tables.is_ready, "the tables are there")


def test_without_making_tables_are_waited_for(tmp_path: Path) -> None:
    with running(DuelTables(GAME, tmp_path, makes=False)) as tables:
        until(lambda: tables.state()["target:700"]["ready"], "what needs no file is there")
        problem = "it is not there, and this service has no tables made"
        assert all(tables.state()[name] == {"ready": False, "progress": None, "problem": problem} for name in KINDS)
        make_all(GAME, tmp_path)
        until(lambda: tables.is_ready, "the tables are there")
        assert tables.state()["hunter"]["problem"] is None


def test_it_is_stopped_while_it_makes_and_before_it_starts(tmp_path: Path) -> None:
    DuelTables(GAME, tmp_path).stop()
    tables = DuelTables(LARGER, tmp_path)
    with running(tables):
        until(lambda: tables.maker, "a maker is there")
        maker = PROCESSES / str(tables.maker)
    assert not maker.exists()
    assert not list(tmp_path.glob("*.npy"))


def test_tables_are_of_one_game(tmp_path: Path) -> None:
    tables = DuelTables(GAME, tmp_path)
    with pytest.raises(Ten18Error, match="its table is of 1d6 1-4 alone"):
        tables.hunter(LARGER)
    with pytest.raises(NotReady) as refused:
        tables.verify_ready("equilibrium")
    assert (refused.value.field, refused.value.given) == ("against", "equilibrium")
    tables.verify_ready("optimal")


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


def test_health_tells_of_the_tables_and_a_bot_without_one_of_when_to_ask_again(tmp_path: Path) -> None:
    async def health() -> dict[str, dict[str, object]]:
        app = Application(Service(tmp_path, b"x" * 32))
        async with app.litestar.lifespan():
            shared = app.litestar.state["shared"]
            await asyncio.to_thread(until, lambda: shared.bots.tables.state()["target:700"]["ready"], "one is there")
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                answer = (await client.get("/health")).json()
        tables: dict[str, dict[str, object]] = answer["tables"]
        return tables

    tables = asyncio.run(health())
    assert tables.keys() == {"target:700", *KINDS}
    assert tables["target:700"] == {"ready": True, "progress": None, "problem": None}
    with pytest.raises(NotReady) as refused:
        DuelTables(GAME, tmp_path).equilibrium(GAME)
    problem = problem_of(refused.value)
    assert (problem.kind.status, problem.field, problem.headers) == (503, "against", {"Retry-After": "5"})
    assert problem.detail == "against 'equilibrium': the table that it plays by is not made yet; ask again soon"
