"""How worths, losses, aims, classes of moves, games and plain numbers are worded, at the edges where it changes."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.coach.losses import Unit
from tentimes18.coach.review import review
from tentimes18.coach.summary import measured_kinds
from tentimes18.game import Game
from tentimes18.number_format import percent, points, rough, score_name, share, short, shown_number, span, times
from tentimes18.records.formats import Line
from tentimes18.records.notation import Record, parse_record
from tentimes18.wording import (
    amount,
    game_name,
    headline,
    headline_worth,
    kind_name,
    kind_notes,
    loss_cell,
    notes,
    result_of,
    shown_date,
    shown_loss,
    shown_value,
    shown_worth,
    signed,
)

SMALL = Game.parse("1d6", "1-3")
DUEL = "1d6 1-3: 4@1; opponent=4@2"
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
def test_a_worth_in_every_place(worth: Fraction | float, unit: Unit, texts: str) -> None:
    assert [
        shown_worth(worth, unit),
        shown_value(worth, unit),
        amount(worth, unit),
        amount(worth, unit, is_narrow=True),
        signed(worth, unit),
        headline_worth(worth, unit),
    ] == texts.split()


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


def test_a_long_name_is_cut() -> None:
    game = Game.parse("d{1,2,3,5,7,11,13,17,19,23}", "1,2,3,5,7,11,13,17,19,23,29")
    assert game_name(game) == "d{1,2,3,5,7,11,13,17,..., slots 1-3,5,7,11,13... (11 slots)"


def test_numbers() -> None:
    assert [points(Fraction(value)) for value in ("999.96", "1000", "99.996", "9.9996", "-0.0001")] == [
        "1,000",
        "1,000",
        "100",
        "10",
        "0",
    ]
    assert [points(score) for score in (-1000, Fraction(7, 2), 0.5)] == ["−1,000", "3.5", "0.5"]
    assert [shown_number(value) for value in (10**7 - 1, 10**7, Fraction(1, 3), 2.5)] == [
        "9999999",
        "1e+07",
        "0.33",
        "2.5",
    ]
    assert [percent(chance) for chance in (1, 0.01, 0.0099, 0)] == ["100.0%", "1.0%", "0.99%", "0%"]
    assert [share(part) for part in (1, 0.0099, 0.0004)] == ["100.0%", "1.0%", "0.0%"]
    assert [rough(value) for value in (9.94, 9.95, -12.4)] == ["9.9", "10", "-12"]
    assert [short(loss) for loss in (9.94, 9.95, 0.094, 0.0096, 0.0094)] == ["9.9", "10", "0.09", "0.01", "0.009"]
    scores = (600, Fraction(11, 2), Fraction(-7, 3), Fraction(10**30, 7))
    assert [score_name(score) for score in scores] == ["600", "5.5", "-7/3", "1.428571e+29"]
    assert [loss_cell(12.25, Unit.points, digits) for digits in (0, 1, 2)] == ["12", "12.2", "12.25"]
    assert [times(multiplier) for multiplier in (-3, Fraction(1, 3), 10**9)] == ["×-3", "×1/3", "×10⁹"]


def test_rolls_in_a_row() -> None:
    assert [span(rolls) for rolls in ((5,), (-5,), (0, 1), (-1, 0))] == ["5", "-5", "0–1", "-1 to 0"]


@pytest.mark.parametrize(
    ("line", "result", "says"),
    [
        ("1d6 1,2: 5@2 4@1; opponent=5@1 4@2", "won", "Won, 14 to 13"),
        ("1d6 1,2: 5@1 4@2; opponent=5@2 4@1", "lost", "Lost, 13 to 14"),
        ("1d6 1,2: 5@1 4@2; opponent=5@1 4@2", "drawn", "Drawn, 13 to 13"),
        ("1d6 1,2: 5@1; opponent=5@2", None, "5 points"),
        ("1d6 -2,-1: 5@1 4@2", None, "−14 points"),
    ],
)
def test_who_won(line: str, result: str | None, says: str) -> None:
    record = parse_record(line)
    assert (result_of(record), headline(record)) == (result, says)


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("", []),
        ("; aim=mean; takebacks=0", []),
        ("; takebacks=1", ["1 move was taken back: practice, so no level."]),
        ("; takebacks=3", ["3 moves were taken back: practice, so no level."]),
        ("; aim=duel", ["Played for duel, measured by the expected final score."]),
    ],
)
def test_notes_of_a_review(tags: str, expected: list[str]) -> None:
    found = review(parse_record(f"1d6 1-3: 4@1{tags}"))
    assert notes(found) == expected
    assert (found.level is None) == bool(expected)


@pytest.mark.parametrize(
    ("date", "shown"),
    [
        ("2026-11-15", "2026-11-15"),
        ("2026-11-15T18:30:59+01:00", "2026-11-15 18:30"),
        ("a  Sunday\n", "a Sunday"),
        (7, "7"),
        ("", ""),
    ],
)
def test_dates(date: object, shown: str) -> None:
    assert shown_date(Record(parse_record("8@5").board, tags={"date": date})) == shown


@pytest.mark.parametrize(
    ("tags", "name", "notes"),
    [
        ("", "1d6, slots 1-3", []),
        ("; aim=mean", "1d6, slots 1-3", []),
        ("; aim=duel:nearest", "1d6, slots 1-3, for duel:nearest", []),
        ("; aim=fame", "1d6, slots 1-3, for fame", ["Played for fame, measured by the expected final score."]),
        ("; takebacks=1", "1d6, slots 1-3, practice", ["Moves were taken back"]),
        ("; takebacks=1; aim=x", "1d6, slots 1-3, for x, practice", ["Played for x", "Moves were taken back"]),
    ],
)
def test_kinds(tags: str, name: str, notes: list[str]) -> None:
    (games,), _ = measured_kinds([Line(1, parse_record(DUEL + tags))])
    assert kind_name(games) == name
    told = kind_notes(games)
    assert len(told) == len(notes)
    assert all(text.startswith(note) for text, note in zip(told, notes, strict=True))
