"""The board as text."""

from tentimes18.envs.board_text import board_text
from tentimes18.game import Board, Game


def test_bars_are_as_long_as_rolls_and_large_dice_are_scaled() -> None:
    board = Board(Game.parse("d{-50,0,100}", "-1,1/2,3")).place(100, 3).place(-50, 1)
    assert board_text(board, 0).splitlines() == [
        "d{-50,0,100} -1,1/2,3  round 3 of 3  score 350  roll 0",
        " ×-1 │████████████            │ −50 = 50",
        "×1/2 │                        │",
        "  ×3 │████████████████████████│ 100 = 300",
    ]


def test_a_full_board_has_no_roll() -> None:
    board = Board(Game.parse("1d2", "1")).place(2, 1)
    assert board_text(board) == "1d2 1  round 1 of 1  score 2\n×1 │██│ 2 = 2"
