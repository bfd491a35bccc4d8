"""Files of played games: lines of text, JSON objects one a line (NDJSON), a JSON array, or a table (CSV).

What a file holds is seen from its content. A line that cannot be read is told with its number, and the others are read
all the same.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, starmap
from typing import Final, NamedTuple

from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.records.notation import (
    VERSION,
    Record,
    format_json,
    format_record,
    parse_json,
    parse_record,
    record_from_json,
    record_to_json,
)
from tentimes18.records.tags import format_text, format_value, parse_text, parse_value, read_json

__all__ = ["ENDINGS", "BadLine", "Line", "are_lines", "filled_line", "read_line", "read_records", "written_lines"]

ENDINGS: Final = (".txt", ".ndjson", ".csv")
TITLE: Final = f"# ten18 games, version {VERSION}"
TEXT_FIELDS: Final = ("dice", "slots", "moves")  # of a table; all other cells may hold JSON


class Line(NamedTuple):
    """A game, and the number of the line it began in."""

    number: int
    record: Record


class BadLine(NamedTuple):
    """A line that is no game, and why."""

    number: int
    reason: str


def read_records(lines: Iterable[str]) -> Iterator[Line | BadLine]:
    r"""Read the games of a file, whatever its form; blank lines and lines of comment are passed over.

    >>> for line in read_records(["8@5 4@1; name=Ada\n", "\n", "8@5 4@5\n", '{"moves": "18@10"}\n']):
    ...     print(line.number, line.reason if isinstance(line, BadLine) else line.record.board.score)
    1 44
    3 moves: slot 5 already holds 8; free: 1,2,3,4,6,7,8,9,10
    4 180
    """
    filled = _filled(lines)
    first = next(filled, None)
    if first is None:
        return
    number, line = first
    numbered = chain([first], filled)
    if are_lines(line):
        yield from starmap(read_line, numbered)
    elif line.lstrip().startswith("["):
        yield from _read_array(number, "".join(text for _, text in numbered))
    elif line.lstrip().startswith("{"):
        yield from _read_object(list(numbered))
    else:
        yield from _read_table(numbered)


def are_lines(first: str) -> bool:
    """Whether each line of a file is a game of its own, as the first one that is filled tells.

    >>> are_lines("8@5 4@1"), are_lines('{"moves": "8@5"}'), are_lines("["), are_lines("dice,slots,moves")
    (True, True, False, False)
    """
    text = first.lstrip()
    return _is_json(first) if text.startswith("{") else not text.startswith("[") and not _is_table(first)


def _filled(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines with something in them, and their numbers."""
    for number, line in enumerate(lines, start=1):
        if (text := filled_line(number, line)) is not None:
            yield number, text


def filled_line(number: int, line: str) -> str | None:
    """The text of a line; None where it is blank, or a comment.

    >>> filled_line(7, "8@5"), filled_line(7, "# mine")
    ('8@5', None)
    """
    text = line.removeprefix("\ufeff") if number == 1 else line
    stripped = text.strip()
    return text if stripped and not stripped.startswith("#") else None


def written_lines(records: Iterable[Record], ending: str) -> Iterator[str]:
    """The lines of a file with this ending; a table made of an iterator has the columns of its first record.

    >>> list(written_lines([parse_record("8@5; name=Ada")], ".txt"))
    ['# ten18 games, version 1', '3d6 1-10: 8@5; name=Ada']
    """
    if ending == ".ndjson":
        for record in records:
            yield format_json(record)
    elif ending == ".csv":
        yield from _table_lines(records)
    else:
        yield TITLE
        yield from map(format_record, records)


def _is_json(text: str) -> bool:
    try:
        read_json(text)
    except InvalidGame:
        return False
    return True


def _is_table(line: str) -> bool:
    """Whether a line names columns: the moves of a game are numbers, and words stand in its tags only."""
    return _separator(line) is not None


