"""Shortfalls and the worst share of games against the best of all strategies."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tentimes18.game import Board, Game
from tentimes18.solve.objectives.shortfall import ShortfallTable, best_worst_share
from tests.oracle import aims
from tests.support.games import games, law_of
from tests.support.solved import SHARES, TOLERANCE, best_after, boards, check_law, few, first_best, largest


@given(games(max_slots=3, max_rolls=3), st.fractions(Fraction(1, 50), 1, max_denominator=50))
@few
def test_best_worst_share(game: Game, drawn: Fraction) -> None:
    """Within 1e-12 of the largest score."""
    law = law_of(game.dice)
    table = ShortfallTable(game)
    bound = TOLERANCE * largest(game)
    for share in [*SHARES, drawn]:
        play = best_worst_share(table, share)
        best = aims.best_cvar(law, game.multipliers, share)
        assert abs(Fraction(play.value) - best) <= bound / share
        assert abs(Fraction(play.law().lower_mean(share)) - best) <= bound / share


@given(boards(max_slots=3, max_rolls=3))
@few
def test_shortfalls_from_any_position(board: Board) -> None:
    table = ShortfallTable(board.game)
    lattice = table.lattice
    width = lattice.width(board.free)
    bound = TOLERANCE * largest(board.game)
    for index in range(-2, width + 3, max(1, width // 6)):
        level = board.score + lattice.score(board.free, index)
        least = -best_after(board, lambda score, level=level: -max(Fraction(level - score), Fraction(0)))  # type: ignore[misc]
        assert abs(Fraction(table.shortfall(level, board.free, board.score)) - least) <= bound


@given(boards(max_slots=3, max_rolls=3, min_free=1), st.sampled_from(SHARES))
@few
def test_worst_share_takes_the_first_of_the_best_slots(board: Board, share: Fraction) -> None:
    play = best_worst_share(ShortfallTable(board.game), share)
    check_law(play, Board(board.game))
    for roll in board.game.dice.support:
        best = first_best(board, roll, lambda score: -max(Fraction(play.level - score), Fraction(0)))
        assert play.choose(board.free, board.score, roll) == best
