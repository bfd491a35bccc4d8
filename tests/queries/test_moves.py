"""The position that a question is about: how texts become boards and free slots, and what is rejected."""

import pytest

from tentimes18.game import Board, Game, Position
from tentimes18.queries.moves import read_free_slots, read_position

CLASSIC = Game.classic()
SMALL = Game.parse("1d6", "1-3")


@pytest.mark.parametrize(
    ("text", "slots"), [("1,4,7", [1, 4, 7]), (" 7 , 1 - 3 ", [1, 2, 3, 7]), ("10-8", [8, 9, 10]), ("5", [5])]
)
def test_free(text: str, slots: list[int]) -> None:
    assert read_free_slots(CLASSIC, text) == tuple(slots)


def test_positions() -> None:
    board = Board(SMALL).place(5, 3)
    assert read_position(SMALL, "5@3") == Position(board)
    assert read_position(SMALL, "5@3", "5@1", is_duel=True) == Position(board, Board(SMALL).place(5, 1))
    assert read_position(SMALL, is_duel=True) == Position(Board(SMALL), Board(SMALL))
