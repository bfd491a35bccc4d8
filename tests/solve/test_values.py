"""Values of free sets and moves, against the oracle."""

from fractions import Fraction

import pytest
from hypothesis import given

from tentimes18.errors import IllegalMove, InvalidGame
from tentimes18.game import Board, Game
from tentimes18.solve.values import move_values, value_of
from tests.oracle import play
from tests.support.games import law_of
from tests.support.solved import boards, few


@given(boards(max_slots=4, max_rolls=4))
@few
def test_value_of_a_free_set(board: Board) -> None:
    law, free = law_of(board.game.dice), frozenset(board.free_slots)
    assert value_of(board.game, board.free) == play.value(law, board.game.multipliers, free)


@given(boards(max_slots=4, max_rolls=4, min_free=1))
@few
def test_values_of_moves(board: Board) -> None:
    law, free = law_of(board.game.dice), frozenset(board.free_slots)
    for roll in board.game.dice.support:
        assert move_values(board.game, board.free, roll) == play.move_values(law, board.game.multipliers, free, roll)


def test_nothing_is_worth_nothing() -> None:
    assert value_of(Game.classic(), 0) == Fraction(0)


def test_what_cannot_be() -> None:
    with pytest.raises(IllegalMove, match=r"^roll"):
        move_values(Game.classic(), 1, 2)
    with pytest.raises(InvalidGame):
        move_values(Game.classic(), 1 << 10, 9)
