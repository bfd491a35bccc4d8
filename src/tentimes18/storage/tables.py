"""Solved tables on disk: kept in the user's cache folder, and never in a state that could be taken for a whole one.

A file is a header of one page (a JSON line that names the format, the kind, the game, the number of values and their
checksum) and the values as little-endian float64, which are mapped into memory: processes that use one table share the
pages of its file. It is written under another name and then renamed, so a run that is killed leaves no table, and two
runs at once replace each other's equal files.

All tables together keep within a limit (`folders.cache_limit`): before a new one is written, those used longest ago go,
but none that this process uses.
"""

import hashlib
import json
import mmap
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Final, TypeAlias
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from tentimes18.errors import Ten18Error
from tentimes18.files import LIMIT_VARIABLE, cache_limit, whole_file
from tentimes18.game import Game
from tentimes18.storage.inventory import FORMAT, HEADER, make_room, read_header
from tentimes18.storage.table_paths import table_path

__all__ = ["Made", "MissingTable", "Tell", "kept_table", "table_there"]

Tell: TypeAlias = Callable[[str], None]
Made: TypeAlias = tuple[NDArray[np.float64], dict[str, Any]]

PIECE: Final = 1 << 20  # bytes read at once

_MAPPED: Final[WeakValueDictionary[Path, mmap.mmap]] = WeakValueDictionary()
"""The files that this process uses."""


class MissingTable(Ten18Error):
    """No whole table of this kind and game is kept."""


class _Damaged(Exception):
    """A file that is not a whole table of this format."""


def table_there(kind: str, game: Game, cells: int, folder: Path | None = None) -> Made:
    """The table from disk; raises ``MissingTable`` where no whole one is there, and never makes it.

    >>> table_there("equilibrium", Game.classic(), 18, Path("nowhere"))
    Traceback (most recent call last):
    tentimes18.storage.tables.MissingTable: no table of the kind 'equilibrium' is kept for 3d6 1-10
    """
    try:
        return _load(table_path(kind, game, folder).absolute(), kind, game, cells)
    except (FileNotFoundError, NotADirectoryError):
        raise MissingTable(f"no table of the kind {kind!r} is kept for {game}") from None
    except (_Damaged, OSError) as error:
        raise MissingTable(f"the table of the kind {kind!r} that is kept for {game} is {error}") from None


def kept_table(
    kind: str, game: Game, cells: int, make: Callable[[], Made], folder: Path | None = None, tell: Tell | None = None
) -> Made:
    """The table from disk where a whole one is there; else made, and kept for the next time.

    ``tell`` gets one line where a file was damaged, or the table could not be kept; the table is returned all the same.
    """
    path = table_path(kind, game, folder).absolute()
    limit = cache_limit()
    say = tell or (lambda _: None)
    try:
        return _load(path, kind, game, cells)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (_Damaged, OSError) as error:
        say(f"the table {path.name} is {error}: it is made anew")
    values, facts = make()
    page = _page(kind, game, values, facts)
    if limit == 0 or len(page) > HEADER:
        return values, facts
    try:
        size = HEADER + values.nbytes
        if limit is None or make_room(path, size, limit, _MAPPED):
            _save(path, page, values)
        else:
            text = f"the table ({size / 1e6:,.1f} MB) is not kept: with those in use it takes more than the limit"
            say(f"{text} of {limit / 1e6:,.1f} MB ({LIMIT_VARIABLE})")
    except OSError as error:
        say(f"the table could not be kept in {path.parent}: {error.strerror or error}")
    return values, facts


def _load(path: Path, kind: str, game: Game, cells: int) -> Made:
    header = read_header(path)
    if header is None:
        raise _Damaged("damaged")
    wanted = {"format": FORMAT, "kind": kind, "game": str(game), "cells": cells}
    if {name: header[name] for name in wanted} != wanted:
        raise _Damaged("of another format")
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size != HEADER + 8 * cells:
            raise _Damaged("not whole")
        # Read, not through the mapping: what is not used of a table takes no place in this process.
        if _checksum_of(file) != header.get("checksum") or type(facts := header.get("facts")) is not dict:
            raise _Damaged("damaged")
        # Copy on write: nobody writes, but a kernel that takes new tables takes this one as well, and is compiled once.
        values = np.memmap(file, dtype="<f8", mode="c", offset=HEADER, shape=(cells,))
    if isinstance(values.base, mmap.mmap):
        _MAPPED[path] = values.base
    with suppress(OSError):  # a disk that is only read
        os.utime(path)
    return values, facts


def _page(kind: str, game: Game, values: NDArray[np.float64], facts: dict[str, Any]) -> bytes:
    header = {
        "format": FORMAT,
        "kind": kind,
        "game": str(game),
        "cells": len(values),
        "made": datetime.now().astimezone().isoformat(timespec="seconds"),
        "checksum": _checksum(values),
        "facts": facts,
    }
    return json.dumps(header).encode()


def _save(path: Path, page: bytes, values: NDArray[np.float64]) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # compiled code is kept there as well
    with whole_file(path) as file:
        file.write(page.ljust(HEADER))
        for start in range(0, len(values), 1 << 20):
            file.write(values[start : start + (1 << 20)].astype("<f8", copy=False).tobytes())


def _checksum_of(file: IO[bytes]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    file.seek(HEADER)
    while piece := file.read(PIECE):
        digest.update(piece)
    return digest.hexdigest()


def _checksum(values: NDArray[np.float64]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for start in range(0, len(values), 1 << 20):
        digest.update(values[start : start + (1 << 20)].tobytes())
    return digest.hexdigest()
