"""The position that a question is about: how texts become boards and free slots, and what is refused."""

import pytest

from tentimes18.errors import InvalidGame, Ten18Error
from tentimes18.game import Board, Game, Position
from tentimes18.queries.positions import duel_position, read_board, read_free_slots, read_position

CLASSIC = Game.classic()
SMALL = Game.parse("1d6", "1-3")


@pytest.mark.parametrize(
    ("text", "slots"),
    [("1,4,7", [1, 4, 7]), (" 7 , 1 - 3 ", [1, 2, 3, 7]), ("10-8", [8, 9, 10]), ("5", [5]), (None, range(1, 11))],
)
def test_free(text: str | None, slots: list[int]) -> None:
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
    assert (refused.value.problem, refused.value.field, refused.value.given) == (problem, "opponent_free", given)


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
    assert (refused.value.field, refused.value.given) == ("opponent", given)


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


def test_positions_of_a_duel() -> None:
    assert duel_position(SMALL, None, None, 3) == (7, 7, 3)
    assert duel_position(SMALL, [3, 1], None, 0) == (5, 5, 0)
    assert duel_position(SMALL, [1, 2], [1, 3], -2) == (3, 5, -2)
    for free, opponent_free, field in (([4], [1], "free"), ([1], [1, 1], "opponent_free"), ([], [1], "free")):
        with pytest.raises(InvalidGame) as refused:
            duel_position(SMALL, free, opponent_free, 0)
        assert refused.value.field == field
