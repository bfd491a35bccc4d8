"""Tables: for people in lines of text that never cut a number, for programs as CSV at full precision.

On a terminal a table that is too wide is set closer, then cut between its columns into tables below each other; into a
file or a pipe it goes as wide as it is. (The tables of rich shrink columns until numbers are cut, and take ten times as
long for thousands of cells.)
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.text import Text

GAPS = (2, 1)  # between columns; the second where the first is too wide
MARGIN = 1

Value: TypeAlias = int | float | str | bool | None
"""What a program reads in a cell."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column by its head; ``key`` is its name for programs, where that is another one."""

    head: str
    key: str = ""
    left: bool = False
    width: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """A cell: a value, how people see it, and in which style."""

    value: Value
    text: str
    style: str | None = None


def number(value: float | None, form: str = "", style: str | None = None) -> Entry:
    """A number, which people see in this form and with a real minus; an empty cell for None."""
    return Entry(value, "" if value is None else f"{value:{form}}".replace("-", "−"), style)


@dataclass
class Grid:
    """A table under its title, which may be wider than it; the first column is the label of a row where it has one."""

    title: str
    columns: list[Column]
    has_labels: bool
    name: str = ""
    head_style: str = "bold"
    rows: list[tuple[list[Entry], str | None]] = field(default_factory=list)

    def add_row(self, *cells: Entry | str | int, style: str | None = None) -> None:
        """Add a row; texts and whole numbers may stand for their cells."""
        if len(cells) > len(self.columns):
            raise ValueError(f"{len(cells)} cells for {len(self.columns)} columns")
        row = [cell if isinstance(cell, Entry) else Entry(cell, str(cell)) for cell in cells]
        self.rows.append((row + [Entry(None, "")] * (len(self.columns) - len(row)), style))

    @property
    def width(self) -> int:
        """How wide it is where it has the room."""
        return _total(self._widths(), GAPS[0])

    @property
    def least_width(self) -> int:
        """How wide it is with its columns as close as they get."""
        return _total(self._widths(), GAPS[-1])

    def csv(self) -> str:
        """The table for programs: a line of names, then the values at full precision."""
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(column.key or column.head for column in self.columns)
        for row, _ in self.rows:
            writer.writerow(str(cell.value).lower() if isinstance(cell.value, bool) else cell.value for cell in row)
        return file.getvalue()

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.text import Text

        if self.title:
            yield Text(self.title, style="bold")
        widths, available = self._widths(), options.max_width
        blocks = list(self._blocks(widths, available))
        for block in blocks:
            gap = next((gap for gap in GAPS if _total([widths[place] for place in block], gap) <= available), GAPS[-1])
            yield from self._block(block, _shrunk([widths[place] for place in block], gap, available), gap, len(blocks))
        yield Text("")

    def _widths(self) -> list[int]:
        from rich.cells import cell_len

        return [
            max(column.width, cell_len(column.head), *(cell_len(row[place].text) for row, _ in self.rows), 0)
            for place, column in enumerate(self.columns)
        ]

    def _blocks(self, widths: Sequence[int], available: int) -> Iterator[list[int]]:
        """The columns that are side by side: all of them, or as many as there is room for beside the labels."""
        block: list[int] = []
        for place in range(len(self.columns)):
            wider = [widths[other] for other in (*block, place)]
            if len(block) > self.has_labels and _total(wider, GAPS[-1]) > available:
                yield block
                block = [0] if self.has_labels else []
            block.append(place)
        yield block

    def _block(self, places: Sequence[int], widths: Sequence[int], gap: int, blocks: int) -> "Iterator[Text]":
        """Some columns of all rows; of a part of the table only the rows that have something in it."""
        from rich.text import Text

        heads = [Entry(None, self.columns[place].head, self.head_style) for place in places]
        yield Text("")
        yield from self._lines(heads, places, widths, gap, None)
        yield Text(" " * MARGIN + "─" * (_total(widths, gap) - MARGIN))
        for row, style in self.rows:
            cells = [row[place] for place in places]
            if blocks == 1 or any(cell.text for cell in cells[self.has_labels :]):
                yield from self._lines(cells, places, widths, gap, style)

    def _lines(
        self, cells: Sequence[Entry], places: Sequence[int], widths: Sequence[int], gap: int, style: str | None
    ) -> "Iterator[Text]":
        """A row; what is longer than its column goes on in the next line."""
        from rich.cells import cell_len, chop_cells
        from rich.text import Text

        columns = [
            [cell.text] if cell_len(cell.text) <= width else chop_cells(cell.text, width)
            for cell, width in zip(cells, widths, strict=True)
        ]
        for parts in zip_longest(*columns, fillvalue=""):
            line, blank = Text(style=style or "", no_wrap=True), MARGIN
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


def _shrunk(widths: list[int], gap: int, available: int) -> list[int]:
    """Columns that fit, the widest made narrower: only one with a number longer than a line does not fit by itself."""
    while _total(widths, gap) > available and max(widths) > 1:
        widths[widths.index(max(widths))] -= max(1, min(_total(widths, gap) - available, max(widths) - 1))
    return widths


def _total(widths: Sequence[int], gap: int) -> int:
    return MARGIN + sum(widths) + gap * (len(widths) - 1)


def table(title: str, *columns: str | Column, label: str | Column | None = None, name: str = "") -> Grid:
    """A table in the style of this command; columns are right-aligned numbers, after one label column."""
    heads = [Column(column) if isinstance(column, str) else column for column in columns]
    if label is not None:
        heads.insert(0, Column(label, left=True) if isinstance(label, str) else label)
    return Grid(title, heads, label is not None, name)
