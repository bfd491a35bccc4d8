"""`ten18 tournament`: JSON, the table, circles, and the players of a duel among others."""

import re

import pytest

from tests.support.command import Run as RunTen18
from tests.support.command import read_json

CYCLE = "utility:exp:-0.02,utility:exp:0.02,target:630"


def test_tournament_table(run_here: RunTen18) -> None:
    result = run_here("tournament", "--strategies", f"random, optimal,{CYCLE},optimal", "--games", "1000000")
    assert (result.code, result.err) == (0, "")
    # By rating, random last; a strategy that is named twice plays once.
    places = re.findall(r"^ *(\d) (\S+) +[+−]\d", result.out, re.MULTILINE)
    assert [place for place, _ in places] == list("12345")
    assert places[-1][1] == "random"
    assert "Cycles, with each step" in result.out
    assert re.search(
        r"utility:exp:-0\.02 5\d\.\d\d > utility:exp:0\.02 5\d\.\d\d > target:630 5\d\.\d\d > utility", result.out
    )


@pytest.mark.slow
def test_tournament_without_a_cycle(run_here: RunTen18) -> None:
    result = run_here("tournament", "--strategies", "optimal,random", "--games", "1000")
    assert "No significant cycle." in result.out


def test_players_of_a_duel_in_a_tournament(run_here: RunTen18) -> None:
    """Their pairs are computed, and marked."""
    arguments = ("tournament", "--strategies", "optimal,hunter,greedy", "--dice", "1d6", "--slots", "1-4")
    page, found = run_here(*arguments, "--games", "1000"), read_json(run_here(*arguments, "--games", "1000", "--json"))
    assert found["exact"] == [[False, True, False], [True, False, True], [False, True, False]]
    assert page.out.count("*") == 5
    assert "* computed; the others are simulated." in page.out
    for i, j in ((0, 1), (1, 0), (1, 2), (2, 1)):
        assert f"{100 * found['equity'][i][j]:.2f}*" in page.out
    alone = run_here("tournament", "--strategies", "equilibrium,hunter", "--dice", "1d6", "--slots", "1-4")
    assert "\n* computed.\n" in alone.out
    assert "Standard errors" not in alone.out
