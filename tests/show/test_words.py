"""How worths, losses, aims, classes and games are told, at the edges where the telling changes."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tentimes18
from tentimes18 import wording as words
from tentimes18.coach.aims import Chance, Duel, Hunt, Mean
from tentimes18.coach.losses import CLASSES, Unit
from tentimes18.game import Game
from tentimes18.strategies.named import OBJECTIVES
from tentimes18.wording import (
    amount,
    class_bounds,
    class_name,
    fixed,
    game_name,
    headline_change,
    headline_worth,
    loss_cell,
    meaning_of_worths,
    measure_label,
    measured_by,
    objective_label,
    review_note,
    shown_loss,
    shown_mean,
    shown_value,
    shown_worth,
    signed,
    summary_note,
    tick_of,
    words_of,
)

SMALL = Game.parse("1d6", "1-3")
worths = st.fractions(-(10**6), 10**6) | st.floats(-1e6, 1e6, allow_nan=False)
chances = st.fractions(0, 1) | st.floats(0, 1)


@pytest.mark.parametrize(
    ("worth", "unit", "texts"),
    [
        # in a cell, with all digits, in a table, in a narrow one, with its sign, in a headline
        (Fraction(1284478, 2000), Unit.points, "642.2 642.23900 642.24 642.24 +642.24 642.2"),
        (Fraction(1, 3), Unit.chance, "33.3% 33.333% 33.33 33.33 +33.33 33.3%"),
        (0, Unit.points, "0.0 0.00000 0.00 0.00 0.00 0"),
        (1e-6, Unit.points, "0.0 0.00000 <0.01 <0.01 <0.01 0"),
        (-1e-6, Unit.points, "0.0 0.00000 −<0.01 0.00 −<0.01 0"),
        (-28, Unit.points, "−28.0 −28.00000 −28.00 −28.00 −28.00 −28"),
        (12345.678, Unit.points, "12345.7 12345.67800 12,345.68 12345.68 +12,345.68 12,346"),
        (123456789, Unit.points, "1.235e+08 123456789.00000 123,456,789.00 1.23457e+08 +123,456,789.00 123,456,789"),
    ],
)
def test_a_worth_wherever_it_stands(worth: Fraction | float, unit: Unit, texts: str) -> None:
    assert [
        shown_worth(worth, unit),
        shown_value(worth, unit),
        amount(worth, unit),
        amount(worth, unit, is_narrow=True),
        signed(worth, unit),
        headline_worth(worth, unit),
    ] == texts.split()


@given(worths)
def test_a_signed_worth_in_a_narrow_table_says_more_or_less(worth: Fraction | float) -> None:
    text = signed(worth, Unit.points, is_narrow=True)
    assert text[0] in "0+−"
    assert text.lstrip("+−") == amount(abs(float(worth)), Unit.points, is_narrow=True)
    assert (text[0] == "+") == (worth > 0)


@given(chances)
def test_a_chance_is_its_hundredfold_in_percent(chance: Fraction | float) -> None:
    assert amount(chance, Unit.chance, 5, is_narrow=True) == amount(100 * chance, Unit.points, 5, is_narrow=True)
    assert shown_worth(chance, Unit.chance) == f"{shown_worth(100 * chance, Unit.points)}%"
    assert loss_cell(chance, Unit.chance) == loss_cell(100 * chance, Unit.points)


@given(st.floats(1e-9, 1e6))
def test_no_loss_looks_like_none(loss: float) -> None:
    for text in (loss_cell(loss, Unit.points), amount(loss, Unit.points), amount(loss, Unit.points, is_narrow=True)):
        assert text != "best"
        assert re.search("[1-9~<]", text)
    assert re.match("next to nothing|[0-9.]*[1-9]", shown_loss(loss, Unit.points))


@pytest.mark.parametrize(
    ("loss", "unit", "text"),
    [
        (0, Unit.points, "0.0 points"),
        (1, Unit.points, "1.0 point"),
        (Fraction(1, 100), Unit.chance, "1.0 percentage points"),
        (1.04, Unit.points, "1.0 point"),
        (0.04, Unit.points, "0.04 points"),
        (0.00004, Unit.points, "0.00004 points"),
        (0.000004, Unit.points, "next to nothing"),
    ],
)
def test_a_loss_in_a_sentence(loss: Fraction | float, unit: Unit, text: str) -> None:
    assert shown_loss(loss, unit) == text


@pytest.mark.parametrize(
    ("change", "unit", "text"),
    [
        (-1234.56, Unit.points, "1,234.6"),
        (0.0949, Unit.points, "0.09"),
        (0.095, Unit.points, "0.1"),
        (0.0001, Unit.chance, "0.0%"),
        (-0.5, Unit.chance, "50.0%"),
    ],
)
def test_a_change_in_a_headline(change: float, unit: Unit, text: str) -> None:
    assert headline_change(change, unit) == text


def test_words_of_the_units() -> None:
    point_words, chance_words = words_of(Unit.points), words_of(Unit.chance)
    assert (point_words.tail, point_words.in_head) == (" points", "")
    assert (chance_words.tail, chance_words.in_head) == ("%", ", %")
    assert (shown_mean(1.234, Unit.points), shown_mean(0.01234, Unit.chance)) == ("1.23", "1.2%")
    tick = tick_of(Unit.chance)
    assert tick is not None
    assert (tick(0.5, None), tick_of(Unit.points)) == ("50%", None)
    assert class_bounds(Unit.chance).endswith("blunder ?? from 8 % of the chances")


def test_aims() -> None:
    chance, duel, hunt = Chance(SMALL, Fraction(25, 2)), Duel(SMALL), Hunt(SMALL, "greedy")
    assert measured_by(chance) == "the chance of 25/2 points or more"
    assert measured_by(hunt) == "the chance to win against greedy"
    assert measured_by(duel, names_draws=True) == "the chance to win against the best play, draws by half"
    assert measured_by(Mean(), names_draws=True) == "the expected final score"
    assert [measure_label(aim) for aim in (Mean(), hunt)] == ["", "measured by the chance to win against greedy"]
    assert meaning_of_worths(chance) == "chance: of 25/2 points or more, under the best play for that"
    assert meaning_of_worths(duel) == "chance: to win the duel, a draw counting one half"
    assert meaning_of_worths(Mean()).startswith("value: points of this move")
    assert (review_note(Mean()), summary_note(Mean())) == ("", "")
    assert review_note(duel).endswith("draws by half; losses in percent.")
    assert summary_note(hunt) == "Measured by duel:greedy: losses and luck are chances, in percent."


def test_classes() -> None:
    assert [class_name(found) for found in CLASSES[-3:]] == ["an inaccuracy ?!", "a mistake ?", "a blunder ??"]


def test_every_objective_has_a_label() -> None:
    assert len({objective_label(f"{kind}:exp:1") for kind in OBJECTIVES}) == len(OBJECTIVES)
    assert objective_label("utility:mine.py:squares") == "expected utility" != objective_label("utility:power:0.5")


@given(worths, st.integers(0, 5))
def test_numbers_of_a_column_have_the_same_digits(worth: Fraction | float, digits: int) -> None:
    text = fixed(worth, Unit.points, digits)
    assert len(text.partition(".")[2]) == digits
    assert fixed(worth, Unit.points, digits, is_change=True).lstrip("+") == text


def test_a_long_name_is_cut() -> None:
    game = Game.parse("d{1,2,3,5,7,11,13,17,19,23}", "1,2,3,5,7,11,13,17,19,23,29")
    assert game_name(game) == "d{1,2,3,5,7,11,13,17,..., slots 1-3,5,7,11,13... (11 slots)"


def test_units_are_told_apart_here_and_in_the_coach_alone() -> None:
    folder = Path(tentimes18.__file__).parent
    here = {Path(words.__file__), *(folder / "coach").iterdir()}
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert path in here or not re.search(r"is_chance|Unit\.chance", text), path
