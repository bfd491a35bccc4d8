"""JSON values of a file, whatever they are: one on any number of lines, those of an array, or one a line (NDJSON)."""

import re
from collections.abc import Iterable, Iterator
from itertools import starmap
from typing import Any, Final, NamedTuple

from tentimes18.errors import InvalidGame
from tentimes18.records.files import BadLine
from tentimes18.records.tags import read_json

__all__ = ["JsonValue", "read_values"]

BLANK: Final = "\ufeff \t\r\n"
LONGEST_NUMBER: Final = 4000  # digits; to read many more takes the square of their number

_LONG_NUMBER = re.compile(rf"[0-9]{{{LONGEST_NUMBER + 1}}}")


class JsonValue(NamedTuple):
    """A value, and the number of the line it stands in; of an array, as if each stood in a line of its own."""

    number: int
    value: Any


def read_values(lines: Iterable[str]) -> Iterator[JsonValue | BadLine]:
    r"""Read the values of a file; blank lines are passed over, and a line that is not JSON is told.

    >>> list(read_values(['{"a": 1}\n', "\n", "2\n"]))
    [JsonValue(number=1, value={'a': 1}), JsonValue(number=3, value=2)]
    >>> list(read_values(["[1,\n", "2]\n"]))
    [JsonValue(number=1, value=1), JsonValue(number=2, value=2)]
    """
    filled = ((number, line) for number, line in enumerate(lines, start=1) if line.strip(BLANK))
    if (first := next(filled, None)) is None:
        return
    start, line = first[0], first[1].lstrip(BLANK)
    found = _read(start, line)
    if isinstance(found, JsonValue) and not line.startswith("["):
        yield found
        yield from starmap(_read, filled)
        return
    rest = list(filled)
    whole = _read(start, "".join([line, *(text for _, text in rest)]))
    others = [] if isinstance(whole, JsonValue) or line.startswith("[") else list(starmap(_read, rest))
    if any(isinstance(other, JsonValue) and isinstance(other.value, dict) for other in others):
        yield found  # one of many, and damaged
        yield from others
    else:
        yield from _parts(whole)


def _read(number: int, text: str) -> JsonValue | BadLine:
    if _LONG_NUMBER.search(text):
        return BadLine(number, f"JSON: a number of more than {LONGEST_NUMBER} digits")
    try:
        return JsonValue(number, read_json(text))
    except InvalidGame as error:
        return BadLine(number, str(error))


def _parts(whole: JsonValue | BadLine) -> Iterator[JsonValue | BadLine]:
    """Those of an array; anything else is one."""
    if isinstance(whole, BadLine) or not isinstance(whole.value, list):
        yield whole
        return
    for number, value in enumerate(whole.value, start=whole.number):
        yield JsonValue(number, value)
