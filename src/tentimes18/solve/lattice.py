"""The scores that a game can reach, as integers.

A roll x in slot i is worth λ_i x = low_i + unit · shift_i(x), with low_i the least that slot can be worth, shift_i(x)
an integer >= 0, and unit the largest rational that makes all shifts integers. The points of a set of slots are
Σ low_i + unit · j with 0 <= j <= Σ width_i, width_i the largest shift of slot i: an array index.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from tentimes18.game import Game, Number, slots_of


@dataclass(frozen=True, slots=True)
class Lattice:
    """Shifts by slot (from 0) and position of the roll in the support; widths and lows by slot; the unit.

    Lows and the unit are kept as integers over one denominator as well: sums of them are quick.
    """

    unit: Fraction
    shifts: tuple[tuple[int, ...], ...]
    widths: tuple[int, ...]
    lows: tuple[Number, ...]
    denominator: int
    low_parts: tuple[int, ...]
    unit_parts: int

    def width(self, free: int) -> int:
        return sum(self.widths[slot - 1] for slot in slots_of(free))

    def low(self, free: int) -> Fraction:
        """The least points of these slots: those of index 0."""
        return Fraction(self._parts(free), self.denominator)

    def score(self, free: int, index: int) -> Number:
        return self.scores(free, (index,))[0]

    def scores(self, free: int, indexes: Iterable[int]) -> list[Number]:
        """The points of these slots at some indexes."""
        least, unit, denominator = self._parts(free), self.unit_parts, self.denominator
        if denominator == 1:
            return [least + unit * index for index in indexes]
        scores = (Fraction(least + unit * index, denominator) for index in indexes)
        return [points.numerator if points.denominator == 1 else points for points in scores]

    def _parts(self, free: int) -> int:
        return sum(self.low_parts[slot - 1] for slot in slots_of(free))


@lru_cache(maxsize=64)
def lattice_width(game: Game, free: int | None = None) -> int:
    """The largest index of the points of these slots, without the lattice: for plans, in games of any size."""
    least, most = game.dice.support[0], game.dice.support[-1]
    common = lcm(*(multiplier.denominator for multiplier in game.multipliers))
    slopes = [abs(int(multiplier * common)) for multiplier in game.multipliers]
    step = gcd(*slopes) * gcd(*(x - least for x in game.dice.support)) or 1
    chosen = slopes if free is None else (slopes[slot - 1] for slot in slots_of(free))
    return sum(chosen) * (most - least) // step


@lru_cache(maxsize=16)
def lattice_of(game: Game) -> Lattice:
    """The lattice of a game.

    >>> lattice = lattice_of(Game.parse("d{2,4,6}", "1,3"))
    >>> lattice.unit, lattice.shifts
    (Fraction(2, 1), ((0, 1, 2), (0, 3, 6)))
    """
    common = lcm(*(multiplier.denominator for multiplier in game.multipliers))
    points = [[int(multiplier * common) * x for x in game.dice.support] for multiplier in game.multipliers]
    lows = [min(row) for row in points]
    step = gcd(*(value - low for row, low in zip(points, lows, strict=True) for value in row)) or 1
    shifts = tuple(tuple((value - low) // step for value in row) for row, low in zip(points, lows, strict=True))
    return Lattice(
        unit=Fraction(step, common),
        shifts=shifts,
        widths=tuple(max(row) for row in shifts),
        lows=tuple(Fraction(low, common) for low in lows),
        denominator=common,
        low_parts=tuple(lows),
        unit_parts=step,
    )
