"""A player's own games: every finished one in a file, and the unfinished ones, which are never lost.

Finished games are in `games.ndjson` (docs/reference/notation.md), one line each, in the order of play. An
unfinished game is a file of its own, written whole after every roll and every move. While it is being played it is
locked, so that a second window does not offer it; a lock ends with its process, however that ends.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from tentimes18.files import data_folder, write_whole
from tentimes18.records.formats import BadLine, Line, read_line
from tentimes18.records.notation import Record, format_json, parse_json


class History:
    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or data_folder()
        self.path = self.folder / "games.ndjson"

    def add(self, record: Record) -> None:
        """Write a game at the end of the file, in one piece and through to the disk."""
        self.folder.mkdir(parents=True, exist_ok=True)
        line = format_json(record).encode() + b"\n"
        with self.path.open("ab+", buffering=len(line) + 2) as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":  # the last line was cut off: it stays a line of its own
                    line = b"\n" + line
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def games(self) -> Iterator[Line | BadLine]:
        """All games in the order of play, and what could not be read."""
        try:
            with self.path.open(encoding="utf-8", errors="replace") as file:
                # Each line separately, so that a damaged one spoils no other.
                for number, line in enumerate(file, start=1):
                    if text := line.strip():
                        yield read_line(number, text)
        except FileNotFoundError:
            return

    def holds(self, record: Record) -> bool:
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
        games = []
        for path in self.folder.glob("unfinished-*.json"):
            game = UnfinishedGame(path)
            with suppress(OSError, ValueError):
                if game.lock():  # first: then no other window can finish it
                    try:
                        games.append((path.stat().st_mtime_ns, game, game.read()))
                    finally:
                        game.unlock()
        return [(game, record) for _, game, record in sorted(games, key=lambda entry: -entry[0])]

    def unreadable(self) -> list[Path]:
        """The files of unfinished games that hold none; they are left as they are."""
        damaged = []
        for path in sorted(self.folder.glob("unfinished-*.json")):
            try:
                with suppress(FileNotFoundError):  # finished meanwhile
                    UnfinishedGame(path).read()
            except (OSError, ValueError):
                damaged.append(path)
        return damaged


class UnfinishedGame:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = FileLock(path.with_suffix(".lock"), thread_local=False)

    @property
    def kept_at(self) -> float:
        return self.path.stat().st_mtime

    def keep(self, record: Record) -> None:
        write_whole(self.path, format_json(record).encode() + b"\n")

    def read(self) -> Record:
        return parse_json(self.path.read_text(encoding="utf-8"))

    def drop(self) -> None:
        self.path.unlink(missing_ok=True)
        self.unlock()

    def lock(self) -> bool:
        """Keep other windows away; False where one has the game."""
        with suppress(NotImplementedError):  # a file system without locks
            try:
                self._lock.acquire(blocking=False)
            except Timeout:
                return False
        return True

    def unlock(self) -> None:
        if self._lock.is_locked:
            Path(self._lock.lock_file).unlink(missing_ok=True)
            self._lock.release()
