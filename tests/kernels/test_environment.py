"""The kernel of environments: the rolls that it deals are those of a simulation, however they are drawn."""

import pytest

from tentimes18.envs.ten18_vector import Ten18VectorEnv
from tentimes18.game import Game
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.run import Run


@pytest.mark.parametrize("dice", ["1d6", "d{-7,1,40}", "8d12"])  # the last has more outcomes than are listed
def test_rolls_are_those_of_a_simulation(dice: str) -> None:
    game = Game.parse(dice, "1-7")
    envs = Ten18VectorEnv(4, dice, "1-7")
    _, infos = envs.reset(seed=18)
    rolls = [infos["roll"].tolist()]
    for _ in range(23):  # three games, and the steps between them
        *_, infos = envs.step(infos["best_action"])
        rolls.append(infos["roll"].tolist())
    for place in range(4):
        seen = [row[place] for row in rolls]
        games = [seen[first : first + 7] for first in (0, 8, 16)]
        assert games == drawn_rolls(Run(game, (), seed=18 + place), 0, 3)
