"""What commands print: JSON for programs, tables for people, progress for the patient."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Final, TextIO, TypeAlias, cast

if TYPE_CHECKING:
    from rich.console import Console, Group

__all__ = [
    "ClosedPipe",
    "Grid",
    "PlainLetters",
    "console",
    "drop_output",
    "print_json",
    "progress_bar",
    "table",
    "tell",
    "write",
]

PIPE_WIDTH: Final = 160
LETTERS: Final = str.maketrans(
    {"−": "-", "×": "x", "·": ".", "…": "...", "’": "'", "●": "o", "▸": ">"}
    | dict(zip("←→⚀⚁⚂⚃⚄⚅", "<>123456", strict=True))
    | dict(zip("▁▂▃▄▅▆▇█", "._-~=+*#", strict=True))
    | dict.fromkeys("─━╌═", "-")
    | dict.fromkeys("│┃╎║", "|")
    | dict.fromkeys("╭╮╰╯┌┐└┘┏┓┗┛┬┴├┤┼", "+")
)


Report: TypeAlias = Callable[[int, int], None]
"""Takes how much is done, and of how much."""


class ClosedPipe(Exception):
    """Nobody reads standard output any more."""


def print_json(answer: Mapping[str, object]) -> None:
    """One JSON object on one line."""
    write(json.dumps(answer, ensure_ascii=not _has_all_letters(sys.stdout)) + "\n")


def write(text: str) -> None:
    """Text on standard output, as it is."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise ClosedPipe from None


def _has_all_letters(file: TextIO) -> bool:
    return (file.encoding or "utf-8").lower().startswith("utf")


def drop_output(file: IO[str]) -> None:
    """Nothing more can be written there: also keep the interpreter from trying at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())


def console(*, stderr: bool = False, pipe_width: int = PIPE_WIDTH) -> "Console":
    """Where tables go; into a file or a pipe they go without colour, and wide enough for nothing to be cut."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise ClosedPipe

    file = sys.stderr if stderr else sys.stdout
    width = None if file.isatty() else pipe_width
    return Screen(highlight=False, markup=False, width=width, file=PlainLetters.where_needed(file))


class PlainLetters:
    """A file that has no letters but its own: what it cannot show is written with what it can."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.encoding = file.encoding
        self.isatty, self.fileno, self.flush = file.isatty, file.fileno, file.flush

    @classmethod
    def where_needed(cls, file: TextIO) -> TextIO:
        """The file, or this one before it."""
        return file if _has_all_letters(file) else cast(TextIO, cls(file))

    def write(self, text: str) -> int:
        """Write it so that it can be read."""
        return self.file.write(text.translate(LETTERS).encode(self.encoding, "replace").decode(self.encoding))


class Grid:
    """A table under its title, which may be wider than it."""

    def __init__(self, title: str, columns: tuple[str, ...], label: str | None) -> None:
        from rich import box
        from rich.table import Table

        self.title = title
        self.table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
        self.add_row = self.table.add_row
        if label is not None:
            self.table.add_column(label, justify="left", no_wrap=True)
        for column in columns:
            self.table.add_column(column, justify="right", no_wrap=True)

    def __rich__(self) -> "Group":
        from rich.console import Group
        from rich.text import Text

        return Group(Text(self.title, style="bold"), self.table)


def table(title: str, *columns: str, label: str | None = None) -> Grid:
    """A table in the style of this command; columns are right-aligned numbers, after one label column."""
    return Grid(title, columns, label)


def tell(line: str) -> None:
    """A line on standard error that is not an error."""
    sys.stderr.write(f"ten18: {line}\n")


@contextmanager
def progress_bar(what: str, *, late: bool = False) -> Iterator[Report | None]:
    """A bar on standard error while the work goes on, where that is a terminal; ``late``: from the first report on."""
    if not sys.stderr.isatty():
        yield None
        return
    with ExitStack() as stack:
        shown = None if late else stack.enter_context(_bar(what))

        def report(done: int, total: int) -> None:
            nonlocal shown
            shown = shown or stack.enter_context(_bar(what))
            shown(done, total)

        yield report


@contextmanager
def _bar(what: str) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
