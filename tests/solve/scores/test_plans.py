"""Plans of laws: they grow with the game, follow its counts, and are there at once for any size."""

from collections.abc import Callable
from math import inf

import pytest

from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.plan import Limits, Plan
from tentimes18.solve.scores.plans import admit_law, float_law_plan, hindsight_plan, random_plan, rule_plan

PLANS = [random_plan, hindsight_plan, rule_plan, float_law_plan]


@pytest.mark.parametrize("plan_of", PLANS)
def test_more_slots_and_more_faces_take_more(plan_of: Callable[[Game, int], Plan]) -> None:
    plans = [
        plan_of(game, game.all_free)
        for game in (Game.parse(*text) for text in (("1d6", "1-5"), ("1d6", "1-9"), ("1d60", "1-9"), ("1d60", "1-19")))
    ]
    assert [plan.seconds for plan in plans] == sorted({plan.seconds for plan in plans})
    assert [plan.memory for plan in plans] == sorted({plan.memory for plan in plans})


@pytest.mark.parametrize("plan_of", [rule_plan, float_law_plan])
def test_sets_double_with_each_slot(plan_of: Callable[[Game, int], Plan]) -> None:
    small, large = (Game.parse("1d100", f"1,2,{'0,' * n}3") for n in (10, 15))  # as many scores in both
    ratio = plan_of(large, large.all_free).seconds / plan_of(small, small.all_free).seconds
    assert 16 < ratio < 40  # what is read off the law in the end does not double


@pytest.mark.parametrize("plan_of", PLANS)
def test_from_a_board_on_less_is_left(plan_of: Callable[[Game, int], Plan]) -> None:
    game = Game.parse("3d6", "1-12")
    assert plan_of(game, 0b111).seconds < plan_of(game, game.all_free).seconds


def test_games_beyond_all_numbers() -> None:
    game = Game.parse("1d6", "1-100000")
    assert float_law_plan(game, game.all_free).memory == rule_plan(game, game.all_free).memory == inf


def test_of_a_whole_game_a_part_is_offered() -> None:
    game = Game.parse("3d6", "1-30")
    with pytest.raises(TooLarge, match=r"slots 1-\d+ fit; mean and variance alone"):
        admit_law(game, game.all_free, rule_plan, Limits(8e9, 600))
    with pytest.raises(TooLarge, match=r"here: mean and variance alone need no law"):
        admit_law(game, game.all_free >> 1, rule_plan, Limits(8e9, 600))
