"""The tool that computes how bots fare: in a small game, where every part can be had in another way."""

import pytest

from tentimes18.answers.response import response
from tentimes18.game import Game
from tools.bot_chances import bot_chances

GAME = Game.parse("1d6", "1-4")


def test_a_small_game_in_other_ways() -> None:
    found = bot_chances(GAME, 40)
    for name in ("random", "nearest", "optimal"):
        other = response(GAME, "optimal", with_=name)
        assert (found[name].win, found[name].draw) == pytest.approx((other["win"], other["draw"]), abs=1e-12)
    assert found["hunter"].equity == pytest.approx(response(GAME, "optimal")["equity"], abs=1e-12)
    against = response(GAME, "equilibrium", with_="optimal")
    assert (found["equilibrium"].win, found["equilibrium"].loss) == (against["loss"], against["win"])
    assert max(found, key=lambda name: found[name].equity) == "hunter"  # as none answers `optimal` better
