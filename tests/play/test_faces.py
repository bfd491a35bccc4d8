"""The faces of a roll: they add up, each way as often as dice show it."""

from collections import Counter
from random import Random

import pytest

from tentimes18.dice import Dice
from tentimes18.play.faces import faces_of

DICE = Dice.parse("3d6")


def test_faces_add_up() -> None:
    for roll in DICE.support:
        faces = faces_of(DICE, roll, Random(roll))
        assert sum(faces) == roll
        assert len(faces) == 3
        assert set(faces) <= set(range(1, 7))
        assert faces == faces_of(DICE, roll, Random(roll))


def test_each_way_has_the_same_chance() -> None:
    games = 300
    drawn = Counter(faces_of(DICE, 4, Random(seed)) for seed in range(games))
    assert set(drawn) == {(1, 1, 2), (1, 2, 1), (2, 1, 1)}
    assert all(abs(count - games / 3) < 4 * (games * 2 / 9) ** 0.5 for count in drawn.values())


@pytest.mark.parametrize(("notation", "roll", "count"), [("1d6", 5, 1), ("d6", 5, 1), ("20d6", 70, 20)])
def test_as_many_as_there_are_dice(notation: str, roll: int, count: int) -> None:
    assert len(faces_of(Dice.parse(notation), roll, Random(1))) == count


@pytest.mark.parametrize("notation", ["2d12", "21d6", "2d6+1", "d{1,2,3,4,5,6}", "1d6:6=2"])
def test_other_dice_are_not_drawn(notation: str) -> None:
    dice = Dice.parse(notation)
    assert faces_of(dice, dice.support[0], Random(1)) == ()
