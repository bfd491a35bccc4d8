"""Tags: every value comes back as it was, and what is no tag is told in one line."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import InvalidGame
from tentimes18.records.tags import (
    MAX_DEPTH,
    format_tags,
    format_text,
    format_value,
    parse_tags,
    parse_text,
    parse_value,
    read_json,
    shown,
    verify_tags,
)
from tests.support.records import json_values, keys, texts


@given(st.dictionaries(keys, json_values, max_size=5))
def test_tags_come_back(tags: dict[str, Any]) -> None:
    verify_tags(tags)
    line = format_tags(tags)
    assert line.isprintable()
    assert parse_tags(line) == tags
    # A comment stands at the end, wherever it was; all others keep their order.
    assert [key for key in parse_tags(line) if key != "comment"] == [key for key in tags if key != "comment"]


@given(json_values)
def test_values_come_back(value: Any) -> None:
    text = format_value(value)
    assert parse_value(text) == value
    assert type(parse_value(text)) is type(value)
    assert not set(text) & set("\r\n")


@given(texts)
def test_texts_come_back(text: str) -> None:
    assert parse_text(format_text(text)) == text
    assert parse_text(f"  {format_text(text)} ") == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Ada Lovelace", "Ada Lovelace"),
        ("7", '"7"'),
        (7, "7"),
        ("true", '"true"'),
        (True, "true"),
        (None, "null"),
        ("", '""'),
        (" a", '" a"'),
        ("a;b", '"a;b"'),
        ("a#b", '"a#b"'),
        ("Ω", "Ω"),
        ("a\nb", '"a\\nb"'),
        ([1, "a"], '[1, "a"]'),
    ],
)
def test_what_stands_as_it_is(value: Any, text: str) -> None:
    assert format_value(value) == text


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("", {}),
        (";", {}),
        (" ; ; ", {}),
        ("; name=Ada", {"name": "Ada"}),
        (";name = Ada ;elo=1500", {"name": "Ada", "elo": 1500}),
        ('; "a;b"=1', {"a;b": 1}),
        ('; ""=1', {"": 1}),
        ("; x=[1, 2]; y={}", {"x": [1, 2], "y": {}}),
        ("; x=[1, 2", {"x": "[1, 2"}),
        ("; x=NaN", {"x": "NaN"}),
        ("; x=", {"x": ""}),
        ("# slow; and # long", {"comment": "slow; and # long"}),
        ("; a=1 # slow", {"a": 1, "comment": "slow"}),
    ],
)
def test_tags_as_people_write_them(line: str, tags: dict[str, Any]) -> None:
    assert parse_tags(line) == tags


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("; name", "tags: cannot read 'name'"),
        ("; =1", "tags: cannot read ''"),
        ("; a=1; a=2", "tags: 'a' is given twice"),
        ("; comment=1 # slow", "tags: 'comment' is given twice"),
        ("; " + "x" * 10**5, "tags: cannot read 'xxx"),
    ],
)
def test_lines_that_are_no_tags(line: str, complaint: str) -> None:
    with pytest.raises(InvalidGame) as refused:
        parse_tags(line)
    assert str(refused.value).startswith(complaint)
    assert len(str(refused.value)) < 200
    assert refused.value.field == "tags"


def nested(depth: int) -> list[Any]:
    return [nested(depth - 1)] if depth > 1 else []


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        10**1000,
        "\ud800",
        (1, 2),
        {1: 2},
        b"",
        object(),
        [float("nan")],
        nested(MAX_DEPTH + 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_json_cannot_hold(value: Any) -> None:
    with pytest.raises(InvalidGame, match=r"^tags: 'mood' holds what JSON cannot; accepted: ") as refused:
        verify_tags({"mood": value})
    assert refused.value.field == "tags"


def test_how_deep_tags_may_be() -> None:
    verify_tags({"deep": nested(MAX_DEPTH)})


def test_a_name_must_be_text() -> None:
    with pytest.raises(InvalidGame, match="holds what JSON cannot"):
        verify_tags({7: "seven"})  # type: ignore[dict-item]


@given(json_values)
def test_json_is_read_as_it_is(value: Any) -> None:
    assert read_json(json.dumps(value)) == value


@pytest.mark.parametrize("text", ["", "{", "NaN", '{"a": Infinity}', '{"a": 1, "a": 1}', "[" * 10**5, "1 2", "'a'"])
def test_what_is_not_json(text: str) -> None:
    with pytest.raises(InvalidGame, match=r"^JSON: ") as refused:
        read_json(text)
    assert refused.value.field == "JSON"
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("value", "text"),
    [(8, "'8'"), ("a\nb", "'a\\nb'"), ("x" * 99, f"'{'x' * 40}'"), (10**5000, "what is given"), (None, "'None'")],
    ids=lambda value: str(value)[:8] if not isinstance(value, int) else "",
)
def test_shown(value: Any, text: str) -> None:
    assert shown(value) == text
