"""What commands print: JSON for programs, tables for people, progress for the patient."""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, redirect_stdout
from time import perf_counter
from typing import IO, TYPE_CHECKING, Any, TextIO, TypeAlias, cast

from tentimes18.queries import to_json

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

LATE = 0.5  # seconds until a bar is worth it
NO_WIDTH = 100_000  # of what is no terminal: nothing is cut, and no line is broken
LETTERS = str.maketrans(
    {"−": "-", "×": "x", "·": ".", "…": "...", "’": "'", "●": "o", "▸": ">", "≤": "<=", "≥": ">="}
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


class Verbatim(str):
    """Text that is written as it is, in lines of any length: a terminal breaks them itself, and copies them whole."""

    __slots__ = ()


class PlainFile:
    """A file that is written with the letters of its encoding, and without blanks at the ends of lines.

    A terminal gets these blanks: they may have a colour.
    """

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.encoding = file.encoding or "utf-8"
        self.isatty, self.fileno, self.flush = file.isatty, file.fileno, file.flush

    def write(self, text: str) -> int:
        """Write whole lines."""
        if not self.isatty():
            text = re.sub(r" +(?=\n)", "", text)
        if not _has_all_letters(self.file):
            text = text.translate(LETTERS).encode(self.encoding, "replace").decode(self.encoding)
        return self.file.write(text)


def _has_all_letters(file: TextIO) -> bool:
    return (file.encoding or "utf-8").lower().startswith("utf")


def print_json(answer: Any) -> None:
    """One JSON object on one line."""
    text = to_json(answer).decode()
    write((text if _has_all_letters(sys.stdout) else json.dumps(json.loads(text))) + "\n")


def write(text: str) -> None:
    """Text on standard output, as it is."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise ClosedPipe from None


def drop_output(file: IO[str]) -> None:
    """Nothing more can be written there: also keep the interpreter from trying at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())


def console(*, stderr: bool = False, pipe_width: int = NO_WIDTH) -> "Console":
    """Where pages go; into a file or a pipe they go without colour, and in lines as long as they are."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise ClosedPipe

    file = sys.stderr if stderr else sys.stdout
    width = None if file.isatty() else pipe_width
    return Screen(highlight=False, markup=False, width=width, file=cast(TextIO, PlainFile(file)))


def show(page: "Iterable[RenderableType]", screen: "Console") -> None:
    """Print the parts of a page one after another."""
    for part in page:
        if isinstance(part, Verbatim):
            screen.file.write(f"{part}\n")
        else:
            screen.print(part)


def text_of(page: "Iterable[RenderableType]") -> str:
    """A page as a file holds it: plain text, in lines as long as they are."""
    from rich.console import Console

    file = io.StringIO()
    plain = cast(TextIO, PlainFile(file))
    show(page, Console(highlight=False, markup=False, width=NO_WIDTH, file=plain, force_terminal=False))
    return file.getvalue()


def trimmed_output() -> AbstractContextManager[object]:
    """Inside, what others print has no blanks at the ends of its lines."""
    return redirect_stdout(cast(TextIO, PlainFile(sys.stdout)))


def tell(line: str) -> None:
    """A line on standard error that is not an error."""
    sys.stderr.write(f"ten18: {line}\n")


@contextmanager
def progress_bar(what: str, *, late: bool = False) -> Iterator[Report | None]:
    """A bar on standard error while the work goes on, where that is a terminal; ``late``: only once that takes long."""
    if not sys.stderr.isatty():
        yield None
        return
    with ExitStack() as stack:
        bar = None if late else stack.enter_context(_bar(what))
        began = perf_counter()

        def report(done: int, total: int) -> None:
            nonlocal bar
            if bar is None and perf_counter() - began < LATE:
                return
            bar = bar or stack.enter_context(_bar(what))
            bar(done, total)

        yield report


@contextmanager
def _bar(what: str) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.table import Column
    from rich.text import Text

    class Times(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(progress_times(task.elapsed or 0.0, task.time_remaining))

    times = Times(table_column=Column(no_wrap=True))  # in a narrow window the bar gives way
    with Progress(TextColumn(what), BarColumn(), times, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def progress_times(elapsed: float, remaining: float | None) -> str:
    """How long it has taken, and how much longer it will, as far as that is known."""
    return _duration(elapsed) + ("" if remaining is None else f", about {_duration(remaining)} to go")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
