"""Played games from a file, standard input or the history."""

import codecs
import gc
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from tentimes18.cli.output import progress_bar, tell
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.number_format import counted
from tentimes18.records.formats import BadLine, Line, read_records
from tentimes18.records.history import History

STANDARD_INPUT = "-"
MAX_GAMES = 1_000_000  # some gigabytes in memory
MAX_JUNK = 10_000  # bad lines before the first game: whatever this is, it is not a file of games
WINDOWS = "windows"
LOOK = 4096  # bytes, to see what a file is
MAX_REPORTED = 10  # bad lines
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # what some shells write

FileArgument: TypeAlias = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]", help="A file of played games, one per line; - for standard input.", show_default=False
    ),
]
LastOption: TypeAlias = Annotated[bool, typer.Option("--last", help="Show the last game in your history.")]
NumberOption: TypeAlias = Annotated[
    int | None,
    typer.Option("--number", metavar="N", help="Show game N of your history, numbered as in `ten18 history`."),
]
GameOption: TypeAlias = Annotated[
    int | None, typer.Option("--game", metavar="N", help="Show only the game in line N of FILE, move by move.")
]


@dataclass
class GamesFile:
    """The games of a file by line, and the lines that are not games."""

    name: str
    lines: list[Line] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)

    def game(self, number: int, option: str = "game") -> Line:
        for line in self.lines:
            if line.number == number:
                return line
        for bad in self.bad:
            if bad.number == number:
                raise Ten18Error(f"line {number} of {self.name} is not a game: {bad.reason}", field=option)
        several = len(self.lines) > 1
        numbers = f"{self.lines[0].number} to {self.lines[-1].number}" if several else f"{self.lines[0].number}"
        if option == "number":
            raise Ten18Error(f"{self.name} has no game {number}; accepted: {numbers}", field=option)
        numbers = f"{'lines' if several else 'line'} {numbers}"
        raise Ten18Error(f"line {number} of {self.name} is not a game; the games are in {numbers}", field=option)

    def require_opponents(self, aim: str) -> None:
        reason = f"the aim {aim} needs the opponent's moves, like opponent=8@4 4@2"
        self.reject([BadLine(line.number, reason) for line in self.lines if line.record.opponent is None])

    def reject(self, bad: Sequence[BadLine]) -> None:
        numbers = {line.number for line in bad}
        self.lines = [line for line in self.lines if line.number not in numbers]
        self.bad = sorted([*self.bad, *bad])

    def verify(self) -> None:
        """Raise where there is no game, with the first reason."""
        if not self.lines:
            raise no_game(self.name, self.bad, "lines like 3d6 1-10: 8@5 4@1 12@7")


def no_game(name: str, bad: Sequence[BadLine], accepted: str) -> Ten18Error:
    """The error for a file without games: the first bad line, or what is accepted."""
    if not bad:
        return Ten18Error(f"{name}: no game in it; accepted: {accepted}")
    others = f"; and {counted(len(bad) - 1, 'more bad line')}" if len(bad) > 1 else ""
    return Ten18Error(f"{name}: no game in it; line {bad[0].number}: {bad[0].reason}{others}")


def chosen_file(file: Path | None, *, last: bool, number: int | None, game: int | None) -> GamesFile:
    """The games of the file, the one in a line of it, or one game of the history."""
    of_history = [option for option, is_given in (("last", last), ("number", number is not None)) if is_given]
    if len(of_history) > 1:
        raise Ten18Error("give --last or --number, not both")
    if file is None and not of_history:
        raise Ten18Error("give a FILE of played games, or --last or --number N for a game of your history")
    if file is not None and of_history:
        raise Ten18Error("is for your history; leave out FILE", field=of_history[0])
    if file is None:
        if game is not None:
            raise Ten18Error("is for a FILE; for your history use --number", field="game")
        return _of_history(number, of_history[0])
    source = read_games(file)
    if game is not None:
        source.verify()
        source.lines = [source.game(game)]
    return source


def _of_history(number: int | None, option: str) -> GamesFile:
    games = list(History().games())
    lines = [line for line in games if isinstance(line, Line)]
    source = GamesFile("your history", lines, [line for line in games if isinstance(line, BadLine)])
    if not lines:
        raise Ten18Error("your history has no game yet; `ten18 play` starts one", field=option)
    chosen = lines[-1] if number is None else source.game(number, option)
    source.lines = [chosen]
    source.bad = [] if number is not None else [line for line in source.bad if line.number > chosen.number]
    return source


def tell_bad_lines(bad: Sequence[BadLine]) -> None:
    for number, reason in bad[:MAX_REPORTED]:
        tell(f"line {number}: {reason}")
    if len(bad) > MAX_REPORTED:
        tell(f"and {len(bad) - MAX_REPORTED:,} more bad lines")


def read_games(path: Path) -> GamesFile:
    games = GamesFile(name_of(path))
    with opened_text(path, games.name) as text, progress_bar("reading") as progress, _without_collector():
        size = os.fstat(text.fileno()).st_size
        for line in read_records(text):
            if isinstance(line, BadLine):
                games.bad.append(line)
                if not games.lines and len(games.bad) >= MAX_JUNK:
                    break
                continue
            games.lines.append(line)
            if len(games.lines) > MAX_GAMES:
                raise TooLarge(f"{games.name}: more than {MAX_GAMES:,} games; give them in several files")
            if progress and size and len(games.lines) % 1000 == 0:
                progress(os.lseek(text.fileno(), 0, os.SEEK_CUR), size)
    return games


@contextmanager
def _without_collector() -> Iterator[None]:
    """Pause the garbage collector, which takes a fifth of the reading time: games have no reference cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(WINDOWS, _as_windows)


@contextmanager
def opened_text(path: Path, name: str) -> Iterator[io.TextIOWrapper]:
    """The text of a file in UTF-8 or UTF-16; other bytes are read as Windows writes them (code page 1252)."""
    if str(path) == STANDARD_INPUT and sys.stdin is None:
        raise Ten18Error(f"{name} is closed")
    try:
        source = sys.stdin.buffer if str(path) == STANDARD_INPUT else path.open("rb")
        assert isinstance(source, io.BufferedReader)
        start = source.peek(LOOK)
    except (FileNotFoundError, NotADirectoryError):
        raise Ten18Error(f"{name}: there is no such file") from None
    except IsADirectoryError:
        raise Ten18Error(f"{name}: is a folder; give a file of played games") from None
    except (OSError, ValueError) as error:
        raise Ten18Error(f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    with source:
        encoding = "utf-16" if start.startswith(UTF_16) else "utf-8"
        if encoding == "utf-8" and b"\0" in start:
            raise Ten18Error(f"{name}: is not text; give a file of played games")
        with io.TextIOWrapper(source, encoding=encoding, errors=WINDOWS) as text:
            yield text


def name_of(path: Path) -> str:
    return "standard input" if str(path) == STANDARD_INPUT else os.fsencode(path).decode(errors="replace")[:200]
