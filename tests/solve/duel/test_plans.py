"""Plans of duels: open positions are counted without listing them, and agree with the windows that list them."""

from math import inf

import pytest

from tentimes18.game import Game
from tentimes18.solve.duel.plans import (
    against_plan,
    cycle_plan,
    equilibrium_plan,
    open_positions,
    own_rolls_plan,
    response_path_plan,
    response_plan,
    windows_plan,
)
from tentimes18.solve.duel.windows import DuelWindows


@pytest.mark.parametrize(
    ("dice", "slots"),
    [
        ("3d6", "1-5"),
        ("3d6", "1-7"),
        ("1d100", "1-4"),
        ("1d6", "1,3,5,7,11,13"),
        ("d{1,2,50}", "1,1,2,2,9"),
        ("1d20", "1/2,3/7,2,5"),
        ("1d6-3", "-3,-1,2,4,6"),
    ],
)
def test_open_positions_are_counted_without_listing_them(dice: str, slots: str) -> None:
    game = Game.parse(dice, slots)
    windows = DuelWindows(game, half=False)
    assert sum(open_positions(game)) == pytest.approx(windows.cells, rel=0.25)
    assert windows_plan(game).memory >= windows.nbytes / 2


def test_what_is_kept_is_read() -> None:
    game = Game.classic()
    assert equilibrium_plan(game, is_kept=True).seconds < equilibrium_plan(game).seconds / 10
    assert equilibrium_plan(game, is_kept=True).memory == equilibrium_plan(game).memory
    assert response_plan(game, is_kept=True).seconds < response_plan(game).seconds


def test_the_order_of_jobs() -> None:
    """By what they do at a position: follow it, compare moves, solve a matrix game, and do so from all of them."""
    game = Game.classic()
    followed, compared, solved, certified = (
        plan.seconds
        for plan in (
            against_plan(game, certify=False),
            response_plan(game),
            equilibrium_plan(game),
            against_plan(game, certify=True),
        )
    )
    assert followed < compared < solved < certified
    assert equilibrium_plan(game).fits()
    assert response_path_plan(game).seconds < certified


@pytest.mark.parametrize("plan_of", [cycle_plan, equilibrium_plan, response_plan, own_rolls_plan, response_path_plan])
def test_games_beyond_all_numbers(plan_of: object) -> None:
    assert callable(plan_of)
    assert not plan_of(Game.parse("3d6", "1-30")).fits()
    assert plan_of(Game.parse("3d6", "1-20000")).memory == inf
