"""Solved tables on disk: kept in the user's cache folder, and never in a state that could be taken for a whole one.

A file is a header of one page (a JSON line that names the format, the kind, the game, the number of values and their
checksum) and the values as little-endian float64, which are mapped into memory, not read. It is written under another
name and then renamed, so a run that is killed leaves no table, and two runs at once replace each other's equal files.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.game import Game
from tentimes18.storage.atomic import whole_file
from tentimes18.storage.table_paths import table_path

__all__ = ["Made", "Tell", "kept_table"]

FORMAT: Final = 1
HEADER: Final = 4096

Tell: TypeAlias = Callable[[str], None]
Made: TypeAlias = tuple[NDArray[np.float64], dict[str, Any]]


class _Damaged(Exception):
    """A file that is not a whole table of this format."""


def kept_table(
    kind: str, game: Game, cells: int, make: Callable[[], Made], folder: Path | None = None, tell: Tell | None = None
) -> Made:
    """The table from disk where a whole one is there; else made, and kept for the next time.

    ``tell`` gets one line where a file was damaged, or the table could not be kept; the table is returned all the same.
    """
    path = table_path(kind, game, folder)
    say = tell or (lambda _: None)
    try:
        return _load(path, kind, game, cells)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (_Damaged, OSError) as error:
        say(f"the table {path.name} is {error}: it is made anew")
    made = make()
    try:
        _save(path, kind, game, *made)
    except OSError as error:
        say(f"the table could not be kept in {path.parent}: {error.strerror or error}")
    return made


def _load(path: Path, kind: str, game: Game, cells: int) -> Made:
    with path.open("rb") as file:
        page = file.read(HEADER)
    try:
        header = json.loads(page.rstrip(b" \n\0"))
        wanted = {"format": FORMAT, "kind": kind, "game": str(game), "cells": cells}
        if {name: header[name] for name in wanted} != wanted:
            raise _Damaged("of another format")
        if path.stat().st_size != HEADER + 8 * cells:
            raise _Damaged("not whole")
    except (ValueError, KeyError, TypeError):
        raise _Damaged("damaged") from None
    # Copy on write: nobody writes, but a kernel that takes new tables takes this one as well, and is compiled once.
    values = np.memmap(path, dtype="<f8", mode="c", offset=HEADER, shape=(cells,))
    if _checksum(values) != header.get("checksum"):
        raise _Damaged("damaged")
    return values, header["facts"]


def _save(path: Path, kind: str, game: Game, values: NDArray[np.float64], facts: dict[str, Any]) -> None:
    header = {
        "format": FORMAT,
        "kind": kind,
        "game": str(game),
        "cells": len(values),
        "checksum": _checksum(values),
        "facts": facts,
    }
    page = json.dumps(header).encode()
    if len(page) > HEADER:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(page.ljust(HEADER))
        values.astype("<f8", copy=False).tofile(file)


def _checksum(values: NDArray[np.float64]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for start in range(0, len(values), 1 << 20):
        digest.update(values[start : start + (1 << 20)].tobytes())
    return digest.hexdigest()
