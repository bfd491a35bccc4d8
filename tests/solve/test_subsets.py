"""M[A] against the thresholds on every set of free slots, and against the oracle."""

import pytest
from hypothesis import given, settings

from tentimes18 import Game, TooLarge
from tentimes18.game import slots_of
from tentimes18.solve.subsets import exact_subset_values
from tests.oracle import play
from tests.support.games import games, law_of
from tests.support.solved import by_thresholds


@given(games(max_slots=6))
@settings(max_examples=150)
def test_thresholds_give_every_entry(game: Game) -> None:
    assert exact_subset_values(game) == by_thresholds(game)


@given(games())
def test_oracle_gives_every_entry(game: Game) -> None:
    law = law_of(game.dice)
    assert exact_subset_values(game) == [
        play.value(law, game.multipliers, frozenset(slots_of(free))) for free in range(game.all_free + 1)
    ]


@pytest.mark.parametrize(
    ("dice", "slots"),
    [
        ("3d6", "1-10"),
        ("2d12:12=2", "1-5"),
        ("d{-9,0,2,7}:0=3", "-3,-3,-1/2,0,0,1/3,2,2"),
        ("1d6-3", "-4-4"),
        ("5", "1-6"),
    ],
)
def test_both_ways_to_a_whole_table(dice: str, slots: str) -> None:
    game = Game.parse(dice, slots)
    assert exact_subset_values(game) == by_thresholds(game)


def test_exact_table_is_refused_earlier() -> None:
    with pytest.raises(TooLarge, match=r"the exact table .* of 25 slots would .* the thresholds need no such table$"):
        exact_subset_values(Game.parse("3d6", "1-25"))
