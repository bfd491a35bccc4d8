"""A duel as a picture: score is area, on either side of the spine."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tentimes18.envs.duel_picture import MIDDLE, ROWS_TOP, duel_picture
from tentimes18.game import Board, Game
from tentimes18.pictures.colours import colour_of


def area(picture: NDArray[np.uint8], name: str) -> tuple[int, int]:
    """How many pixels below the tray have exactly this colour, at the left and at the right."""
    colour = np.array(list(bytes.fromhex(colour_of(name)[1:])), dtype=np.uint8)
    found = (picture[int(ROWS_TOP) :] == colour).all(axis=2)
    return int(found[:, : int(MIDDLE)].sum()), int(found[:, int(MIDDLE) :].sum())


def test_score_is_area_on_both_sides() -> None:
    empty = Board(Game.parse("1d6", "10,20,30"))
    picture = duel_picture((empty.place(6, 3), empty.place(6, 2)))
    mine, theirs = area(picture, "felt")[0], area(picture, "rival")[1]
    assert theirs == pytest.approx(mine * 2 / 3, rel=0.04)
    assert (area(picture, "felt")[1], area(picture, "rival")[0]) == (0, 0)
    assert area(duel_picture((empty.place(3, 3), empty)), "felt")[0] == pytest.approx(mine / 2, rel=0.04)


def test_ghosts_of_the_waiting_roll_and_losses() -> None:
    empty = Board(Game.parse("1d6-4", "1,4"))
    boards = empty.place(-3, 1), empty.place(-3, 2)
    picture = duel_picture(boards, 2)
    assert area(picture, "felt-soft")[0] > area(picture, "rival-soft")[1] > 0
    assert area(picture, "loss")[1] > area(picture, "loss")[0] > 0
    assert area(duel_picture(boards), "felt-soft") == (0, 0)


@pytest.mark.parametrize(("dice", "slots"), [("1d2", "1-90"), ("d{0}", "0"), ("d{1000000}", "1/3,10000000")])
def test_any_duel_has_a_picture(dice: str, slots: str) -> None:
    board = Board(Game.parse(dice, slots))
    roll = board.game.dice.support[-1]
    for shown in (duel_picture((board, board), roll), duel_picture((board.place(roll, 1), board))):
        assert shown.shape == (600, 800, 3)
        assert shown.dtype == np.uint8
