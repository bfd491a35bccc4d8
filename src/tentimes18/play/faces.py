"""What the dice of a roll show, for whoever draws them: the rolls themselves are drawn as sums."""

import re
from functools import cache
from random import Random
from typing import Final

from tentimes18.dice import Dice

__all__ = ["faces_of"]

MAX_FACES: Final = 20


def faces_of(dice: Dice, roll: int, generator: Random) -> tuple[int, ...]:
    """Faces that add up to the roll, each way with the same chance; none unless the dice are like `3d6`.

    >>> faces_of(Dice.parse("3d6"), 17, Random(18)), faces_of(Dice.parse("1d20"), 17, Random(18))
    ((5, 6, 6), ())
    """
    match = re.fullmatch(r"([0-9]{0,2})d6", dice.notation)
    count = int(match[1] or 1) if match else 0
    if not 1 <= count <= MAX_FACES:
        return ()
    faces: list[int] = []
    for left in range(count - 1, -1, -1):
        rest = roll - sum(faces)
        faces += generator.choices(range(1, 7), weights=[_ways(left, rest - face) for face in range(1, 7)])
    return tuple(faces)


@cache
def _ways(count: int, total: int) -> int:
    """In how many ways so many six-sided dice add up to the total."""
    if count == 0:
        return int(total == 0)
    return sum(_ways(count - 1, total - face) for face in range(1, 7)) if count <= total <= 6 * count else 0
