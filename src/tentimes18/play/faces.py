"""The faces that the dice of a roll show, for pictures of them: the rolls themselves are drawn as sums."""

import re
from functools import lru_cache
from itertools import accumulate
from math import comb
from random import Random
from typing import TypeAlias

from tentimes18.dice import Dice
from tentimes18.dice.sums import exploded

MAX_FACES = 20
MAX_VALUES = 120  # of all dice, explosions included: more would take long to draw
MAX_KEPT_VALUES = 300  # times the number of dice that are kept
MAX_WAYS = 100_000  # in memory
PIPS = 6  # sides of a die that is drawn with pips

_POOL = re.compile(r"([0-9]{0,2})d([0-9]{1,3})(?:!x([0-9]{1,3}))?(?:k([hl])([0-9]{1,2}))?")


_Die: TypeAlias = tuple[tuple[int, int], ...]
"""The values of one die with their weights, explosions added up, in the order in which dice are kept."""


def faces_of(dice: Dice, roll: int, generator: Random, max_sides: int = PIPS) -> tuple[int, ...]:
    """Faces that add up to the roll, each way with its chance; none unless the dice are like `3d6`.

    Kept dice show what was kept, and a die that explodes all its faces. Dice with more than ``max_sides`` have none.

    >>> faces_of(Dice.parse("3d6"), 17, Random(18)), faces_of(Dice.parse("1d20"), 17, Random(18))
    ((5, 6, 6), ())
    >>> faces_of(Dice.parse("4d6kh1"), 6, Random(18)), faces_of(Dice.parse("1d6!"), 15, Random(18))
    ((6,), (6, 6, 3))
    >>> faces_of(Dice.parse("2d12"), 17, Random(18), max_sides=20)
    (6, 11)
    """
    match = _POOL.fullmatch(dice.notation)
    count = int(match[1] or 1) if match else 0
    if match is None or not 1 <= count <= MAX_FACES:
        return ()
    sides, explosions = int(match[2]), int(match[3] or 0)
    values, kept = count * sides * (explosions + 1), int(match[5] or 0)
    if not 1 <= sides <= max_sides or values > MAX_VALUES or values * kept > MAX_KEPT_VALUES:
        return ()
    one = dict.fromkeys(range(1, sides + 1), 1)
    if explosions:
        one = exploded(one, explosions)
    if match[4]:
        die = tuple(sorted(one.items(), reverse=match[4] == "h"))
        shown = _draw_kept(die, count, kept, roll, generator)
    else:
        shown = _draw_all(tuple(one.items()), count, roll, generator)
    faces: list[int] = []
    for value in shown:  # the highest face as long as the die exploded, then the last one
        times = min((value - 1) // sides, explosions)
        faces += [sides] * times + [value - sides * times]
    return tuple(faces) if len(faces) <= MAX_FACES else ()


def _draw_all(die: _Die, count: int, roll: int, generator: Random) -> list[int]:
    shown: list[int] = []
    values = [value for value, _ in die]
    for left in range(count - 1, -1, -1):
        shown += generator.choices(values, cum_weights=_sums_of_ways(die, left, roll - sum(shown)))
    return shown


@lru_cache(MAX_WAYS)
def _sums_of_ways(die: _Die, left: int, rest: int) -> list[int]:
    """For each value of a die the ways in which it, or one before it, and the dice that are left add up to the rest."""
    return list(accumulate(weight * _ways(die, left, rest - value) for value, weight in die))


def _draw_kept(die: _Die, count: int, kept: int, roll: int, generator: Random) -> list[int]:
    """Value by value, how many dice show it; those that are kept, in any order."""
    shown: list[int] = []
    for place, (value, _) in enumerate(die):
        rest = roll - sum(shown)
        weights = [_kept_ways(die, place, count, kept, rest, showing) for showing in range(count + 1)]
        (showing,) = generator.choices(range(count + 1), weights=weights)
        shown += [value] * min(showing, kept)
        count, kept = count - showing, kept - min(showing, kept)
    generator.shuffle(shown)
    return shown


@lru_cache(MAX_WAYS)
def _ways(die: _Die, count: int, total: int) -> int:
    """The number of ways in which ``count`` dice add up to the total."""
    if count == 0:
        return int(total == 0)
    if not min(die)[0] * count <= total <= max(die)[0] * count:
        return 0
    return sum(weight * _ways(die, count - 1, total - value) for value, weight in die)


@lru_cache(MAX_WAYS)
def _kept_ways(die: _Die, place: int, count: int, kept: int, total: int, showing: int) -> int:
    """The number of ways in which the kept dice add up, where ``showing`` of ``count`` show the value at this place."""
    if showing > count:
        return 0
    taken, (value, weight) = min(showing, kept), die[place]
    left, more, rest = count - showing, kept - taken, total - taken * value
    here: int = comb(count, showing) * weight**showing
    if place + 1 == len(die):
        return here if (left, more, rest) == (0, 0, 0) else 0
    return here * sum(_kept_ways(die, place + 1, left, more, rest, number) for number in range(left + 1))
