"""Tables on disk: whole, or made anew, or at least the answer is there."""

import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from tentimes18 import Game
from tentimes18.solve.duel.equilibrium import Equilibrium
from tentimes18.storage.folders import CACHE_VARIABLE
from tentimes18.storage.tables import HEADER, kept_table
from tests.support.process import finished

GAME = Game.parse("1d6", "1-4")


def solved(folder: Path, lines: list[str]) -> Equilibrium:
    return Equilibrium(
        GAME, kept=lambda cells, make: kept_table("equilibrium", GAME, cells, make, folder, lines.append)
    )


def the_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_kept_and_read_again(tmp_path: Path) -> None:
    lines: list[str] = []
    first = solved(tmp_path, lines)
    stamp = the_file(tmp_path).stat().st_mtime_ns
    second = solved(tmp_path, lines)
    assert isinstance(second.values, np.memmap)
    assert np.array_equal(first.values, second.values)
    assert (first.counts, first.widest) == (second.counts, second.widest)
    assert the_file(tmp_path).stat().st_mtime_ns == stamp
    assert lines == []


@pytest.mark.parametrize("what", ["cut", "flipped", "emptied", "old", "other game", "text"])
def test_a_damaged_table_is_made_anew(tmp_path: Path, what: str) -> None:
    lines: list[str] = []
    whole = np.array(solved(tmp_path, lines).values)
    path = the_file(tmp_path)
    raw = bytearray(path.read_bytes())
    if what == "cut":
        raw = raw[:-8]
    elif what == "flipped":
        raw[HEADER + 40] ^= 1
    elif what == "emptied":
        raw = bytearray()
    elif what == "old":
        raw[: raw.index(b",")] = b'{"format": 0'
    elif what == "other game":
        raw = bytearray(bytes(raw).replace(b'"1d6 1-4"', b'"1d6 1-5"'))
    else:
        raw = bytearray(b"not a table")
    path.write_bytes(raw)
    assert np.array_equal(solved(tmp_path, lines).values, whole)
    assert len(lines) == 1
    assert "made anew" in lines[0]
    assert np.array_equal(solved(tmp_path, lines).values, whole)
    assert len(lines) == 1


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    lines: list[str] = []
    table = solved(blocked / "cache", lines)
    assert table.value(GAME.all_free, GAME.all_free, 0) == pytest.approx(0.5, abs=1e-12)
    assert len(lines) == 1
    assert "could not be kept" in lines[-1] or "made anew" in lines[-1]


def test_it_lies_in_the_user_s_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    kept_table("test", GAME, 2, lambda: (np.arange(2.0), {}))
    assert the_file(tmp_path).stat().st_size == HEADER + 16


@pytest.mark.parametrize("slots", ["1-4", "1/2,-3,2.5", "1-400", ",".join(["1/3"] * 300)])
def test_the_name_of_a_file_is_a_plain_one(tmp_path: Path, slots: str) -> None:
    """Whatever the game is called; and another game has another one."""
    for dice in ("3d6", "d{-7,0,4}:0=3,-7=2"):
        kept_table("test", Game.parse(dice, slots), 2, lambda: (np.arange(2.0), {}), tmp_path)
    names = [path.name for path in tmp_path.iterdir()]
    assert len(names) == 2 or slots.startswith("1/3,1/3")  # a header that is too long is not kept
    assert all(re.fullmatch(r"test-[a-z0-9-]{1,60}\.table", name) for name in names)


def test_a_run_that_is_killed_leaves_no_table(tmp_path: Path) -> None:
    """The process dies in the middle of writing; what it leaves is not taken for a table, and the next run works."""
    program = (
        "import os, numpy as np\n"
        "from pathlib import Path\n"
        "from tentimes18 import Game\n"
        "from tentimes18.storage.tables import kept_table\n"
        "class Dying(np.ndarray):\n"
        "    def tofile(self, file, *rest):\n"
        "        file.write(b'half of it'); file.flush(); os._exit(9)\n"
        "values = np.zeros(10).view(Dying)\n"
        "kept_table('test', Game.parse('1d6', '1-4'), 10, lambda: (values, {}), Path(os.environ['FOLDER']))\n"
    )
    environment = {**os.environ, "FOLDER": str(tmp_path)}
    assert finished((sys.executable, "-c", program), env=environment).returncode == 9
    assert not list(tmp_path.glob("*.table"))
    values, facts = kept_table("test", GAME, 10, lambda: (np.arange(10.0), {"made": "again"}), tmp_path)
    assert facts == {"made": "again"}
    assert values.tolist() == list(range(10))
    assert len(list(tmp_path.glob("*.table"))) == 1
