"""Whether the rolls that the service draws are fair, by a chi-square test on as many of them as one likes."""

from collections import Counter
from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from scipy.stats import chi2

from tentimes18.dice import Dice
from tentimes18.play.fairness import draw_rolls

LEAST_EXPECTED = 10  # rolls in a class, so that the distribution of the statistic is near its limit


class ChiSquare(NamedTuple):
    """The statistic, its degrees of freedom, and the chance of that much or more with fair dice."""

    statistic: float
    degrees: int
    p_value: float


def chi_square(dice: Dice, count: int) -> ChiSquare:
    """Draw this many rolls as the server does, and compare them with the distribution of the dice.

    >>> chi_square(Dice.parse("3d6"), 20_000).degrees
    15
    """
    seen = Counter(draw_rolls(dice, count))
    return chi_square_of([seen[roll] for roll in dice.support], dice.counts)


def chi_square_of(seen: Sequence[int], weights: Sequence[int]) -> ChiSquare:
    """Pearson's statistic Σ (seen − expected)² / expected; neighbours of which too few are expected count as one class.

    >>> chi_square_of([44, 56], [1, 1])
    ChiSquare(statistic=1.44, degrees=1, p_value=0.230139340443...)
    """
    count, total = sum(seen), sum(weights)
    classes = [(0, 0)]
    for found, weight in zip(seen, weights, strict=True):
        last_found, last_weight = classes[-1]
        if last_weight * count >= LEAST_EXPECTED * total:
            classes.append((found, weight))
        else:
            classes[-1] = (last_found + found, last_weight + weight)
    if len(classes) > 1 and classes[-1][1] * count < LEAST_EXPECTED * total:
        found, weight = classes.pop()
        classes[-1] = (classes[-1][0] + found, classes[-1][1] + weight)
    # (seen - expected)² / expected with expected = count · weight / total, the integers first.
    parts = [(found * total - count * weight) ** 2 / (count * weight * total) for found, weight in classes]
    statistic, degrees = fsum(parts), len(classes) - 1
    return ChiSquare(statistic, degrees, float(chi2.sf(statistic, degrees)) if degrees else 1.0)
