"""What environments take, in notation or as it is."""

from fractions import Fraction

import pytest

from tentimes18.dice import Dice
from tentimes18.envs.arguments import game_of, target_of, verify_choice
from tentimes18.errors import Ten18Error
from tentimes18.game import Game


def test_a_game_in_notation_or_as_it_is() -> None:
    game = Game.parse("2d6", "1/2,3,5")
    assert game_of("2d6", "5,3,0.5") == game
    assert game_of(Dice.parse("2d6"), [3, Fraction(1, 2), 5.0]) == game


def test_targets_are_exact() -> None:
    assert target_of("target:7/2") == Fraction(7, 2)
    assert target_of("target:-3") == -3


def test_what_is_accepted_is_told() -> None:
    with pytest.raises(Ten18Error, match="render_mode 'human': accepted: ansi or rgb_array"):
        verify_choice("human", (None, "ansi", "rgb_array"), "render_mode")
