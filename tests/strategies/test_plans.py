"""A table that is there is read, which takes a part of the time: the right one, in the right folder."""

from pathlib import Path

from tentimes18.game import Game
from tentimes18.storage.table_paths import table_path
from tentimes18.strategies.plans import best_duel_plan, hunter_plan

CLASSIC = Game.classic()


def test_a_table_that_is_kept_is_read(tmp_path: Path) -> None:
    made = hunter_plan(CLASSIC, tmp_path), best_duel_plan(CLASSIC, tmp_path)
    table_path("equilibrium", CLASSIC, tmp_path).touch()
    assert hunter_plan(CLASSIC, tmp_path) == made[0]
    assert best_duel_plan(CLASSIC, tmp_path).seconds < made[1].seconds
    table_path("response", CLASSIC, tmp_path).touch()
    assert hunter_plan(CLASSIC, tmp_path).seconds < made[0].seconds
    assert hunter_plan(CLASSIC, tmp_path).memory == made[0].memory
    assert hunter_plan(CLASSIC, tmp_path / "elsewhere") == made[0]
