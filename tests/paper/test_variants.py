"""Sections 9 and 10: other dice, and the duel, against the oracle."""

from fractions import Fraction

from tentimes18 import Game
from tentimes18.paper.variants import conclusion, variants
from tests.oracle import play
from tests.support.games import all_slots, law_of


def test_the_loaded_dice_by_the_oracle() -> None:
    game = Game.parse("2d12:12=2", "1-5")
    found = {check.item: check.computed for check in variants()}
    value = play.value(law_of(game.dice), game.multipliers, all_slots(game))
    assert found["expected score of optimal"] == float(value)
    assert found["expected score of random"] == float(game.dice.mean * sum(game.multipliers))
    assert sum(Fraction(check.printed) for check in variants() if check.where == "Table 6") == 169


def test_two_claims_and_a_slip() -> None:
    agree, circle, state = conclusion()
    assert agree.agrees
    assert circle.agrees
    assert not state.agrees
    assert "#3 when the opponent has #1 and #3 free, #1 when #1 and #2" in state.note
