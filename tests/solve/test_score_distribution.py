"""What can be read off a distribution, against its definition on random ones."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.game import Number
from tentimes18.solve.score_distribution import ScoreDistribution

TOLERANCE = 1e-12


scores: st.SearchStrategy[Number] = st.integers(-20, 20) | st.fractions(-20, 20, max_denominator=6)


pairs = st.dictionaries(scores.map(Fraction), st.integers(1, 9), min_size=1, max_size=8)


def exact_from(weights: dict[Fraction, int]) -> ScoreDistribution:
    found = sorted(weights)
    plain = tuple(score.numerator if score.denominator == 1 else score for score in found)
    return ScoreDistribution(plain, tuple(weights[score] for score in found), sum(weights.values()))


def floats_from(weights: dict[Fraction, int]) -> ScoreDistribution:
    exact = exact_from(weights)
    return ScoreDistribution(exact.scores, tuple(weight / exact.total for weight in exact.weights), 1.0)


def shares(weights: dict[Fraction, int]) -> dict[Fraction, Fraction]:
    return {score: Fraction(weight, sum(weights.values())) for score, weight in weights.items()}


def up_to(weights: dict[Fraction, int], score: Fraction | float) -> Fraction:
    return sum((share for s, share in shares(weights).items() if s <= score), Fraction(0))


def quantile(weights: dict[Fraction, int], q: Fraction) -> Fraction:
    return min(score for score in weights if up_to(weights, score) >= q)


def central_moment(weights: dict[Fraction, int], power: int) -> Fraction:
    mean = sum((share * score for score, share in shares(weights).items()), Fraction(0))
    centre = Fraction(0) if power == 1 else mean
    return sum((share * (score - centre) ** power for score, share in shares(weights).items()), Fraction(0))


def mean_of_worst(weights: dict[Fraction, int], share: Fraction) -> Fraction:
    """The integral of the quantile over (0, share), a step at a time."""
    edges = sorted({Fraction(0), share, *(up_to(weights, s) for s in weights if up_to(weights, s) < share)})
    return sum(((high - low) * quantile(weights, high) for low, high in pairwise(edges)), Fraction(0)) / share


def levels(weights: dict[Fraction, int], data: st.DataObject) -> list[Fraction]:
    """Shares in (0, 1]: every step of the distribution, and others."""
    drawn = data.draw(st.lists(st.fractions(Fraction(1, 1000), 1, max_denominator=1000), max_size=3))
    return [*(up_to(weights, score) for score in weights), Fraction(1, 2), *drawn]


@given(pairs, st.data())
def test_quantile_is_the_smallest_score_with_enough_below(weights: dict[Fraction, int], data: st.DataObject) -> None:
    distribution = exact_from(weights)
    for q in levels(weights, data):
        assert distribution.quantile(q) == quantile(weights, q)
    assert distribution.quantile(1) == max(weights)


@given(pairs)
def test_medians(weights: dict[Fraction, int]) -> None:
    distribution = exact_from(weights)
    assert distribution.median == quantile(weights, Fraction(1, 2))
    halves = [score for score in weights if up_to(weights, score) == Fraction(1, 2)]
    both = {quantile(weights, Fraction(1, 2)), *(min(s for s in weights if s > half) for half in halves)}
    assert distribution.medians == tuple(sorted(both))
    assert len(distribution.medians) == 1 + len(halves)


@given(pairs, st.lists(scores | st.floats(-30, 30), max_size=4))
def test_shares_above_below_and_at(weights: dict[Fraction, int], drawn: list[Number | float]) -> None:
    distribution = exact_from(weights)
    for score in [*weights, *drawn, -1000, 1000]:
        below = sum((share for s, share in shares(weights).items() if s < score), Fraction(0))
        assert distribution.at_least(score) == 1 - below
        assert distribution.at_most(score) == up_to(weights, score)
    for score in [*weights, *(s for s in drawn if not isinstance(s, float)), -1000, 1000]:
        assert distribution.probability(score) == shares(weights).get(Fraction(score), 0)


@given(pairs)
def test_moments(weights: dict[Fraction, int]) -> None:
    distribution = exact_from(weights)
    variance = central_moment(weights, 2)
    assert distribution.mean == central_moment(weights, 1)
    assert distribution.variance == variance
    assert distribution.sd == pytest.approx(sqrt(variance), rel=TOLERANCE)
    skewness = float(central_moment(weights, 3)) / sqrt(variance) ** 3 if variance else 0.0
    assert distribution.skewness == pytest.approx(skewness, rel=TOLERANCE, abs=TOLERANCE)


@given(pairs, st.data())
def test_mean_of_the_worst_share(weights: dict[Fraction, int], data: st.DataObject) -> None:
    distribution = exact_from(weights)
    for share in levels(weights, data):
        assert distribution.lower_mean(share) == mean_of_worst(weights, share)
    assert distribution.lower_mean(1) == distribution.mean


@pytest.mark.parametrize("share", [0, -1, Fraction(11, 10), 2.0])
@pytest.mark.parametrize("make", [exact_from, floats_from])
def test_shares_out_of_range(share: Fraction | float, make: Callable[[dict[Fraction, int]], ScoreDistribution]) -> None:
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        make({Fraction(3): 1}).lower_mean(share)


@given(pairs, scores)
def test_shifted(weights: dict[Fraction, int], points: Number) -> None:
    distribution = exact_from(weights).shifted(points)
    assert distribution == exact_from({score + points: weight for score, weight in weights.items()})
    assert all(isinstance(score, int) == (Fraction(score).denominator == 1) for score in distribution.scores)


@given(pairs, st.data())
def test_float_distributions(weights: dict[Fraction, int], data: st.DataObject) -> None:
    """As the exact distribution, within 1e-12; scores are at most 20, so moments are within 20^k of that."""
    distribution, exact = floats_from(weights), exact_from(weights)
    assert exact.is_exact
    assert not distribution.is_exact
    assert isinstance(distribution.mean, float)
    assert distribution.mean == pytest.approx(float(exact.mean), abs=20 * TOLERANCE)
    assert distribution.variance == pytest.approx(float(exact.variance), abs=400 * TOLERANCE)
    if exact.variance:
        assert distribution.skewness == pytest.approx(exact.skewness, rel=1e-9, abs=1e-9)
    for score in weights:
        assert distribution.probability(score) == pytest.approx(float(exact.probability(score)), rel=TOLERANCE)
        assert distribution.at_most(score) == pytest.approx(float(exact.at_most(score)), rel=TOLERANCE)
    assert distribution.probability(1000) == 0
    for q in levels(weights, data):
        near = [score for score in weights if abs(up_to(weights, score) - q) < Fraction(1, 10**12)]
        if not near:
            assert distribution.quantile(q) == exact.quantile(q)
        assert distribution.lower_mean(q) == pytest.approx(float(mean_of_worst(weights, q)), abs=1e-9)
    assert distribution.quantile(1.0) == max(weights)


def test_float_distributions_keep_the_chance_of_a_rare_score() -> None:
    """The upper tail is a sum of small numbers, not what is left of 1."""
    distribution = ScoreDistribution((1, 2, 3), (0.5, 0.5, 1e-24), 1.0)
    assert distribution.at_least(3) == pytest.approx(1e-24, rel=TOLERANCE, abs=0)
    assert ScoreDistribution((1, 2, 3), (1e-24, 0.5, 0.5), 1.0).at_most(1) == pytest.approx(1e-24, rel=TOLERANCE, abs=0)


@given(st.dictionaries(scores.map(Fraction), st.integers(1, 15), min_size=1, max_size=8))
def test_float_distributions_with_dyadic_weights_are_the_exact_ones(weights: dict[Fraction, int]) -> None:
    """With weights over a power of two nothing is rounded, so every step of the distribution is found."""
    padded = weights | {Fraction(21): 128 - sum(weights.values())}
    distribution, exact = floats_from(padded), exact_from(padded)
    for k in range(1, 129):
        assert (
            distribution.quantile(k / 128)
            == distribution.quantile(Fraction(k, 128))
            == exact.quantile(Fraction(k, 128))
        )
    assert distribution.median == exact.median
