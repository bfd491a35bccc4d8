"""Errors: the problem in one line, the field it is about, and what was given for it."""

import pickle
from copy import copy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Dice, Game
from tentimes18.errors import LONGEST, IllegalMove, InvalidDice, InvalidGame, Ten18Error, TooLarge, blame, quoted
from tentimes18.strategies.named import UnknownStrategy

KINDS = [Ten18Error, InvalidDice, InvalidGame, IllegalMove, TooLarge, UnknownStrategy]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("field", "given"), [(None, None), ("dice", None), ("dice", "3x6"), ("opponent_free", [1, 9])])
def test_a_copy_from_another_process_is_the_same(kind: type[Ten18Error], field: str | None, given: object) -> None:
    error = kind("cannot read it", field, given)
    for other in (pickle.loads(pickle.dumps(error)), copy(error)):
        assert type(other) is kind
        assert (other.problem, other.field, other.given) == ("cannot read it", field, given)
        assert str(other) == str(error)


@pytest.mark.parametrize(
    ("field", "given", "name", "line"),
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
def test_told(field: str | None, given: object, name: str | None, line: str) -> None:
    error = InvalidGame("none given", field, given)
    assert error.told(name) == line
    assert str(error) == error.told(field)


@pytest.mark.parametrize("kind", KINDS)
def test_about_keeps_the_kind_and_the_problem(kind: type[Ten18Error]) -> None:
    error = kind("no such slot", field="free", given="1,99")
    other = error.about("opponent_free")
    assert type(other) is kind
    assert (other.problem, other.field, other.given) == ("no such slot", "opponent_free", "1,99")
    assert error.about("to", "1,98").given == "1,98"
    assert (error.field, error.given) == ("free", "1,99")


def refused_inside(error: Exception) -> Exception:
    with pytest.raises(type(error)) as told, blame("to", "strategy", "dice"):
        raise error
    return told.value


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("field", ["strategy", "dice"])
def test_whoever_was_given_another_name_is_blamed(kind: type[Ten18Error], field: str) -> None:
    error = kind("not known", field, "lucky")
    found = refused_inside(error)
    assert type(found) is kind
    assert str(found) == "to 'lucky': not known"
    assert found.__cause__ is error


@pytest.mark.parametrize("error", [Ten18Error("none", "slots", "1-"), Ten18Error("none"), ValueError("none")])
def test_nobody_else_is_blamed(error: Exception) -> None:
    assert refused_inside(error) is error


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def itself() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("3x6", "'3x6'"),
        ("", "''"),
        ("it's", '"it\'s"'),
        ("a\nb", "'a\\nb'"),
        ("\x1b[31m\u2028\ud800", "'\\x1b[31m\\u2028\\ud800'"),
        (7, "7"),
        (-7, "-7"),
        (True, "True"),
        (None, "None"),
        (2.5, "2.5"),
        (Fraction(1, 3), "Fraction(1, 3)"),
        ([8, 5], "[8, 5]"),
        (2**200 - 1, f"{str(2**200 - 1)[:57]}..."),
        (2**200, "with too many digits"),
        (10**5000, "with too many digits"),
        (-(10**5000), "with too many digits"),
        ([10**5000], "what is given"),
        (nested(100_000), "what is given"),
        (itself(), "[[...]]"),
        ("9" * 58, f"'{'9' * 58}'"),
        ("9" * 59, f"'{'9' * 56}..."),
        ("9" * 10**7, f"'{'9' * 56}..."),
        (np.zeros((2, 2)), "array([[0., 0.], [0., 0.]])"),
    ],
    ids=lambda value: str(type(value).__name__),
)
def test_quoted(value: object, text: str) -> None:
    assert quoted(value) == text


@given(st.text() | st.integers() | st.floats() | st.lists(st.text()) | st.dictionaries(st.text(), st.integers()))
def test_whatever_is_quoted_is_one_short_line(value: object) -> None:
    line = quoted(value)
    assert line.isprintable()
    assert 0 < len(line) <= LONGEST
    assert Ten18Error("not so", "dice", value).told("--dice") == f"--dice {line}: not so"


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Dice.parse("3x6"), "dice"),
        (lambda: Dice.from_mapping({}), "dice"),
        (lambda: Game.parse("3d6", "x"), "slots"),
        (lambda: Game(Dice.parse("3d6"), []), "slots"),
        (lambda: Game.classic().verify_free([11]), "free"),
        (lambda: Game.classic().verify_free([11], "opponent_free"), "opponent_free"),
        (lambda: Game.classic().verify_roll(2), "roll"),
        (lambda: Game.classic().verify_roll(10**5000), "roll"),
    ],
)
def test_who_is_to_blame(make: Any, field: str) -> None:
    with pytest.raises(Ten18Error) as refused:
        make()
    assert refused.value.field == field
    assert str(refused.value).startswith(field)
