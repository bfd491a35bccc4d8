"""The distribution of a score: what can be read off it, exactly where its weights are integers."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import lcm, sqrt

from tentimes18.game import Number


@dataclass(frozen=True)
class ScoreDistribution:
    """The distribution of a score: the scores that can happen, increasing, and their weights over one total.

    Weights are integers (exact) or floats with total 1; what is derived from them is a Fraction or a float.

    >>> distribution = ScoreDistribution((3, 4, 5, 6), (1, 1, 1, 1), 4)
    >>> distribution.mean, distribution.variance, distribution.medians
    (Fraction(9, 2), Fraction(5, 4), (4, 5))
    """

    scores: tuple[Number, ...]
    weights: tuple[int, ...] | tuple[float, ...]
    total: int | float

    @property
    def is_exact(self) -> bool:
        return isinstance(self.total, int)

    def probability(self, score: Number) -> Fraction | float:
        """P(S = score)."""
        position = bisect_left(self.scores, score)
        hit = position < len(self.scores) and self.scores[position] == score
        return self._share(self.weights[position] if hit else 0)

    def at_least(self, score: Number | float) -> Fraction | float:
        """P(S >= score)."""
        return self._share(self._from[bisect_left(self.scores, score)])

    def at_most(self, score: Number | float) -> Fraction | float:
        """P(S <= score), the percentile of a score as a share."""
        return self._share(self._up_to[bisect_right(self.scores, score)])

    def quantile(self, q: Fraction | float) -> Number:
        """The smallest score s with P(S <= s) >= q.

        >>> ScoreDistribution((3, 4, 5, 6), (1, 1, 1, 1), 4).quantile(Fraction(1, 2))
        4
        """
        bound = Fraction(q) * self.total if self.is_exact else float(q) * self.total
        return self.scores[min(bisect_left(self._up_to, bound, 1), len(self.scores)) - 1]

    @property
    def median(self) -> Number:
        """The quantile for 1/2; the smaller one where there are two medians."""
        return self.quantile(Fraction(1, 2))

    @property
    def medians(self) -> tuple[Number, ...]:
        """The median, or both where one half of the distribution lies exactly up to the first."""
        first = bisect_left(self.scores, self.median)
        tied = self.is_exact and 2 * self._up_to[first + 1] == self.total
        return self.scores[first : first + 1 + tied]

    @property
    def mean(self) -> Fraction | float:
        return self._moment(Fraction(0), 1)

    @property
    def variance(self) -> Fraction | float:
        return self._moment(self.mean, 2)

    @property
    def sd(self) -> float:
        return sqrt(self.variance)

    @property
    def skewness(self) -> float:
        """E[(S - mean)³] / sd³; 0 for a distribution with one score."""
        if not self.variance:
            return 0.0
        mean, sd = Fraction(self.mean), Fraction(self.sd)
        pairs = zip(self.scores, self.weights, strict=True)
        return sum(float((score - mean) / sd) ** 3 * (weight / self.total) for score, weight in pairs)

    def lower_mean(self, share: Fraction | float) -> Fraction | float:
        """The mean of the worst share of the distribution (conditional value at risk)."""
        if not 0 < share <= 1:
            raise ValueError("a share is above 0 and at most 1")
        rest = Fraction(share) * self.total if self.is_exact else float(share) * self.total
        left, sum_ = rest, rest * 0
        for score, weight in zip(self.scores, self.weights, strict=True):
            taken = min(left, weight)
            sum_ += score * taken
            left -= taken
        return sum_ / rest

    def shifted(self, points: Number) -> "ScoreDistribution":
        """The distribution moved up by this many points."""
        moved = (Fraction(score + points) for score in self.scores)
        plain = tuple(score.numerator if score.denominator == 1 else score for score in moved)
        return ScoreDistribution(plain, self.weights, self.total) if points else self

    def _moment(self, centre: Fraction | float, power: int) -> Fraction | float:
        if self.is_exact:
            # One common denominator, so that the sum is over integers.
            unit = Fraction(1, lcm(*(score.denominator for score in self.scores)) * Fraction(centre).denominator)
            scaled = [int((score - Fraction(centre)) / unit) for score in self.scores]
            sum_ = sum(weight * value**power for value, weight in zip(scaled, self.weights, strict=True))
            return Fraction(sum_, self.total) * unit**power  # type: ignore[arg-type]
        pairs = zip(self.scores, self.weights, strict=True)
        return sum(weight * (float(score) - float(centre)) ** power for score, weight in pairs)

    def _share(self, weight: int | float) -> Fraction | float:
        if isinstance(weight, int) and isinstance(self.total, int):
            return Fraction(weight, self.total)
        return weight / self.total

    @cached_property
    def _up_to(self) -> list[int | float]:
        return self._sums(self.weights)

    @cached_property
    def _from(self) -> list[int | float]:
        return self._sums(reversed(self.weights))[::-1]

    def _sums(self, weights: Iterable[int | float]) -> list[int | float]:
        """Sums of the first weights; of rounded ones none is above the total, and the last one is the total."""
        sums = [min(weight, self.total) for weight in accumulate(weights, initial=0)]
        sums[-1] = self.total
        return sums
