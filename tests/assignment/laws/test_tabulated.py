"""Laws without a closed form: tables of chances, and of somebody's φ."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, stats

from tentimes18.assignment.laws.reading import as_law
from tentimes18.assignment.laws.tabulated import ChanceLaw, PhiLaw
from tentimes18.errors import Ten18Error

LAWS = [stats.t(4), stats.gumbel_r(2, 3), stats.genpareto(0.3), stats.skewnorm(3), stats.f(5, 8)]


@pytest.mark.parametrize("known", LAWS, ids=lambda known: known.dist.name)
def test_the_excess_of_a_table(known: "stats.rv_frozen") -> None:
    law = as_law(known)
    assert isinstance(law, ChanceLaw)
    bound = float(known.ppf(0.8))
    expected = integrate.quad(known.sf, bound, np.inf, epsabs=1e-12, epsrel=1e-11, limit=200)[0]
    assert law.excess(bound) == pytest.approx(expected, rel=1e-8)
    assert law.phi(-1e6) == pytest.approx(-1e6, rel=1e-12)
    assert law.error < 1e-11
    assert str(law) == known.dist.name


def test_noisy_chances_have_a_larger_error() -> None:
    """SciPy's chances of an inverse Gaussian law are right to twelve digits or so."""
    law = as_law(stats.invgauss(1.2))
    assert law.excess(1.5) == pytest.approx(integrate.quad(stats.invgauss(1.2).sf, 1.5, np.inf)[0], rel=1e-7)
    assert 1e-13 < law.error < 1e-8


def test_what_does_not_fit_together() -> None:
    with pytest.raises(Ten18Error, match="fit together"):
        _ = ChanceLaw(lambda t: np.exp(-t), 0.5, (0.0, math.inf), "mine").cells
    with pytest.raises(Ten18Error, match="not a number"):
        _ = ChanceLaw(lambda t: np.nan * t, 1.0, (0.0, math.inf), "mine").cells
    with pytest.raises(Ten18Error, match="no mean"):
        ChanceLaw(lambda t: np.exp(-t), math.nan, (0.0, math.inf), "mine")


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
    law = PhiLaw(Triangle())
    for bound in (-5.0, 0.3, 1.0, 1.7, 9.0):
        assert abs(law.phi(bound) - Triangle().phi(bound)) <= law.cells.floor < 1e-13
    assert not law.is_exact
    with pytest.raises(Ten18Error, match="exact"):
        law.exact_mean()
    assert law.above(1.0) == pytest.approx(0.5)
    assert str(law) == "Triangle"


def test_an_exact_phi_of_ones_own() -> None:
    law = PhiLaw(Coin())
    assert law.is_exact
    assert law.exact_excess(Fraction(1, 3)) == Fraction(1, 3)
    assert law.excess(0.25) == pytest.approx(0.375, abs=1e-14)
    assert law.above(0.5) == pytest.approx(0.5, abs=1e-9)


def test_a_phi_that_is_none() -> None:
    class Nothing:
        mean = 1.0

        def phi(self, bound: float) -> float:
            return bound * math.nan

    with pytest.raises(Ten18Error, match="not a number"):
        _ = PhiLaw(Nothing()).cells

    class Infinite:
        mean = math.inf

        def phi(self, bound: float) -> float:
            return bound

    with pytest.raises(Ten18Error, match="no mean"):
        PhiLaw(Infinite())
