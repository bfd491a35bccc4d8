"""Laws in float64 against the exact ones."""

from hypothesis import given, settings

from tentimes18.game import Board, Game
from tentimes18.solve.rules import optimal_rule
from tentimes18.solve.scores.exact_laws import rule_law
from tentimes18.solve.scores.float_laws import float_rule_law
from tests.support.solved import assert_close, boards, classic_optimal, last_or_first

TOLERANCE = 1e-13  # of a float law, a share of each probability


@given(boards(max_slots=5, max_rolls=5))
@settings(max_examples=30)
def test_float_laws(board: Board) -> None:
    """Sums of at most 5 · 5 positive products each: every probability is within 1e-13 of itself."""
    game = board.game
    for rule in (optimal_rule(game), last_or_first):
        assert_close(float_rule_law(game, rule, board.free), rule_law(game, rule, board.free), TOLERANCE)


def test_classic_game_in_floats() -> None:
    """Ten rounds with 16 rolls: every probability is within 1e-12 of itself, that of 990, 4.5e-24, too."""
    game = Game.classic()
    assert_close(float_rule_law(game, optimal_rule(game)), classic_optimal(), 1e-12)
