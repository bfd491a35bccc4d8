"""Solved tables: in memory up to a limit, and the tables of duels on disk, where processes share them.

A table on disk is one `.npy` file of float64 in the cache folder, followed by a line of JSON: the game, what else is
known of the table, and a checksum. `numpy.load` reads it. The file is written under another name and then renamed, so
a run that is killed leaves no table. A lock file lets one process make a table while the others wait. All tables
together keep within a limit (`TEN18_CACHE_LIMIT`): those used longest ago go first.
"""

import json
import mmap
import os
import re
import stat
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from time import time
from typing import IO, Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import numpy as np
from filelock import FileLock
from numpy.lib import format as npy
from numpy.typing import NDArray

from tentimes18.errors import InvalidDice, InvalidGame, Ten18Error
from tentimes18.files import COMPILED, LIMIT_VARIABLE, cache_folder, cache_limit
from tentimes18.game import Game

VERSION = 1
MAX_MEMORY_BYTES = 2_000_000_000
MAX_LINE_BYTES = 1 << 20
PIECE_BYTES = 1 << 20
ABANDONED_SECONDS = 3600.0  # nobody is still writing a temporary file that is older
TABLE_KINDS = ("equilibrium", "response")
CACHE_KINDS = (*TABLE_KINDS, COMPILED)

_TABLE = re.compile(rf"\.?({'|'.join(TABLE_KINDS)})-[a-z0-9-]+-[0-9a-f]{{12}}\.npy(\.[0-9a-f]{{16}}\.part)?")
_BESIDE_TABLES = re.compile(r"[a-z][a-z0-9-]*\.(?:lock|making)")
_CODE = re.compile(r"tentimes18.*\.lock|.*\.py\d+\w*\.(\d+\.nbc|nbi)(\.tmp\.[0-9a-f]+)?")  # our locks, numba's files

_mapped: WeakValueDictionary[Path, mmap.mmap] = WeakValueDictionary()  # the files that this process uses


Table = TypeVar("Table")
"""Anything that has a size, ``nbytes``."""


class TableCache:
    """Tables by key, up to a number of bytes. A table that is larger than the limit stays until the next one is added.

    A table that is in use is never made a second time. Threads that ask for the same key wait for the first.

    >>> cache = TableCache(max_bytes=100)
    >>> cache.get("a", lambda: np.zeros(10)) is cache.get("a", lambda: np.zeros(10))
    True
    >>> _ = cache.get("b", lambda: np.zeros(10))
    >>> cache.nbytes
    80
    """

    def __init__(self, max_bytes: int = MAX_MEMORY_BYTES) -> None:
        self.max_bytes = max_bytes
        self._lock = Lock()
        self._tables: OrderedDict[Hashable, Any] = OrderedDict()
        self._in_use: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
        self._makers: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()

    @property
    def nbytes(self) -> int:
        return sum(table.nbytes for table in tuple(self._tables.values()))

    def get(self, key: Hashable, make: Callable[[], Table]) -> Table:
        with self._lock:
            maker = self._makers.setdefault(key, Lock())
        with maker:
            table: Table | None = self._in_use.get(key)
            if table is None:
                table = make()
            with self._lock:
                self._in_use[key] = self._tables[key] = table
                self._tables.move_to_end(key)
                while len(self._tables) > 1 and self.nbytes > self.max_bytes:
                    self._tables.popitem(last=False)
        return table

    def clear(self) -> None:
        with self._lock:
            self._tables.clear()
            self._in_use.clear()


table_cache = TableCache()
"""The tables of this process."""


class StoredTable(NamedTuple):
    values: NDArray[np.float64]
    facts: dict[str, Any]
    """What else is known of the table, as JSON."""


class MissingTable(Ten18Error):
    """There is no valid table of this kind and game on disk."""


class _InvalidTable(Exception):
    pass


