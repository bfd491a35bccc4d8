"""Plans of objectives: the cells they count are those of the tables that are made."""

import pytest

from tentimes18.game import Game
from tentimes18.solve.objectives.chances import chance_table
from tentimes18.solve.objectives.expected_utility import UtilityTable
from tentimes18.solve.objectives.plans import (
    chances_plan,
    play_law_plan,
    shortfalls_plan,
    slot_table_plan,
    utilities_plan,
)
from tentimes18.solve.objectives.utilities import Utility

GAMES = [Game.parse("1d6", "1-6"), Game.parse("1d30", "1,5,5/2,9"), Game.parse("d{-3,0,7}", "-2,1,4,9,11")]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_memory_is_that_of_the_table(game: Game) -> None:
    utility = UtilityTable(game, Utility(lambda score: score))
    for plan, made in (
        (utilities_plan(game), utility),
        (chances_plan(game), chance_table(game, exact=True)),
        (chances_plan(game, exact=False), chance_table(game, exact=False)),
    ):
        assert made.nbytes / 2 <= plan.memory <= 3 * made.nbytes + 20_000
    _, slots = utility.best_play().slot_table()
    assert slots.nbytes <= slot_table_plan(game).memory <= 5 * slots.nbytes + 20_000


def test_exact_takes_more() -> None:
    game = Game.parse("3d6", "1-12")
    assert chances_plan(game).memory > chances_plan(game, exact=False).memory
    assert chances_plan(game).seconds > chances_plan(game, exact=False).seconds
    exact, rounded = (play_law_plan(game, game.all_free, exact=exact) for exact in (True, False))
    assert exact.seconds > rounded.seconds


def test_a_game_in_play_takes_less() -> None:
    game = Game.parse("3d6", "1-12")
    assert play_law_plan(game, 0b1111, exact=False).seconds < play_law_plan(game, game.all_free, exact=False).seconds
    assert shortfalls_plan(game).memory == utilities_plan(game).memory


def test_games_beyond_all_numbers() -> None:
    assert not slot_table_plan(Game.parse("1d6", "1-5000")).fits()
    assert not chances_plan(Game.parse("3d6", "1,2,1000000000000000000000003")).fits()
