"""Sections 1 to 3: they compute from the game that they are given."""

from tentimes18 import Game
from tentimes18.paper.the_game import complicated, introduction, preliminaries
from tests.support.paper import differing


def test_in_another_game_the_numbers_differ() -> None:
    """With other dice, little is left that agrees of the law of a roll, and nothing of what follows from it."""
    assert differing(preliminaries, "3d6 1-10") == set()
    other = differing(preliminaries, "d16+2 1-10")
    assert len(other) > len(list(preliminaries(Game.classic()))) / 4
    assert "E(X') of one die" not in other  # one die is one die


def test_scores_and_boards_of_the_introduction() -> None:
    assert differing(introduction, "3d6 1-10") == set()
    assert {"smallest score", "largest score"} <= differing(introduction, "3d6 1-9,11")
    assert "a total of 698" in differing(introduction, "3d6+1 1-10")
    assert "8 in #5" in differing(introduction, "3d6 1-4,7,8-12")


def test_the_tree_of_all_games() -> None:
    assert differing(complicated, "3d6 1-10") == set()
    others = differing(complicated, "2d6 1-10")
    assert {"edges from the root", "edges from the next node", "nodes at the last level"} <= others
    assert "16^10 10!" not in others  # true of every game
