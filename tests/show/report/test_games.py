"""The page of many games: those of each kind with their numbers, pictures and tables."""

from tentimes18.coach.losses import CLASSES
from tentimes18.coach.summary import measured_kinds
from tentimes18.game import Board, Game
from tentimes18.records.files import Line
from tentimes18.records.notation import Record, parse_record
from tentimes18.show.report.games import games_page
from tests.support.pages import verify
from tests.support.played import games_of


def test_page_of_many_games() -> None:
    found = verify(games_page([games_of("random", 250)]))
    assert found.text("h1") == ["250 games"]
    assert len([svg for svg in found.named("svg") if "aria-label" in svg]) == 4
    assert found.text("caption")[:3] == ["Moves by class", "Moves by round", "The costliest moves"]
    assert found.text("caption")[3:5] == ["Game 250, move by move", "Game 249, move by move"]
    chips = [attributes["class"] for attributes in found.named("span") if "chip" in (attributes.get("class") or "")]
    assert chips[: len(CLASSES)] == [f"chip {name}" for name, _, _ in CLASSES]
    assert "mean score" in found.text("dt")
    assert "beginner" in found.text("dd")
    assert len([cell for cell in found.named("td") if cell.get("class") == "bar"]) == len(CLASSES)
    links = {attributes["href"] for attributes in found.named("a")}
    assert links, "every costly move leads to its game"
    assert links <= {f"#{attributes['id']}" for attributes in found.named("div") if "id" in attributes}


def test_page_of_several_kinds() -> None:
    small = Game.parse("1d6", "1-3")
    (started,), _ = measured_kinds([Line(1, Record(Board(small).place(4, 1))), Line(2, Record(Board(small)))])
    found = verify(games_page([games_of("greedy", 20), started, games_of("optimal", 3, small)]))
    assert found.text("h1") == ["25 games"]
    assert len(found.text("h2")) == 3


def test_page_of_games_without_a_choice() -> None:
    one = Game.parse("d{7}", "1-3")
    found = verify(games_page([games_of("optimal", 5, one)]))
    assert "No move in them was a choice." in found.text("p")


def test_page_by_a_chance() -> None:
    found = verify(games_page([games_of("random", 12, Game.parse("1d6", "1-3"), "target:30")]))
    assert any(data.endswith("%") for data in found.text("dd"))


def test_what_has_to_be_said_of_a_kind() -> None:
    game = "1d6 1-3: 4@1 6@3 5@2"
    texts = [game, f"{game}; aim=fame", f"{game}; takebacks=1"]
    kinds, _ = measured_kinds([Line(number, parse_record(text)) for number, text in enumerate(texts, start=1)])
    found = verify(games_page(kinds))
    assert [data.partition(" of ")[2] for data in found.text("h2")] == [
        "1d6, slots 1-3",
        "1d6, slots 1-3, for fame",
        "1d6, slots 1-3, practice",
    ]
    notes = [data for data in found.text("p") if "Played for" in data or "taken back" in data]
    assert len(notes) == 2


def test_a_page_of_very_many_games_stays_small() -> None:
    page = games_page([games_of("greedy", 3000)])
    assert len(page) < 1_500_000
    assert "of 3,000: the last ones, and those of the costliest moves" in page
