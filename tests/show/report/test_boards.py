"""Two boards back to back: a block is as long as its roll, and as thick as its multiplier."""

import re

from tentimes18.game import Board, Game
from tentimes18.show.report.boards import boards
from tests.support.pages import Page

GAME = Game.parse("3d6", "1-10")


def test_score_is_area() -> None:
    board = Board(GAME).place(18, 10).place(9, 5)
    drawn = boards("You and Ben", ("You", board), ("Ben", Board(GAME).place(6, 1)), "rival")
    rows = re.findall(r"<li.*?</li>", drawn)
    assert len(rows) == 10
    assert 'style="--m: 1.000"' in rows[9]
    assert 'style="--r: 1.000"' in rows[9]
    assert 'style="--m: 0.500"' in rows[4]
    assert 'style="--r: 0.500"' in rows[4]
    assert rows[2].count("block") == 0, "nothing stands there"


def test_whose_board_is_whose() -> None:
    board = Board(GAME).place(18, 10)
    found = Page(boards("You & <i>", ("You", board), ("<i>", Board(GAME).place(6, 1)), "optimal"))
    assert found.text("h3") == ["You & <i>"]
    assert found.text("b")[:2] == ["180", "6"]
    assert "×10" in found.text("span")


def test_odd_games_are_drawn_too() -> None:
    for text, slot in (("-3--1", 1), ("0,1/2", 1), ("1000000000000,2", 1)):
        game = Game.parse("d{0,-4,7}", text)
        board = Board(game).place(-4, slot).place(0, 2)
        assert Page(boards("You", ("You", board), ("optimal", board), "optimal")).named("li")
