"""What environments take, in notation or as it is."""

from fractions import Fraction

import numpy as np
import pytest

from tentimes18.dice import Dice
from tentimes18.envs.arguments import game_of, options_in, places_of, rolls_in, seed_of, target_of, verify_choice
from tentimes18.errors import Ten18Error
from tentimes18.game import Game


def test_a_game_in_notation_or_as_it_is() -> None:
    game = Game.parse("2d6", "1/2,3,5")
    assert game_of("2d6", "5,3,0.5") == game
    assert game_of(Dice.parse("2d6"), [3, Fraction(1, 2), 5.0]) == game


def test_numbers_of_numpy_are_multipliers() -> None:
    game = Game.parse("1d6", "1,2.5")
    for kind in (np.float64, np.float32):
        assert game_of("1d6", np.array([1, 2.5], dtype=kind)) == game
    assert game_of("1d6", np.arange(1, 4)) == Game.parse("1d6", "1-3")
    for slots in ([True, 2], ["1"], [[1, 2]], [np.nan], np.ones((2, 2))):
        with pytest.raises(Ten18Error, match=r"slots: multiplier .* is not a number"):
            game_of("1d6", slots)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [[1], "rolls", 5, [("rolls", [1])]], ids=repr)
def test_options_are_a_mapping(options: object) -> None:
    with pytest.raises(Ten18Error, match=r"options .*: accepted: {'rolls'") as caught:
        rolls_in(options)
    assert caught.value.field == "options"
    assert options_in({}, "") == options_in(None, "") == {}
    assert rolls_in(None) is None


def test_seeds_are_integers() -> None:
    assert [seed_of(seed) for seed in (-3, np.int64(7), np.uint8(1))] == [-3, 7, 1]
    for seed in (1.5, "a", [1], None):
        with pytest.raises(Ten18Error, match=r"seed.*: accepted: an integer"):
            seed_of(seed)


def test_targets_are_exact() -> None:
    assert target_of("target:7/2") == Fraction(7, 2)
    assert target_of("target:-3") == -3


def test_what_is_accepted_is_told() -> None:
    with pytest.raises(Ten18Error, match="render_mode 'human': accepted: ansi or rgb_array"):
        verify_choice("human", (None, "ansi", "rgb_array"), "render_mode")


def test_rolls_of_any_integers_and_nothing_else() -> None:
    game = Game.parse("1d6", "1-3")
    assert places_of(game, np.array([6, 1, 2])) == places_of(game, (6, np.int8(1), 2)) == [5, 0, 1]
    for rolls in (5, "612", b"612", [1, 2], None, {1: 2}):
        with pytest.raises(Ten18Error, match="accepted: 3 rolls, one for each slot"):
            places_of(game, rolls)
    for roll in (0, 7, 1.0, True, "1", None, [1]):
        with pytest.raises(Ten18Error, match="1d6 never shows") as caught:
            places_of(game, [1, 2, roll])
        assert "\n" not in str(caught.value)
