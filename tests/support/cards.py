"""Games whose strategy cards differ: one for every layout, and some at its edges."""

from typing import Final

import pytest

from tentimes18.game import Game

__all__ = ["GAMES", "LAYOUTS"]

GAMES: Final = {
    "classic": Game.classic(),
    "ties": Game.parse("1d3", "1-4"),
    "odd": Game.parse("d{-7,1,1,2,3,5,8}", "1,2,5/2,7/2,3,100"),
    "two panels": Game.parse("2d6", "1-90"),
    "ranges": Game.parse("1d100", "1-10"),
    "bounds": Game.parse("10d20", "1-20"),
    "negative bounds": Game.parse("1d60-30", "1-10"),
    "one roll": Game.parse("d{5}", "1-3"),
    "one slot": Game.parse("3d6", "7"),
    "one slot, many rolls": Game.parse("1d100", "7"),
    "long names": Game.parse("d{-100000000000,5,200000000000000}", "1.123456789123456789,123456789123,3/7,5,6,7"),
    "narrow": Game.parse("1d40", "1-10"),
}
LAYOUTS: Final = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
