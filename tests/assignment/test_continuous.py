"""Tabulated distributions: families against SciPy and by hand, lattices, a φ of one's own."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, special, stats

from tentimes18.assignment import Problem
from tentimes18.assignment.as_distribution import as_distribution
from tentimes18.assignment.continuous import (
    ContinuousDistribution,
    PhiDistribution,
    Standard,
    family_distribution,
    lattice_distribution,
)
from tentimes18.assignment.distributions import ValueDistribution
from tentimes18.errors import Ten18Error

CASES = [
    ("beta", (2.0, 3.0), stats.beta(2, 3)),
    ("beta", (0.5, 0.7), stats.beta(0.5, 0.7)),
    ("exponential", (), stats.expon()),
    ("gamma", (0.3,), stats.gamma(0.3)),
    ("gamma", (2.5,), stats.gamma(2.5)),
    ("gamma", (300.0,), stats.gamma(300)),
    ("halfnormal", (), stats.halfnorm()),
    ("laplace", (), stats.laplace()),
    ("logistic", (), stats.logistic()),
    ("lognormal", (0.5,), stats.lognorm(0.5)),
    ("lomax", (2.5,), stats.lomax(2.5)),
    ("normal", (), stats.norm()),
    ("pareto", (1.5,), stats.pareto(1.5)),
    ("pareto", (5.0,), stats.pareto(5)),
    ("triangular", (0.3,), stats.triang(0.3)),
    ("triangular", (0.0,), stats.triang(0)),
    ("triangular", (1.0,), stats.triang(1)),
    ("weibull", (0.7,), stats.weibull_min(0.7)),
    ("weibull", (3.0,), stats.weibull_min(3)),
]


@pytest.mark.parametrize(("name", "shapes", "known"), CASES, ids=[f"{name}{shapes}" for name, shapes, _ in CASES])
def test_a_family(name: str, shapes: tuple[float, ...], known: "stats.rv_frozen") -> None:
    dist = family_distribution(name, *shapes, place=2.0, scale=3.0)
    assert dist.mean == pytest.approx(2 + 3 * known.mean(), rel=1e-14)
    assert dist.support == pytest.approx(tuple(2 + 3 * end for end in known.support()))
    z = (2 + 3 * known.ppf([0.001, 0.2, 0.5, 0.9, 0.999, 0.999999]) - 2) / 3  # rounded as the bounds are
    assert dist.above(2 + 3 * z) == pytest.approx(known.sf(z), rel=1e-10)
    # The excess is the integral of the chances.
    for low, high in ((0, 2), (2, 4)):
        area = integrate.quad(known.sf, z[low], z[high], epsabs=1e-13, epsrel=1e-12)[0]
        ends = 2 + 3 * z[[low, high]]
        assert -np.diff(dist.excess(ends))[0] == pytest.approx(3 * area, rel=1e-10)
    assert dist.quantile(0.9) == pytest.approx(2 + 3 * z[3], rel=1e-12)


@pytest.mark.parametrize("shape", [1, 2, 5, 20])
def test_the_table_of_a_gamma_distribution_is_as_good_as_it_says(shape: int) -> None:
    """An integer shape, whose chances are finite sums of positive numbers: Σ z^m e^-z / m!."""
    dist = family_distribution("gamma", float(shape))
    z = np.linspace(0.01, 60.0, 997)
    terms = np.array([np.exp(m * np.log(z) - z - special.gammaln(m + 1)) for m in range(shape)])
    above = terms.sum(axis=0)
    # g(z) = Σ_{i >= 1} P(Poisson(z) <= shape - i), by the mean of a truncated Poisson number.
    excess = sum(terms[: i + 1].sum(axis=0) for i in range(shape))
    assert np.abs(ValueDistribution._excess(dist, z) / excess - 1).max() <= dist.error + 40 * 60 * 2.0**-53
    assert np.abs(dist.above(z) / above - 1).max() <= 60 * 40 * 2.0**-53


@pytest.mark.parametrize(
    ("name", "shapes", "scale"),
    [
        ("pareto", (1.0,), 1.0),
        ("pareto", (math.nan,), 1.0),
        ("lomax", (0.5,), 1.0),
        ("gamma", (0.0,), 1.0),
        ("gamma", (2.0,), 0.0),
        ("gamma", (2.0,), math.inf),
        ("beta", (1.0, -1.0), 1.0),
        ("lognormal", (40.0,), 1.0),
        ("weibull", (0.001,), 1.0),
        ("triangular", (1.5,), 1.0),
    ],
)
def test_distributions_that_are_none(name: str, shapes: tuple[float, ...], scale: float) -> None:
    with pytest.raises(Ten18Error) as caught:
        family_distribution(name, *shapes, scale=scale)
    assert caught.value.field == "distribution"


LATTICE_CASES = [
    ("binomial", (20, 0.3), stats.binom(20, 0.3)),
    ("binomial", (5000, 0.01), stats.binom(5000, 0.01)),
    ("geometric", (0.2,), stats.geom(0.2)),
    ("integers", (2, 9), stats.randint(2, 9)),
    ("negative_binomial", (3.5, 0.4), stats.nbinom(3.5, 0.4)),
    ("poisson", (0.3,), stats.poisson(0.3)),
    ("poisson", (2000.0,), stats.poisson(2000.0)),
]


@pytest.mark.parametrize(
    ("name", "parameters", "known"), LATTICE_CASES, ids=[f"{name}{p}" for name, p, _ in LATTICE_CASES]
)
def test_a_distribution_on_the_integers(name: str, parameters: tuple[float, ...], known: "stats.rv_frozen") -> None:
    dist = lattice_distribution(name, *parameters, place=1)
    assert dist.mean == pytest.approx(known.mean() + 1, rel=1e-12)
    assert dist.chances == pytest.approx(known.pmf(dist.values - 1), rel=1e-7, abs=1e-18)
    bounds = dist.mean + np.array([-3.0, 0.25, 2.0])
    assert dist.above(bounds) == pytest.approx(known.sf(np.floor(bounds - 1)), rel=1e-9)


def test_short_binomial_distributions_are_exact() -> None:
    dist = lattice_distribution("binomial", 3, Fraction(1, 3))
    assert dist.exact_atoms() == tuple((Fraction(k), Fraction(w, 27)) for k, w in enumerate((8, 12, 6, 1)))
    assert lattice_distribution("binomial", 4, 1.0).exact_mean() == 4
    assert lattice_distribution("geometric", 1).exact_mean() == 1
    assert not lattice_distribution("poisson", 2).is_exact


TABULATED = [stats.t(4), stats.gumbel_r(2, 3), stats.genpareto(0.3), stats.skewnorm(3), stats.f(5, 8)]


@pytest.mark.parametrize("known", TABULATED, ids=lambda known: known.dist.name)
def test_the_excess_of_a_table(known: "stats.rv_frozen") -> None:
    dist = as_distribution(known)
    assert isinstance(dist, ContinuousDistribution)
    bound = float(known.ppf(0.8))
    expected = integrate.quad(known.sf, bound, np.inf, epsabs=1e-12, epsrel=1e-11, limit=200)[0]
    assert dist.excess(bound) == pytest.approx(expected, rel=1e-8)
    assert dist.phi(-1e6) == pytest.approx(-1e6, rel=1e-12)
    assert dist.error < 1e-11
    assert str(dist) == known.dist.name


def test_noisy_chances_have_a_larger_error() -> None:
    """SciPy's chances of an inverse Gaussian distribution are right to twelve digits or so."""
    dist = as_distribution(stats.invgauss(1.2))
    assert dist.excess(1.5) == pytest.approx(integrate.quad(stats.invgauss(1.2).sf, 1.5, np.inf)[0], rel=1e-7)
    assert 1e-13 < dist.error < 1e-8


