"""Values of free sets and moves, against the oracle."""

from fractions import Fraction

from hypothesis import given

from tentimes18.game import Board, Game
from tentimes18.solve.values import value_of
from tests.oracle import play
from tests.support.games import law_of
from tests.support.solved import boards, few


@given(boards(max_slots=4, max_rolls=4))
@few
def test_value_of_a_free_set(board: Board) -> None:
    law, free = law_of(board.game.dice), frozenset(board.free_slots)
    assert value_of(board.game, board.free) == play.value(law, board.game.multipliers, free)


def test_nothing_is_worth_nothing() -> None:
    assert value_of(Game.classic(), 0) == Fraction(0)
