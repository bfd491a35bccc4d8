"""How well counts fit a distribution: the z-score of a mean, and the chi-square test of a histogram."""

from dataclasses import dataclass
from math import erfc, exp, fsum, lgamma, log, sqrt

from tentimes18.solve.score_distribution import ScoreDistribution

LEAST_EXPECTED = 10.0


@dataclass(frozen=True, slots=True)
class Fit:
    """z: how many standard errors the mean is off; chi_square with its degrees of freedom and p-value."""

    z: float
    chi_square: float
    degrees: int
    p_value: float


def fit(counted: ScoreDistribution, distribution: ScoreDistribution) -> Fit:
    """Compare counts with the distribution that they should follow.

    Neighbouring scores are taken together until each group expects enough games.
    """
    games = counted.total
    error = distribution.sd / sqrt(games)
    z = float(counted.mean - distribution.mean) / error if error else 0.0
    observed = dict(zip(counted.scores, counted.weights, strict=True))
    groups: list[tuple[float, float]] = []
    seen = expected = 0.0
    for score, weight in zip(distribution.scores, distribution.weights, strict=True):
        seen += observed.pop(score, 0)
        expected += weight / distribution.total * games
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
    """P(χ² > chi_square) = Q(d/2, x) for x = chi_square/2, by Q(a + 1, x) = Q(a, x) + x^a e^{-x} / Γ(a + 1)."""
    if chi_square == float("inf"):
        return 0.0
    if degrees == 0 or chi_square <= 0:
        return 1.0
    x = chi_square / 2
    terms = (exp((degrees / 2 - i) * log(x) - x - lgamma(degrees / 2 - i + 1)) for i in range(1, degrees // 2 + 1))
    return min(1.0, (erfc(sqrt(x)) if degrees % 2 else 0.0) + fsum(terms))
