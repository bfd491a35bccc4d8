"""The boards of many games: what is noted of them, and rolls that are given for some."""

import numpy as np
import pytest

from tentimes18.envs.vector_boards import ShownBoards, given_places
from tentimes18.errors import IllegalMove, TooLarge
from tentimes18.game import Game


def test_rolls_of_games_that_do_not_start_are_not_looked_at() -> None:
    game = Game.parse("d{-3,0,8}", "1,2")
    rolls = [[8, -3], [99, 99], [0, 0]]
    assert given_places(game, 3, np.array([0, 2]), rolls).tolist() == [[2, 0], [1, 1]]
    with pytest.raises(IllegalMove, match="never shows 99"):
        given_places(game, 3, np.array([0, 1, 2]), rolls)
    with pytest.raises(IllegalMove, match="never shows 9"):
        given_places(game, 1, np.array([0]), np.array([[8, 9]], dtype=np.uint8))


def test_what_fits_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEN18_MEMORY", "120MB")
    ShownBoards(Game.classic(), 100, "rgb_array")
    with pytest.raises(TooLarge, match=r"a view of each of 101 games .*: 100 games fit"):
        ShownBoards(Game.classic(), 101, "rgb_array")
    ShownBoards(Game.classic(), 101, "ansi")
