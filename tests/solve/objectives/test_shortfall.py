"""Shortfalls and the worst share of games against the best of all strategies, exact and in float64."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.errors import TooLarge
from tentimes18.game import Board, Game
from tentimes18.solve.objectives.shortfall import best_worst_share, shortfall_table
from tests.oracle import aims, ties
from tests.support.games import games, law_of
from tests.support.solved import (
    SHARES,
    TOLERANCE,
    best_after,
    boards,
    check_law,
    classic_optimal,
    few,
    first_best,
    largest,
    targets_of,
)


@given(games(max_slots=3, max_rolls=3), st.fractions(Fraction(1, 50), 1, max_denominator=50))
@few
def test_best_worst_share(game: Game, drawn: Fraction) -> None:
    """Exactly; in float64 within 1e-12 of the largest score."""
    law = law_of(game.dice)
    exact, rounded = shortfall_table(game), shortfall_table(game, exact=False)
    assert exact.is_exact
    bound = TOLERANCE * largest(game)
    for share in [*SHARES, drawn]:
        play = best_worst_share(exact, share)
        best = aims.best_cvar(law, game.multipliers, share)
        assert play.value == play.law().lower_mean(share) == best
        near = best_worst_share(rounded, share)
        assert abs(Fraction(near.value) - best) <= bound / share
        assert abs(Fraction(near.law().lower_mean(share)) - best) <= bound / share


@given(games(max_slots=3, max_rolls=3), st.sampled_from(SHARES))
@few
def test_best_mean_of_all_with_the_best_worst_share(game: Game, share: Fraction) -> None:
    """Over all levels that lead to the best worst share, not only over the play for one of them."""
    play = best_worst_share(shortfall_table(game), share)
    found = ties.best_worst_share(law_of(game.dice), game.multipliers, targets_of(game), share)
    assert (play.value, play.mean) == found
    assert play.law().mean == play.mean


@given(boards(max_slots=3, max_rolls=3))
@few
def test_shortfalls_from_any_position(board: Board) -> None:
    exact, rounded = shortfall_table(board.game), shortfall_table(board.game, exact=False)
    lattice = exact.lattice
    width = lattice.width(board.free)
    bound = TOLERANCE * largest(board.game)
    for index in range(-2, width + 3, max(1, width // 6)):
        level = board.score + lattice.score(board.free, index)
        least = -best_after(board, lambda score, level=level: -max(Fraction(level - score), Fraction(0)))  # type: ignore[misc]
        assert exact.shortfall(level, board.free, board.score) == least
        assert abs(Fraction(rounded.shortfall(level, board.free, board.score)) - least) <= bound


@given(boards(max_slots=3, max_rolls=3, min_free=1), st.sampled_from(SHARES))
@few
def test_worst_share_takes_the_best_mean_among_the_best_slots(board: Board, share: Fraction) -> None:
    for table in (shortfall_table(board.game), shortfall_table(board.game, exact=False)):
        play = best_worst_share(table, share)
        check_law(play, Board(board.game))
        mean, slots = first_best(board, lambda score: -max(Fraction(play.level - score), Fraction(0)))  # noqa: B023
        for roll in board.game.dice.support:
            assert play.choose(board.free, board.score, roll) == slots[roll]
        assert table.mean(play.level, board.free, board.score) == mean


@pytest.mark.parametrize("share", [Fraction(1, 100), Fraction(1, 10), Fraction(1)])
def test_worst_share_of_the_classic_game(share: Fraction) -> None:
    """The worst share and the mean are found again in the law, as the same fractions."""
    play = best_worst_share(shortfall_table(Game.classic()), share)
    law = play.law()
    assert (law.lower_mean(share), law.mean) == (play.value, play.mean)
    assert law.mean <= classic_optimal().mean
    assert (share == 1) == (law.mean == classic_optimal().mean)


def test_shortfalls_that_do_not_fit() -> None:
    """In two limbs, or at all."""
    assert not shortfall_table(Game.parse("20d6", "1-2")).is_exact
    with pytest.raises(TooLarge):
        shortfall_table(Game.parse("3d6", "1-25"), exact=True)
