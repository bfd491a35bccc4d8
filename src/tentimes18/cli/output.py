"""What commands print: JSON for programs, tables for people, progress bars."""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from time import perf_counter
from typing import IO, TYPE_CHECKING, Any, TextIO, TypeAlias, cast

from tentimes18.queries import to_json

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

LATE = 0.5  # seconds until a bar is worth it
NO_WIDTH = 100_000  # without a terminal nothing is cut, and no line is broken
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
    """Standard output has no reader any more."""


class Verbatim(str):
    """Text that is written unchanged, in lines of any length, so that a terminal copies them whole."""

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
        if not self.isatty():
            text = re.sub(r" +(?=\n)", "", text)
        if not _has_all_letters(self.file):
            text = text.translate(LETTERS).encode(self.encoding, "replace").decode(self.encoding)
        return self.file.write(text)


def _has_all_letters(file: TextIO) -> bool:
    return (file.encoding or "utf-8").lower().startswith("utf")


def print_json(answer: Any) -> None:
    text = to_json(answer).decode()
    write((text if _has_all_letters(sys.stdout) else json.dumps(json.loads(text))) + "\n")


def write(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise ClosedPipe from None


def drop_output(file: IO[str]) -> None:
    """Discard what is written from now on, also by the interpreter at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())


def styled(text: str = "", style: str = "", *, no_wrap: bool | None = None) -> "Text":
    """A styled text; rich is loaded when something is shown, not for JSON."""
    from rich.text import Text

    return Text(text, style=style, no_wrap=no_wrap)


def printable(text: str, replacement: str = "?") -> str:
    """A text that others wrote, without characters that control a terminal."""
    return "".join(letter if letter.isprintable() else replacement for letter in text)


def console(*, stderr: bool = False, pipe_width: int = NO_WIDTH) -> "Console":
    """Where pages are printed; files and pipes have no colour and lines of any length."""
    file = sys.stderr if stderr else sys.stdout
    return _screen(file, None if file.isatty() else pipe_width)


def _screen(file: TextIO, width: int | None, **settings: Any) -> "Console":
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise ClosedPipe

    return Screen(highlight=False, markup=False, width=width, file=cast(TextIO, PlainFile(file)), **settings)


def show(page: "Iterable[RenderableType]", screen: "Console") -> None:
    for part in page:
        if isinstance(part, Verbatim):
            screen.file.write(f"{part}\n")
        else:
            screen.print(part)


def text_of(page: "Iterable[RenderableType]") -> str:
    file = io.StringIO()
    show(page, _screen(file, NO_WIDTH, force_terminal=False))
    return file.getvalue()


def trimmed_output() -> AbstractContextManager[object]:
    """Inside, what others print has no blanks at the ends of lines."""
    return redirect_stdout(cast(TextIO, PlainFile(sys.stdout)))


def tell(line: str) -> None:
    sys.stderr.write(f"ten18: {line}\n")


@contextmanager
def progress_bar(what: str, *, late: bool = False) -> Iterator[Report | None]:
    """A bar on standard error if that is a terminal; with ``late`` only once the work takes long."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    class TimeLeft(TimeRemainingColumn):
        def render(self, task: Any) -> "Text":
            is_compiling = getattr(sys.modules.get("tentimes18.compiled"), "is_compiling", None)  # it loads numba
            if is_compiling is not None and is_compiling():
                return styled("compiling, once")
            return styled("left ").append_text(super().render(task))

    columns = TextColumn(what), BarColumn(), TimeElapsedColumn(), TimeLeft()
    screen = Console(stderr=True)
    bar = Progress(*columns, console=screen, transient=True, redirect_stdout=False, redirect_stderr=False)
    task, began = bar.add_task(what, total=None), perf_counter()

    def report(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)
        if not bar.live.is_started and perf_counter() - began >= LATE:
            bar.start()

    try:
        if not late:
            bar.start()
        yield report
    finally:  # also when Ctrl-C arrives while it starts
        if bar.live.is_started:
            bar.stop()
