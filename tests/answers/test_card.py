"""The strategy card for programs: the bands of every row."""

import pytest

from tentimes18.answers.card import CardAnswer, card
from tentimes18.game import Game
from tentimes18.solve.thresholds import exact_thresholds
from tests.support.answers import assert_answer


@pytest.mark.parametrize(("dice", "slots"), [("3d6", "1-10"), ("1d3", "1-4"), ("2d12:12=2", "7/2,1,5"), ("3d6", "7")])
def test_card(dice: str, slots: str) -> None:
    game = Game.parse(dice, slots)
    rows = exact_thresholds(game.dice, game.size)
    answer = card(game)
    assert_answer(answer, CardAnswer)
    assert answer["dice"] == str(game.dice)
    assert answer["slots"] == [float(multiplier) for multiplier in game.multipliers]
    assert answer["expected"]["optimal"] == float(rows[-1].value(game.multipliers))
    assert answer["expected"]["random"] == float(game.dice.mean * sum(game.multipliers))
    assert [row["free"] for row in answer["rows"]] == list(range(game.size, 1, -1))
    for row in answer["rows"]:
        threshold = rows[row["free"] - 2]
        placed = {roll: band["rank"] for band in row["bands"] for roll in band["rolls"]}
        assert placed == {roll: threshold.rank(roll) for roll in game.dice.support}
        assert {band["rolls"][-1] for band in row["bands"] if band["tied"]} == {
            roll for roll in game.dice.support if roll in threshold
        }
