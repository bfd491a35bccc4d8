"""The process that makes a table: one at a time, behind all others, and a problem in one line where it cannot."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tentimes18.duel.best_response import best_response
from tentimes18.duel.equilibrium import solve_equilibrium
from tentimes18.files import LIMIT_VARIABLE
from tentimes18.game import Game
from tentimes18.server.bots.making import KINDS, MakersWord, Order, how_far, make, making_path
from tentimes18.solve.rules import optimal_rule
from tentimes18.strategies.solved import load_equilibrium, load_hunter
from tentimes18.tables import ABANDONED_SECONDS, State, list_cache, table_cache
from tests.support.process import finished, started
from tests.support.waiting import until

GAME = Game.parse("1d6", "1-4")
MADE: MakersWord = {"is_made": True, "problem": None}
MAKER = (sys.executable, "-m", "tentimes18.server.bots.making")


def order(folder: Path, name: str = "hunter", game: Game = GAME) -> Order:
    return {"name": name, "dice": str(game.dice), "slots": game.slots, "folder": str(folder)}


def asked(folder: Path, name: str = "hunter", game: Game = GAME) -> bytes:
    return json.dumps(order(folder, name, game)).encode() + b"\n"


@pytest.mark.parametrize("name", KINDS)
def test_a_table_is_made_once(tmp_path: Path, name: str) -> None:
    assert make(order(tmp_path, name)) == MADE
    (path,) = tmp_path.glob("*.npy")
    stamp = path.stat().st_ino
    assert make(order(tmp_path, name)) == {"is_made": False, "problem": None}
    assert path.stat().st_ino == stamp
    assert {file.suffix for file in tmp_path.iterdir()} == {".npy", ".lock"}
    if name == "hunter":
        wanted = best_response(GAME, optimal_rule(GAME)).values
        assert load_hunter(GAME, tmp_path).values.tolist() == wanted.tolist()
    else:
        assert load_equilibrium(GAME, tmp_path).values.tolist() == solve_equilibrium(GAME).values.tolist()


def test_a_damaged_table_is_made_anew(tmp_path: Path) -> None:
    make(order(tmp_path))
    (path,) = tmp_path.glob("*.npy")
    path.write_bytes(path.read_bytes()[:-8])
    table_cache.clear()  # another process does not have it in memory
    assert make(order(tmp_path)) == MADE
    assert list_cache(tmp_path).entries[0].state is State.whole


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    problem = make(order(blocked / "cache"))["problem"]
    assert problem == "the cache folder cannot be used: Not a directory"


def test_a_disk_without_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=100))
    assert make(order(tmp_path))["problem"] == "the table takes 0.0 MB, and 0.0 MB are free on its disk"
    assert not list(tmp_path.glob("*.npy"))


@pytest.mark.parametrize("limit", ["0", "0.1kB"])
def test_a_limit_without_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, limit)
    problem = make(order(tmp_path))["problem"]
    assert problem == f"the table takes 0.0 MB, more than all tables may ({LIMIT_VARIABLE})"


def test_a_disk_that_is_full_before_it_is_known(tmp_path: Path) -> None:
    """Writing fails in the middle: the line says why, and not where the folder lies."""
    game = Game.parse("3d6", "1-5")
    program = (
        "import json, resource, sys\n"
        "from tentimes18.server.bots.making import make\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "print(json.dumps(make(json.loads(sys.stdin.read()))))\n"
    )
    answer: Any = json.loads(finished((sys.executable, "-c", program), stdin=asked(tmp_path, game=game)).stdout)
    assert answer["problem"] == "the table could not be kept in the cache folder: File too large"
    assert not list(tmp_path.glob("*.npy")), "nothing is left"


def test_a_game_that_is_too_large(tmp_path: Path) -> None:
    problem = make(order(tmp_path, game=Game.parse("3d6", "1-20")))["problem"]
    assert problem is not None
    assert "the table of the duel on 20 slots" in problem


def test_what_killed_ones_left_is_cleared(tmp_path: Path) -> None:
    make(order(tmp_path))
    (path,) = tmp_path.glob("*.npy")
    parts = [tmp_path / f".{path.name}.{digit * 16}.part" for digit in "ab"]
    for part in parts:
        part.write_bytes(path.read_bytes())
    long_ago = time.time() - 2 * ABANDONED_SECONDS
    os.utime(parts[0], (long_ago, long_ago))
    make(order(tmp_path, "equilibrium"))
    assert not parts[0].exists()
    assert parts[1].exists(), "this one may still be written"


def test_how_far_it_is_is_read_from_beside_the_table(tmp_path: Path) -> None:
    path = making_path(GAME, tmp_path)
    assert how_far(GAME, tmp_path) is None
    path.write_bytes(b'{"name": "hunter", "share": 0.25}')
    assert how_far(GAME, tmp_path) == ("hunter", 0.25)
    for text in (
        b"",
        b"{",
        b"[]",
        b'{"name": "hunter"}',
        b'{"name": "x", "share": 0}',
        b'{"name": "hunter", "share": 2}',
    ):
        path.write_bytes(text)
        assert how_far(GAME, tmp_path) is None


def test_it_runs_behind_all_others_and_ends_with_its_parent(tmp_path: Path) -> None:
    game = Game.parse("3d6", "1-9")
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with started(MAKER, **streams) as maker:
        assert maker.stdin is not None
        assert maker.stdout is not None
        maker.stdin.write(asked(tmp_path, "equilibrium", game))
        maker.stdin.flush()
        until(lambda: how_far(game, tmp_path), "it says how far it is")
        assert os.getpriority(os.PRIO_PROCESS, maker.pid) == 19
        maker.stdin.close()  # as when the parent is gone
        assert maker.wait(60) == 1
        assert maker.stdout.read() == b""
    assert not list(tmp_path.glob("*.npy")), "nothing is left"


def test_it_ends_when_it_is_told_to_and_without_an_order(tmp_path: Path) -> None:
    assert finished(MAKER, stdin=asked(tmp_path)[:-1]).returncode == 1
    with started(MAKER, stdin=subprocess.PIPE) as maker:
        maker.send_signal(signal.SIGTERM)
        assert maker.wait(60) in (1, -signal.SIGTERM)
