"""The board as a picture: score is area."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tentimes18.envs.board_picture import GUTTER, TROUGH, board_picture
from tentimes18.game import Board, Game
from tentimes18.pictures.colours import colour_of


def area(picture: NDArray[np.uint8], name: str) -> int:
    """How many pixels right of the tray have exactly this colour."""
    colour = np.array(list(bytes.fromhex(colour_of(name)[1:])), dtype=np.uint8)
    return int((picture[:, TROUGH[0] - 8 : TROUGH[1] + 8] == colour).all(axis=2).sum())


def test_score_is_area() -> None:
    game = Game.parse("1d6", "10,20,30")
    whole = area(board_picture(Board(game).place(6, 3)), "felt")
    assert area(board_picture(Board(game).place(3, 3)), "felt") == pytest.approx(whole / 2, rel=0.04)
    assert area(board_picture(Board(game).place(6, 2)), "felt") == pytest.approx(whole * 2 / 3, rel=0.04)
    assert area(board_picture(Board(game)), "felt") == 0


def test_the_waiting_roll_is_a_ghost_and_a_loss_has_its_colour() -> None:
    board = Board(Game.parse("1d6-4", "1,4")).place(-3, 2)
    picture = board_picture(board, 2)
    assert area(picture, "loss") > area(picture, "felt-soft") > 0
    assert area(board_picture(board), "felt-soft") == 0


@pytest.mark.parametrize(("dice", "slots"), [("1d2", "1-90"), ("d{0}", "0"), ("d{1000000}", "1/3,10000000")])
def test_any_board_has_a_picture(dice: str, slots: str) -> None:
    board = Board(Game.parse(dice, slots))
    roll = board.game.dice.support[-1]
    for shown in (board_picture(board, roll), board_picture(board.place(roll, 1))):
        assert shown.shape == (480, 800, 3)
        assert shown.dtype == np.uint8


@pytest.mark.parametrize(("roll", "is_beyond"), [(18, True), (17, True), (12, False), (3, False)])
def test_a_block_too_thin_for_its_number_has_it_behind(roll: int, is_beyond: bool) -> None:
    """Behind the block, or, where that would take it beyond the end of the trough, in the gutter: never across."""
    board = Board(Game.classic())
    gutter, points = slice(TROUGH[1] + 1, TROUGH[1] + int(GUTTER)), slice(TROUGH[1] + int(GUTTER), None)
    for slot in (1, 2, 3):
        before, after = board_picture(board), board_picture(board.place(roll, slot))
        changed = (before != after).any(axis=2)
        assert changed[:, points].any()
        assert changed[:, gutter].any() == is_beyond
        reach = TROUGH[0] + roll * (TROUGH[1] - TROUGH[0]) // 18
        assert changed[:, reach + 6 : TROUGH[1] - 2].any() != is_beyond
        assert not changed[:, TROUGH[1] + 1 : TROUGH[1] + 5].any()


def test_a_number_that_nobody_could_read_is_left_out() -> None:
    board = Board(Game.parse("d{1000000}", "1,100"))
    changed = (board_picture(board) != board_picture(board.place(1000000, 1))).any(axis=2)
    assert not changed[:, TROUGH[1] + 1 : TROUGH[1] + int(GUTTER) - 4].any()