@pytest.mark.parametrize("known", [stats.ksone(5), stats.ksone(20)], ids=lambda known: f"ksone{known.args}")
def test_a_mean_that_is_worse_than_the_chances(known: "stats.rv_frozen") -> None:
    """SciPy integrates this mean to ten digits or so, and the chances are right to the last ones."""
    dist = as_distribution(known)
    for bound in (0.0, 0.1, 0.5):
        truth = integrate.quad(known.sf, bound, 1.0, epsabs=1e-15, epsrel=1e-13, limit=200)[0]
        assert abs(dist.excess(bound) - truth) <= dist.error * truth + dist.cells.floor + 1e-14 < 1e-7


def test_a_tail_that_the_chances_are_too_small_for() -> None:
    """SciPy has P(X > t) = 0 from 10^12 on, where the mean still gets something from."""
    dist = as_distribution(stats.burr(1.3, 2))
    far = 2e13  # P(X > t) is about 2 t^-1.3
    assert abs(dist.excess(far) - 2 / 0.3 * far**-0.3) <= dist.error * dist.excess(far) + dist.cells.floor


def test_what_does_not_fit_together() -> None:
    with pytest.raises(Ten18Error, match="fit together"):
        _ = ContinuousDistribution(Standard(0.5, lambda t: np.exp(-t)), "mine").cells
    with pytest.raises(Ten18Error, match="not a number"):
        _ = ContinuousDistribution(Standard(1.0, lambda t: np.nan * t), "mine").cells
    with pytest.raises(Ten18Error, match="no mean"):
        ContinuousDistribution(Standard(math.nan, lambda t: np.exp(-t)), "mine")


