"""Tables on disk: whole, or made anew, or at least the answer is there."""

import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tentimes18 import Game
from tentimes18.duel.equilibrium import Equilibrium
from tentimes18.errors import Ten18Error
from tentimes18.files import CACHE_VARIABLE, LIMIT_VARIABLE
from tentimes18.storage.inventory import HEADER, inventory
from tentimes18.storage.tables import Made, MissingTable, kept_table, table_there
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
    number = the_file(tmp_path).stat().st_ino
    second = solved(tmp_path, lines)
    assert isinstance(second.values, np.memmap)
    assert np.array_equal(first.values, second.values)
    assert (first.counts, first.widest) == (second.counts, second.widest)
    assert the_file(tmp_path).stat().st_ino == number, "not written again"
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


def test_a_table_that_is_there_is_read_and_never_made(tmp_path: Path) -> None:
    cells = solved(tmp_path, []).windows.cells
    values, facts = table_there("equilibrium", GAME, cells, tmp_path)
    assert isinstance(values, np.memmap)
    assert facts["counts"]
    path = the_file(tmp_path)
    for wrong in (("response", GAME, cells), ("equilibrium", Game.parse("1d6", "1-5"), cells)):
        with pytest.raises(MissingTable, match="no table of the kind"):
            table_there(*wrong, tmp_path)
    with pytest.raises(MissingTable, match="is of another format"):
        table_there("equilibrium", GAME, cells + 1, tmp_path)
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(MissingTable, match="is not whole"):
        table_there("equilibrium", GAME, cells, tmp_path)
    path.write_bytes(b"not a table")
    with pytest.raises(MissingTable, match="is damaged"):
        table_there("equilibrium", GAME, cells, tmp_path)
    with pytest.raises(MissingTable, match="no table"):
        table_there("equilibrium", GAME, cells, path / "no folder")
    assert the_file(tmp_path) == path


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
        "import os, resource, signal, numpy as np\n"
        "from pathlib import Path\n"
        "from tentimes18 import Game\n"
        "from tentimes18.storage.tables import kept_table\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "folder, values = Path(os.environ['FOLDER']), np.zeros(100_000)\n"
        "kept_table('test', Game.parse('1d6', '1-4'), 100_000, lambda: (values, {}), folder)\n"
    )
    environment = {**os.environ, "FOLDER": str(tmp_path)}
    assert finished((sys.executable, "-c", program), env=environment).returncode == -signal.SIGXFSZ
    assert [path.stat().st_size for path in tmp_path.iterdir()] == [100_000]
    assert not list(tmp_path.glob("*.table"))
    values, facts = kept_table("test", GAME, 10, lambda: (np.arange(10.0), {"made": "again"}), tmp_path)
    assert facts == {"made": "again"}
    assert values.tolist() == list(range(10))
    assert len(list(tmp_path.glob("*.table"))) == 1


def test_a_full_disk(tmp_path: Path) -> None:
    """The table is there, one line says why it is not kept, and no part of it stays."""
    program = (
        "import os, resource, numpy as np\n"
        "from pathlib import Path\n"
        "from tentimes18 import Game\n"
        "from tentimes18.storage.tables import kept_table\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "folder, values = Path(os.environ['FOLDER']), np.zeros(100_000)\n"
        "kept_table('test', Game.parse('1d6', '1-4'), 100_000, lambda: (values, {}), folder, print)\n"
    )
    done = finished((sys.executable, "-c", program), env={**os.environ, "FOLDER": str(tmp_path)})
    assert done.stdout.decode() == f"the table could not be kept in {tmp_path}: File too large\n"
    assert (done.returncode, done.stderr, list(tmp_path.iterdir())) == (0, b"", [])


# The limit.

SIZE = HEADER + 8000


def keep(folder: Path, slots: str, cells: int = 1000) -> tuple[Made, list[str]]:
    """A table of this game, kept or found there, and what was told."""
    lines: list[str] = []
    game = Game.parse("1d6", slots)
    return kept_table("test", game, cells, lambda: (np.arange(float(cells)), {}), folder, lines.append), lines


def kept_games(folder: Path) -> list[str]:
    return sorted(str(entry.game) for entry in inventory(folder).entries)


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    return lambda size: monkeypatch.setenv(LIMIT_VARIABLE, str(size))


def make_older(folder: Path) -> None:
    for path in folder.glob("*.table"):
        os.utime(path, (0, path.stat().st_mtime - 100))


def test_the_tables_used_longest_ago_go_first(tmp_path: Path, limit: Callable[[int], None]) -> None:
    limit(3 * SIZE)
    for slots in ("1", "1,2", "1-3"):
        assert keep(tmp_path, slots)[1] == []
        make_older(tmp_path)
    keep(tmp_path, "1")  # found there, and used
    make_older(tmp_path)
    assert keep(tmp_path, "1-4")[1] == []
    assert kept_games(tmp_path) == ["1d6 1", "1d6 1-3", "1d6 1-4"]
    keep(tmp_path, "1-5", cells=1500)
    assert kept_games(tmp_path) == ["1d6 1-4", "1d6 1-5"]


def test_a_table_in_use_stays(tmp_path: Path, limit: Callable[[int], None]) -> None:
    limit(2 * SIZE)
    keep(tmp_path, "1")
    (values, _), _ = keep(tmp_path, "1")
    assert isinstance(values, np.memmap)
    part = values[10:20]
    make_older(tmp_path)
    keep(tmp_path, "1,2")
    keep(tmp_path, "1-3")
    assert kept_games(tmp_path) == ["1d6 1", "1d6 1-3"]
    del values  # what is left of it is a part
    keep(tmp_path, "1-4")
    assert kept_games(tmp_path) == ["1d6 1", "1d6 1-4"]
    assert keep(tmp_path, "1-5", cells=1500)[1] == [
        "the table (0.0 MB) is not kept: with those in use it takes more than the limit of 0.0 MB (TEN18_CACHE_LIMIT)"
    ]
    assert kept_games(tmp_path) == ["1d6 1", "1d6 1-4"]
    assert part.tolist() == list(range(10, 20))
    del part
    make_older(tmp_path)
    keep(tmp_path, "1-5", cells=1500)
    assert kept_games(tmp_path) == ["1d6 1-5"]


def test_a_table_that_is_larger_than_the_limit_is_not_kept(tmp_path: Path, limit: Callable[[int], None]) -> None:
    keep(tmp_path, "1")
    limit(SIZE + 1)
    (values, _), lines = keep(tmp_path, "1-5", cells=1001)
    assert values.tolist() == list(range(1001))
    assert len(lines) == 1
    assert "is not kept" in lines[0]
    assert kept_games(tmp_path) == ["1d6 1"]


def test_no_table_is_kept_where_none_is_wanted(tmp_path: Path, limit: Callable[[int], None]) -> None:
    limit(0)
    assert keep(tmp_path / "cache", "1")[1] == []
    assert not (tmp_path / "cache").exists()


def test_a_limit_that_cannot_be_read_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, "much")
    with pytest.raises(Ten18Error, match=r"TEN18_CACHE_LIMIT 'much': not a size; accepted: 5GB"):
        kept_table("test", GAME, 1, lambda: pytest.fail("it was made"), tmp_path)
