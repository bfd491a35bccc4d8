"""Files of played games: lines of text, JSON objects one per line (NDJSON), a JSON array, or a table (CSV).

The content shows which it is. A bad line is reported with its number, and the others are read nevertheless.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, starmap
from typing import Any, NamedTuple

from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.records.notation import (
    VERSION,
    Record,
    format_json,
    format_record,
    format_text,
    format_value,
    parse_json,
    parse_record,
    parse_text,
    parse_value,
    read_json,
    record_from_json,
    record_to_json,
)

ENDINGS = (".txt", ".ndjson", ".csv")
TITLE = f"# ten18 games, version {VERSION}"
TEXT_FIELDS = ("dice", "slots", "moves")  # of a table; all other cells may hold JSON
MAX_DIGITS = 4000  # to read many more takes the square of their number

_LONG_NUMBER = re.compile(rf"[0-9]{{{MAX_DIGITS + 1}}}")


class Line(NamedTuple):
    number: int
    record: Record


class BadLine(NamedTuple):
    number: int
    reason: str


class JsonValue(NamedTuple):
    """A value, and the number of its line; the values of an array are numbered as if each had a line of its own."""

    number: int
    value: Any


def read_records(lines: Iterable[str]) -> Iterator[Line | BadLine]:
    """Read the games of a file, whatever its form; blank lines and lines of comment are passed over."""
    filled = ((number, line) for number, line in _filled(lines) if not line.lstrip().startswith("#"))
    if (first := next(filled, None)) is None:
        return
    number, line = first
    start = line.lstrip()[:1]
    numbered = chain([first], filled)
    if start == "[":
        for value in _values(numbered):
            yield value if isinstance(value, BadLine) else _read(value.number, record_from_json, value.value)
    elif start == "{" and not _is_json(line):  # one game on many lines, or a first line that is damaged
        rest = list(numbered)
        whole = "".join(text for _, text in rest)
        if _is_json(whole):
            yield _read(number, parse_json, whole)
        else:
            yield from starmap(read_line, rest)
    elif start != "{" and (separator := _separator(line)):
        yield from _read_table(numbered, separator)
    else:
        yield from starmap(read_line, numbered)


def read_values(lines: Iterable[str]) -> Iterator[JsonValue | BadLine]:
    """Read JSON values: one on any number of lines, those of an array, or one per line."""
    return _values(_filled(lines))


def _filled(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=1):
        text = line.lstrip(" \ufeff") if number == 1 else line
        if text and not text.isspace():
            yield number, text


def _values(numbered: Iterator[tuple[int, str]]) -> Iterator[JsonValue | BadLine]:
    first = next(numbered, None)
    if first is None:
        return
    is_array = first[1].lstrip().startswith("[")
    value = _value(*first)
    if isinstance(value, JsonValue) and not is_array:
        yield value
        yield from starmap(_value, numbered)
        return
    rest = list(numbered)
    whole = _value(first[0], "".join([first[1], *(text for _, text in rest)]))
    if isinstance(whole, JsonValue) and isinstance(whole.value, list):
        yield from starmap(JsonValue, enumerate(whole.value, start=whole.number))
        return
    others = [] if isinstance(whole, JsonValue) or is_array else list(starmap(_value, rest))
    if any(isinstance(other, JsonValue) and isinstance(other.value, dict) for other in others):
        yield value  # one of many, and damaged
        yield from others
    else:
        yield whole


def _value(number: int, text: str) -> JsonValue | BadLine:
    if _LONG_NUMBER.search(text):
        return BadLine(number, f"JSON: a number of more than {MAX_DIGITS} digits")
    try:
        return JsonValue(number, read_json(text))
    except InvalidGame as error:
        return BadLine(number, str(error))


def written_lines(records: Iterable[Record], ending: str) -> Iterator[str]:
    """The lines of a file with this ending; a table made of an iterator has the columns of its first record."""
    if ending == ".ndjson":
        yield from map(format_json, records)
    elif ending == ".csv":
        yield from _table_lines(records)
    else:
        yield TITLE
        yield from map(format_record, records)


def _is_json(text: str) -> bool:
    return isinstance(_value(0, text), JsonValue)


def _separator(line: str) -> str | None:
    """What separates the names of columns: a comma, or what spreadsheets of some countries write; None: no table.

    The moves of a game are numbers; only its tags contain words.
    """
    text = line.strip()
    if _names_moves(re.split("[;#]", text, maxsplit=1)[0], ","):
        return ","
    if "@" in text:  # a game with a bad tag
        return None
    return next((separator for separator in ";\t" if _names_moves(text, separator)), None)


def _names_moves(text: str, separator: str) -> bool:
    return "moves" in [cell.strip('" ') for cell in text.split(separator)]


def _read(number: int, read: Callable[..., Record], *arguments: Any) -> Line | BadLine:
    try:
        return Line(number, read(*arguments))
    except Ten18Error as error:
        return BadLine(number, str(error))


def read_line(number: int, line: str) -> Line | BadLine:
    """The game of one line, in the notation or as JSON."""
    return _read(number, parse_json if line.lstrip().startswith("{") else parse_record, line)


def _read_table(numbered: Iterator[tuple[int, str]], separator: str) -> Iterator[Line | BadLine]:
    number, line = next(numbered)
    try:
        header = [parse_text(cell) for cell in _parse_cells(line, separator)]
        if len(set(header)) < len(header):
            raise InvalidGame("two columns have the same name", field="table")
    except InvalidGame as error:
        yield BadLine(number, str(error))
        return
    for number, line in numbered:
        yield _read(number, _read_row, header, separator, line)


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
    row = io.StringIO()
    csv.writer(row, lineterminator="").writerow(values)
    return row.getvalue()
