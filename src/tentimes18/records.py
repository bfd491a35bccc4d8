"""Files of played games: lines of text, JSON objects one a line (NDJSON), a JSON array, or a table (CSV).

What a file holds is seen from its content. A line that cannot be read is told with its number, and the others are read
all the same.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.notation import (
    VERSION,
    Record,
    format_record,
    format_value,
    parse_record,
    parse_value,
    record_from_json,
    record_to_json,
)

__all__ = ["ENDINGS", "BadLine", "Line", "read_records", "written_lines"]

ENDINGS: Final = (".txt", ".ndjson", ".csv")
TITLE: Final = f"# ten18 games, version {VERSION}"
TEXT_FIELDS: Final = ("dice", "slots", "moves", "opponent")  # of a table; all other cells may hold JSON


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
    filled = ((number, line) for number, line in enumerate(lines, start=1) if not _is_empty(line))
    first = next(filled, None)
    if first is None:
        return
    number, line = first
    line = line.removeprefix("\ufeff")
    numbered = chain([(number, line)], filled)
    if line.startswith("["):
        yield from _read_array(number, "".join(text for _, text in numbered))
    elif line.startswith("{") and not _is_json(line):
        whole = "".join(text for _, text in numbered)
        yield _read(number, lambda: record_from_json(_object(whole)))
    elif "moves" in (header := [name.strip() for name in next(csv.reader([line]))]):
        yield from _read_table(header, numbered)
    else:
        for number, line in numbered:
            yield _read_line(number, line)


def written_lines(records: Iterable[Record], ending: str) -> Iterator[str]:
    """The lines of a file with this ending; a table made of an iterator has the columns of its first record.

    >>> list(written_lines([parse_record("8@5; name=Ada")], ".txt"))
    ['# ten18 games, version 1', '3d6 1-10: 8@5; name=Ada']
    """
    if ending == ".ndjson":
        for record in records:
            yield json.dumps(record_to_json(record), ensure_ascii=False)
    elif ending == ".csv":
        yield from _table_lines(records)
    else:
        yield TITLE
        yield from map(format_record, records)


def _is_empty(line: str) -> bool:
    stripped = line.strip()
    return not stripped or stripped.startswith("#")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _read(number: int, read: Any) -> Line | BadLine:
    try:
        return Line(number, read())
    except Ten18Error as error:
        return BadLine(number, str(error))


def _read_line(number: int, line: str) -> Line | BadLine:
    if line.lstrip().startswith("{"):
        return _read(number, lambda: record_from_json(_object(line)))
    return _read(number, lambda: parse_record(line))


def _object(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except RecursionError:
        raise InvalidGame("JSON: too deep for a game") from None
    except ValueError as error:
        raise InvalidGame(f"JSON: {error}") from None
    return _verify_object(found)


def _verify_object(found: Any) -> Mapping[str, Any]:
    if not isinstance(found, dict):
        raise InvalidGame(f"JSON: {str(found)[:40]!r} is not a game; accepted: an object with moves")
    return found


def _read_array(number: int, text: str) -> Iterator[Line | BadLine]:
    """The games of an array; each counts as a line of its own."""
    try:
        games = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield BadLine(number, f"JSON: {error}")
        return
    for place, found in enumerate(games, start=number):
        yield _read(place, lambda found=found: record_from_json(_verify_object(found)))


def _read_table(header: list[str], numbered: Iterator[tuple[int, str]]) -> Iterator[Line | BadLine]:
    next(numbered)
    for number, line in numbered:
        try:
            cells = next(csv.reader([line], strict=True))
        except csv.Error as error:
            yield BadLine(number, f"table: {error}")
            continue
        if len(cells) != len(header):
            yield BadLine(number, f"table: {len(cells)} cells, and the first line names {len(header)}")
            continue
        row = {
            name: cell if name in TEXT_FIELDS else parse_value(cell)
            for name, cell in zip(header, cells, strict=True)
            if cell != ""
        }
        yield _read(number, lambda row=row: record_from_json(row))


def _table_lines(records: Iterable[Record]) -> Iterator[str]:
    """A cell never holds a line break: text with one is written as JSON."""
    header: tuple[str, ...] | None = None
    if isinstance(records, Sequence):
        header = tuple(dict.fromkeys(name for record in records for name in record_to_json(record)))
        yield _cells(header)
    for record in records:
        row = record_to_json(record)
        if header is None:
            header = tuple(row)
            yield _cells(header)
        if not row.keys() <= set(header):
            raise InvalidGame(f"tags: {', '.join(row.keys() - set(header))} has no column in the table")
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
