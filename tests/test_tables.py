"""Solved tables: one in memory for all who ask, on disk a valid file or none; and no foreign file is removed."""

import gc
import os
import re
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Game
from tentimes18.errors import Ten18Error
from tentimes18.files import CACHE_VARIABLE, COMPILED, LIMIT_VARIABLE
from tentimes18.strategies.solved import equilibrium, hunter
from tentimes18.tables import (
    ABANDONED_SECONDS,
    CACHE_KINDS,
    CacheEntry,
    MissingTable,
    State,
    StoredTable,
    TableCache,
    list_cache,
    load_or_make,
    load_table,
    remove,
    table_path,
)
from tests.support.process import PATIENCE, finished

GAME = Game.parse("1d6", "1-4")
THREADS = 8


class Row:
    """A table of this size."""

    def __init__(self, nbytes: int, name: object = None) -> None:
        self.nbytes = nbytes
        self.name = name


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(THREADS) as threads:
        yield threads


# In memory.


def test_threads_that_ask_for_one_table_get_one(pool: ThreadPoolExecutor) -> None:
    cache, made, barrier = TableCache(), [], threading.Barrier(THREADS)

    def make() -> Row:
        made.append(1)
        time.sleep(0.05)
        return Row(10)

    def ask(_: int) -> Row:
        barrier.wait(PATIENCE)
        return cache.get("a", make)

    assert len({id(row) for row in pool.map(ask, range(THREADS))}) == 1
    assert made == [1]


def test_different_tables_are_made_at_the_same_time(pool: ThreadPoolExecutor) -> None:
    """Each of the two makers ends only when the other has begun."""
    cache, barrier = TableCache(), threading.Barrier(2)

    def ask(key: str) -> Row:
        def make() -> Row:
            barrier.wait(PATIENCE)
            return Row(1, key)

        return cache.get(key, make)

    assert [row.name for row in pool.map(ask, "ab")] == ["a", "b"]


def test_making_a_table_may_need_another_one() -> None:
    cache = TableCache()
    outer = cache.get("outer", lambda: Row(cache.get("inner", lambda: Row(7)).nbytes + 1))
    assert (outer.nbytes, cache.nbytes) == (8, 15)


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), max_size=60), st.integers(0, 40))
def test_the_limit_holds(requests: list[tuple[int, bool]], limit: int) -> None:
    """After any requests: the limit, or the last table alone. A table in use is found, in whatever order it came."""
    cache, in_use = TableCache(limit), []
    for key, is_used in requests:
        row = cache.get(key, lambda key=key: Row(3 * key, key))  # type: ignore[misc]
        assert row.name == key
        assert cache.nbytes <= max(limit, 3 * key)
        if is_used:
            in_use.append(row)
    for row in in_use:
        assert cache.get(row.name, lambda: Row(0)) is row


def test_the_table_used_longest_ago_goes_first() -> None:
    cache, made = TableCache(max_bytes=30), []
    for key in "abcadacb":
        cache.get(key, lambda key=key: made.append(key) or Row(10))  # type: ignore[misc,func-returns-value]
    assert made == list("abcdb")


@pytest.mark.parametrize("error", [ValueError, MemoryError, KeyboardInterrupt])
def test_after_an_error_the_next_tries_again_and_half_a_table_is_freed(error: type[BaseException]) -> None:
    parts: list[weakref.ref[Row]] = []

    def make() -> Row:
        half = Row(10**9)
        parts.append(weakref.ref(half))
        raise error

    cache = TableCache()
    gc.collect()
    gc.disable()
    try:
        with pytest.raises(error):
            cache.get("a", make)
        assert parts[0]() is None
    finally:
        gc.enable()
    assert cache.get("a", lambda: Row(1, "second")).name == "second"


def test_forgotten_tables_are_made_again() -> None:
    cache = TableCache()
    first = cache.get("a", lambda: Row(1))
    cache.clear()
    assert cache.nbytes == 0
    assert cache.get("a", lambda: Row(1)) is not first


# On disk.


def keep(folder: Path, slots: str = "1-4", count: int = 1000, kind: str = "response") -> tuple[StoredTable, list[str]]:
    """A table of this game, made or loaded, and the warnings."""
    lines: list[str] = []
    game = Game.parse("1d6", slots)
    make = lambda: StoredTable(np.arange(float(count)), {"widest": 0.5})  # noqa: E731
    return load_or_make(kind, game, count, make, folder, lines.append), lines


