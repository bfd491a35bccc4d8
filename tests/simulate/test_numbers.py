"""What is no game of a seed is refused before anything is drawn."""

import numpy as np
import pytest

from tentimes18.errors import InvalidGame
from tentimes18.game import MAX_SLOTS, Game
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.numbers import GAMES, verify_number
from tentimes18.simulate.run import Run

RUN = Run(Game.parse("1d6", "1-3"), ("optimal",), 18)


def test_all_games_of_a_seed_can_be_drawn() -> None:
    verify_number(GAMES - 1)
    assert drawn_rolls(RUN, GAMES - 1, 1) != drawn_rolls(RUN, 0, 1)


@pytest.mark.parametrize("number", [-1, GAMES, 2**64, -(2**64), 10**4000])
def test_no_games(number: int) -> None:
    with pytest.raises(InvalidGame, match=r"is not the number of a game; accepted: 0 to 9,999,999,999,999$") as error:
        verify_number(number)
    assert error.value.field == "game"
    assert len(str(error.value)) < 120


def test_no_two_games_share_a_word() -> None:
    """One word a round at most, of a stream that begins again after 2^64."""
    assert np.iinfo(np.uint64).max >= GAMES * MAX_SLOTS
