"""Plans of duels: open positions are counted without listing them, and agree with the windows that list them."""

from math import inf

import pytest

from tentimes18 import plan
from tentimes18.duel.lead_windows import DuelWindows
from tentimes18.duel.plans import (
    against_plan,
    certificate_plan,
    cycle_plan,
    equilibrium_plan,
    followed_plan,
    open_positions,
    own_rolls_plan,
    response_path_plan,
    response_plan,
    windows_plan,
)
from tentimes18.game import Game


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


def test_the_certificate_keeps_no_table_of_its_own() -> None:
    """One number a pair of boards, and a layer that is followed; chances from every position take two tables twice."""
    game = Game.parse("3d6", "1-12")
    table = equilibrium_plan(game).memory
    assert certificate_plan(game).memory < table / 3
    assert against_plan(game).memory > 3.5 * table


def test_the_order_of_jobs() -> None:
    """By what they do at a position: compare moves, solve a matrix game, and both; few are followed, by one thread."""
    game = Game.classic()
    followed, compared, solved, certified, played = (
        job.seconds
        for job in (
            followed_plan(game),
            response_plan(game),
            equilibrium_plan(game),
            certificate_plan(game),
            against_plan(game),
        )
    )
    assert compared < solved < certified < played
    assert followed < solved
    assert equilibrium_plan(game).fits()
    assert response_path_plan(game).seconds < played


@pytest.mark.parametrize("plan_of", [cycle_plan, equilibrium_plan, response_plan, own_rolls_plan, response_path_plan])
def test_games_beyond_all_numbers(plan_of: object) -> None:
    assert callable(plan_of)
    assert not plan_of(Game.parse("3d6", "1-30")).fits()
    assert plan_of(Game.parse("3d6", "1-20000")).memory == inf


@pytest.mark.parametrize(("left", "most"), [(1e9, 10), (3e9, 11), (12e9, 12), (64e9, 13)])
def test_the_largest_table_is_that_of_the_memory(left: float, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of a gigabyte for 10 slots, and five times as much for each more, given the time."""
    monkeypatch.setattr(plan, "_memory_left", lambda: left)
    monkeypatch.delenv(plan.MEMORY_VARIABLE, raising=False)
    monkeypatch.setenv(plan.TIME_VARIABLE, "10h")
    fitting = [size for size in range(8, 16) if equilibrium_plan(Game.parse("3d6", f"1-{size}")).fits()]
    assert fitting == list(range(8, most + 1))