def table_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.npy"))


def tree(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix != ".lock")


def test_a_table_is_stored_and_loaded_again(tmp_path: Path) -> None:
    (first, _), (again, lines) = keep(tmp_path), keep(tmp_path)
    (path,) = table_files(tmp_path)
    assert isinstance(again.values, np.memmap)
    assert first.values.tolist() == again.values.tolist() == np.load(path).tolist()
    assert (again.facts, lines) == ({"widest": 0.5}, [])


@pytest.mark.parametrize(
    "damage", ["cut", "longer", "flipped", "emptied", "version", "other game", "text", "other type"]
)
def test_a_damaged_table_is_made_again(tmp_path: Path, damage: str) -> None:
    keep(tmp_path)
    (path,) = table_files(tmp_path)
    raw = path.read_bytes()
    flipped = bytearray(raw)
    flipped[1000] ^= 1
    damaged: dict[str, Callable[[], bytes]] = {
        "cut": lambda: raw[:-8],
        "longer": lambda: raw + b"x",
        "flipped": lambda: bytes(flipped),
        "emptied": lambda: b"",
        "version": lambda: raw.replace(b'"version": 1', b'"version": 7'),
        "other game": lambda: raw.replace(b'"1d6 1-4"', b'"1d6 1-5"'),
        "text": lambda: b"not a table",
        "other type": lambda: raw.replace(b"<f8", b"<i8"),
    }
    path.write_bytes(damaged[damage]())
    with pytest.raises(MissingTable, match=r"is (damaged|incomplete|of another format)"):
        load_table("response", GAME, 1000, tmp_path)
    table, lines = keep(tmp_path)
    assert table.values.tolist() == list(range(1000))
    assert len(lines) == 1
    assert "made again" in lines[0]
    assert keep(tmp_path)[1] == []


def test_only_this_table_is_loaded(tmp_path: Path) -> None:
    keep(tmp_path)
    (path,) = table_files(tmp_path)
    for kind, game in (("equilibrium", GAME), ("response", Game.parse("1d6", "1-5"))):
        with pytest.raises(MissingTable, match="no table of the kind"):
            load_table(kind, game, 1000, tmp_path)
    with pytest.raises(MissingTable, match="is of another format"):
        load_table("response", GAME, 1001, tmp_path)
    with pytest.raises(MissingTable, match="no table"):
        load_table("response", GAME, 1000, path / "no folder")


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    table, lines = keep(tmp_path / "file" / "cache")
    assert table.values.tolist() == list(range(1000))
    assert len(lines) == 1
    assert "could not be stored" in lines[0]


def test_tables_are_in_the_folder_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    load_or_make("response", GAME, 2, lambda: StoredTable(np.arange(2.0), {}))
    assert table_files(tmp_path) == [table_path("response", GAME)]


@pytest.mark.parametrize("slots", ["1-4", "1/2,-3,2.5", "1-400", ",".join(["1/3"] * 300)])
def test_the_name_of_a_file_is_plain_and_its_own(slots: str) -> None:
    names = {table_path("response", Game.parse(dice, slots)).name for dice in ("3d6", "d{-7,0,4}:0=3,-7=2")}
    assert len(names) == 2
    assert all(re.fullmatch(r"response-[a-z0-9-]{1,60}\.npy", name) for name in names)


PROGRAM = """import os, resource, signal, numpy as np
from pathlib import Path
from tentimes18 import Game
from tentimes18.tables import StoredTable, load_or_make
{first}
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
table = StoredTable(np.zeros(100_000), dict())
load_or_make('response', Game.parse('1d6', '1-4'), 100_000, lambda: table, Path(os.environ['FOLDER']), print)
"""


def test_a_run_that_is_killed_leaves_no_table(tmp_path: Path) -> None:
    program = PROGRAM.format(first="signal.signal(signal.SIGXFSZ, signal.SIG_DFL)")
    environment = {**os.environ, "FOLDER": str(tmp_path)}
    assert finished((sys.executable, "-c", program), env=environment).returncode == -signal.SIGXFSZ
    assert not table_files(tmp_path)
    (entry,) = list_cache(tmp_path).entries
    assert (entry.kind, entry.game, entry.size, entry.state) == ("response", None, 100_000, State.being_written)
    assert keep(tmp_path)[0].values.tolist() == list(range(1000))
    os.utime(entry.path, (1, time.time() - ABANDONED_SECONDS - 60))
    remove(next(one for one in list_cache(tmp_path).entries if one.state is State.unfinished))
    assert len(list_cache(tmp_path).entries) == 1


