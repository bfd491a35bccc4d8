"""The page of a review: well-formed, whole in itself, and safe whatever a name says."""

import re
from html.parser import HTMLParser
from typing import Final

import pytest
from hypothesis import given, settings
from tools.pictures import GAME

from tentimes18.coach.aims import aim_named
from tentimes18.coach.classes import CLASSES
from tentimes18.coach.review import review
from tentimes18.coach.summary import summarise
from tentimes18.game import Board, Game
from tentimes18.records.notation import Record, parse_record
from tentimes18.show.report.games import game_page, games_page, verdict
from tentimes18.show.report.page import COLOURS, text
from tests.support.played import summary_of
from tests.support.records import records

VOID: Final = {"meta", "br"}
EVIL: Final = "<script>alert('x')</script>\" onload=\"x & </title></style><img src=x>"


class Page(HTMLParser):
    """A page as a browser reads it: complains of tags that do not match."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute of {tag} is given twice"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def text(self, tag: str) -> list[str]:
        return [data for name, data in self.texts if name == tag and data.strip()]


def verify(page: str) -> Page:
    """What holds for every page."""
    found = Page(page)
    assert page.startswith("<!doctype html>")
    assert found.named("html") == [{"lang": "en"}]
    assert len(found.named("h1")) == len(found.named("title")) == 1
    assert {tag for tag, _ in found.tags}.isdisjoint({"script", "link", "img", "iframe", "object", "image"})
    for tag, attributes in found.tags:
        for name, value in attributes.items():
            assert not name.startswith("on")
            if name in ("href", "src"):
                assert (value or "").startswith("#"), f"{tag} refers to {value}"
    assert not re.search(r"https?:|@import|url\((?!#)", page)
    identifiers = [attributes["id"] for _, attributes in found.tags if "id" in attributes]
    assert len(identifiers) == len(set(identifiers))
    used = set(re.findall(r'(?:href="#|url\(#)([\w.-]+)', page))
    assert used <= set(identifiers)
    for attributes in found.named("svg"):
        assert attributes["role"] == "img"
        assert len(attributes["aria-label"] or "") > 20
    assert len(found.named("table")) == len(found.named("caption"))
    assert all("scope" in attributes for attributes in found.named("th"))
    assert not any(colour in page.split("</style>")[1] for colour in COLOURS)
    return found


def classic(tags: str = "") -> Record:
    return parse_record(f"3d6 1-10: {GAME}{tags}")


def test_page_of_a_game() -> None:
    found = verify(game_page(review(classic("; name=Ada; date=2026-11-15 # on the train"))))
    assert found.text("h1") == ["698 points"]
    assert found.text("title") == ["Ada: 698 points, 3d6, slots 1-10"]
    assert "Ada · 2026-11-15 · 3d6, slots 1-10" in found.text("p")
    assert "on the train" in found.text("p")
    assert "Lucky rolls, and 1 inaccuracy." in found.text("p")
    assert {"698", "642.24", "60.67", "4.91"} <= set(found.text("b"))
    assert len(found.named("svg")) == 2
    assert found.text("caption") == ["The board, round by round", "Move by move"]
    placed = [attributes for attributes in found.named("td") if attributes.get("class") == "placed"]
    assert len(placed) == 10


def test_whatever_a_name_says_stays_text() -> None:
    record = Record(classic().board, tags={"name": EVIL, "date": EVIL, "comment": EVIL + "\x00\x1b\n"})
    found = verify(game_page(review(record)))
    assert found.text("title") == [f"{EVIL}: 698 points, 3d6, slots 1-10"]
    assert [data.rstrip() for data in found.text("p") if "alert" in data][-1] == EVIL
    assert text("\u2028\x07<") == "  &lt;"


@settings(max_examples=25)
@given(records())
def test_page_of_any_game(record: Record) -> None:
    """Finished or not, with any tags, equal or negative multipliers, and of dice with one roll."""
    found = verify(game_page(review(record)))
    assert len(found.named("svg")) == bool(record.board.rounds) + record.finished


@pytest.mark.parametrize("aim", ["target:30", "duel", "duel:greedy"])
def test_page_by_another_aim(aim: str) -> None:
    record = parse_record("1d6 1-3: 4@1 6@3 5@2; opponent=4@2 6@1 5@3")
    found = verify(game_page(review(record, aim_named(record.board.game, aim))))
    assert any("measured by the chance" in data for data in found.text("p"))
    assert "theirs" in found.text("th")
    assert ("given by the opponent" in found.text("small")) == (aim != "target:30")
    assert ("gift, %" in found.text("th")) == (aim != "target:30"), "each row adds up"


def test_every_minus_is_one() -> None:
    found = verify(game_page(review(parse_record("1d6 -3--1: 4@1 6@3 5@2"))))
    assert found.text("h1") == ["−28 points"]


def test_page_of_many_games() -> None:
    found = verify(games_page([summary_of("random", 200)]))
    assert found.text("h1") == ["200 games"]
    assert len(found.named("svg")) == 4
    assert found.text("caption") == ["Moves by class", "Moves by round", "The costliest moves"]
    chips = [attributes["class"] for attributes in found.named("span") if "chip" in (attributes["class"] or "")]
    assert chips == [f"chip {name}" for name, _, _ in CLASSES]
    assert "mean score" in found.text("dt")


def test_page_of_several_kinds() -> None:
    small = Game.parse("1d6", "1-3")
    started = summarise([Record(Board(small).place(4, 1)), Record(Board(small))])
    found = verify(games_page([summary_of("greedy", 20), started, summary_of("optimal", 3, small)]))
    assert found.text("h1") == ["25 games"]
    assert len(found.text("h2")) == 3


def test_page_of_games_without_a_choice() -> None:
    one = Game.parse("d{7}", "1-3")
    found = verify(games_page([summary_of("optimal", 5, one)]))
    assert "No move in them was a choice." in found.text("p")


def test_page_by_a_chance() -> None:
    found = verify(games_page([summary_of("random", 12, Game.parse("1d6", "1-3"), "target:30")]))
    assert any(data.endswith("%") for data in found.text("dd"))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1d6 1-3:", "Nothing is played yet."),
        ("1d6 1-3: 6@3 4@1 6@2", "Lucky rolls, and no error."),
        ("1d6 1-3: 1@1 1@2 1@3", "Unlucky rolls, and every move a best one."),
        ("1d6 1-3: 4@1", "Ordinary rolls, and 1 inaccuracy. After 1 of 3 rounds 22.25 points can be expected."),
        ("3d6 1-10: 3@10 18@1 3@9 18@2", "Lucky rolls, and 4 blunders. After 4 of 10 rounds "),
    ],
)
def test_verdict(line: str, says: str) -> None:
    assert verdict(review(parse_record(line))).startswith(says)


def test_the_same_game_gives_the_same_page() -> None:
    assert game_page(review(classic())) == game_page(review(classic()))
