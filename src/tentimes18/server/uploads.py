"""Records that strangers send: many, one JSON object a line, where a bad line spoils no other; or one, also as text.

All are read within limits.
"""

import re
from typing import Any, Final, NamedTuple
from unicodedata import category

from tentimes18.errors import InvalidGame, Ten18Error, quoted
from tentimes18.records.formats import BadLine
from tentimes18.records.notation import Record, format_json, parse_line, read_json, record_from_json
from tentimes18.server.game_limits import verify_game_of
from tentimes18.server.identity import ID_PATTERN
from tentimes18.server.store.imports import RecordToKeep

__all__ = ["LONGEST_LINE", "MOST_LINES", "MOST_TOLD", "ReadRecords", "read_record", "read_upload"]

LONGEST_LINE: Final = 10_000  # bytes
MOST_LINES: Final = 20_000
MOST_TOLD: Final = 100  # bad lines
LONGEST_REASON: Final = 300

_ID: Final = re.compile(ID_PATTERN)


class ReadRecords(NamedTuple):
    """The records that could be read, the first of the lines that could not, and how many of those there are."""

    records: list[RecordToKeep]
    bad: list[BadLine]
    bad_count: int


def read_upload(body: bytes) -> ReadRecords:
    r"""Read what was sent; blank lines are passed over.

    >>> found = read_upload(b'{"moves": "8@5"}\n\n{"moves": "8@5 4@5"}\nnonsense\n')
    >>> [record.line for record in found.records], [bad.number for bad in found.bad]
    ([1], [3, 4])
    """
    records: list[RecordToKeep] = []
    bad: list[BadLine] = []
    bad_count = 0
    for number, line in enumerate(body.split(b"\n"), start=1):
        if not (stripped := line.strip()):
            continue
        try:
            if number > MOST_LINES:
                raise InvalidGame(f"more than {MOST_LINES:,} lines are not read at once")
            records.append(_read(number, stripped))
        except Ten18Error as error:
            bad_count += 1
            if len(bad) < MOST_TOLD:
                bad.append(BadLine(number, str(error)[:LONGEST_REASON]))
            if number > MOST_LINES:
                break
    return ReadRecords(records, bad, bad_count)


def read_record(body: bytes) -> Record:
    """One game, as a line of text or as a JSON object; raises ``Ten18Error`` where it is none, or more than one.

    >>> read_record(b"1d6 1,2: 5@1 4@2; name=Ada").board.score
    13
    >>> read_record(b'{"moves": "8@5"}').board.score
    40
    """
    text = _text(body).strip()
    if text.startswith(("{", "[")):
        source = read_json(text)
    else:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) != 1:
            raise InvalidGame(f"{len(lines):,} lines; accepted: one game", field="record")
        source = parse_line(lines[0])
    return _record(source)


def _record(source: Any) -> Record:
    if isinstance(source, dict):
        verify_game_of(source)
    return record_from_json(source)


def _text(body: bytes) -> str:
    try:
        return body.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError:
        raise InvalidGame("not UTF-8", field="line") from None


def _read(number: int, line: bytes) -> RecordToKeep:
    if len(line) > LONGEST_LINE:
        raise InvalidGame(f"a line of {len(line):,} bytes; at most {LONGEST_LINE:,} are accepted", field="line")
    record = _record(read_json(_text(line)))
    for name, value in record.tags.items():
        if _has_control(name) or _has_control(value):
            problem = f"{quoted(name)} has a control character; accepted: text that can be shown"
            raise InvalidGame(problem, field="tags")
    id_ = record.tags.get("id")
    kept = format_json(record)
    if (length := len(kept.encode())) > LONGEST_LINE:  # written out
        raise InvalidGame(f"a record of {length:,} bytes; at most {LONGEST_LINE:,} are accepted", field="line")
    return RecordToKeep(number, kept, id_ if isinstance(id_, str) and _ID.fullmatch(id_) else None)


def _has_control(value: Any) -> bool:
    """Whether a text, or one in a list or an object, has a control character; tags are at most fifty deep."""
    if isinstance(value, str):
        return not value.isprintable() and any(category(letter) == "Cc" for letter in value)
    if isinstance(value, list):
        return any(map(_has_control, value))
    return isinstance(value, dict) and any(_has_control(part) for pair in value.items() for part in pair)
