"""Tags: what else is known of a played game, as text (docs/notation.md).

    ; name=Ada; date=2026-11-15; elo=1500 # on the train

A tag holds what JSON can hold. Text stands as it is where that is clear, everything else as JSON. What follows `#` is
the comment, up to the end of the line.
"""

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from tentimes18.errors import InvalidGame

MAX_DEPTH = 50
MAX_INTEGER = 10**1000

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_BLANK = re.compile(r"\s*")


def verify_tags(tags: Mapping[str, Any]) -> None:
    """Raise ``InvalidGame`` unless every notation gives these tags back as they are."""
    for key, value in tags.items():
        if not isinstance(key, str) or not (key.isascii() or _is_kept(key)) or not _is_kept(value):
            accepted = f"text, numbers, true, false, null, lists and objects of them, at most {MAX_DEPTH} deep"
            raise InvalidGame(f"{shown(key)} holds what JSON cannot; accepted: {accepted}", field="tags")


def _is_kept(value: Any, depth: int = MAX_DEPTH) -> bool:
    if type(value) is int:  # what is there most often, without looking for the rest
        return -MAX_INTEGER < value < MAX_INTEGER
    if isinstance(value, str):
        return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, int):
        return abs(value) < MAX_INTEGER
    if isinstance(value, list):
        return depth > 0 and all(_is_kept(part, depth - 1) for part in value)
    if isinstance(value, dict):
        return depth > 0 and all(
            isinstance(key, str) and _is_kept(key) and _is_kept(part, depth - 1) for key, part in value.items()
        )
    return value is None


def format_tags(tags: Mapping[str, Any]) -> str:
    """Write tags as they stand at the end of a line."""
    text, comment = "", ""
    for key, value in tags.items():
        if key == "comment" and isinstance(value, str):
            comment = f" # {format_text(value)}"
        else:
            text += f"; {key if _KEY.fullmatch(key) else json.dumps(key)}={format_value(value)}"
    return text + comment


def parse_tags(line: str, start: int = 0) -> dict[str, Any]:
    """Read the tags of a line from here on, and its comment.

    >>> parse_tags("; name=Ada; elo=1500 # slow")
    {'name': 'Ada', 'elo': 1500, 'comment': 'slow'}
    """
    tags: dict[str, Any] = {}
    while start < len(line):
        if line[start] == "#":
            _verify_new(tags, "comment")
            tags["comment"] = parse_text(line[start + 1 :])
            break
        start = _skip(line, start + 1)
        if start == len(line) or line[start] in ";#":
            continue
        is_quoted = line[start] == '"'
        key, start = _token(line, start, "=;#") if is_quoted else _plain_token(line, start, "=;#")
        if start == len(line) or line[start] != "=" or not (key or is_quoted):
            raise InvalidGame(f"cannot read {shown(key)}; accepted: name=Ada, each after a semicolon", field="tags")
        _verify_new(tags, key)
        tags[key], start = _token(line, _skip(line, start + 1), ";#")
    return tags


def format_value(value: Any) -> str:
    """A tag's value as text: as it stands where that is clear, else as JSON."""
    is_clear = isinstance(value, str) and _is_plain(value) and not set(value) & set(';#"')
    return str(value) if is_clear and parse_value(value) == value else json.dumps(value)


def parse_value(text: str) -> Any:
    """The value of a tag from its text."""
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return text


def format_text(text: str) -> str:
    """Text that stands alone, as a comment or at the head of a column: as JSON where it would not be clear."""
    return text if _is_plain(text) and not text.startswith('"') else json.dumps(text)


def parse_text(text: str) -> str:
    """The text that ``format_text`` wrote."""
    plain = text.strip()
    found = parse_value(plain) if plain.startswith('"') else plain
    return found if isinstance(found, str) else plain


def read_json(text: str) -> Any:
    """The value of a JSON text; what is not JSON, or names something twice, raises ``InvalidGame``."""
    try:
        return _STRICT_DECODER.decode(text)
    except RecursionError:
        raise InvalidGame("too deep for a game", field="JSON") from None
    except ValueError as error:
        raise InvalidGame(f"{error}", field="JSON") from None


def shown(value: Any) -> str:
    """A value that was refused, as a person may read it in one line."""
    try:
        return repr(str(value)[:40])
    except (ValueError, RecursionError):  # a number of many digits, lists within lists
        return "what is given"


def _is_plain(text: str) -> bool:
    """Whether the text stands in a line as it is."""
    return text != "" and text.isprintable() and text.strip() == text


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")  # Python would read it, JSON does not know it


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is given twice")
    return found


# Made once: json.loads would make one for every text.
_DECODER = json.JSONDecoder(parse_constant=_refuse)
_STRICT_DECODER = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_object)


def _verify_new(tags: dict[str, Any], key: str) -> None:
    if key in tags:
        raise InvalidGame(f"{key[:40]!r} is given twice", field="tags")


def _token(line: str, start: int, ends: str) -> tuple[Any, int]:
    """A JSON value, or plain text, up to one of these characters."""
    try:
        value, end = _DECODER.raw_decode(line, start)
        end = _skip(line, end)
        if end == len(line) or line[end] in ends:
            return value, end
    except (ValueError, RecursionError):
        pass
    return _plain_token(line, start, ends)


def _plain_token(line: str, start: int, ends: str) -> tuple[str, int]:
    end = min((place for mark in ends if (place := line.find(mark, start)) >= 0), default=len(line))
    return line[start:end].strip(), end


def _skip(line: str, start: int) -> int:
    blank = _BLANK.match(line, start)
    assert blank is not None
    return blank.end()
