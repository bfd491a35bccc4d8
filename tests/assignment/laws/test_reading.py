"""Laws of whatever describes a value."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas
import pytest
from scipy import stats

from tentimes18.assignment.laws.families import FamilyLaw
from tentimes18.assignment.laws.finite import FiniteLaw
from tentimes18.assignment.laws.reading import as_law, is_number, mixture
from tentimes18.assignment.laws.tabulated import ChanceLaw, PhiLaw
from tentimes18.assignment.laws.uniform import UniformLaw
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error


def told(thing: object) -> str:
    """A name that is the same in every process."""
    return str(getattr(getattr(thing, "dist", thing), "name", type(thing).__name__))


@pytest.mark.parametrize(
    ("given_", "kind"),
    [
        (stats.uniform(1, 2), UniformLaw),
        (stats.gamma(2, scale=50), FamilyLaw),
        (stats.gamma(a=2, loc=1), FamilyLaw),
        (stats.chi2(5, loc=2, scale=3), FamilyLaw),
        (stats.rayleigh(scale=2), FamilyLaw),
        (stats.erlang(3), FamilyLaw),
        (stats.norm(100, 15), FamilyLaw),
        (stats.lognorm(0.5, scale=2), FamilyLaw),
        (stats.t(4), ChanceLaw),
        (stats.gumbel_r(), ChanceLaw),
        (stats.Normal(mu=3.0, sigma=2.0), ChanceLaw),
        (stats.poisson(3.3, loc=2), FiniteLaw),
        (stats.bernoulli(0.3), FiniteLaw),
        (stats.hypergeom(20, 7, 12), FiniteLaw),
        (stats.dlaplace(0.8), FiniteLaw),
    ],
    ids=told,
)
def test_distributions_of_scipy(given_: Any, kind: type) -> None:
    law = as_law(given_)
    assert type(law) is kind
    assert law.mean == pytest.approx(given_.mean(), rel=1e-12)
    median = float(given_.median())
    chance = given_.sf(median) if hasattr(given_, "sf") else given_.ccdf(median)
    assert law.above(median) == pytest.approx(float(chance), rel=1e-9)


def test_other_things() -> None:
    assert as_law(Dice.parse("3d6")).exact_mean() == Fraction(21, 2)
    assert as_law(pandas.Series([1.0, 3.0])).mean == as_law(pandas.DataFrame({"x": [1.0, 3.0]})).mean == 2
    assert as_law((1, 3)).mean == as_law(np.array([1, 3])).mean == as_law(range(1, 4)).mean == 2
    assert as_law(np.float64(2.5)).mean == as_law(Fraction(5, 2)).mean == 2.5
    law = as_law(3)
    assert as_law(law) is law
    assert mixture([0.5, 0.5], [stats.expon(), 3]).mean == 2

    class Own:
        mean = 1.0

        def phi(self, bound: float) -> float:
            return min(bound, 1.0)

    assert isinstance(as_law(Own()), PhiLaw)
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
        "gamma(2, 50)",
        {1: 2},
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
def test_what_is_no_law(given_: Any) -> None:
    with pytest.raises(Ten18Error) as caught:
        as_law(given_)
    assert caught.value.field == "law"
    assert "\n" not in str(caught.value)
