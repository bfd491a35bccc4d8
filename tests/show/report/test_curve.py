"""The course of a game as a line: it passes where the numbers say, and its texts stand apart."""

import re

import pytest
from hypothesis import given, settings

from tentimes18.coach.review import review
from tentimes18.records.notation import Record, parse_record
from tentimes18.show.report.curve import MOST_DOTS, curve
from tests.support.pages import Page
from tests.support.records import records
from tools.pictures import GAME

CLASSIC = f"3d6 1-10: {GAME}"


def test_the_curve_of_the_paper() -> None:
    drawn = curve(review(parse_record(CLASSIC)))
    found = Page(drawn)
    assert found.text("h3") == [
        "From 642.2 to 698 points: the rolls brought 60.7 more than usual, the moves gave up 4.9"
    ]
    for kind in ("on-desk", "on-phone"):
        (part,) = re.findall(rf'<svg class="{kind}".*?</svg>', drawn)
        seen = Page(part)
        assert {"698", "+54.0", "+43.9", "−2.8", "value of the game 642.2"} <= set(seen.text("text"))
        assert len([mark for mark in seen.named("path") if mark["class"] == "miss"]) == 5


def test_the_line_is_as_high_as_the_worths() -> None:
    found = review(parse_record(CLASSIC))
    line = re.search(r'class="line" d="([^"]*)"', curve(found))
    assert line is not None
    ends = [float(number) for number in re.findall(r"V([\d.]+)", line[1])]
    start = float(line[1].split()[1].split("L")[0])
    highest = max(found.moves, key=lambda move: move.after)
    assert ends.index(min(ends)) == found.moves.index(highest)
    scale = (start - ends[-1]) / float(found.end - found.start)
    for end, move in zip(ends, found.moves, strict=True):
        assert start - end == pytest.approx(scale * float(move.after - found.start), abs=0.2)


@settings(max_examples=25)
@given(records())
def test_the_curve_of_any_game(record: Record) -> None:
    if not record.board.rounds:
        return
    found = Page(curve(review(record)))
    assert len(found.named("svg")) == 2
    for attributes in found.named("text"):
        assert 0 <= float(attributes["x"] or "-1") <= 620


def test_of_many_rounds_the_line_alone() -> None:
    slots = MOST_DOTS + 5
    moves = " ".join(f"{1 + slot % 6}@{slot}" for slot in range(1, slots + 1))
    drawn = curve(review(parse_record(f"1d6 1-{slots}: {moves}")))
    assert 'class="miss"' not in drawn
    assert 'class="end"' in drawn
