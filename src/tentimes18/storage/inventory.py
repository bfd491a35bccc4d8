"""What lies in the cache folder: solved tables, compiled code, and what others put there; and how it is cleared.

A table begins with one page, its header: a JSON object that names the format, the kind, the game and the number of
values. That page, not the name of the file, says that it is ours. Beside tables lie small files of those who make them,
a lock and how far they are, which are neither told nor cleared: a lock that is removed is none. Compiled code lies in a
folder of its own; an index that has our mark says so there. Nothing else is ever removed, and no link is followed. When
a table was used last is the time of its file; when it was made stands in its header.
"""

import json
import os
import re
import stat
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from tentimes18.files import cache_folder

__all__ = [
    "FORMAT",
    "HEADER",
    "KERNELS",
    "KINDS",
    "LOCK",
    "MARK",
    "Inventory",
    "Kept",
    "State",
    "inventory",
    "make_room",
    "read_header",
    "remove",
]

FORMAT: Final = 1
HEADER: Final = 4096
"""Bytes before the values of a table."""
KERNELS: Final = "compiled"
"""The folder of compiled code in the cache folder."""
LOCK: Final = "compiling.lock"
"""Beside compiled code, held by whoever compiles."""
MARK: Final = "tentimes18 kernels"
"""What the index of every compiled function of ours has at its start."""
KINDS: Final = ("equilibrium", "response", "compiled")
"""What is kept there: the tables of duels, and compiled code."""
ABANDONED: Final = 3600.0
"""Seconds after which nobody writes any more to a table that is not finished."""

_WORD: Final = re.compile(r"[a-z][a-z-]{0,30}")
_PART: Final = re.compile(r"\.[0-9a-f]{16}\.part")
_BESIDE: Final = re.compile(r"[a-z][a-z0-9-]*\.(?:lock|making)")
_CODE: Final = re.compile(r"(.+\.py\d+\w*)\.(?:\d+\.nbc|nbi)(?:\.tmp\.[0-9a-f]+)?")


class State(StrEnum):
    """Whether something that is kept can be used."""

    whole = "whole"
    damaged = "damaged"
    unfinished = "unfinished"
    being_written = "being written"


@dataclass(frozen=True, slots=True)
class Kept:
    """Something of ours: the file of a table, or a folder of compiled code, which belongs to no game."""

    path: Path
    kind: str
    game: str | None
    size: int
    made: float
    used: float
    state: State = State.whole

    @property
    def dice_and_slots(self) -> tuple[str, str] | None:
        """The game in its two notations."""
        if self.game is None:
            return None
        dice, _, slots = self.game.rpartition(" ")
        return dice, slots


@dataclass(frozen=True, slots=True)
class Inventory:
    """What is ours in a folder, used last first, and the names of what is not."""

    folder: Path
    entries: tuple[Kept, ...]
    foreign: tuple[str, ...]

    @property
    def size(self) -> int:
        """The bytes of all that is ours."""
        return sum(entry.size for entry in self.entries)


def inventory(folder: Path | None = None) -> Inventory:
    """What lies in the cache folder; one that is not there, or is no folder, is empty.

    Raises ``OSError`` where it may not be read.
    """
    folder = folder or cache_folder()
    entries, foreign = [], []
    try:
        found = sorted(os.scandir(folder), key=lambda file: file.name)
    except (FileNotFoundError, NotADirectoryError):
        found = []
    for file in found:
        own = list(_own(file))
        entries += own
        if not own and not _BESIDE.fullmatch(file.name):
            foreign.append(file.name)
    entries.sort(key=lambda entry: (-entry.used, entry.path))
    return Inventory(folder, tuple(entries), tuple(foreign))


def _own(file: "os.DirEntry[str]") -> Iterator[Kept]:
    with suppress(OSError):  # it is gone, or not ours to read
        if file.is_dir(follow_symlinks=False):
            if file.name == KERNELS:
                yield from _compiled(Path(file.path))
        elif file.is_file(follow_symlinks=False) and (entry := _table(Path(file.path), file.stat())) is not None:
            yield entry


def _table(path: Path, status: os.stat_result) -> Kept | None:
    is_part = _PART.fullmatch(path.name) is not None
    if not is_part and path.suffix != ".table":
        return None
    header = read_header(path)
    if header is None:
        return None
    if is_part:
        state = State.unfinished if _age(status) > ABANDONED else State.being_written
    elif header["format"] != FORMAT or status.st_size != HEADER + 8 * header["cells"]:
        state = State.damaged
    else:
        state = State.whole
    return Kept(path, header["kind"], header["game"], status.st_size, _made(header, status), status.st_mtime, state)


def read_header(path: Path) -> Mapping[str, Any] | None:
    """The header of a table of ours, of this format or another; nothing where the file does not begin with one."""
    with path.open("rb") as file:
        page = file.read(HEADER)
    try:
        header = json.loads(page.rstrip(b" \n\0"))
        types = {"format": int, "kind": str, "game": str, "cells": int}
        is_ours = (
            all(type(header[name]) is kind for name, kind in types.items())
            and header["cells"] >= 0
            and _WORD.fullmatch(header["kind"]) is not None
            and header["game"].isprintable()
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return header if is_ours else None


def _made(header: Mapping[str, Any], status: os.stat_result) -> float:
    try:
        return datetime.fromisoformat(header["made"]).timestamp()
    except (KeyError, TypeError, ValueError, OverflowError):
        return status.st_mtime


def _age(status: os.stat_result) -> float:
    return datetime.now().timestamp() - status.st_mtime


def _compiled(folder: Path) -> Iterator[Kept]:
    """The folders of compiled code, one for each state of the source."""
    for inner in sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink()):
        if files := _code_files(inner):
            times = [status.st_mtime for status in files.values()]
            size = sum(status.st_size for status in files.values())
            yield Kept(inner, "compiled", None, size, min(times), max(*times, inner.stat().st_mtime))


def _code_files(folder: Path) -> dict[Path, os.stat_result]:
    """The files of compiled functions whose index is ours."""
    return {path: path.lstat() for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}


def _is_plain(path: Path) -> bool:
    return stat.S_ISREG(path.lstat().st_mode)


def _has_mark(index: Path) -> bool:
    with index.open("rb") as file:
        return MARK.encode() in file.read(HEADER)


def remove(entry: Kept) -> None:
    """Remove what is ours, looked at once more; raises ``OSError`` where it cannot be."""
    if entry.kind == "compiled" and entry.game is None:
        for path in sorted(_code_files(entry.path), key=lambda path: path.suffix == ".nbi"):  # the index at the end
            path.unlink()
        with suppress(OSError):  # something else is in there
            for folder in sorted(entry.path.rglob("*"), reverse=True):
                folder.rmdir()
            entry.path.rmdir()
            entry.path.parent.rmdir()
    elif _is_plain(entry.path) and read_header(entry.path) is not None:
        entry.path.unlink()


def make_room(path: Path, size: int, limit: int, in_use: Collection[Path] = ()) -> bool:
    """Remove the tables used longest ago until one of this size has room at this path; whether it has.

    The limit is in bytes. Tables in use stay; where there is no room beside them, nothing is removed.
    """
    others = [entry for entry in inventory(path.parent).entries if entry.kind != "compiled" and entry.path != path]
    total = size + sum(entry.size for entry in others)
    can_go = [entry for entry in others if entry.path not in in_use and entry.state is not State.being_written]
    if total - sum(entry.size for entry in can_go) > limit:
        return False
    while total > limit:
        entry = can_go.pop()  # the last of them was used longest ago
        with suppress(FileNotFoundError):
            remove(entry)
        total -= entry.size
    return True
