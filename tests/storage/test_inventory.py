"""What lies in the cache folder is told apart by what it holds; what is not ours is never touched."""

import json
import os
import time
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from tentimes18 import Game
from tentimes18.server.bots.making import lock_path, making_path
from tentimes18.storage.inventory import (
    ABANDONED,
    HEADER,
    KERNELS,
    KINDS,
    MARK,
    Kept,
    State,
    inventory,
    make_room,
    remove,
)
from tentimes18.storage.tables import kept_table
from tentimes18.strategies.solved import equilibrium, hunter

GAME: Final = Game.parse("1d6", "1-3")
PART: Final = ".0123456789abcdef.part"


def keep(folder: Path, kind: str = "response", game: Game = GAME, cells: int = 10) -> Path:
    before = set(folder.glob("*"))
    kept_table(kind, game, cells, lambda: (np.arange(float(cells)), {}), folder)
    (path,) = set(folder.glob("*")) - before
    return path


def keep_code(folder: Path, mark: str = MARK) -> Path:
    """Compiled code as numba writes it, of a function with two signatures."""
    inner = folder / KERNELS / "0123456789abcdef"
    inner.mkdir(parents=True, exist_ok=True)
    (inner / "simulate.draw-81.py311.nbi").write_bytes(b"\x80\x05\x8c\x060.68.1\x94.\x80\x05" + f"{mark} 12ab".encode())
    for number in (1, 2):
        (inner / f"simulate.draw-81.py311.{number}.nbc").write_bytes(b"code")
    return inner