class State(StrEnum):
    whole = "whole"
    damaged = "damaged"
    unfinished = "unfinished"
    being_written = "being written"


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """The file of a table, or the folder of compiled code, which belongs to no game."""

    path: Path
    kind: str
    game: str | None
    size: int
    made: float
    used: float
    state: State = State.whole

    @property
    def dice_and_slots(self) -> tuple[str, str] | None:
        if self.game is None:
            return None
        dice, slots = self.game.rsplit(" ", 1)
        return dice, slots


@dataclass(frozen=True, slots=True)
class CacheContents:
    """Our files in a folder, used last first, and the names of all other files."""

    folder: Path
    entries: tuple[CacheEntry, ...]
    foreign: tuple[str, ...]

    @property
    def size(self) -> int:
        return sum(entry.size for entry in self.entries)


def table_path(kind: str, game: Game, folder: Path | None = None) -> Path:
    """Return the file of a table, whether it exists or not: a name that people can read, and that no other game has.

    >>> table_path("response", Game.classic(), Path("cache")).name
    'response-3d6-1-10-00e2c3dc2834.npy'
    """
    readable = re.sub(r"[^a-z0-9]+", "-", str(game).lower()).strip("-")[:40]
    digest = blake2b(str(game).encode(), digest_size=6).hexdigest()
    return (folder or cache_folder()) / f"{kind}-{readable}-{digest}.npy"


def load_table(kind: str, game: Game, count: int, folder: Path | None = None) -> StoredTable:
    """Map a table of `count` values from disk; raise ``MissingTable`` if there is no valid one."""
    try:
        return _load(table_path(kind, game, folder).absolute(), kind, game, count)
    except (FileNotFoundError, NotADirectoryError):
        raise MissingTable(f"no table of the kind {kind!r} is stored for {game}") from None
    except (_InvalidTable, OSError) as error:
        raise MissingTable(f"the table of the kind {kind!r} that is stored for {game} is {error}") from None


def load_or_make(
    kind: str,
    game: Game,
    count: int,
    make: Callable[[], StoredTable],
    folder: Path | None = None,
    warn: Callable[[str], None] | None = None,
) -> StoredTable:
    """Map a table of ``count`` values from disk; if there is no valid one, make it and save it.

    ``kind`` is one of `TABLE_KINDS`. ``warn`` is called with one line if a file is damaged or the table cannot be
    saved; the table is returned anyway.
    """
    path = table_path(kind, game, folder).absolute()
    warn = warn or (lambda _: None)
    limit = cache_limit()
    with ExitStack() as stack:
        with suppress(OSError, _InvalidTable):
            return _load(path, kind, game, count)
        if limit == 0:
            return make()
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            stack.enter_context(FileLock(path.with_suffix(".lock")))
        try:
            return _load(path, kind, game, count)  # another process has made it in the meantime
        except (FileNotFoundError, NotADirectoryError):
            pass
        except (_InvalidTable, OSError) as error:
            warn(f"the table {path.name} is {error}: it is made again")
        table = make()
        try:
            _save(path, kind, game, table, limit)
        except Ten18Error as error:
            warn(str(error))
        return table


def store_table(kind: str, game: Game, table: StoredTable, folder: Path | None = None) -> Path:
    """Save a table in the cache and return its file; raise ``Ten18Error`` if the cache has no room for it."""
    path = table_path(kind, game, folder)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _save(path.absolute(), kind, game, table, cache_limit())
    return path


def read_table(path: Path, kind: str, count: Callable[[Game], int]) -> tuple[Game, StoredTable]:
    """Read a table from any file, which somebody else may have made; ``count`` says how many values a game has."""
    try:
        with path.open("rb") as file:
            _, _, line = _read_ends(file)
        dice, _, slots = str(line.get("game")).rpartition(" ")
        game = Game.parse(dice, slots)
        return game, _load(path.absolute(), kind, game, count(game))
    except OSError as error:
        raise Ten18Error(f"cannot be read: {error.strerror or error}", "file", str(path)) from None
    except (_InvalidTable, InvalidDice, InvalidGame) as error:
        raise Ten18Error(f"is not a table of kind {kind!r}: {error}", "file", str(path)) from None


