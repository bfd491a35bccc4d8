"""Games whose duels are solved on a GPU: dice and multipliers of every kind, small enough for one thread."""

from typing import Final

from tentimes18.game import Game

CASES: Final = (
    "1d6 1-3",
    "3d6 1-5",
    "1d6 1-6",
    "d{1,5,7} 1,3,7,8",  # rolls with gaps
    "1d6 -3,-1,2,5/2",  # negative and rational multipliers
    "2d6 1/2,1/3,4,4",  # equal ones
    "1d40 1-4",  # more rolls than a tile has
    "1d1 1-3",  # one roll
    "d{0,100} 1,50,300",  # leads far apart
)


def game_of(case: str) -> Game:
    dice, slots = case.split()
    return Game.parse(dice, slots)
