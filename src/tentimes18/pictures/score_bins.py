"""Scores in bins: the same for a table and for a picture.

A bin holds as many scores as every other one, a round number of them. Where it holds one it has the name of that score,
otherwise of a range, the first and the last score in it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from tentimes18.dice import Dice
from tentimes18.game import Game, Number
from tentimes18.number_format import score_name
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.score_distribution import ScoreDistribution

BINS_A_DEVIATION = 4
MAX_BINS = 400
MAX_ROLL_BINS = 10_000
LEAST_SHARE = 2e-4  # of the games in a bin, to be shown
FEW = 40  # scores that a table shows one by one, however rare they are
MAX_ROWS = 80


@dataclass(frozen=True, slots=True)
class Bins:
    """Scores from width · n to below width · (n + 1) are in bin n; they are ``origin`` and whole ``unit``s from it.

    >>> Bins(10, Fraction(1), 0).ends(60), Bins(1, Fraction(1), Fraction(1, 2)).place(3)
    ((600, 609), 3.5)
    """

    width: Number
    unit: Fraction
    origin: Number

    def shares(self, law: ScoreDistribution) -> dict[int, float]:
        """The share of the law in each bin."""
        weights: dict[int, int | float] = {}
        for score, weight in zip(law.scores, law.weights, strict=True):
            number = int(score // self.width)
            weights[number] = weights.get(number, 0) + weight
        return {number: weight / law.total for number, weight in weights.items()}

    def ends(self, number: int) -> tuple[Number, Number]:
        """The first and the last score in a bin."""
        first = self.width * number + (self.origin - self.width * number) % self.unit
        return _plain(first), _plain(first + self.width - self.unit)

    def place(self, number: int) -> float:
        """The middle of the scores in a bin."""
        first, last = self.ends(number)
        return float(Fraction(first + last) / 2)

    @property
    def is_single(self) -> bool:
        """Whether each bin holds one score."""
        return self.width == self.unit


def _plain(score: Number) -> Number:
    return score.numerator if score.denominator == 1 else score


def range_name(first: Number, last: Number) -> str:
    """The name of a bin: a score, or the first and the last of them.

    >>> range_name(600, 609), range_name(7, 7), range_name(Fraction(-5, 2), 2), range_name(2, Fraction(7, 3))
    ('600-609', '7', '-2.5 to 2', '2-2.3333')
    """
    if first == last:
        return score_name(first)
    low, high = (_decimals(score) for score in (first, last))
    return f"{low}{' to ' if first < 0 else '-'}{high}"


def _decimals(score: Number) -> str:
    """A score that is an end of a range: thirds and the like to four decimals."""
    name = score_name(score)
    return score_name(round(Fraction(score), 4)) if "/" in name else name


def choose_bins(game: Game, laws: Iterable[ScoreDistribution]) -> Bins:
    """Ten points in the classic game: a round number of units, so that each bin has as many scores.

    They are the widest with four or more to a standard deviation, or wider where there would be too many.
    """
    lattice = lattice_of(game)
    unit, span = lattice.unit, lattice.unit * lattice.width(game.all_free)
    deviation = min(law.sd for law in laws)
    width = unit
    for factor in _round_numbers():
        is_coarse = unit * factor * BINS_A_DEVIATION > deviation
        if is_coarse and span <= MAX_BINS * width:
            break
        width = unit * factor
    return Bins(_plain(width), unit, _plain(lattice.low(game.all_free)))


def roll_bins(dice: Sequence[Dice]) -> Bins:
    """One bin a roll, also where some of these dice never show it; wider ones where faces lie far apart.

    >>> roll_bins([Dice.parse("3d6*2")]).width, roll_bins([Dice.parse("d{0,1,1000000}")]).width
    (2, 100)
    """
    rolls = [roll for one in dice for roll in one.support]
    least, most = min(rolls), max(rolls)
    unit = gcd(*(roll - least for roll in rolls)) or 1
    width = next(unit * factor for factor in _round_numbers() if most - least <= MAX_ROLL_BINS * unit * factor)
    return Bins(width, Fraction(unit), least)


def _round_numbers() -> Iterator[int]:
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def shown_bins(shares: Iterable[Mapping[int, float]]) -> range:
    """The bins from the first to the last that hold enough to be seen."""
    shown = [number for share in shares for number, part in share.items() if part >= LEAST_SHARE]
    return range(min(shown), max(shown) + 1)


class LawRow(NamedTuple):
    """A line of a table of laws: the scores from ``first`` to ``last``, without an end in a rare tail.

    ``shares`` has the chance by each law.
    """

    name: str
    first: Number | None
    last: Number | None
    shares: tuple[float, ...]


def table_rows(bins: Bins, laws: Sequence[ScoreDistribution], few: int = FEW) -> list[LawRow]:
    """Every score, or every bin, from the lowest to the highest; rare tails of many are one line each.

    Few scores are shown one by one. Then and where a bin is one score, only those that can happen have a line; of
    ranges none is left out.

    >>> law = ScoreDistribution((6, 9, 12), (1, 2, 1), 4)
    >>> [(row.name, row.shares) for row in table_rows(Bins(5, Fraction(1), 0), [law])]
    [('6', (0.25,)), ('9', (0.5,)), ('12', (0.25,))]
    """
    scores = sorted({score for law in laws for score in law.scores})
    if len(scores) <= few:
        return [
            LawRow(score_name(score), score, score, tuple(float(law.probability(score)) for law in laws))
            for score in scores
        ]
    for wider in _round_numbers():
        found = Bins(_plain(bins.width * Fraction(wider)), bins.unit, bins.origin)
        shares = [found.shares(law) for law in laws]
        shown = shown_bins(shares)
        if len(shown) <= MAX_ROWS:
            break
    held = set().union(*shares)
    numbers = [number for number in shown if number in held or not found.is_single]
    rows = []
    for number in numbers:
        first, last = found.ends(number)
        first, last = max(first, scores[0]), min(last, scores[-1])
        rows.append(LawRow(range_name(first, last), first, last, tuple(share.get(number, 0.0) for share in shares)))
    below = [score for score in scores if score // found.width < shown[0]]
    above = [score for score in scores if score // found.width > shown[-1]]
    if below:
        chances = tuple(float(law.at_most(below[-1])) for law in laws)
        rows.insert(0, LawRow(f"{score_name(below[-1])} or less", None, below[-1], chances))
    if above:
        chances = tuple(float(law.at_least(above[0])) for law in laws)
        rows.append(LawRow(f"{score_name(above[0])} or more", above[0], None, chances))
    return rows
