"""The position that a question is about: how texts become boards and free slots, and what is rejected."""

import pytest

from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Position
from tentimes18.queries.moves import read_board, read_free_slots, read_position

CLASSIC = Game.classic()
SMALL = Game.parse("1d6", "1-3")


@pytest.mark.parametrize(
    ("text", "slots"), [("1,4,7", [1, 4, 7]), (" 7 , 1 - 3 ", [1, 2, 3, 7]), ("10-8", [8, 9, 10]), ("5", [5])]
)
def test_free(text: str, slots: list[int]) -> None:
    assert read_free_slots(CLASSIC, text) == tuple(slots)


@pytest.mark.parametrize(
    ("text", "problem", "given"),
    [
        ("x", "cannot read 'x'; accepted: slots like 1,4,7 or 1-3,7", "x"),
        ("1,", "cannot read ''; accepted: slots like 1,4,7 or 1-3,7", "1,"),
        ("1-11", "there is no slot 11; slots are 1 to 10", "1-11"),
        ("11", "there is no slot 11; slots are 1 to 10", None),
        ("1,1", "slot 1 is named twice", None),
    ],
)
def test_bad_free(text: str, problem: str, given: str | None) -> None:
    with pytest.raises(Ten18Error) as refused:
        read_free_slots(CLASSIC, text, "opponent_free")
    assert (refused.value.problem, refused.value.field, refused.value.value) == (problem, "opponent_free", given)


def test_board() -> None:
    board = read_board(CLASSIC, "8@5 4@1")
    assert (board.score, board.rounds) == (44, 2)
    assert read_board(CLASSIC, "").rounds == 0


@pytest.mark.parametrize(
    ("moves", "given"), [("8@5 4@5", "8@5 4@5"), ("8@11", "8@11"), ("2@5", "2@5"), ("nonsense", None)]
)
def test_bad_board(moves: str, given: str | None) -> None:
    """A move that is not legal is shown among the others; what cannot be read is in the problem."""
    with pytest.raises(Ten18Error) as refused:
        read_board(CLASSIC, moves, "opponent")
    assert (refused.value.field, refused.value.value) == ("opponent", given)


def test_positions() -> None:
    board = Board(SMALL).place(5, 3)
    assert read_position(SMALL, "5@3") == Position(board)
    assert read_position(SMALL, "5@3", "5@1", is_duel=True) == Position(board, Board(SMALL).place(5, 1))
    assert read_position(SMALL, is_duel=True) == Position(Board(SMALL), Board(SMALL))


@pytest.mark.parametrize(
    ("moves", "opponent", "is_duel", "field"),
    [
        ("5@3 5@3", None, False, "moves"),
        ("5@3 5@2 5@1", None, False, "moves"),
        ("5@3", None, True, "opponent"),
        ("5@3", "4@3", False, "opponent"),
        ("", "4@3", False, "opponent"),
        ("5@3", "x", False, "opponent"),
    ],
)
def test_no_position_to_ask_about(moves: str, opponent: str | None, is_duel: bool, field: str) -> None:
    with pytest.raises(Ten18Error) as refused:
        read_position(SMALL, moves, opponent, is_duel=is_duel)
    assert refused.value.field == field
