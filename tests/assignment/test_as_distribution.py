"""Distributions of whatever describes a value: objects and texts."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tentimes18.assignment.as_distribution import as_distribution, mixture, read_distribution
from tentimes18.assignment.continuous import ContinuousDistribution, PhiDistribution
from tentimes18.assignment.distributions import FiniteDistribution, UniformDistribution, is_number
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error


def told(thing: object) -> str:
    """A name that is the same in every process."""
    return str(getattr(getattr(thing, "dist", thing), "name", type(thing).__name__))


@pytest.mark.parametrize(
    ("given_", "kind"),
    [
        (stats.uniform(1, 2), UniformDistribution),
        (stats.gamma(2, scale=50), ContinuousDistribution),
        (stats.gamma(a=2, loc=1), ContinuousDistribution),
        (stats.chi2(5, loc=2, scale=3), ContinuousDistribution),
        (stats.rayleigh(scale=2), ContinuousDistribution),
        (stats.erlang(3), ContinuousDistribution),
        (stats.norm(100, 15), ContinuousDistribution),
        (stats.lognorm(0.5, scale=2), ContinuousDistribution),
        (stats.t(4), ContinuousDistribution),
        (stats.gumbel_r(), ContinuousDistribution),
        (stats.Normal(mu=3.0, sigma=2.0), ContinuousDistribution),
        (stats.poisson(3.3, loc=2), FiniteDistribution),
        (stats.bernoulli(0.3), FiniteDistribution),
        (stats.hypergeom(20, 7, 12), FiniteDistribution),
        (stats.dlaplace(0.8), FiniteDistribution),
    ],
    ids=told,
)
def test_distributions_of_scipy(given_: Any, kind: type) -> None:
    dist = as_distribution(given_)
    assert type(dist) is kind
    assert dist.mean == pytest.approx(given_.mean(), rel=1e-12)
    median = float(given_.median())
    chance = given_.sf(median) if hasattr(given_, "sf") else given_.ccdf(median)
    assert dist.above(median) == pytest.approx(float(chance), rel=1e-9)


def test_other_things() -> None:
    assert as_distribution(Dice.parse("3d6")).exact_mean() == Fraction(21, 2)
    assert (
        as_distribution(pandas.Series([1.0, 3.0])).mean
        == as_distribution(pandas.DataFrame({"x": [1.0, 3.0]})).mean
        == 2
    )
    assert (
        as_distribution((1, 3)).mean == as_distribution(np.array([1, 3])).mean == as_distribution(range(1, 4)).mean == 2
    )
    assert as_distribution(np.float64(2.5)).mean == as_distribution(Fraction(5, 2)).mean == 2.5
    dist = as_distribution(3)
    assert as_distribution(dist) is dist
    assert mixture([0.5, 0.5], [stats.expon(), 3]).mean == 2

    class Own:
        mean = 1.0

        def phi(self, bound: float) -> float:
            return min(bound, 1.0)

    assert isinstance(as_distribution(Own()), PhiDistribution)
    assert [is_number(thing) for thing in (1, 1.5, np.int8(3), True, "1", [1])] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    "given_",
    [
        None,
        "gama(2, 50)",
        {1: 2},
        {"1": 1},
        {},
        True,
        math.nan,
        stats.cauchy(),
        stats.t(1),
        stats.pareto(0.9),
        stats.zipf(1.5),
        stats.levy(),
        stats.norm([1, 2], 1),
        stats.norm,
    ],
    ids=told,
)
def test_what_is_not_a_distribution(given_: Any) -> None:
    with pytest.raises(Ten18Error) as caught:
        as_distribution(given_)
    assert caught.value.field == "distribution"
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("uniform(0, 1)", 0.5),
        ("uniform()", 0.5),
        ("uniform(-1/2, 1.5)", 0.5),
        ("exponential(5)", 5.0),
        ("exponential(5, 2)", 7.0),
        ("normal(100, 15)", 100.0),
        ("halfnormal(2)", 2 * (2 / 3.141592653589793) ** 0.5),
        ("lognormal(0.5, 3)", 3 * 2.718281828459045**0.125),
        ("gamma(2, 50)", 100.0),
        ("weibull(1, 3)", 3.0),
        ("pareto(3, 2)", 3.0),
        ("lomax(3, 2, 1)", 2.0),
        ("beta(2, 3)", 0.4),
        ("triangular(0.5, 2, 1)", 2.0),
        ("logistic(3, 2)", 3.0),
        ("laplace(3)", 3.0),
        ("poisson(3)", 3.0),
        ("binomial(10, 0.3)", 3.0),
        ("geometric(1/4)", 4.0),
        ("negative_binomial(2, 0.5)", 2.0),
        ("integers(1, 7)", 3.5),
        ("3d6", 10.5),
        ("d{1,1,2,3,5,8}", 20 / 6),
        ("2.5", 2.5),
        ("-1/3", -1 / 3),
        ("1e3", 1000.0),
        ("0.25*3d6 + 0.75*gamma(2, 5)", 10.125),
        ("1/2*0+1/2*1d6", 1.75),
        ("  gamma( 2 ,50 ) ", 100.0),
    ],
)
def test_distributions(text: str, mean: float) -> None:
    assert read_distribution(text).mean == pytest.approx(mean, rel=1e-12)


def test_decimals_are_exact() -> None:
    assert read_distribution("0.1*1+0.9*0").exact_mean() == Fraction(1, 10)
    assert read_distribution("binomial(2, 0.1)").exact_mean() == Fraction(1, 5)


def test_files_are_read_by_who_may() -> None:
    asked = []

    def reader(name: str) -> list[float]:
        asked.append(name)
        return [1.0, 2.0]

    assert read_distribution("samples: my file.csv", reader).mean == 1.5
    assert asked == ["my file.csv"]
    with pytest.raises(Ten18Error, match="not read here"):
        read_distribution("samples:my file.csv")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gamma(2",
        "gamma()",
        "gamma(1, 2, 3, 4)",
        "gamma(2, x)",
        "gama(2, 3)",
        "pareto(1)",
        "normal(0, -1)",
        "uniform(1, 0)",
        "uniform(1)",
        "poisson(1, 2)",
        "0.5*3d6",
        "0.5*3d6+0.6*2",
        "0.5*3d6+0.5*nothing",
        "1/0",
        "nan",
        "inf",
        "__import__('os')",
        "norm.rvs(1)",
        "1" * 5000,
        "1e999",
    ],
)
def test_what_cannot_be_read(text: str) -> None:
    with pytest.raises(Ten18Error) as caught:
        read_distribution(text)
    assert caught.value.field == "distribution"
    assert "\n" not in str(caught.value)


@given(st.text("0123456789+-*/()., dgamunifor{}:=ek!x", max_size=30))
def test_any_text_is_a_distribution_or_rejected(text: str) -> None:
    try:
        dist = read_distribution(text)
    except Ten18Error:
        return
    assert dist.mean == dist.mean
