"""Tables: for people in lines of text that never cut a number, for programs as CSV at full precision.

On a terminal a table that is too wide is set closer, then cut between its columns into tables below each other; into a
file or a pipe it goes as wide as it is. (The tables of rich shrink columns until numbers are cut, and take ten times as
long for thousands of cells.)
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias

from rich.cells import cell_len, chop_cells

from tentimes18.cli.output import styled
from tentimes18.number_format import decimal

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.text import Text

GAPS = (2, 1)  # between columns; the second where the first is too wide
MARGIN = 1

Value: TypeAlias = int | float | str | bool | None
"""What a program reads in a cell."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column by its head; ``key`` is its name for programs, where that is another one, ``form`` how numbers look."""

    head: str
    key: str = ""
    left: bool = False
    width: int = 0
    form: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    value: Value
    text: str
    style: str | None = None


def number(value: float | None, form: str = "", style: str | None = None) -> Entry:
    """A number, which people see in this form and with a real minus; an empty cell for None."""
    return Entry(value, "" if value is None else decimal(value, form), style)


@dataclass
class Grid:
    """A table under its title; the first column holds the labels of the rows if ``has_labels``."""

    title: str
    columns: list[Column]
    has_labels: bool
    name: str = ""
    head_style: str = "bold"
    rows: list[tuple[list[Entry], str | None]] = field(default_factory=list)

    def add_row(self, *cells: Entry | Value, style: str | None = None) -> None:
        """Add a row; values may stand for their cells, where numbers get the form of the column."""
        padded = [*cells, *[None] * (len(self.columns) - len(cells))]
        self.rows.append(([_entry(cell, column) for cell, column in zip(padded, self.columns, strict=True)], style))

    def width(self, gap: int = GAPS[0]) -> int:
        return _total(self._widths(), gap)

    def csv(self) -> str:
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(column.key or column.head for column in self.columns)
        for row, _ in self.rows:
            writer.writerow(str(cell.value).lower() if isinstance(cell.value, bool) else cell.value for cell in row)
        return file.getvalue()

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        if self.title:
            yield styled(self.title, "bold")
        widths, available = self._widths(), options.max_width
        blocks = list(self._blocks(widths, available))
        for block in blocks:
            gap = next((gap for gap in GAPS if _total([widths[place] for place in block], gap) <= available), GAPS[-1])
            yield from self._block(block, _shrunk([widths[place] for place in block], gap, available), gap, len(blocks))
        yield styled()

    def _widths(self) -> list[int]:
        return [
            max(column.width, cell_len(column.head), *(cell_len(row[place].text) for row, _ in self.rows), 0)
            for place, column in enumerate(self.columns)
        ]

    def _blocks(self, widths: Sequence[int], available: int) -> Iterator[list[int]]:
        """The columns side by side: all of them, or as many as fit beside the labels."""
        block: list[int] = []
        for place in range(len(self.columns)):
            wider = [widths[other] for other in (*block, place)]
            if len(block) > self.has_labels and _total(wider, GAPS[-1]) > available:
                yield block
                block = [0] if self.has_labels else []
            block.append(place)
        yield block

    def _block(self, places: Sequence[int], widths: Sequence[int], gap: int, blocks: int) -> "Iterator[Text]":
        """Some columns of all rows; if the table is split, only the rows that have something in them."""
        heads = [Entry(None, self.columns[place].head, self.head_style) for place in places]
        yield styled()
        yield from self._lines(heads, places, widths, gap, None)
        yield styled(" " * MARGIN + "─" * (_total(widths, gap) - MARGIN))
        for row, style in self.rows:
            cells = [row[place] for place in places]
            if blocks == 1 or any(cell.text for cell in cells[self.has_labels :]):
                yield from self._lines(cells, places, widths, gap, style)

    def _lines(
        self, cells: Sequence[Entry], places: Sequence[int], widths: Sequence[int], gap: int, style: str | None
    ) -> "Iterator[Text]":
        columns = [
            [cell.text] if cell_len(cell.text) <= width else chop_cells(cell.text, width)
            for cell, width in zip(cells, widths, strict=True)
        ]
        for parts in zip_longest(*columns, fillvalue=""):
            line, blank = styled("", style or "", no_wrap=True), MARGIN
            for text, cell, place, width in zip(parts, cells, places, widths, strict=True):
                space = width - cell_len(text)
                if text:
                    is_left = self.columns[place].left
                    line.append(" " * (blank + (0 if is_left else space))).append(text, cell.style or "")
                    blank = space if is_left else 0
                else:
                    blank += width
                blank += gap
            yield line


@dataclass(frozen=True)
class ByWidth:
    """A part of a page that depends on how many columns the terminal has."""

    parts: "Callable[[int], Iterable[RenderableType]]"

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        yield from self.parts(options.max_width)


def _entry(cell: Entry | Value, column: Column) -> Entry:
    if isinstance(cell, Entry):
        return cell
    if cell is None or isinstance(cell, float) or (column.form and isinstance(cell, int)):
        return number(cell, column.form)
    return Entry(cell, str(cell))


def _shrunk(widths: list[int], gap: int, available: int) -> list[int]:
    """Widths that fit, the widest reduced first."""
    while _total(widths, gap) > available and max(widths) > 1:
        widths[widths.index(max(widths))] -= max(1, min(_total(widths, gap) - available, max(widths) - 1))
    return widths


def _total(widths: Sequence[int], gap: int) -> int:
    return MARGIN + sum(widths) + gap * (len(widths) - 1)


def table(
    title: str,
    *columns: str | Column,
    label: str | Column | None = None,
    key: str = "",
    name: str = "",
    rows: Iterable[Iterable[Any]] = (),
) -> Grid:
    """A table whose columns are right-aligned numbers, after one label column; each row has entries or values.

    A label column without a head has a ``key`` instead, its name for programs.
    """
    label = Column("", key, left=True) if key else label
    heads = [Column(column) if isinstance(column, str) else column for column in columns]
    if label is not None:
        heads.insert(0, Column(label, left=True) if isinstance(label, str) else label)
    grid = Grid(title, heads, label is not None, name)
    for row in rows:
        grid.add_row(*row)
    return grid


def data_table(name: str, columns: Iterable[str], rows: Iterable[Iterable[Value]]) -> Grid:
    """A table for programs alone."""
    grid = table("", *columns, name=name)
    for row in rows:
        grid.add_row(*(Entry(value, "") for value in row))
    return grid
