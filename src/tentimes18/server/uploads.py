"""Uploads: records, one or many, and finished games to check. All of them are read within limits.

Several records are JSON objects, one per line; a bad line does not affect the others.
"""

import re
from collections.abc import Iterator, Mapping
from io import StringIO
from itertools import islice
from time import thread_time
from typing import Any, NamedTuple
from unicodedata import category
from urllib.parse import parse_qsl

from tentimes18.errors import InvalidGame, Ten18Error, TooLarge, quoted
from tentimes18.play.verification import PublicGame, Starts, check_public_game, read_public_game, read_starts
from tentimes18.queries.games import VerificationAnswer, verification
from tentimes18.records.formats import BadLine, JsonValue, read_values
from tentimes18.records.notation import Record, format_json, parse_line, read_json, record_from_json
from tentimes18.server.game_limits import verify_game_of
from tentimes18.server.identity import ID_PATTERN
from tentimes18.server.store.players import RecordToKeep

MAX_LINE_BYTES = 10_000  # bytes
MAX_LINES = 20_000
MAX_SECONDS = 3.0  # of the processor, for an import
MAX_TOLD = 100  # bad lines
MAX_REASON = 300

_ID = re.compile(ID_PATTERN)
MAX_GAMES = 100
MAX_CHECKED_LINES = 200  # with those that are no games
FIELDS = ("games", "start")


class ReadRecords(NamedTuple):
    """The records that could be read, the first of the lines that could not, and how many of those there are."""

    records: list[RecordToKeep]
    bad: list[BadLine]
    bad_count: int


def read_upload(body: bytes) -> ReadRecords:
    records: list[RecordToKeep] = []
    bad: list[BadLine] = []
    bad_count = 0
    end = thread_time() + MAX_SECONDS
    for number, line in enumerate(body.split(b"\n"), start=1):
        if not (stripped := line.strip()):
            continue
        try:
            if number > MAX_LINES:
                raise InvalidGame(f"more than {MAX_LINES:,} lines are not read at once")
            if thread_time() > end:
                raise InvalidGame("not read: the lines before it took too long; send the rest again")
            records.append(_read(number, stripped))
        except Ten18Error as error:
            bad_count += 1
            if len(bad) < MAX_TOLD:
                bad.append(BadLine(number, str(error)[:MAX_REASON]))
            if number > MAX_LINES:
                break
    return ReadRecords(records, bad, bad_count)


def read_record(body: bytes) -> Record:
    """One game, as a line of text or as a JSON object; raises ``Ten18Error`` unless it is exactly one."""
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
    if len(line) > MAX_LINE_BYTES:
        raise InvalidGame(f"a line of {len(line):,} bytes; at most {MAX_LINE_BYTES:,} are accepted", field="line")
    record = _record(read_json(_text(line)))
    for name, value in record.tags.items():
        if _has_control([name, value]):
            problem = f"{quoted(name)} has a control character; accepted: text that can be shown"
            raise InvalidGame(problem, field="tags")
    id_ = record.tags.get("id")
    text = format_json(record)
    if (length := len(text.encode())) > MAX_LINE_BYTES:  # written out
        raise InvalidGame(f"a record of {length:,} bytes; at most {MAX_LINE_BYTES:,} are accepted", field="line")
    return RecordToKeep(number, text, id_ if isinstance(id_, str) and _ID.fullmatch(id_) else None)


def _has_control(value: Any) -> bool:
    """Whether a text, or one in a list or an object, has a control character; tags are at most fifty deep."""
    if isinstance(value, str):
        return not value.isprintable() and any(category(letter) == "Cc" for letter in value)
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    return isinstance(value, list) and any(map(_has_control, value))


def read_form(body: bytes) -> dict[str, str]:
    """The fields of a form as a browser sends it; raises ``Ten18Error`` where it has others, or one twice."""
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=10)
    except ValueError:
        raise Ten18Error(f"not a form in UTF-8; accepted: the fields {' and '.join(FIELDS)}") from None
    form = dict(pairs)
    for name in form:
        if name not in FIELDS:
            raise Ten18Error(f"{quoted(name)} is not a known field; accepted: {' and '.join(FIELDS)}")
    if len(form) < len(pairs):
        raise Ten18Error("a field is given twice")
    return form


def check_texts(games: str, start: str = "") -> VerificationAnswer:
    """Check the games of a text, by what was published before them if that is given.

    Both hold a JSON object, an array of them, or one per line. Raises ``Ten18Error`` where there is no game, or where
    they are too many or too large; a line that is not a game does not affect the others.
    """
    starts = _read_starts(start) if start.strip() else None
    entries: list[tuple[int, PublicGame]] = []
    bad: list[BadLine] = []
    for line in _lines(games, "games"):
        if isinstance(line, BadLine):
            bad.append(line)
            continue
        try:
            entries.append((line.number, read_public_game(_verified(line.value))))
        except Ten18Error as error:
            bad.append(BadLine(line.number, str(error)))
        if len(entries) > MAX_GAMES:
            raise TooLarge(f"more than {MAX_GAMES} games; check them in several parts", "games")
    if not entries:
        empty = "is empty; accepted: a game as the server returns it, or records, one per line"
        raise Ten18Error(f"no game in it; line {bad[0].number}: {bad[0].reason}" if bad else empty, "games")
    return verification(((number, check_public_game(public, starts)) for number, public in entries), bad)


def _lines(text: str, field: str) -> Iterator[JsonValue | BadLine]:
    values = list(islice(read_values(StringIO(text)), MAX_CHECKED_LINES + 1))
    if len(values) > MAX_CHECKED_LINES:
        raise TooLarge(f"more than {MAX_CHECKED_LINES} lines; check them in several parts", field)
    yield from values


def _read_starts(text: str) -> Starts:
    sources = []
    for line in _lines(text, "start"):
        if isinstance(line, BadLine):
            raise Ten18Error(f"line {line.number}: {line.reason}", "start")
        sources.append(line.value)
    try:
        return read_starts(map(_verified, sources))
    except Ten18Error as error:
        raise Ten18Error(str(error), "start") from None


def _verified(source: object) -> object:
    if isinstance(source, Mapping) and "days" not in source:
        verify_game_of(source)
    return source
