"""Mixtures of any laws, and chances that add up."""

import math
from fractions import Fraction
from typing import Any

import pytest
from scipy import stats

from tentimes18.assignment.laws.finite import FiniteLaw, constant, sample_law
from tentimes18.assignment.laws.mixtures import MixtureLaw, finite_mixture, verified_chances
from tentimes18.assignment.laws.reading import as_law
from tentimes18.assignment.laws.uniform import UniformLaw
from tentimes18.errors import Ten18Error

HALF = Fraction(1, 2)


def test_a_mixture_of_smooth_and_finite_laws() -> None:
    parts = [as_law(stats.gamma(2)), constant(0), as_law(stats.norm())]
    law = MixtureLaw([0.5, 0.3, 0.2], parts)
    assert law.mean == 1.0
    assert law.support == (-math.inf, math.inf)
    for bound in (-3.0, -0.1, 0.0, 0.5, 4.0):
        expected = 0.5 * parts[0].excess(bound) + 0.3 * parts[1].excess(bound) + 0.2 * parts[2].excess(bound)
        assert law.excess(bound) == pytest.approx(expected, abs=1e-13)
    assert law.above(0.0) == pytest.approx(0.5 + 0.2 * 0.5)
    assert not law.is_exact


def test_exact_mixtures() -> None:
    law = MixtureLaw([HALF, HALF], [UniformLaw(0, 1), constant(2)])
    assert law.exact_mean() == Fraction(5, 4)
    assert law.exact_excess(HALF) == Fraction(1, 16) + Fraction(3, 4)
    with pytest.raises(Ten18Error):
        law.exact_atoms()
    finite = MixtureLaw([HALF, HALF], [sample_law([1, 2]), constant(2)])
    assert finite.exact_atoms() == ((Fraction(1), Fraction(1, 4)), (Fraction(2), Fraction(3, 4)))
    with pytest.raises(Ten18Error, match="exact"):
        MixtureLaw([0.1, 0.9], [UniformLaw(0, 1), as_law(stats.expon())]).exact_mean()


def test_finite_mixtures_are_finite() -> None:
    assert isinstance(finite_mixture([HALF, HALF], [sample_law([1, 2]), constant(2)]), FiniteLaw)
    rough = finite_mixture([0.1, 0.9], [as_law(stats.poisson(2.0)), constant(0)])
    assert isinstance(rough, FiniteLaw)
    assert rough.mean == pytest.approx(0.2)
    assert isinstance(finite_mixture([HALF, HALF], [UniformLaw(0, 1), constant(2)]), MixtureLaw)


@pytest.mark.parametrize(
    "chances", [[], [0.5], [HALF], [-0.5, 1.5], [math.nan, 1.0], [HALF, HALF, Fraction(1, 10**12)]]
)
def test_chances_that_do_not_add_up(chances: Any) -> None:
    with pytest.raises(Ten18Error) as caught:
        verified_chances(chances, "somewhere")
    assert caught.value.field == "somewhere"


def test_a_chance_a_law() -> None:
    with pytest.raises(Ten18Error, match="a chance a law"):
        MixtureLaw([1], [constant(1), constant(2)])
