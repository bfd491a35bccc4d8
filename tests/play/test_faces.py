"""The faces of a roll: they add up, each way as often as dice show it."""

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod
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


@pytest.mark.parametrize(
    ("notation", "roll"),
    [("3d6kh2", 8), ("3d6kl2", 4), ("4d6kl1", 2), ("2d6!x1", 14), ("3d6!x1kh1", 9), ("2d6!x2", 20)],
)
def test_kept_and_exploding_dice_show_what_counts(notation: str, roll: int) -> None:
    """Each way as often as enumeration finds it among all that make the roll."""
    games = 2_000
    dice = Dice.parse(notation)
    drawn = [faces_of(dice, roll, Random(seed)) for seed in range(games)]
    assert all(sum(faces) == roll for faces in drawn)
    found = Counter(tuple(sorted(faces)) for faces in drawn)
    wanted = shown_by_enumeration(notation, roll)
    assert found.keys() == wanted.keys()
    for faces, chance in wanted.items():
        error = (float(chance) * (1 - float(chance)) / games) ** 0.5
        assert abs(found[faces] / games - float(chance)) < 4 * error + 1e-12


def shown_by_enumeration(notation: str, roll: int) -> dict[tuple[int, ...], Fraction]:
    """The chances of the faces that count, sorted, among all ways that make the roll."""
    match = re.fullmatch(r"(\d)d6(?:!x(\d))?(?:k([hl])(\d))?", notation)
    assert match is not None
    count, explosions, kept = int(match[1]), int(match[2] or 0), int(match[4] or match[1])
    ways: Counter[tuple[int, ...]] = Counter()
    for shown in product(one_die(explosions), repeat=count):
        counted = sorted(shown, key=lambda die: sum(die[0]), reverse=match[3] == "h")[:kept]
        faces = tuple(sorted(face for die, _ in counted for face in die))
        ways[faces] += prod(weight for _, weight in shown) if sum(faces) == roll else 0
    total = ways.total()
    return {faces: Fraction(weight, total) for faces, weight in ways.items() if weight}


def one_die(explosions: int) -> list[tuple[tuple[int, ...], int]]:
    """What a die can show, roll after roll, with weights over 6 to the power of all its rolls."""
    if not explosions:
        return [((face,), 1) for face in range(1, 7)]
    ends = [((face,), 6**explosions) for face in range(1, 6)]
    return ends + [((6, *rest), weight) for rest, weight in one_die(explosions - 1)]


@pytest.mark.parametrize("notation", ["2d6*2", "20d6!x3", "10d6!x10kh2", "4d8kh3", "1d6!-1", "d{1:3,2:1}"])
def test_dice_whose_faces_say_too_little_or_too_much(notation: str) -> None:
    dice = Dice.parse(notation)
    assert all(faces_of(dice, roll, Random(1)) == () for roll in dice.support)


@pytest.mark.parametrize("notation", ["2d12", "21d6", "2d6+1", "d{1,2,3,4,5,6}", "1d6:6=2"])
def test_other_dice_are_not_drawn(notation: str) -> None:
    dice = Dice.parse(notation)
    assert faces_of(dice, dice.support[0], Random(1)) == ()