def tree(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def clear(folder: Path) -> list[Kept]:
    entries = list(inventory(folder).entries)
    for entry in entries:
        remove(entry)
    return entries


def test_a_folder_that_is_not_there_or_is_none_is_empty(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "nowhere", tmp_path / "file", tmp_path / "file" / "cache"):
        found = inventory(folder)
        assert (found.entries, found.foreign, found.size) == ((), (), 0)
    assert tree(tmp_path) == ["file"]


def test_a_table_tells_what_it_is(tmp_path: Path) -> None:
    path = keep(tmp_path)
    os.utime(path, (1, 2_000_000_000))
    (entry,) = inventory(tmp_path).entries
    assert (entry.path, entry.kind, entry.game, entry.size) == (path, "response", "1d6 1-3", HEADER + 80)
    assert entry.dice_and_slots == ("1d6", "1-3")
    assert (entry.state, entry.used) == (State.whole, 2_000_000_000)
    assert abs(entry.made - time.time()) < 600


def test_reading_a_table_is_using_it_and_listing_is_not(tmp_path: Path) -> None:
    path = keep(tmp_path)
    os.utime(path, (1, 1))
    assert inventory(tmp_path).entries[0].used == 1
    assert inventory(tmp_path).entries[0].used == 1
    kept_table("response", GAME, 10, lambda: pytest.fail("it is there"), tmp_path)
    (entry,) = inventory(tmp_path).entries
    assert abs(entry.used - time.time()) < 600


def test_every_kind_that_is_kept_has_its_name(tmp_path: Path) -> None:
    hunter(GAME, folder=tmp_path)
    equilibrium(GAME, folder=tmp_path)
    keep_code(tmp_path)
    assert {entry.kind for entry in inventory(tmp_path).entries} == set(KINDS)
    assert inventory(tmp_path).foreign == ()


def test_used_last_comes_first(tmp_path: Path) -> None:
    for used, slots in ((3, "1"), (1, "1,2"), (2, "1-3")):
        os.utime(keep(tmp_path, game=Game.parse("1d6", slots)), (used, used))
    assert [entry.game for entry in inventory(tmp_path).entries] == ["1d6 1", "1d6 1-3", "1d6 1,2"]


@pytest.mark.parametrize("what", ["cut", "longer", "another format"])
def test_a_damaged_table_is_ours_all_the_same(tmp_path: Path, what: str) -> None:
    path = keep(tmp_path)
    raw = path.read_bytes()
    path.write_bytes(
        {"cut": raw[:-1], "longer": raw + b"x", "another format": raw.replace(b'"format": 1', b'"format": 7')}[what]
    )
    (entry,) = clear(tmp_path)
    assert (entry.state, entry.game) == (State.damaged, "1d6 1-3")
    assert tree(tmp_path) == []


FOREIGN: Final = {
    "empty": b"",
    "text": b"not a table",
    "zeros": bytes(HEADER + 80),
    "a list": b"[1, 2]".ljust(HEADER),
    "another object": b'{"format": 1, "kind": "x"}'.ljust(HEADER),
    "other types": b'{"format": "1", "kind": "x", "game": "y", "cells": 3}'.ljust(HEADER),
    "less than nothing": b'{"format": 1, "kind": "x", "game": "y", "cells": -3}'.ljust(HEADER),
    "a kind that is no word": b'{"format": 1, "kind": "\\u001b[2J", "game": "y", "cells": 3}'.ljust(HEADER),
    "a game that is no line": b'{"format": 1, "kind": "x", "game": "\\n\\u001b[2J", "cells": 3}'.ljust(HEADER),
    "deep": b"[" * HEADER,
}


@pytest.mark.parametrize("name", ["x.table", "equilibrium-3d6-1-10-0123456789ab.table", PART, "notes.txt"])
@pytest.mark.parametrize("what", FOREIGN)
def test_what_does_not_begin_like_a_table_stays(tmp_path: Path, name: str, what: str) -> None:
    (tmp_path / name).write_bytes(FOREIGN[what])
    assert inventory(tmp_path).foreign == (name,)
    assert clear(tmp_path) == []
    assert not make_room(tmp_path / "new.table", 10, 5)
    assert (tmp_path / name).read_bytes() == FOREIGN[what]


def test_a_table_under_another_ending_is_somebody_s_copy(tmp_path: Path) -> None:
    copy = keep(tmp_path).rename(tmp_path / "copy.bak")
    assert clear(tmp_path) == []
    assert copy.exists()


@pytest.mark.parametrize("to_a_folder", [False, True])
def test_no_link_is_followed(tmp_path: Path, to_a_folder: bool) -> None:
    cache, elsewhere = tmp_path / "cache", tmp_path / "elsewhere"
    cache.mkdir()
    elsewhere.mkdir()
    table, code = keep(elsewhere), keep_code(elsewhere)
    if to_a_folder:
        (cache / KERNELS).symlink_to(elsewhere / KERNELS)
        (cache / "folder.table").symlink_to(elsewhere)
    else:
        (cache / table.name).symlink_to(table)
        (cache / "broken.table").symlink_to("nowhere")
        (cache / KERNELS).mkdir()
        (cache / KERNELS / code.name).symlink_to(code)
    before = tree(tmp_path)
    assert clear(cache) == []
    assert not make_room(cache / "new.table", 10, 5)
    assert tree(tmp_path) == before


def test_what_is_no_file_is_left_alone(tmp_path: Path) -> None:
    """A pipe would never end, and a folder is nobody's table."""
    os.mkfifo(tmp_path / "pipe.table")
    (tmp_path / "folder.table").mkdir()
    (tmp_path / KERNELS).write_text("a file")
    assert inventory(tmp_path).foreign == ("folder.table", KERNELS, "pipe.table")
    assert clear(tmp_path) == []
    assert len(tree(tmp_path)) == 3


def test_a_folder_of_the_system_holds_nothing_of_ours() -> None:
    found = inventory(Path("/"))
    assert found.entries == ()
    assert len(found.foreign) > 1


def test_what_is_written_now_stays_and_what_was_left_behind_goes(tmp_path: Path) -> None:
    part = keep(tmp_path).rename(tmp_path / PART)
    (entry,) = inventory(tmp_path).entries
    assert entry.state is State.being_written
    assert not make_room(tmp_path / "new.table", 10, 5)
    os.utime(part, (1, time.time() - ABANDONED - 60))
    (entry,) = clear(tmp_path)
    assert entry.state is State.unfinished
    assert tree(tmp_path) == []


def test_compiled_code(tmp_path: Path) -> None:
    keep_code(tmp_path)
    (entry,) = inventory(tmp_path).entries
    assert (entry.kind, entry.game, entry.size, entry.dice_and_slots) == ("compiled", None, 45, None)
    clear(tmp_path)
    assert tree(tmp_path) == []


def test_compiled_code_of_others_and_what_lies_beside_ours_stay(tmp_path: Path) -> None:
    keep_code(tmp_path, mark="theirs")
    before = tree(tmp_path)
    assert clear(tmp_path) == []
    assert tree(tmp_path) == before
    inner = keep_code(tmp_path)
    for name in ("notes.txt", "other.f-1.py311.1.nbc", "other.f-1.py311.nbi"):
        (inner / name).write_text("theirs")
    clear(tmp_path)
    assert [path.name for path in sorted(inner.iterdir())] == [
        "notes.txt",
        "other.f-1.py311.1.nbc",
        "other.f-1.py311.nbi",
    ]


def test_what_changed_since_it_was_listed_is_looked_at_again(tmp_path: Path) -> None:
    path = keep(tmp_path)
    (entry,) = inventory(tmp_path).entries
    path.write_text("now a letter")
    remove(entry)
    assert path.read_text() == "now a letter"
    path.unlink()
    path.symlink_to("/etc/hostname")
    remove(entry)
    assert path.is_symlink()


def test_room_for_a_table_counts_neither_itself_nor_code(tmp_path: Path) -> None:
    path = keep(tmp_path)
    keep_code(tmp_path)
    assert make_room(path, HEADER + 80, HEADER + 80)
    assert path.exists()
    assert make_room(tmp_path / "other.table", HEADER, HEADER + 79)
    assert tree(tmp_path)[0] == KERNELS


def test_a_header_as_others_might_write_it(tmp_path: Path) -> None:
    """Dates that are none, and a size that no disk has, are no reason to fail."""
    header = {"format": 1, "kind": "response", "game": "1d6 1-3", "cells": 10**40, "made": "yesterday"}
    (tmp_path / "a.table").write_bytes(json.dumps(header).encode().ljust(HEADER))
    (entry,) = inventory(tmp_path).entries
    assert entry.state is State.damaged
    assert entry.made == entry.used


def test_the_files_of_those_who_make_tables_are_neither_told_nor_cleared(tmp_path: Path) -> None:
    keep(tmp_path)
    beside = [lock_path(GAME, tmp_path), making_path(GAME, tmp_path)]
    for path in beside:
        path.write_bytes(b"")
    (tmp_path / "notes.lock.txt").write_bytes(b"")
    found = inventory(tmp_path)
    assert len(found.entries) == 1
    assert found.foreign == ("notes.lock.txt",)
    clear(tmp_path)
    assert tree(tmp_path) == sorted([*(path.name for path in beside), "notes.lock.txt"])
