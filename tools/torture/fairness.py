"""Whether the rolls that the service draws are fair, by a chi-square test on as many of them as one likes."""

from collections import Counter
from collections.abc import Sequence
from math import erfc, exp, fsum, lgamma, log, sqrt
from typing import Final, NamedTuple

from tentimes18.dice import Dice
from tentimes18.play.fairness import draw_rolls

__all__ = ["ChiSquare", "chi_square", "chi_square_of", "p_value"]

LEAST_EXPECTED: Final = 10  # rolls in a class, so that the law of the statistic is near its limit


class ChiSquare(NamedTuple):
    """The statistic, its degrees of freedom, and the chance of that much or more with fair dice."""

    statistic: float
    degrees: int
    p_value: float


def chi_square(dice: Dice, count: int) -> ChiSquare:
    """Draw so many rolls as the service does, and compare them with the law of the dice.

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
    return ChiSquare(statistic, degrees, p_value(statistic, degrees))


def p_value(statistic: float, degrees: int) -> float:
    """The chance that a chi-square of so many degrees of freedom is that much or more.

    With h half the statistic and k the degrees it is the regularised incomplete gamma function Q(k/2, h), for whole k
    a finite sum of positive terms, so that nothing cancels:

        k even:               Σ e^−h h^i / Γ(i + 1)    over i = 0, 1, ..., k/2 − 1
        k odd:    erfc √h  +  Σ e^−h h^i / Γ(i + 1)    over i = 1/2, 3/2, ..., k/2 − 1

    >>> round(p_value(3.841458820694124, 1), 12), p_value(0.0, 4), p_value(0.0, 0)
    (0.05, 1.0, 1.0)
    """
    half = statistic / 2
    if degrees == 0 or half == 0:
        return 1.0
    first = erfc(sqrt(half)) if degrees % 2 else 0.0
    exponents = (degrees % 2 / 2 + place for place in range(degrees // 2))
    return min(1.0, fsum([first, *(exp(power * log(half) - half - lgamma(power + 1)) for power in exponents)]))
