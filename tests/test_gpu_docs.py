"""What the documentation says of a GPU is what `make gpu` found, and that is within the claims."""

import pytest

from tentimes18.game import Game
from tentimes18.solve.duel.equilibrium import Equilibrium
from tentimes18.solve.duel.response import best_response
from tentimes18.solve.rules import optimal_rule
from tests.support.source import ROOT
from tools.gpu_page import LEAD, PAGE, page, read_facts, sizes_table

FACTS = read_facts()
SIZES = {size["slots"]: size for size in FACTS["sizes"]}
TOLERANCE = 1e-12


def test_the_pages_show_what_was_found() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(FACTS)
    assert sizes_table(FACTS) in (ROOT / "docs" / "duel.md").read_text(encoding="utf-8")


def test_it_is_as_fast_as_we_say() -> None:
    assert SIZES.keys() == set(range(4, 15))
    assert SIZES[10]["seconds"] < 0.02
    assert SIZES[12]["seconds"] < 0.5
    assert SIZES[14]["seconds"] < 12
    assert FACTS["games"]["games"] == 10**10
    assert FACTS["games"]["seconds"] < 0.2


def test_it_agrees_with_the_processor() -> None:
    assert [found["game"] for found in FACTS["tables"]] == ["3d6 1-8", "3d6 1-9", "3d6 1-10"]
    for found in (*FACTS["tables"], *FACTS["others"]):
        assert found["difference"] <= TOLERANCE
        assert found["largest_gain"] <= TOLERANCE
    assert [found["game"] for found in FACTS["certified"]] == ["3d6 1-11", "3d6 1-12", "3d6 1-13"]
    for found in FACTS["certified"]:
        assert found["largest_gain"] <= TOLERANCE
    for slots in (11, 12, 13, 14):
        assert SIZES[slots]["error"] <= TOLERANCE
    assert FACTS["less"]["difference"] <= TOLERANCE
    assert all(found["equal"] for found in FACTS["compared_games"].values() if isinstance(found, dict))


@pytest.mark.parametrize("slots", [4, 5, 6])
def test_small_sizes_are_those_of_the_processor(slots: int) -> None:
    game = Game.parse("3d6", f"1-{slots}")
    table, found = Equilibrium(game), SIZES[slots]
    assert found["positions"] == len(table.values) - 1
    assert found["games"] == sum(count.matrix_games for count in table.counts)
    free = game.all_free ^ 1 ^ 1 << slots - 1
    assert found["lead"] == pytest.approx(table.windows.read(table.values, free, free, LEAD), abs=TOLERANCE)
    assert found["hunter"] == pytest.approx(best_response(game, optimal_rule(game)).outcome.equity, abs=TOLERANCE)
