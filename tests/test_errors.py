"""Errors: the problem in one line, the field it is about, and the value that the user gave for it."""

import pickle
from copy import copy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.errors import MAX_QUOTED, IllegalMove, InvalidDice, InvalidGame, Ten18Error, TooLarge, blame, quoted
from tentimes18.strategies.named import UnknownStrategy

KINDS = [Ten18Error, InvalidDice, InvalidGame, IllegalMove, TooLarge, UnknownStrategy]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("field", "value"), [(None, None), ("dice", None), ("opponent_free", [1, 9])])
def test_a_copy_from_another_process_is_the_same(kind: type[Ten18Error], field: str | None, value: object) -> None:
    error = kind("cannot read it", field, value)
    for other in (pickle.loads(pickle.dumps(error)), copy(error)):
        assert type(other) is kind
        assert (other.problem, other.field, other.value, str(other)) == ("cannot read it", field, value, str(error))


@pytest.mark.parametrize(
    ("field", "value", "name", "line"),
    [
        (None, None, None, "none given"),
        ("slots", None, "slots", "slots: none given"),
        ("slots", None, "--slots", "--slots: none given"),
        ("slots", "1-", "--slots", "--slots '1-': none given"),
        ("slots", "1-", None, "'1-': none given"),
        ("slots", "", "slots", "slots '': none given"),
        ("slots", 0, "slots", "slots 0: none given"),
    ],
)
def test_message(field: str | None, value: object, name: str | None, line: str) -> None:
    error = InvalidGame("none given", field, value)
    assert error.message(name) == line
    assert str(error) == error.message(field)


@pytest.mark.parametrize("kind", KINDS)
def test_about_keeps_the_kind_and_the_problem(kind: type[Ten18Error]) -> None:
    error = kind("no such slot", field="free", value="1,99")
    other = error.about("opponent_free")
    assert type(other) is kind
    assert (other.problem, other.field, other.value) == ("no such slot", "opponent_free", "1,99")
    assert error.about("to", "1,98").value == "1,98"
    assert (error.field, error.value) == ("free", "1,99")


def raise_blaming_to(error: Exception) -> Exception:
    with pytest.raises(type(error)) as raised, blame("to", "strategy", "dice"):
        raise error
    return raised.value


@pytest.mark.parametrize("kind", KINDS)
def test_blame_replaces_the_field(kind: type[Ten18Error]) -> None:
    error = kind("not known", "dice", "lucky")
    raised = raise_blaming_to(error)
    assert type(raised) is kind
    assert str(raised) == "to 'lucky': not known"
    assert raised.__cause__ is error


@pytest.mark.parametrize("error", [Ten18Error("none", "slots", "1-"), Ten18Error("none"), ValueError("none")])
def test_blame_leaves_other_errors_alone(error: Exception) -> None:
    assert raise_blaming_to(error) is error


NESTED: list[Any] = []
for _ in range(100_000):
    NESTED = [NESTED]
ITSELF: list[Any] = []
ITSELF.append(ITSELF)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("3x6", "'3x6'"),
        ("it's", '"it\'s"'),
        ("a\nb", "'a\\nb'"),
        ("\x1b[31m\u2028\ud800", "'\\x1b[31m\\u2028\\ud800'"),
        (-7, "-7"),
        (Fraction(1, 3), "1/3"),
        (2**200 - 1, f"{str(2**200 - 1)[:57]}..."),
        (2**200, "with too many digits"),
        (-(10**5000), "with too many digits"),
        ([10**5000], "what is given"),
        (NESTED, "what is given"),
        (ITSELF, "[[...]]"),
        ("9" * 58, f"'{'9' * 58}'"),
        ("9" * 59, f"'{'9' * 56}..."),
        (np.zeros((2, 2)), "array([[0., 0.], [0., 0.]])"),
    ],
    ids=lambda value: str(type(value).__name__),
)
def test_quoted(value: object, text: str) -> None:
    assert quoted(value) == text


@given(st.text() | st.integers() | st.lists(st.text()) | st.dictionaries(st.text(), st.integers()))
@settings(max_examples=50)
def test_any_value_is_quoted_in_one_short_line(value: object) -> None:
    line = quoted(value)
    assert line.isprintable()
    assert 0 < len(line) <= MAX_QUOTED
    assert Ten18Error("not so", "dice", value).message("--dice") == f"--dice {line}: not so"