def write_table(path: Path, kind: str, game: Game, table: StoredTable) -> None:
    """Write a table to any file, without the time: the same table has the same checksum."""
    try:
        _write(path, *_parts(kind, game, table))
    except OSError as error:
        raise Ten18Error(f"cannot be written: {error.strerror or error}", "file", str(path)) from None


def list_cache(folder: Path | None = None) -> CacheContents:
    """List the tables and the compiled code in the cache folder; raise ``OSError`` if it cannot be read.

    Lock and progress files are not listed, because deleting a lock file would break the lock.
    """
    folder = folder or cache_folder()
    entries: list[CacheEntry] = []
    foreign = []
    try:
        files = sorted(os.scandir(folder), key=lambda file: file.name)
    except (FileNotFoundError, NotADirectoryError):
        files = []
    for file in files:
        entry = None
        with suppress(OSError):  # it was deleted, or we may not read it
            if file.name == COMPILED and file.is_dir(follow_symlinks=False):
                entry = _compiled_entry(Path(file.path))
            elif (match := _TABLE.fullmatch(file.name)) and _is_table(Path(file.path)):
                entry = _table_entry(Path(file.path), match[1], is_part=match[2] is not None)
        if entry is not None:
            entries.append(entry)
        elif not _BESIDE_TABLES.fullmatch(file.name):
            foreign.append(file.name)
    entries.sort(key=lambda entry: (-entry.used, entry.path))
    return CacheContents(folder, tuple(entries), tuple(foreign))


def remove(entry: CacheEntry) -> None:
    """Remove a table or compiled code, and no other file; raise ``OSError`` if that is not possible."""
    if entry.kind != COMPILED:
        if _is_table(entry.path):
            entry.path.unlink()
        return
    for path in sorted(_code_files(entry.path), key=lambda path: path.suffix != ".nbc"):  # the index after the code
        path.unlink()
    for folder, _, _ in os.walk(entry.path, topdown=False):
        with suppress(OSError):  # there are other files
            Path(folder).rmdir()


def _load(path: Path, kind: str, game: Game, count: int) -> StoredTable:
    with path.open("rb") as file:
        stored, offset, line = _read_ends(file)
        if (line.get("version"), line.get("kind"), line.get("game"), stored) != (VERSION, kind, str(game), count):
            raise _InvalidTable("of another format")
        file.seek(offset)  # read the values, not the mapping, so that unused parts of a table take no memory
        checksum, rest = 0, 8 * count
        while rest and (piece := file.read(min(rest, PIECE_BYTES))):
            checksum, rest = zlib.crc32(piece, checksum), rest - len(piece)
        facts = line.get("facts")
        if checksum != line.get("checksum") or not isinstance(facts, dict):
            raise _InvalidTable("damaged")
        # Copy on write: nobody writes, but kernels are compiled once for these and for new tables.
        values = np.memmap(file, dtype="<f8", mode="c", offset=offset, shape=(count,))
    if isinstance(values.base, mmap.mmap):
        _mapped[path] = values.base
    with suppress(OSError):  # a disk that is only read
        os.utime(path)
    return StoredTable(values, facts)


def _read_ends(file: IO[bytes]) -> tuple[int, int, dict[str, Any]]:
    """Return the number of values, where they begin, and the line after them."""
    try:
        version = npy.read_magic(file)
        shape, _, dtype = npy.read_array_header_1_0(file)
    except (ValueError, TypeError):
        raise _InvalidTable("damaged") from None
    if version != (1, 0) or dtype != np.dtype("<f8") or len(shape) != 1 or not 0 <= shape[0] < 1 << 60:
        raise _InvalidTable("of another format")
    count, offset = int(shape[0]), file.tell()
    file.seek(offset + 8 * count)
    try:
        line = json.loads(file.read(MAX_LINE_BYTES))
    except (ValueError, RecursionError):
        raise _InvalidTable("incomplete") from None
    if not isinstance(line, dict) or file.read(1):
        raise _InvalidTable("damaged")
    return count, offset, line


