"""Distributions that are exact, and mixtures; quantiles, samples, tables of the excess."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tentimes18.arrays import Floats
from tentimes18.assignment.as_distribution import as_distribution
from tentimes18.assignment.distributions import (
    FiniteDistribution,
    MixtureDistribution,
    UniformDistribution,
    constant,
    dice_distribution,
    finite_distribution,
    fractions_of,
    mixed,
    sample_distribution,
    verified_chances,
)
from tentimes18.assignment.excess import evaluate, joined, polynomials, smooth_cells
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error

NUMBERS = st.lists(st.integers(-50, 50), min_size=1, max_size=9)


@given(NUMBERS, st.fractions(-60, 60, max_denominator=7))
def test_the_excess_is_a_mean(samples: list[int], bound: Fraction) -> None:
    expected = sum((max(sample - bound, Fraction(0)) for sample in samples), Fraction(0)) / len(samples)
    for dist in (sample_distribution(samples), sample_distribution([Fraction(sample) for sample in samples])):
        assert dist.exact_excess(bound) == expected
        assert dist.exact_mean() == Fraction(sum(samples), len(samples))
        assert dist.excess(float(bound)) == pytest.approx(float(expected), abs=1e-12)
        assert dist.above(float(bound)) == pytest.approx(sum(x > float(bound) for x in samples) / len(samples))
        assert dist.support == (min(samples), max(samples))


def test_dice_and_constants() -> None:
    dice = Dice.parse("2d6")
    dist = dice_distribution(dice)
    assert dist.exact_mean() == 7
    assert dist.mean - dist.excess(5.5) == pytest.approx(float(dice.phi(Fraction(11, 2))))
    assert constant(Fraction(1, 3)).exact_atoms() == ((Fraction(1, 3), Fraction(1)),)
    assert constant(2.5).phi(2.0) == 2.0


def test_values_that_float64_cannot_tell_apart_are_one_there() -> None:
    dist = finite_distribution([(Fraction(1), Fraction(1, 2)), (1 + Fraction(1, 10**30), Fraction(1, 2))], "two")
    assert len(dist.values) == 1
    assert dist.exact_excess(Fraction(1)) == Fraction(1, 2 * 10**30)


@pytest.mark.parametrize(
    "samples",
    [[], [math.nan], [1.0, math.inf], [[1, 2], [3, 4]], ["a"], [Fraction(1), math.nan], [Fraction(1), "a"], [10**400]],
)
def test_samples_that_are_none(samples: Any) -> None:
    with pytest.raises(Ten18Error) as caught:
        sample_distribution(samples)
    assert caught.value.field == "distribution"


FRACTIONS = st.fractions(-10, 10, max_denominator=9)


@given(FRACTIONS, st.fractions(Fraction(1, 9), 5, max_denominator=9), FRACTIONS)
def test_exact_and_in_float64(low: Fraction, width: Fraction, bound: Fraction) -> None:
    dist = UniformDistribution(low, low + width)
    exact = dist.exact_excess(bound)
    # The mean of very many points, in the limit: compare with the trapezoid of the chances.
    inside = min(max(bound, low), low + width)
    assert exact == (low + width - inside) ** 2 / (2 * width) + (inside - bound if bound < low else 0)
    assert dist.excess(float(bound)) == pytest.approx(float(exact), abs=1e-13)
    assert dist.exact_mean() == low + width / 2
    assert dist.is_exact


def test_ends_that_are_none() -> None:
    for low, high in ((1, 1), (2, 1), (0, math.inf), (math.nan, 1)):
        with pytest.raises(Ten18Error, match="ends"):
            UniformDistribution(low, high)


HALF = Fraction(1, 2)


def test_a_mixture_of_smooth_and_finite_distributions() -> None:
    parts = [as_distribution(stats.gamma(2)), constant(0), as_distribution(stats.norm())]
    dist = MixtureDistribution([0.5, 0.3, 0.2], parts)
    assert dist.mean == 1.0
    assert dist.support == (-math.inf, math.inf)
    for bound in (-3.0, -0.1, 0.0, 0.5, 4.0):
        expected = 0.5 * parts[0].excess(bound) + 0.3 * parts[1].excess(bound) + 0.2 * parts[2].excess(bound)
        assert dist.excess(bound) == pytest.approx(expected, abs=1e-13)
    assert dist.above(0.0) == pytest.approx(0.5 + 0.2 * 0.5)
    assert not dist.is_exact


def test_exact_mixtures() -> None:
    dist = MixtureDistribution([HALF, HALF], [UniformDistribution(0, 1), constant(2)])
    assert dist.exact_mean() == Fraction(5, 4)
    assert dist.exact_excess(HALF) == Fraction(1, 16) + Fraction(3, 4)
    with pytest.raises(Ten18Error):
        dist.exact_atoms()
    finite = mixed([HALF, HALF], [sample_distribution([1, 2]), constant(2)])
    assert isinstance(finite, FiniteDistribution)
    assert finite.exact_atoms() == ((Fraction(1), Fraction(1, 4)), (Fraction(2), Fraction(3, 4)))
    rough = mixed([0.1, 0.9], [as_distribution(stats.poisson(2.0)), constant(0)])
    assert isinstance(rough, FiniteDistribution)
    assert rough.mean == pytest.approx(0.2)
    with pytest.raises(Ten18Error, match="exact"):
        MixtureDistribution([0.1, 0.9], [UniformDistribution(0, 1), as_distribution(stats.expon())]).exact_mean()


@pytest.mark.parametrize(
    "chances", [[], [0.5], [HALF], [-0.5, 1.5], [math.nan, 1.0], [HALF, HALF, Fraction(1, 10**12)]]
)
def test_chances_that_do_not_add_up(chances: Any) -> None:
    with pytest.raises(Ten18Error) as caught:
        verified_chances(chances, "somewhere")
    assert caught.value.field == "somewhere"


def test_a_chance_a_distribution() -> None:
    with pytest.raises(Ten18Error, match="one chance per distribution"):
        MixtureDistribution([1], [constant(1), constant(2)])


def test_numbers_and_arrays_of_any_shape() -> None:
    dist = as_distribution(stats.gamma(2))
    bounds = np.linspace(0, 5, 6).reshape(2, 3)
    for function in (dist.phi, dist.excess, dist.above):
        assert function(bounds).shape == (2, 3)
        assert isinstance(function(1.5), float)
        assert function(bounds)[1, 2] == function(5.0)
    assert dist.quantile(bounds / 10).shape == (2, 3)


@pytest.mark.parametrize(
    "dist", [stats.gamma(0.5), stats.norm(), stats.t(5), stats.pareto(2.5)], ids=lambda d: d.dist.name
)
def test_quantiles(dist: "stats.rv_frozen") -> None:
    chances = np.concatenate([np.linspace(0.001, 0.999, 301), [1e-6, 1 - 1e-6]])
    assert as_distribution(dist).quantile(chances) == pytest.approx(dist.ppf(chances), rel=1e-8, abs=1e-8)


def test_quantiles_of_steps() -> None:
    dist = as_distribution([1, 2, 2, 5])
    assert [dist.quantile(chance) for chance in (0.0, 0.25, 0.26, 0.75, 0.76, 1.0)] == [1, 1, 2, 2, 5, 5]


def test_samples_follow_the_distribution() -> None:
    dist = stats.gamma(2, scale=3)
    found = as_distribution(dist).sample(20_000, seed=18)
    assert stats.kstest(found, dist.cdf).pvalue > 1e-3
    counts = np.unique(as_distribution([1, 2, 2, 5]).sample(20_000, seed=18), return_counts=True)[1]
    assert stats.chisquare(counts, [5000, 10_000, 5000]).pvalue > 1e-3


def test_samples_depend_on_nothing_but_the_seed() -> None:
    """The same words on every machine: the first of them, by hand."""
    assert fractions_of(18, "sample", 0, 1, 3).tolist() == fractions_of(18, "sample", 0, 1, 5)[0, :3][None].tolist()
    assert fractions_of(18, "sample", 2, 2, 3).tolist() == fractions_of(18, "sample", 0, 2, 5)[:, 2:].tolist()
    assert fractions_of(18, "sample", 0, 1, 3).tolist() != fractions_of(18, "values", 0, 1, 3).tolist()


def test_what_is_not_exact_says_so() -> None:
    dist = as_distribution(stats.gamma(2))
    assert not dist.is_exact
    for asked in (dist.exact_mean, lambda: dist.exact_excess(0), dist.exact_atoms):  # type: ignore[arg-type]
        with pytest.raises(Ten18Error, match="exact"):
            asked()


def at(cells: object, bounds: list[float]) -> Floats:
    out = np.empty(len(bounds))
    evaluate(joined([cells]), 0, np.array(bounds), False, out)  # type: ignore[list-item]
    return out


def test_the_error_is_relative_far_out_too() -> None:
    cells = smooth_cells(lambda t: np.exp(-t), [0.0, 120.0], 1.0)
    bounds = np.linspace(0, 50, 301)
    assert np.abs(at(cells, bounds.tolist()) / np.exp(-bounds) - 1).max() <= cells.error < 1e-13
    assert at(cells, [-3.0, 130.0]).tolist() == [4.0, 0.0]


def test_corners_are_found_by_halving() -> None:
    def above(t: Floats) -> Floats:
        return np.where(t < 1 / 3, 1.0, np.where(t < 2 / 3, 0.25, 0.0))

    cells = smooth_cells(above, [0.0, 1.0], 1 / 3 + 1 / 12)
    assert at(cells, [0.0, 1 / 3, 0.5]) == pytest.approx([1 / 3 + 1 / 12, 1 / 12, 1 / 24], abs=1e-14)


def test_what_is_too_rough_is_rejected() -> None:
    generator = np.random.default_rng(18)
    with pytest.raises(Ten18Error, match="too rough"):
        smooth_cells(lambda t: generator.random(t.shape), [0.0, 1.0], 0.5)
    with pytest.raises(Ten18Error, match="too rough"):
        polynomials(lambda t: generator.random(t.shape), np.array([0.0, 1.0]), 0.5, 1e-12)


def test_the_excess_itself_may_be_interpolated() -> None:
    cells = polynomials(lambda t: np.maximum(1.0 - t, 0.0) ** 2 / 2, np.array([0.0, 2.0]), 0.5, 1e-14)
    assert at(cells, [0.25, 0.9, 1.5]) == pytest.approx([0.75**2 / 2, 0.005, 0.0], abs=cells.floor)