def _separator(line: str) -> str | None:
    """What stands between the names of columns: a comma, or what spreadsheets of some countries write."""
    text = line.strip()
    if _names_moves(re.split("[;#]", text, maxsplit=1)[0], ","):
        return ","
    if "@" in text:  # a game with a bad tag
        return None
    return next((separator for separator in ";\t" if _names_moves(text, separator)), None)


def _names_moves(text: str, separator: str) -> bool:
    return "moves" in [cell.strip('" ') for cell in text.split(separator)]


def _read(number: int, read: Callable[[], Record]) -> Line | BadLine:
    try:
        return Line(number, read())
    except Ten18Error as error:
        return BadLine(number, str(error))


def read_line(number: int, line: str) -> Line | BadLine:
    """The game of one line, in the notation or as JSON.

    >>> read_line(3, "8@5 4@5")
    BadLine(number=3, reason='moves: slot 5 already holds 8; free: 1,2,3,4,6,7,8,9,10')
    """
    return _read(number, lambda: (parse_json if line.lstrip().startswith("{") else parse_record)(line))


def _read_object(numbered: list[tuple[int, str]]) -> Iterator[Line | BadLine]:
    """One game on many lines, or else a first line that is damaged."""
    whole = "".join(text for _, text in numbered)
    if _is_json(whole):
        yield _read(numbered[0][0], lambda: parse_json(whole))
    else:
        yield from starmap(read_line, numbered)


def _read_array(number: int, text: str) -> Iterator[Line | BadLine]:
    """The games of an array; each counts as a line of its own."""
    try:
        games = read_json(text)
    except InvalidGame as error:
        yield BadLine(number, str(error))
        return
    for place, found in enumerate(games, start=number):
        yield _read(place, partial(record_from_json, found))


def _read_table(numbered: Iterator[tuple[int, str]]) -> Iterator[Line | BadLine]:
    number, line = next(numbered)
    separator = _separator(line) or ","
    try:
        header = [parse_text(cell) for cell in _parse_cells(line, separator)]
        if len(set(header)) < len(header):
            raise InvalidGame("two columns have the same name", field="table")
    except InvalidGame as error:
        yield BadLine(number, str(error))
        return
    for number, line in numbered:
        yield _read(number, partial(_read_row, header, separator, line))


def _read_row(header: list[str], separator: str, line: str) -> Record:
    cells = _parse_cells(line, separator)
    if len(cells) != len(header):
        raise InvalidGame(f"{len(cells)} cells, and the first line names {len(header)}", field="table")
    return record_from_json(
        {
            name: cell if name in TEXT_FIELDS else parse_value(cell)
            for name, cell in zip(header, cells, strict=True)
            if cell != "" or name == "moves"
        }
    )


def _parse_cells(line: str, separator: str) -> list[str]:
    csv.field_size_limit(max(csv.field_size_limit(), len(line)))  # a cell may be as long as its line
    try:
        return next(csv.reader([line], delimiter=separator, strict=True))
    except csv.Error as error:
        raise InvalidGame(f"{error}", field="table") from None


def _table_lines(records: Iterable[Record]) -> Iterator[str]:
    """A cell never holds a line break: text with one is written as JSON."""
    header: tuple[str, ...] | None = None
    if isinstance(records, Sequence):
        header = tuple(dict.fromkeys(name for record in records for name in record_to_json(record)))
        yield _cells(map(format_text, header))
    for record in records:
        row = record_to_json(record)
        if header is None:
            header = tuple(row)
            yield _cells(map(format_text, header))
        if not row.keys() <= set(header):
            raise InvalidGame(f"{min(row.keys() - set(header))[:40]!r} has no column in the table", field="tags")
        yield _cells(
            row[name] if name in TEXT_FIELDS and name in row else format_value(row[name]) if name in row else ""
            for name in header
        )


def _cells(values: Iterable[str]) -> str:
    row = _Row()
    csv.writer(row, lineterminator="").writerow(values)
    return row.text


class _Row:
    """What a csv writer writes one row to."""

    text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)