def test_a_full_disk(tmp_path: Path) -> None:
    environment = {**os.environ, "FOLDER": str(tmp_path)}
    done = finished((sys.executable, "-c", PROGRAM.format(first="")), env=environment)
    assert done.stdout.decode() == f"the table could not be stored in {tmp_path}: File too large\n"
    assert (done.returncode, done.stderr, tree(tmp_path)) == (0, b"", [])


def _make_slowly(folder: Path) -> None:
    def make() -> StoredTable:
        (folder / f"made by {os.getpid()}").touch()
        time.sleep(0.5)
        return StoredTable(np.arange(10.0), {})

    load_or_make("response", GAME, 10, make, folder)


def test_one_process_makes_a_table_and_the_others_wait(tmp_path: Path) -> None:
    processes = [get_context("spawn").Process(target=_make_slowly, args=(tmp_path,)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(PATIENCE)
        assert process.exitcode == 0
    assert len(list(tmp_path.glob("made by *"))) == 1


# The limit.


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    return lambda size: monkeypatch.setenv(LIMIT_VARIABLE, str(size))


def games(folder: Path) -> list[str]:
    return sorted(str(entry.game) for entry in list_cache(folder).entries)


def make_older(folder: Path) -> None:
    for path in table_files(folder):
        os.utime(path, (0, path.stat().st_mtime - 100))


def test_the_files_used_longest_ago_go_first(tmp_path: Path, limit: Callable[[int], None]) -> None:
    limit(3 * 8500)
    for slots in ("1", "1,2", "1-3"):
        assert keep(tmp_path, slots)[1] == []
        make_older(tmp_path)
    keep(tmp_path, "1")  # loaded, and used
    make_older(tmp_path)
    assert keep(tmp_path, "1-4")[1] == []
    assert games(tmp_path) == ["1d6 1", "1d6 1-3", "1d6 1-4"]


def test_a_file_in_use_stays(tmp_path: Path, limit: Callable[[int], None]) -> None:
    limit(2 * 8500)
    keep(tmp_path, "1")
    table, _ = keep(tmp_path, "1")
    part = table.values[10:20]
    make_older(tmp_path)
    del table
    for slots in ("1,2", "1-3"):
        keep(tmp_path, slots)
    assert games(tmp_path) == ["1d6 1", "1d6 1-3"]
    (warning,) = keep(tmp_path, "1-5", count=1500)[1]
    assert re.fullmatch(
        r"the table .* is not stored: with the tables in use .* limit of 0\.0 MB \(TEN18_CACHE_LIMIT\)", warning
    )
    assert part.tolist() == list(range(10, 20))


def test_a_table_that_is_larger_than_the_limit_is_not_stored(tmp_path: Path, limit: Callable[[int], None]) -> None:
    keep(tmp_path, "1")
    limit(8500)
    table, (warning,) = keep(tmp_path, "1-5", count=1500)
    assert len(table.values) == 1500
    assert "is not stored" in warning
    assert games(tmp_path) == ["1d6 1"]
    limit(0)
    assert keep(tmp_path / "cache", "1")[1] == []
    assert not (tmp_path / "cache").exists()


def test_a_limit_that_cannot_be_read_is_rejected_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, "much")
    with pytest.raises(Ten18Error, match=r"TEN18_CACHE_LIMIT 'much': not a size; accepted: 5GB"):
        load_or_make("response", GAME, 1, pytest.fail, tmp_path)


# What is ours.


def keep_code(folder: Path) -> Path:
    """Compiled code as numba writes it, of a function with two signatures, with our lock."""
    inner = folder / COMPILED / "0123456789abcdef" / "tentimes18_0123"
    inner.mkdir(parents=True, exist_ok=True)
    (inner / "simulate.draw-81.py311.nbi").write_bytes(bytes(37))
    for number in (1, 2):
        (inner / f"simulate.draw-81.py311.{number}.nbc").write_bytes(b"code")
    (inner / "tentimes18.simulate.draw.lock").touch()
    return inner


def clear(folder: Path) -> list[CacheEntry]:
    entries = list(list_cache(folder).entries)
    for entry in entries:
        remove(entry)
    return entries


def test_a_folder_that_does_not_exist_or_is_a_file_is_empty(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "nowhere", tmp_path / "file", tmp_path / "file" / "cache"):
        contents = list_cache(folder)
        assert (contents.entries, contents.foreign, contents.size) == ((), (), 0)


def test_entries(tmp_path: Path) -> None:
    hunter(GAME, folder=tmp_path)
    equilibrium(GAME, folder=tmp_path)
    keep_code(tmp_path)
    entries = list_cache(tmp_path).entries
    assert {entry.kind for entry in entries} == set(CACHE_KINDS)
    assert list_cache(tmp_path).foreign == ()
    for entry in entries:
        code = entry.kind == COMPILED
        assert (entry.dice_and_slots, entry.state) == (None if code else ("1d6", "1-4"), State.whole)
        assert entry.size == (45 if code else entry.path.stat().st_size)
        assert abs(entry.made - time.time()) < 600
    assert len(clear(tmp_path)) == 3
    assert tree(tmp_path) == []


def test_loading_a_table_is_using_it_and_listing_is_not(tmp_path: Path) -> None:
    keep(tmp_path)
    (path,) = table_files(tmp_path)
    os.utime(path, (1, 1))
    assert [list_cache(tmp_path).entries[0].used for _ in "12"] == [1, 1]
    keep(tmp_path)
    assert abs(list_cache(tmp_path).entries[0].used - time.time()) < 600


def test_a_damaged_table_can_be_cleared(tmp_path: Path) -> None:
    keep(tmp_path)
    (path,) = table_files(tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    (entry,) = clear(tmp_path)
    assert (entry.state, entry.game) == (State.damaged, None)
    assert tree(tmp_path) == []


def test_foreign_files_stay(tmp_path: Path) -> None:
    """Files with another name or content, pipes, links, and what is beside our compiled code."""
    cache, elsewhere = tmp_path / "cache", tmp_path / "elsewhere"
    keep(cache)
    keep(elsewhere, "1-5")
    (own,), (other,) = table_files(cache), table_files(elsewhere)
    other.rename(elsewhere / "a.npy")
    (cache / "copy.npy").write_bytes(own.read_bytes())
    (cache / "response-1d6-0123456789ab.npy").write_text("a letter")
    (cache / "equilibrium-1d6-0123456789ab.npy").mkdir()
    (cache / "response-1d6-1-0123456789ab.npy").symlink_to(elsewhere / "a.npy")
    (cache / "response-1d6-2-0123456789ab.npy").symlink_to("nowhere")
    os.mkfifo(cache / "response-1d6-3-0123456789ab.npy")
    inner = keep_code(cache)
    for name in ("notes.txt", "simulate.draw-2.py311.nbi.bak", "numba.core.f.lock"):
        (inner / name).touch()
    (inner / "simulate.draw-90.py311.nbi").symlink_to(elsewhere / "a.npy")
    (cache / COMPILED / "link").symlink_to(elsewhere)
    before = set(tree(tmp_path))
    assert len(list_cache(cache).foreign) == 6
    assert len(clear(cache)) == 2
    code = "cache/compiled/0123456789abcdef/tentimes18_0123/simulate.draw-81.py311"
    assert before - set(tree(tmp_path)) == {
        f"cache/{own.name}",
        *(f"{code}.{end}" for end in ("nbi", "1.nbc", "2.nbc")),
    }


def test_an_entry_that_has_changed_is_looked_at_again(tmp_path: Path) -> None:
    keep(tmp_path)
    (entry,) = list_cache(tmp_path).entries
    entry.path.write_text("now a letter")
    remove(entry)
    assert entry.path.read_text() == "now a letter"
    entry.path.unlink()
    entry.path.symlink_to("/etc/hostname")
    remove(entry)
    assert entry.path.is_symlink()


def test_locks_and_progress_files_are_neither_listed_nor_cleared(tmp_path: Path) -> None:
    keep(tmp_path)
    beside = [table_path("duels", GAME, tmp_path).with_suffix(suffix) for suffix in (".lock", ".making")]
    for path in beside:
        path.touch()
    (tmp_path / "notes.lock.txt").touch()
    contents = list_cache(tmp_path)
    assert len(contents.entries) == 1
    assert contents.foreign == ("notes.lock.txt",)
    clear(tmp_path)
    assert all(path.exists() for path in beside)
