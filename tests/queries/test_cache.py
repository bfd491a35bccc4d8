"""What the cache folder holds, and what is cleared from it."""

import os
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from tentimes18 import Game
from tentimes18.files import COMPILED
from tentimes18.queries.cache import cached, clear_cache
from tentimes18.tables import StoredTable, load_or_make

DAY: Final = 86_400


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four tables, used 1, 2, 3 and 40 days ago, compiled code, and a file of somebody else."""
    folder = tmp_path / "cache"
    for kind, dice, slots, days in (
        ("response", "1d6", "1-3", 1),
        ("equilibrium", "1d6", "1-3", 2),
        ("equilibrium", "1d6", "1-4", 3),
        ("equilibrium", "d{1,2}", "1-3", 40),
    ):
        before = set(folder.glob("*.npy"))
        load_or_make(kind, Game.parse(dice, slots), 10, lambda: StoredTable(np.arange(10.0), {}), folder)
        (path,) = set(folder.glob("*.npy")) - before
        os.utime(path, (1, time.time() - days * DAY - 60))
    code = folder / COMPILED / "0123456789abcdef" / "tentimes18_0123"
    code.mkdir(parents=True)
    (code / "a.f-1.py311.nbi").write_text("code")
    (code / "tentimes18.a.f.lock").touch()
    (folder / "notes.txt").write_text("mine")
    return folder


def left(folder: Path) -> list[tuple[str, str | None, str | None]]:
    return [(entry.kind, entry.dice, entry.slots) for entry in cached(folder).entries]


ALL: Final = [
    ("compiled", None, None),
    ("response", "1d6", "1-3"),
    ("equilibrium", "1d6", "1-3"),
    ("equilibrium", "1d6", "1-4"),
    ("equilibrium", "d{1,2}", "1-3"),
]


@pytest.mark.parametrize(
    ("which", "stays"),
    [
        ({}, []),
        ({"kind": "equilibrium"}, ALL[:2]),
        ({"kind": "compiled"}, ALL[1:]),
        ({"dice": "1d6"}, [ALL[0], ALL[4]]),
        ({"dice": "d{2,1}"}, ALL[:4]),
        ({"slots": "3,1,2"}, [ALL[0], ALL[3]]),
        ({"dice": "1d6", "slots": "1-4"}, [*ALL[:3], ALL[4]]),
        ({"dice": "1d6", "slots": "1-3", "kind": "response"}, [ALL[0], *ALL[2:]]),
        ({"older_than": 30}, ALL[:4]),
        ({"older_than": 1.5, "kind": "equilibrium"}, ALL[:2]),
        ({"dice": "1d8"}, ALL),
    ],
    ids=str,
)
def test_what_is_cleared(folder: Path, which: dict[str, Any], stays: list[tuple[str, str | None, str | None]]) -> None:
    before = cached(folder)
    answer = clear_cache(**which, folder=folder)
    assert left(folder) == stays
    assert answer.removed == [entry for entry in before.entries if entry not in cached(folder).entries]
    assert answer.size + answer.left == before.size
    assert answer.left == cached(folder).size
    assert answer.not_removed == []
    assert (folder / "notes.txt").read_text() == "mine"


def test_what_cannot_be_removed_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And all the rest goes."""
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path.name.startswith("response"):
            raise PermissionError(13, "Permission denied", str(path))
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    answer = clear_cache(folder=folder)
    assert [failure.problem for failure in answer.not_removed] == ["Permission denied"]
    assert left(folder) == [ALL[1]]
    assert answer.left == cached(folder).entries[0].size


def test_a_header_that_was_changed_belongs_to_no_game(folder: Path) -> None:
    (path,) = folder.glob("response*.npy")
    path.write_bytes(path.read_bytes().replace(b'"1d6 1-3"', b'"1d6 1-x"'))
    clear_cache(dice="1d6", folder=folder)
    assert ("response", "1d6", "1-x") in left(folder)
    clear_cache(folder=folder)
    assert left(folder) == []
