"""Plans of tables: they grow with what there is to do, and classic tables of three fit."""

from math import isinf

from tentimes18.duel.table_plans import gains_plan, leads_plan, others_plan, round_plan
from tentimes18.game import Game
from tentimes18.plan import Limits

USUAL = Limits(8e9, 600.0)


def test_gains() -> None:
    assert gains_plan(Game.classic()).fits(USUAL)
    assert not gains_plan(Game.parse("3d6", "1-18")).fits(USUAL)
    assert isinf(gains_plan(Game.parse("3d6", "1-300")).memory)


def test_a_round() -> None:
    """The largest rounds of three rules in the classic game fit; those of a random player do not."""
    rules = round_plan(976_399, 16, 1.0, 0, is_late=True)
    assert rules.fits(USUAL)
    assert round_plan(976_399, 16, 1.0, 2, is_late=True).seconds > rules.seconds
    assert round_plan(976_399, 16, 1.0, 0, is_late=False).memory > rules.memory
    assert not round_plan(10**7, 16, 5.0, 0, is_late=True).fits(USUAL)


def test_a_response() -> None:
    assert others_plan(1000, 16).fits(USUAL)
    assert not others_plan(10**9, 16).fits(USUAL)
    game = Game.classic()
    assert leads_plan(game, 1e9, 1e8, [1e6]).fits(USUAL)
    assert leads_plan(game, 2e9, 1e8, [1e6]).seconds == 2 * leads_plan(game, 1e9, 1e8, [1e6]).seconds
    assert not leads_plan(game, 1e9, 1e10, [1e6]).fits(USUAL)
