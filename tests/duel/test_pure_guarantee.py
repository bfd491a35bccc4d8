"""What the best pure strategy secures, in float64 and as a fraction."""

from fractions import Fraction

import pytest

from tentimes18.duel.equilibrium import DrawOdds
from tentimes18.duel.pure_guarantee import exact_pure_guarantee, pure_guarantee
from tentimes18.game import Game


@pytest.mark.parametrize(
    ("dice", "slots"),
    [("1d6", "1-4"), ("2d6", "1-4"), ("3d6", "1-4"), ("1d4", "-2,0,0,3"), ("d{-3,0,4}:0=3", "-2,1/2,1"), ("1d2", "1")],
)
def test_float64_agrees_with_fractions(dice: str, slots: str) -> None:
    game = Game.parse(dice, slots)
    assert pure_guarantee(game) == pytest.approx(float(exact_pure_guarantee(game)), abs=1e-14)


def test_a_pure_strategy_can_be_unbeatable_and_need_not_be() -> None:
    assert exact_pure_guarantee(Game.parse("1d6", "1-4")) == Fraction(1, 2)
    assert exact_pure_guarantee(Game.parse("2d6", "1-4")) == Fraction(46561, 93312)


@pytest.mark.parametrize("slots", ["1-3", "1-4"])
def test_pure_moves_secure_no_more_than_mixed_ones(slots: str) -> None:
    game = Game.parse("3d6", slots)
    mixed = DrawOdds(game, 0.5).value(game.all_free, game.all_free, 0)
    assert pure_guarantee(game) <= mixed + 1e-14
    assert mixed == pytest.approx(0.5, abs=1e-14)
