"""JSON values of a file: one, an array, or one a line; and what is none."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.records.files import BadLine
from tentimes18.records.json_lines import LONGEST_NUMBER, JsonValue, read_values

OBJECTS = st.lists(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5)), min_size=1, max_size=5)


def values_of(text: str) -> list[Any]:
    found = list(read_values(text.splitlines(keepends=True)))
    assert all(isinstance(line, JsonValue) for line in found)
    return [line.value for line in found if isinstance(line, JsonValue)]


@given(OBJECTS)
def test_all_forms_hold_the_same(objects: list[dict[str, Any]]) -> None:
    assert values_of("\n\n".join(map(json.dumps, objects))) == objects
    assert values_of(json.dumps(objects)) == objects
    assert values_of("\ufeff" + json.dumps(objects, indent=2)) == objects
    assert values_of(f"\n {json.dumps(objects[0], indent=1)}\n\n") == objects[:1]


def test_lines_have_their_numbers() -> None:
    found = list(read_values(["\n", '{"a": 1}\n', "\n", "nonsense\n", '{"a": 2}']))
    assert [line.number for line in found] == [2, 4, 5]
    assert isinstance(found[1], BadLine)


def test_a_damaged_first_line_takes_no_other_with_it() -> None:
    bad, good = read_values(['{"a": \n', '{"a": 2}\n'])
    assert isinstance(bad, BadLine)
    assert good == JsonValue(2, {"a": 2})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "Expecting property name"),
        ('{\n"a": 1,\n"b": \n}\n', "line 4 column 1"),
        ("[1, 2", "Expecting ',' delimiter"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": 1, "a": 2}', "a name is given twice"),
        ("[" * 100_000, "too deep"),
        ('{"a":' * 100_000, "too deep"),
        ("9" * (LONGEST_NUMBER + 1), "a number of more than 4000 digits"),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_not_json_is_told_once(text: str, reason: str) -> None:
    (line,) = read_values(text.splitlines(keepends=True))
    assert isinstance(line, BadLine)
    assert line.reason.startswith("JSON: ")
    assert reason in line.reason


@pytest.mark.parametrize("text", ["", "\n\n", " \ufeff\n"])
def test_nothing(text: str) -> None:
    assert values_of(text) == []
