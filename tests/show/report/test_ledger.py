"""The bill of a game: its numbers add up, and its bars lie where they do."""

import re

import pytest
from hypothesis import given, settings

from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import Review, review
from tentimes18.records.notation import Record, parse_record
from tentimes18.show.report.ledger import ledger
from tests.support.pages import Page
from tests.support.records import records
from tools.pictures import GAME

DUEL = "1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@1 5@3"


def percents(markup: str) -> list[float]:
    return [float(number) for number in re.findall(r'(?:c?x|width)="([\d.-]+)%"', markup)]


def test_the_bill_of_the_paper() -> None:
    found = Page(ledger(review(parse_record(f"3d6 1-10: {GAME}"))))
    assert found.text("b") == ["642.24", "+60.67", "−4.91", "698", "712", "715"]
    assert found.text("span") == [
        *("Value of the game", "Luck of the rolls", "Lost by the moves", "Score"),
        *("optimal on these rolls", "Best possible on these rolls"),
    ]
    assert found.text("text") == ["620", "640", "660", "680", "700", "720"]


def test_bars_join_where_the_numbers_do() -> None:
    bill = ledger(review(parse_record(f"3d6 1-10: {GAME}")))
    (start,) = percents(next(iter(re.findall(r'<circle class="par"[^>]*>', bill))))
    left, width = percents(next(iter(re.findall(r'<rect class="luck"[^>]*>', bill))))
    lost_left, lost_width = percents(next(iter(re.findall(r'<rect class="loss"[^>]*>', bill))))
    (end,) = percents(next(iter(re.findall(r'<circle class="total"[^>]*>', bill))))
    assert left == pytest.approx(start, abs=0.02)
    assert left + width == pytest.approx(lost_left + lost_width, abs=0.02)
    assert lost_left == pytest.approx(end, abs=0.02)


@pytest.mark.parametrize("aim", ["mean", "target:30", "duel"])
def test_the_bill_by_an_aim(aim: str) -> None:
    record = parse_record(DUEL)
    found = Page(ledger(review(record, aim_named(record.board.game, aim))))
    assert ("Given by the opponent" in found.text("span")) == (aim == "duel")
    assert ("Score" in found.text("span")) == (aim == "mean")
    assert all(number.endswith("%") == (aim != "mean") for number in found.text("b"))


@settings(max_examples=25)
@given(records())
def test_the_bill_of_any_game(record: Record) -> None:
    found: Review = review(record)
    places = percents(ledger(found))
    assert all(-0.01 <= place <= 100.01 for place in places), "nothing leaves the scale"
