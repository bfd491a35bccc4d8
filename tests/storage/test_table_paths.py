"""The files of tables: one for each kind and game, whatever its notation holds."""

from pathlib import Path

import pytest

from tentimes18.game import Game
from tentimes18.storage.table_paths import is_kept, table_path


def test_every_game_has_a_file_of_its_own(tmp_path: Path) -> None:
    games = [Game.parse(dice, slots) for dice in ("3d6", "2d6", "d{1,2}") for slots in ("1-10", "1-3", "1,3,5")]
    paths = {table_path(kind, game, tmp_path) for kind in ("response", "equilibrium") for game in games}
    assert len(paths) == 2 * len(games)
    assert {path.parent for path in paths} == {tmp_path}
    assert len(table_path("response", Game.parse("d{" + ",".join(map(str, range(1, 99))) + "}", "1-3")).name) < 80


def test_the_folder_is_that_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TEN18_CACHE", str(tmp_path))
    assert table_path("response", Game.classic()).parent == tmp_path


def test_whether_a_table_is_there(tmp_path: Path) -> None:
    assert not is_kept("response", Game.classic(), tmp_path)
    table_path("response", Game.classic(), tmp_path).touch()
    assert is_kept("response", Game.classic(), tmp_path)
    assert not is_kept("equilibrium", Game.classic(), tmp_path)
    assert not is_kept("response", Game.parse("1d6", "1-3"), tmp_path)
    assert not is_kept("response", Game.classic(), tmp_path / ("x" * 300)), "no such name"
