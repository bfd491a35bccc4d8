"""Utilities of a score, with the certainty equivalent: the sure score that is worth as much as a distribution.

- ``exp:a``: u(s) = -e^{-as} for a > 0 (risk averse), e^{-as} for a < 0 (risk seeking), s for a = 0. A constant factor
  keeps it within [-1, 1] over the scores of a game, and changes no decision.
- ``power:p``: u(s) = s^p for p > 0, -s^p for p < 0, log s for p = 0; for scores that are never negative (p > 0) or
  always positive.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, expm1, log, log1p

from tentimes18.errors import InvalidGame
from tentimes18.game import Game
from tentimes18.solve.lattice import lattice_of
from tentimes18.solve.score_distribution import ScoreDistribution


@dataclass(frozen=True, slots=True)
class Utility:
    value: Callable[[float], float]
    inverse: Callable[[float], float] | None = None

    def of_distribution(self, distribution: ScoreDistribution) -> float:
        """The certainty equivalent of a distribution, or its expected utility where there is no inverse."""
        pairs = zip(distribution.scores, distribution.weights, strict=True)
        expected = sum(self.value(float(score)) * (weight / distribution.total) for score, weight in pairs)
        return self.inverse(expected) if self.inverse else expected


def exponential(game: Game, parameter: float) -> Utility:
    """Constant aversion a to risk; a < 0 seeks it."""
    a = parameter
    if a == 0:
        return Utility(lambda score: score, lambda value: value)
    low, high = _range(game)
    if abs(a) * (high - low) > 600:
        raise InvalidGame(f"exp:{a} is too extreme for scores from {low:g} to {high:g}", field="strategy")
    sign = -1.0 if a > 0 else 1.0
    origin = low if a > 0 else high
    if abs(a) * (high - low) < 1:  # nearly straight: the difference to 1 is what counts
        return Utility(lambda score: -expm1(-a * (score - origin)) / a, lambda value: origin - log1p(-a * value) / a)
    return Utility(
        lambda score: sign * exp(-a * (score - origin)),
        lambda value: origin - log(value / sign) / a,
    )


def power(game: Game, parameter: float) -> Utility:
    """Constant relative aversion to risk: p = 1 is neutral, p < 1 averse, p > 1 seeking."""
    p = parameter
    low, high = _range(game)
    if low < 0 or (low == 0 and p <= 0):
        raise InvalidGame(f"power:{p} needs positive scores, and this game can end with {low:g}", field="strategy")
    if p == 0:
        return Utility(log, exp)
    if high == 0:
        return Utility(lambda score: score, lambda value: value)
    if low > 0 and abs(p) * log(high / low) > 600:
        raise InvalidGame(f"power:{p} is too extreme for scores from {low:g} to {high:g}", field="strategy")
    if low > 0 and abs(p) * log(high / low) < 1:
        return Utility(lambda score: expm1(p * log(score / high)) / p, lambda value: high * exp(log1p(p * value) / p))
    sign = 1.0 if p > 0 else -1.0
    return Utility(lambda score: sign * (score / high) ** p, lambda value: high * (value / sign) ** (1 / p))


def _range(game: Game) -> tuple[float, float]:
    lattice = lattice_of(game)
    low = lattice.low(game.all_free)
    return float(low), float(low + lattice.unit * lattice.width(game.all_free))
