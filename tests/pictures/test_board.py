"""The board drawn with Pillow: score is area, on both sides of a duel."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tentimes18.game import Board, Game
from tentimes18.pictures.board import DUEL_TROUGH, GUTTER, SOLO_TROUGH, draw_board, draw_duel
from tentimes18.pictures.colours import colour_of

START, LENGTH = map(int, SOLO_TROUGH)
END = START + LENGTH


def area(picture: Image.Image, name: str, columns: slice) -> int:
    """How many pixels below the tray of a duel, in these columns, have exactly this colour."""
    colour = np.array(list(bytes.fromhex(colour_of(name)[1:])), dtype=np.uint8)
    top = 172 if picture.height == 600 else 0
    return int((np.asarray(picture)[top:, columns] == colour).all(axis=2).sum())


def solo_area(picture: Image.Image, name: str) -> int:
    return area(picture, name, slice(START - 8, END + 8))


def test_score_is_area() -> None:
    game = Game.parse("1d6", "10,20,30")
    whole = solo_area(draw_board(Board(game).place(6, 3)), "felt")
    assert solo_area(draw_board(Board(game).place(3, 3)), "felt") == pytest.approx(whole / 2, rel=0.04)
    assert solo_area(draw_board(Board(game).place(6, 2)), "felt") == pytest.approx(whole * 2 / 3, rel=0.04)
    assert solo_area(draw_board(Board(game)), "felt") == 0


def test_score_is_area_on_both_sides_of_a_duel() -> None:
    empty = Board(Game.parse("1d6", "10,20,30"))
    left, right = slice(0, 400), slice(400, 800)
    picture = draw_duel((empty.place(6, 3), empty.place(6, 2)))
    mine, theirs = area(picture, "felt", left), area(picture, "rival", right)
    assert theirs == pytest.approx(mine * 2 / 3, rel=0.04)
    assert area(picture, "felt", right) == area(picture, "rival", left) == 0


def test_the_roll_to_place_is_a_ghost_and_a_loss_has_its_colour() -> None:
    board = Board(Game.parse("1d6-4", "1,4")).place(-3, 2)
    picture = draw_board(board, 2)
    assert solo_area(picture, "loss") > solo_area(picture, "felt-soft") > 0
    assert solo_area(draw_board(board), "felt-soft") == 0
    duel = draw_duel((board, board), 2)
    assert area(duel, "rival-soft", slice(400 + int(DUEL_TROUGH[0]), 800)) > 0
    assert area(duel, "loss", slice(0, 400)) > 0


@pytest.mark.parametrize(("dice", "slots"), [("1d2", "1-90"), ("d{0}", "0"), ("d{1000000}", "1/3,10000000")])
@pytest.mark.parametrize(
    ("draw", "size"), [(draw_board, (800, 480)), (lambda *a: draw_duel((a[0],) * 2, a[1]), (800, 600))]
)
def test_any_board_has_a_picture(
    dice: str, slots: str, draw: Callable[[Board, int | None], Image.Image], size: tuple[int, int]
) -> None:
    board = Board(Game.parse(dice, slots))
    roll = board.game.dice.support[-1]
    for picture in (draw(board, roll), draw(board.place(roll, 1), None)):
        assert (picture.size, picture.mode) == (size, "RGB")


def changed(board: Board, roll: int, slot: int) -> NDArray[np.bool_]:
    before, after = (np.asarray(draw_board(one)) for one in (board, board.place(roll, slot)))
    return np.asarray((before != after).any(axis=2))


@pytest.mark.parametrize(("roll", "is_beyond"), [(18, True), (17, True), (12, False), (3, False)])
def test_a_thin_block_has_its_number_behind_it_or_in_the_gutter(roll: int, is_beyond: bool) -> None:
    board = Board(Game.classic())
    for slot in (1, 2, 3):
        pixels = changed(board, roll, slot)
        assert pixels[:, END + int(GUTTER) :].any()
        assert pixels[:, END + 1 : END + int(GUTTER)].any() == is_beyond
        assert not pixels[:, END + 1 : END + 5].any()


def test_a_number_that_nobody_could_read_is_left_out() -> None:
    board = Board(Game.parse("d{1000000}", "1,100"))
    assert not changed(board, 1000000, 1)[:, END + 1 : END + int(GUTTER) - 4].any()
