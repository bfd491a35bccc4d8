"""The page of one game: well-formed, whole in itself, and safe whatever a name says."""

import re
from typing import Final

import pytest
from hypothesis import given, settings

from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import review
from tentimes18.records.notation import Record, parse_record
from tentimes18.show.report.game import game_page
from tests.support.pages import Page, verify
from tests.support.records import records
from tools.pictures import GAME

EVIL: Final = "<script>alert('x')</script>\" onload=\"x & </title></style><img src=x>"


def labelled(page: Page) -> list[dict[str, str | None]]:
    return [attributes for attributes in page.named("svg") if "aria-label" in attributes]


def classic(tags: str = "") -> Record:
    return parse_record(f"3d6 1-10: {GAME}{tags}")


def test_page_of_a_game() -> None:
    found = verify(game_page(review(classic("; name=Ada; date=2026-11-15 # on the train"))))
    assert found.text("h1") == ["698 points"]
    assert found.text("title") == ["Ada: 698 points, 3d6, slots 1-10"]
    assert "Ada · 2026-11-15 · 3d6, slots 1-10" in found.text("p")
    assert "on the train" in found.text("p")
    assert "Lucky rolls, and 1 inaccuracy." in found.text("p")
    assert {"698", "642.24", "+60.67", "−4.91", "712", "715"} <= set(found.text("b"))
    assert len(labelled(found)) == 3, "the course wide and narrow, and the place of the score"
    assert found.text("caption") == ["Move by move", "The board, round by round"]
    placed = [attributes for attributes in found.named("td") if attributes.get("class") == "placed"]
    assert len(placed) == 10


def test_whatever_a_name_says_stays_text() -> None:
    record = Record(classic().board, tags={"name": EVIL, "date": EVIL, "comment": EVIL + "\x00\x1b\n"})
    found = verify(game_page(review(record)))
    assert found.text("title") == [f"{EVIL}: 698 points, 3d6, slots 1-10"]
    assert [data.rstrip() for data in found.text("p") if "alert" in data][-1] == EVIL


@settings(max_examples=25)
@given(records())
def test_page_of_any_game(record: Record) -> None:
    """Finished or not, with any tags, equal or negative multipliers, and of dice with one roll."""
    found = verify(game_page(review(record)))
    assert len(labelled(found)) == 2 * bool(record.board.rounds) + record.finished


@pytest.mark.parametrize("aim", ["target:30", "duel", "duel:greedy"])
def test_page_by_another_aim(aim: str) -> None:
    record = parse_record("1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@1 5@3")
    found = verify(game_page(review(record, aim_named(record.board.game, aim))))
    assert any("measured by the chance" in data for data in found.text("p"))
    assert "theirs" in found.text("th")
    assert ("Given by the opponent" in found.text("span")) == (aim != "target:30")
    assert ("gift, %" in found.text("th")) == (aim != "target:30"), "each row adds up"


def test_both_boards_of_a_duel() -> None:
    record = parse_record("1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@1 5@3; against=nearest")
    found = verify(game_page(review(record)))
    assert found.text("caption") == [
        "Move by move",
        "Your board, round by round",
        "The board of nearest, round by round",
    ]
    assert "You and nearest" in found.text("h3")
    assert len([cell for cell in found.named("td") if cell.get("class") == "placed"]) == 6
    assert any("against nearest" in data for data in found.text("p"))


def test_level_and_practice() -> None:
    assert "advanced" in verify(game_page(review(classic()))).text("dd")
    found = verify(game_page(review(classic("; takebacks=2"))))
    assert "advanced" not in found.text("dd")
    assert "2 moves were taken back: practice, so no level." in found.text("p")


def test_very_large_numbers_have_one_form() -> None:
    """The score, its parts and the axis: powers of ten, and no two ways of writing them."""
    page = game_page(review(parse_record("1d6 100000000,2000000000,300000000000: 4@1 6@3 5@2")))
    found = verify(page)
    assert found.text("h1") == ["1.8104×10¹² points"]
    assert {"1.8104×10¹²", "1.40723×10¹²", "+4.05542×10¹¹", "−2.375×10⁹"} <= set(found.text("b"))
    assert not re.search(r"\d[eE]\+?\d", " ".join(data for tag, data in found.texts if tag != "style"))


def test_every_minus_is_one() -> None:
    found = verify(game_page(review(parse_record("1d6 -3--1: 4@1 6@3 5@2"))))
    assert found.text("h1") == ["−28 points"]


def test_the_same_game_gives_the_same_page() -> None:
    assert game_page(review(classic())) == game_page(review(classic()))
