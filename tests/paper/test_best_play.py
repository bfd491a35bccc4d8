"""Sections 4 to 6: they compute from the game that they are given, and an explanation needs its proof."""

import pytest

from tentimes18 import Game
from tentimes18.paper.best_play import dynamic_programming, playing, polynomial
from tests.support.paper import differing


@pytest.mark.parametrize(
    ("game", "slip"),
    [
        # With negative rolls M[B] is negative, and filling a high slot is a gain.
        ("3d6-21 1-10", "M[A]"),
        ("3d6-21 1-10", "why it drops"),
        # With one die x_max is 6: there is a slot for every i.
        ("1d6 1-10", "M[{i}] = i E(X)"),
    ],
)
def test_a_proof_can_fail(game: str, slip: str) -> None:
    """In a game where the explanation does not hold, it is not given."""
    assert slip in differing(dynamic_programming, game)
    assert slip not in differing(dynamic_programming, "3d6 1-10")


def test_the_first_moves_are_those_of_the_game() -> None:
    assert differing(playing, "3d6 1-10") == set()


def test_in_another_game_the_numbers_differ() -> None:
    assert differing(polynomial, "3d6 1-10") == set()
    other = differing(polynomial, "d16+2 1-10")
    assert len(other) > len(list(polynomial(Game.classic()))) / 4
    assert "a coin: 1 and 2" not in other  # true of every coin
