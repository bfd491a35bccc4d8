"""What commands print: JSON for programs, tables for people, progress for the patient."""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from time import perf_counter
from typing import IO, TYPE_CHECKING, Any, Final, TextIO, TypeAlias, cast

from tentimes18.queries import to_json

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

__all__ = [
    "ClosedPipe",
    "PlainLetters",
    "Trimmed",
    "Verbatim",
    "console",
    "drop_output",
    "print_json",
    "progress_bar",
    "progress_times",
    "show",
    "tell",
    "text_of",
    "trimmed_output",
    "write",
]

LATE: Final = 0.5  # seconds until a bar is worth it
NO_WIDTH: Final = 100_000  # of what is no terminal: nothing is cut, and no line is broken
LETTERS: Final = str.maketrans(
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


def _has_all_letters(file: TextIO) -> bool:
    return (file.encoding or "utf-8").lower().startswith("utf")


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
    plain = PlainLetters.where_needed(file)
    if file.isatty():
        return Screen(highlight=False, markup=False, file=plain)
    return Screen(highlight=False, markup=False, width=pipe_width, file=cast(TextIO, Trimmed(plain)))


class Verbatim(str):
    """Text that is written as it is, in lines of any length: a terminal breaks them itself, and copies them whole."""

    __slots__ = ()


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
    trimmed = cast(TextIO, Trimmed(file))
    screen = Console(highlight=False, markup=False, width=NO_WIDTH, file=trimmed, force_terminal=False)
    show(page, screen)
    return file.getvalue()


class Trimmed:
    """A file whose lines have no blanks at their ends."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.encoding = file.encoding or "utf-8"
        self.isatty, self.fileno, self.flush = file.isatty, file.fileno, file.flush

    def write(self, text: str) -> int:
        """Write whole lines without these blanks."""
        return self.file.write(re.sub(r" +(?=\n)", "", text))


@contextmanager
def trimmed_output() -> Iterator[None]:
    """Inside, what others print goes without blanks at the ends of its lines into what is no terminal."""
    if sys.stdout.isatty():
        yield
        return
    with redirect_stdout(cast(TextIO, Trimmed(sys.stdout))):
        yield


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
        shown = None if late else stack.enter_context(_bar(what))

        began = perf_counter()

        def report(done: int, total: int) -> None:
            nonlocal shown
            if shown is None and perf_counter() - began < LATE:
                return
            shown = shown or stack.enter_context(_bar(what))
            shown(done, total)

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
    """How long it has taken, and how much longer it will, as far as that is known.

    >>> progress_times(3.2, 235.0), progress_times(3700.0, None)
    ('3 s, about 3 min 55 s to go', '1 h 1 min')
    """
    return _duration(elapsed) + ("" if remaining is None else f", about {_duration(remaining)} to go")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
