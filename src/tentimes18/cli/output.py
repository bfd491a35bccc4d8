"""What commands print: JSON for programs, tables for people, progress for the patient."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.console import Console, Group

    from tentimes18.solve.thresholds import Progress

__all__ = ["ClosedPipe", "Grid", "console", "plain", "print_json", "progress_bar", "table", "tell", "write"]

PIPE_WIDTH: Final = 160


class ClosedPipe(Exception):
    """Nobody reads standard output any more."""


def print_json(result: dict[str, Any]) -> None:
    """One JSON object on one line; fractions and numpy numbers as plain floats at full precision."""
    write(json.dumps(result, default=plain, ensure_ascii=False) + "\n")


def write(text: str) -> None:
    """Text on standard output, as it is."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise ClosedPipe from None


def plain(value: Any) -> int | float:
    """A plain number: integers stay integers, whatever else is a float."""
    if isinstance(value, int):
        return value
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    return float(value)


def console() -> "Console":
    """Where tables go; into a file or a pipe they go without colour, and wide enough for nothing to be cut."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise ClosedPipe

    return Screen(highlight=False, markup=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)


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
def progress_bar(what: str) -> "Iterator[Progress | None]":
    """A bar on standard error while the work goes on, where that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
