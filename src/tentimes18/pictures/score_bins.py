"""Scores in bins, the same for a table and for a picture: every bin has the same round number of scores."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any, NamedTuple

from tentimes18.dice import Dice
from tentimes18.game import Game, Number
from tentimes18.number_format import score_name
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.score_distribution import ScoreDistribution

BINS_PER_DEVIATION = 4
MAX_BINS = 400
MAX_ROLL_BINS = 10_000
LEAST_SHARE = 2e-4  # of the games in a bin, to be shown
FEW = 40  # scores that a table shows one by one, even the rare ones
MAX_ROWS = 80


@dataclass(frozen=True, slots=True)
class Bins:
    """Bin n has the scores from width · n to below width · (n + 1); all scores are ``origin`` + k · ``unit``.

    >>> Bins(10, Fraction(1), 0).ends(60), Bins(1, Fraction(1), Fraction(1, 2)).place(3)
    ((600, 609), 3.5)
    """

    width: Number
    unit: Fraction
    origin: Number

    def shares(self, distribution: ScoreDistribution) -> dict[int, float]:
        weights: dict[int, int | float] = {}
        for score, weight in zip(distribution.scores, distribution.weights, strict=True):
            number = int(score // self.width)
            weights[number] = weights.get(number, 0) + weight
        return {number: weight / distribution.total for number, weight in weights.items()}

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
    names = [
        score_name(round(Fraction(end), 4)) if "/" in score_name(end) else score_name(end) for end in (first, last)
    ]
    return (" to " if first < 0 else "-").join(names)


def choose_bins(game: Game, distributions: Iterable[ScoreDistribution]) -> Bins:
    """The widest bins with four or more per standard deviation, or wider ones where there would be too many.

    The width is a round number of units: ten points in the classic game.
    """
    lattice = lattice_of(game)
    unit, span = lattice.unit, lattice.unit * lattice.width(game.all_free)
    deviation = min(distribution.sd for distribution in distributions)
    width = unit
    for factor in _round_numbers():
        is_coarse = unit * factor * BINS_PER_DEVIATION > deviation
        if is_coarse and span <= MAX_BINS * width:
            break
        width = unit * factor
    return Bins(_plain(width), unit, _plain(lattice.low(game.all_free)))


def roll_bins(dice: Sequence[Dice]) -> Bins:
    """One bin per roll, also where some of these dice never show it; wider ones where faces are far apart."""
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
    """The bins from the first to the last with a visible share."""
    shown = [number for share in shares for number, part in share.items() if part >= LEAST_SHARE]
    return range(min(shown), max(shown) + 1)


class DistributionRow(NamedTuple):
    """A row of a table: the scores from ``first`` to ``last``, None in a rare tail, and each distribution's share."""

    name: str
    first: Number | None
    last: Number | None
    shares: tuple[float, ...]


def table_rows(bins: Bins, distributions: Sequence[ScoreDistribution], few: int = FEW) -> list[DistributionRow]:
    """Every score where they are few, else every bin, with one row for each rare tail.

    Single scores that cannot happen have no row; no range is left out.
    """
    scores = sorted({score for distribution in distributions for score in distribution.scores})

    def row(name: str, first: Number | None, last: Number | None, chance: Callable[..., Any]) -> DistributionRow:
        return DistributionRow(name, first, last, tuple(float(chance(distribution)) for distribution in distributions))

    if len(scores) <= few:
        return [row(score_name(score), score, score, lambda one, s=score: one.probability(s)) for score in scores]
    for wider in _round_numbers():
        wide = Bins(_plain(bins.width * Fraction(wider)), bins.unit, bins.origin)
        shares = [wide.shares(distribution) for distribution in distributions]
        shown = shown_bins(shares)
        if len(shown) <= MAX_ROWS:
            break
    possible = set().union(*shares)
    rows = []
    for number in shown:
        if wide.is_single and number not in possible:
            continue
        first, last = wide.ends(number)
        first, last = max(first, scores[0]), min(last, scores[-1])
        rows.append(
            DistributionRow(range_name(first, last), first, last, tuple(share.get(number, 0.0) for share in shares))
        )
    below = [score for score in scores if score // wide.width < shown[0]]
    above = [score for score in scores if score // wide.width > shown[-1]]
    if below:
        rows.insert(0, row(f"{score_name(below[-1])} or less", None, below[-1], lambda one: one.at_most(below[-1])))
    if above:
        rows.append(row(f"{score_name(above[0])} or more", above[0], None, lambda one: one.at_least(above[0])))
    return rows
