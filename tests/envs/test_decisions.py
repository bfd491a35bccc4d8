"""All decisions in tables: to the last bit what is said of each one alone."""

from math import isnan

import pytest

from tentimes18.envs.decisions import Decisions, decisions_of
from tentimes18.envs.worths import LARGEST, MeanWorths, has_decisions
from tentimes18.game import Game

GAMES = [
    ("3d6", "1-5"),
    ("1d6-3", "-2,1/3,1/3,0.1,5"),  # points below 0, equal slots, multipliers that floats do not have
    ("d{5}", "7"),
]


@pytest.mark.parametrize("names", GAMES, ids=" ".join)
def test_tables_are_what_is_said_of_each_decision(names: tuple[str, str]) -> None:
    game = Game.parse(*names)
    worths = MeanWorths(game)
    tables = Decisions(worths).tables
    for free in range(1, 1 << game.size):
        assert tables.worths[free] == worths.worth(free, 0)
        assert tables.illegal_rewards[free] == worths.illegal_reward(free)
        for place in range(len(game.dice.support)):
            decision = worths.decision(free, 0, place)
            losses = [0.0 if isnan(loss) else loss for loss in decision.losses]
            assert (tables.best[free, place], tables.lucks[free, place]) == (decision.best, decision.luck)
            assert tables.losses[free, place].tolist() == losses


def test_tables_are_made_once_and_only_where_they_are_small() -> None:
    worths = MeanWorths(Game.parse("1d6", "1-3"))
    decisions = decisions_of(worths)
    assert decisions_of(worths) is decisions
    assert decisions.nbytes == 8 * 6 * (8 * 3 + 8 + 1) + 2 * 8 * 8
    sizes = [size for size in range(1, 100) if has_decisions(Game.parse("3d6", f"1-{size}"))]
    assert sizes == list(range(1, sizes[-1] + 1))
    assert 16 * (sizes[-1] + 2) * 8 << sizes[-1] <= LARGEST < 16 * (sizes[-1] + 3) * 8 << sizes[-1] + 1