def _save(path: Path, kind: str, game: Game, table: StoredTable, limit: int | None) -> None:
    values, text = _parts(kind, game, table, made=datetime.now().astimezone().isoformat(timespec="seconds"))
    if len(text) > MAX_LINE_BYTES:
        return
    size = values.nbytes + len(text)
    try:
        if limit is None or _make_room(path, size, limit):
            _write(path, values, text)
            return
    except OSError as error:
        raise Ten18Error(f"the table could not be stored in {path.parent}: {error.strerror or error}") from None
    most = f"{limit / 1e6:,.1f} MB ({LIMIT_VARIABLE})"
    problem = f"is not stored: with the tables in use it exceeds the limit of {most}"
    raise Ten18Error(f"the table ({size / 1e6:,.1f} MB) {problem}")


def _parts(kind: str, game: Game, table: StoredTable, **more: str) -> tuple[NDArray[np.float64], bytes]:
    """The values, and the line after them."""
    values = np.ascontiguousarray(table.values, dtype="<f8")
    line: dict[str, Any] = {"version": VERSION, "kind": kind, "game": str(game), **more}
    return values, json.dumps(line | {"checksum": zlib.crc32(values.data), "facts": table.facts}).encode()


def _write(path: Path, values: NDArray[np.float64], text: bytes) -> None:
    """Write a file as a whole; a link is replaced, so that nothing outside of the folder is written."""
    part = path.with_name(f".{path.name}.{os.urandom(8).hex()}.part")
    try:
        with part.open("wb") as file:
            npy.write_array_header_1_0(file, npy.header_data_from_array_1_0(values))
            file.write(values.data)
            file.write(text)
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _make_room(path: Path, size: int, limit: int) -> bool:
    """Remove the tables used longest ago until there is room for one more; return False if there is no room."""
    others = [entry for entry in list_cache(path.parent).entries if entry.kind != COMPILED and entry.path != path]
    total = size + sum(entry.size for entry in others)
    old = [entry for entry in others if entry.path not in _mapped and entry.state is not State.being_written]
    if total - sum(entry.size for entry in old) > limit:
        return False
    while total > limit:
        entry = old.pop()
        with suppress(FileNotFoundError):
            remove(entry)
        total -= entry.size
    return True


def _is_table(path: Path) -> bool:
    """Look at the file itself: a pipe would never end, and a link leads to somebody else's file."""
    if not stat.S_ISREG(path.lstat().st_mode):
        return False
    with path.open("rb") as file:
        return npy.MAGIC_PREFIX.startswith(file.read(len(npy.MAGIC_PREFIX)))


def _table_entry(path: Path, kind: str, *, is_part: bool) -> CacheEntry:
    status = path.stat()
    made, used, game, state = status.st_mtime, status.st_mtime, None, State.damaged
    if is_part:
        state = State.unfinished if time() - used > ABANDONED_SECONDS else State.being_written
    else:
        with suppress(_InvalidTable), path.open("rb") as file:
            _, _, line = _read_ends(file)
            if isinstance(line.get("game"), str) and line["game"].isprintable():
                game = line["game"]
            with suppress(KeyError, TypeError, ValueError, OverflowError):
                made = datetime.fromisoformat(line["made"]).timestamp()
            if line.get("version") == VERSION and line.get("kind") == kind:
                state = State.whole
    return CacheEntry(path, kind, game, status.st_size, made, used, state)


def _compiled_entry(folder: Path) -> CacheEntry | None:
    statuses = [path.lstat() for path in _code_files(folder)]
    if not statuses:
        return None
    times = [status.st_mtime for status in statuses]
    return CacheEntry(folder, COMPILED, None, sum(status.st_size for status in statuses), min(times), max(times))


def _code_files(folder: Path) -> list[Path]:
    """List numba's files and our locks; `os.walk` follows no links."""
    paths = (Path(path, name) for path, _, names in os.walk(folder) for name in names if _CODE.fullmatch(name))
    return [path for path in paths if stat.S_ISREG(path.lstat().st_mode)]
