"""Worths in Fractions: the value of the game is what luck leaves as it is, on average over the rolls of the dice."""

from fractions import Fraction

import pytest

from tentimes18.envs.exact_worths import ExactWorths
from tentimes18.game import Board, Game, Number


@pytest.mark.parametrize(
    ("dice", "slots", "target"),
    [("d{-4,1,7}", "-2,1/3,5", None), ("1d4", "1-3", 18), ("2d4", "1/3,2", Fraction(29, 3))],
)
def test_luck_is_nothing_on_average(dice: str, slots: str, target: Number | None) -> None:
    game = Game.parse(dice, slots)
    worths = ExactWorths(game, target)
    board = Board(game)
    while board.free:
        lucks = {roll: worths.luck(board, roll) for roll in game.dice.support}
        assert sum(game.dice.probability(roll) * luck for roll, luck in lucks.items()) == 0
        assert any(lucks.values())
        roll = game.dice.support[-1]
        assert min(worths.regret(board, roll, slot) for slot in board.free_slots) == 0
        board = board.place(roll, board.free_slots[0])


def test_an_illegal_action_gives_up_all_that_is_left() -> None:
    game = Game.parse("d{-1,3}", "1,2")
    board = Board(game).place(3, 2)
    worths = ExactWorths(game, None)
    assert worths.illegal_reward(board) == -1
    assert worths.regret(board, 3, None) == 3 - (-1)
    assert ExactWorths(game, 9).regret(board, 3, None) == 1
    assert ExactWorths(game, 9).illegal_reward(board) == 0