class Triangle:
    """From 0 to 2, in float64; with a mean that is a method, as SciPy has it."""

    def mean(self) -> float:
        return 1.0

    def phi(self, bound: float) -> float:
        if bound <= 0:
            return bound
        if bound <= 1:
            return bound - bound**3 / 6
        return 1.0 if bound >= 2 else 1.0 - (2 - bound) ** 3 / 6


class Coin:
    """0 or 1, exactly."""

    mean = Fraction(1, 2)

    def phi(self, bound: Fraction) -> Fraction:
        return (min(bound, Fraction(0)) + min(bound, Fraction(1))) / 2


def test_a_phi_of_ones_own() -> None:
    dist = PhiDistribution(Triangle())
    for bound in (-5.0, 0.3, 1.0, 1.7, 9.0):
        assert abs(dist.phi(bound) - Triangle().phi(bound)) <= dist.cells.floor < 1e-13
    assert not dist.is_exact
    with pytest.raises(Ten18Error, match="exact"):
        dist.exact_mean()
    assert dist.above(1.0) == pytest.approx(0.5)
    assert str(dist) == "Triangle"


def test_an_exact_phi_of_ones_own() -> None:
    dist = PhiDistribution(Coin())
    assert dist.is_exact
    assert dist.exact_excess(Fraction(1, 3)) == Fraction(1, 3)
    assert dist.excess(0.25) == pytest.approx(0.375, abs=1e-14)
    assert dist.above(0.5) == pytest.approx(0.5, abs=1e-9)


def test_a_phi_with_tails_too_heavy_to_be_tabulated() -> None:
    """Of Pareto's distribution with shape 1.2: its error would be larger than any value."""

    class Heavy:
        mean = 6.0

        def phi(self, bound: float) -> float:
            return bound if bound < 1 else 6.0 - 5.0 * bound**-0.2

    with pytest.raises(Ten18Error, match="too heavy"):
        _ = PhiDistribution(Heavy()).cells
    with pytest.raises(Ten18Error, match="too heavy"):
        Problem(Heavy(), 1, arrivals=10).solve()


def test_a_phi_that_is_not_one() -> None:
    class Nothing:
        mean = 1.0

        def phi(self, bound: float) -> float:
            return bound * math.nan

    with pytest.raises(Ten18Error, match="not a number"):
        _ = PhiDistribution(Nothing()).cells

    class Infinite:
        mean = math.inf

        def phi(self, bound: float) -> float:
            return bound

    with pytest.raises(Ten18Error, match="no mean"):
        PhiDistribution(Infinite())
