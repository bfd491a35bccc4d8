"""A player's own games: every finished one in a file, and the unfinished ones, which nothing can lose.

Finished games stand in `games.ndjson` (docs/notation.md), one line each, in the order of play. An unfinished game is a
file of its own, written whole after every roll and every move. While it is being played it is locked, so that a second
window does not offer it; a lock ends with its process, however that ends.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from tentimes18.files import data_folder, write_whole
from tentimes18.records.formats import BadLine, Line, read_line
from tentimes18.records.notation import Record, format_json, parse_json


class History:
    """The games in a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or data_folder()
        self.path = self.folder / "games.ndjson"

    def add(self, record: Record) -> None:
        """Write a game at the end of the file, in one piece and through to the disk."""
        self.folder.mkdir(parents=True, exist_ok=True)
        line = format_json(record).encode() + b"\n"
        with self.path.open("ab+", buffering=len(line) + 2) as file:
            if file.tell() and not self._ends_a_line(file):
                line = b"\n" + line
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    @staticmethod
    def _ends_a_line(file: IO[bytes]) -> bool:
        """Whether the last line is whole; the rest of one that was cut off then stands for itself."""
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"

    def games(self) -> Iterator[Line | BadLine]:
        """All games in the order of play, and what could not be read."""
        try:
            with self.path.open(encoding="utf-8", errors="replace") as file:
                # Each line by itself, whatever the first one looks like: a damaged one spoils no other.
                for number, line in enumerate(file, start=1):
                    if text := line.strip():
                        yield read_line(number, text)
        except FileNotFoundError:
            return

    def holds(self, record: Record) -> bool:
        """Whether this game is among the finished ones."""
        return any(line.record == record for line in self.games() if isinstance(line, Line))

    def begin(self, record: Record) -> "UnfinishedGame":
        """A game that is kept from now on until it is finished or given up."""
        self.folder.mkdir(parents=True, exist_ok=True)
        game = UnfinishedGame(self.folder / f"unfinished-{os.urandom(8).hex()}.json")
        game.lock()  # before anyone can see it
        try:
            game.keep(record)
        except BaseException:
            game.drop()
            raise
        return game

    def unfinished(self) -> "list[tuple[UnfinishedGame, Record]]":
        """The unfinished games that nobody plays now, the latest first."""
        found = []
        for path in self.folder.glob("unfinished-*.json"):
            game = UnfinishedGame(path)
            with suppress(OSError, ValueError):
                if game.lock():  # first: once it is ours, nobody finishes it any more
                    try:
                        found.append((path.stat().st_mtime_ns, game, game.read()))
                    finally:
                        game.unlock()
        found.sort(key=lambda entry: -entry[0])
        return [(game, record) for _, game, record in found]

    def unreadable(self) -> list[Path]:
        """The files of unfinished games that hold none; they are left as they are."""
        found = []
        for path in sorted(self.folder.glob("unfinished-*.json")):
            try:
                UnfinishedGame(path).read()
            except FileNotFoundError:  # finished meanwhile
                continue
            except (OSError, ValueError):
                found.append(path)
        return found


class UnfinishedGame:
    """The file of a game that goes on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: IO[bytes] | None = None

    @property
    def kept_at(self) -> float:
        """When it was written last, in seconds as `time.time` counts them."""
        return self.path.stat().st_mtime

    def keep(self, record: Record) -> None:
        """Write the game as it stands."""
        write_whole(self.path, format_json(record).encode() + b"\n")

    def read(self) -> Record:
        """The game as it was kept last."""
        return parse_json(self.path.read_text(encoding="utf-8"))

    def drop(self) -> None:
        """The game is finished, or given up."""
        self.path.unlink(missing_ok=True)
        self.unlock()

    def lock(self) -> bool:
        """Whether this process plays it now."""
        try:
            import fcntl
        except ImportError:  # on Windows: two windows may then be offered the same game
            return True
        while self._lock is None:
            path = self.path.with_suffix(".lock")
            file = path.open("wb")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                return False
            except OSError:  # a file system without locks
                pass
            # Whoever had it may have removed the file in between: a lock on that would keep nobody out.
            try:
                is_there = os.path.samestat(os.fstat(file.fileno()), path.stat())
            except FileNotFoundError:
                is_there = False
            if is_there:
                self._lock = file
            else:
                file.close()
        return True

    def unlock(self) -> None:
        """Leave it to others."""
        if self._lock is not None:
            self.path.with_suffix(".lock").unlink(missing_ok=True)
            self._lock.close()
            self._lock = None
