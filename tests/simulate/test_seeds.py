"""What is no seed, or no game of one, is refused before anything is drawn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.coach.drill import Drill
from tentimes18.errors import InvalidGame
from tentimes18.game import MAX_SLOTS, Game
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.games import MAX_GAMES
from tentimes18.simulate.run import Run
from tentimes18.simulate.seeds import GAMES, MAX_DIGITS, verify_number, verify_seed

LARGEST = 10**MAX_DIGITS - 1
GAME = Game.parse("1d6", "1-3")


@given(st.integers(-LARGEST, LARGEST))
def test_seeds(seed: int) -> None:
    verify_seed(seed)
    assert drawn_rolls(Run(GAME, ("optimal",), seed), 0, 1)


@pytest.mark.parametrize("seed", [LARGEST + 1, -LARGEST - 1, 10**2000, -(10**4000)])
def test_no_seeds(seed: int) -> None:
    for refused in (verify_seed, lambda seed: Run(GAME, ("optimal",), seed), lambda seed: Drill(GAME, seed=seed)):
        with pytest.raises(InvalidGame, match="at most 40 digits") as error:
            refused(seed)
        assert error.value.field == "seed"
        assert len(str(error.value)) < 100


def test_all_games_of_a_seed_can_be_drawn() -> None:
    rolls = drawn_rolls(Run(GAME, ("optimal",), 18), GAMES - 1, 1)
    assert rolls != drawn_rolls(Run(GAME, ("optimal",), 18), 0, 1)
    assert MAX_GAMES <= GAMES


@pytest.mark.parametrize("number", [-1, GAMES, 2**64, -(2**64), 10**4000])
def test_no_games(number: int) -> None:
    for refused in (verify_number, lambda number: drawn_rolls(Run(GAME, ("optimal",), 18), number, 1)):
        with pytest.raises(InvalidGame, match=r"accepted: 0 to 9,999,999,999,999$") as error:
            refused(number)
        assert error.value.field == "game"


def test_no_two_games_share_a_word() -> None:
    """One word a round at most, of a stream that begins again after 2^64."""
    assert np.iinfo(np.uint64).max >= GAMES * MAX_SLOTS
