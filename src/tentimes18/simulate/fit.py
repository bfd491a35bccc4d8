"""How well counts fit a law: the z-score of a mean, and the chi-square test of a histogram."""

from dataclasses import dataclass
from math import exp, lgamma, log, sqrt
from typing import Final

from tentimes18.solve.scores.score_law import ScoreLaw

__all__ = ["Fit", "fit"]

LEAST_EXPECTED: Final = 10.0


@dataclass(frozen=True, slots=True)
class Fit:
    """z: how many standard errors the mean is off; chi_square with its degrees of freedom and p-value.

    >>> law = ScoreLaw((1, 2), (1, 1), 2)
    >>> fit(ScoreLaw((1, 2), (50, 50), 100), law)
    Fit(z=0.0, chi_square=0.0, degrees=1, p_value=1.0)
    """

    z: float
    chi_square: float
    degrees: int
    p_value: float


def fit(counted: ScoreLaw, law: ScoreLaw) -> Fit:
    """Compare counts with the law that they should follow.

    Neighbouring scores are taken together until each group expects enough games.

    >>> law = ScoreLaw((1, 2), (1, 1), 2)
    >>> result = fit(ScoreLaw((1, 2), (520, 480), 1000), law)
    >>> round(result.z, 4), round(result.chi_square, 4), result.degrees, round(result.p_value, 4)
    (-1.2649, 1.6, 1, 0.2059)
    """
    games = counted.total
    error = law.sd / sqrt(games)
    z = float(counted.mean - law.mean) / error if error else 0.0
    observed = dict(zip(counted.scores, counted.weights, strict=True))
    groups: list[tuple[float, float]] = []
    seen = expected = 0.0
    for score, weight in zip(law.scores, law.weights, strict=True):
        seen += observed.pop(score, 0)
        expected += weight / law.total * games
        if expected >= LEAST_EXPECTED:
            groups.append((seen, expected))
            seen = expected = 0.0
    if groups:
        groups[-1] = (groups[-1][0] + seen, groups[-1][1] + expected)
    chi_square = sum((seen - expected) ** 2 / expected for seen, expected in groups)
    if observed:  # a score that cannot happen
        chi_square = float("inf")
    degrees = max(0, len(groups) - 1)
    return Fit(z, chi_square, degrees, _tail(chi_square, degrees))


def _tail(chi_square: float, degrees: int) -> float:
    """P(χ² > chi_square), the regularised upper incomplete gamma function Q(degrees/2, chi_square/2)."""
    if chi_square == float("inf"):
        return 0.0
    if degrees == 0 or chi_square <= 0:
        return 1.0
    a, x = degrees / 2, chi_square / 2
    scale = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        k = a
        while term > total * 1e-16:
            k += 1
            term *= x / k
            total += term
        return max(0.0, 1 - scale * total)
    # Lentz's method for the continued fraction of Q.
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    fraction = d
    for i in range(1, 10_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return scale * fraction
