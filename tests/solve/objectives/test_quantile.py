"""The best quantile against the best of all strategies."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tentimes18.game import Game
from tentimes18.solve.objectives.chances import chance_table
from tentimes18.solve.objectives.quantile import best_quantile
from tests.oracle import aims
from tests.support.games import games, law_of
from tests.support.solved import SHARES


@given(games(max_slots=3, max_rolls=3), st.fractions(Fraction(1, 50), 1, max_denominator=50))
def test_best_quantile(game: Game, drawn: Fraction) -> None:
    law = law_of(game.dice)
    table = chance_table(game)
    for q in [*SHARES, drawn]:
        play = best_quantile(table, q)
        assert play.value == aims.best_quantile(law, game.multipliers, q)
        assert play.law().quantile(q) == play.value


def test_best_quantile_needs_a_chance_above_the_rest() -> None:
    """A fair coin: with chance 1/2 of the upper side the lower one is the median, and the upper one for any q more."""
    table = chance_table(Game.parse("d2", "1"))
    assert [best_quantile(table, q).value for q in (Fraction(1, 2), Fraction(51, 100), 1)] == [1, 2, 2]
