"""The rule of `optimal` against the oracle, its ties and its refusal."""

import pytest
from hypothesis import given

from tentimes18.errors import IllegalMove
from tentimes18.game import Board, Game
from tentimes18.solve.rules import OptimalRule, optimal_rule
from tests.oracle import play
from tests.support.games import law_of
from tests.support.solved import boards, few


@given(boards(max_slots=4, max_rolls=4, min_free=1))
@few
def test_the_first_of_the_best_slots(board: Board) -> None:
    game = board.game
    for roll in game.dice.support:
        best = play.best_slots(law_of(game.dice), game.multipliers, frozenset(board.free_slots), roll)
        assert optimal_rule(game)(board.free, roll) == min(best)


def test_equal_multipliers_are_taken_from_the_left() -> None:
    rule = optimal_rule(Game.parse("3d6", "1,2,2,2,3"))
    assert rule(0b01110, 10) == 2
    assert rule(0b01100, 10) == 3


def test_a_full_board_has_no_slot() -> None:
    with pytest.raises(IllegalMove, match="full"):
        optimal_rule(Game.classic())(0, 10)


def test_a_game_has_one_rule() -> None:
    assert optimal_rule(Game.classic()) is optimal_rule(Game.parse("3d6", "1-10"))
    assert isinstance(optimal_rule(Game.classic()), OptimalRule)
