"""The page of many games: those of each kind with their numbers, pictures and tables."""

from tentimes18.coach.classes import CLASSES
from tentimes18.coach.summary import summarise
from tentimes18.game import Board, Game
from tentimes18.records.notation import Record
from tentimes18.show.report.games import games_page
from tests.support.pages import verify
from tests.support.played import summary_of


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
