"""What the dice of a roll show, for whoever draws them: the rolls themselves are drawn as sums."""

import re
from functools import cache
from math import comb
from random import Random
from typing import NamedTuple

from tentimes18.dice import Dice
from tentimes18.dice.sums import exploded

MAX_FACES = 20
MAX_ROLLED = 50  # dice, each as often as it may explode: more would take long to draw
SIX = dict.fromkeys(range(1, 7), 1)

_POOL = re.compile(r"([0-9]{0,2})d6(?:!x([0-9]{1,3}))?(?:k([hl])([0-9]{1,2}))?")


class _Die(NamedTuple):
    """What one die shows, explosions added up: values and weights, in the order in which dice are kept."""

    values: tuple[int, ...]
    weights: tuple[int, ...]


def faces_of(dice: Dice, roll: int, generator: Random) -> tuple[int, ...]:
    """Faces that add up to the roll, each way with its chance; none unless the dice are like `3d6`.

    Of kept dice these are the kept ones, of a die that explodes all that it showed.

    >>> faces_of(Dice.parse("3d6"), 17, Random(18)), faces_of(Dice.parse("1d20"), 17, Random(18))
    ((5, 6, 6), ())
    >>> faces_of(Dice.parse("4d6kh1"), 6, Random(18)), faces_of(Dice.parse("1d6!"), 15, Random(18))
    ((6,), (6, 6, 3))
    """
    match = _POOL.fullmatch(dice.notation)
    count = int(match[1] or 1) if match else 0
    if match is None or not 1 <= count <= MAX_FACES:
        return ()
    explosions = int(match[2] or 0)
    if count * (explosions + 1) > MAX_ROLLED:
        return ()
    one = exploded(SIX, explosions) if explosions else SIX
    if match[3]:
        ordered = sorted(one, reverse=match[3] == "h")
        die = _Die(tuple(ordered), tuple(one[value] for value in ordered))
        shown = _draw_kept(die, count, int(match[4]), roll, generator)
    else:
        shown = _draw_all(_Die(tuple(one), tuple(one.values())), count, roll, generator)
    faces = tuple(face for value in shown for face in _faces_of_value(value, explosions))
    return faces if len(faces) <= MAX_FACES else ()


def _draw_all(die: _Die, count: int, roll: int, generator: Random) -> list[int]:
    """Die by die."""
    shown: list[int] = []
    for left in range(count - 1, -1, -1):
        rest = roll - sum(shown)
        weights = [
            weight * _ways(die, left, rest - value) for value, weight in zip(die.values, die.weights, strict=True)
        ]
        shown += generator.choices(die.values, weights=weights)
    return shown


def _draw_kept(die: _Die, count: int, kept: int, roll: int, generator: Random) -> list[int]:
    """Value by value, how many dice show it; those that are kept, in any order."""
    shown: list[int] = []
    for place, value in enumerate(die.values):
        rest = roll - sum(shown)
        weights = [_kept_ways(die, place, count, kept, rest, showing) for showing in range(count + 1)]
        (showing,) = generator.choices(range(count + 1), weights=weights)
        shown += [value] * min(showing, kept)
        count, kept = count - showing, kept - min(showing, kept)
    generator.shuffle(shown)
    return shown


@cache
def _ways(die: _Die, count: int, total: int) -> int:
    """In how many ways so many dice add up to the total."""
    if count == 0:
        return int(total == 0)
    if not min(die.values) * count <= total <= max(die.values) * count:
        return 0
    return sum(
        weight * _ways(die, count - 1, total - value) for value, weight in zip(die.values, die.weights, strict=True)
    )


@cache
def _kept_ways(die: _Die, place: int, count: int, kept: int, total: int, showing: int) -> int:
    """In how many ways the kept ones of so many dice add up, where so many show the value at this place."""
    if showing > count:
        return 0
    taken = min(showing, kept)
    left, more, rest = count - showing, kept - taken, total - taken * die.values[place]
    here: int = comb(count, showing) * die.weights[place] ** showing
    if place + 1 == len(die.values):
        return here if (left, more, rest) == (0, 0, 0) else 0
    return here * sum(_kept_ways(die, place + 1, left, more, rest, number) for number in range(left + 1))


def _faces_of_value(value: int, explosions: int) -> list[int]:
    """What a die showed one after the other: sixes as long as it exploded, then the last."""
    times = min((value - 1) // 6, explosions)
    return [6] * times + [value - 6 * times]
