"""Virtual values: against the oracle's hull, and closed forms."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tentimes18.assignment.laws import virtual
from tentimes18.assignment.laws.finite import FiniteLaw, sample_law
from tentimes18.assignment.laws.law import ValueLaw
from tentimes18.assignment.laws.reading import as_law
from tentimes18.assignment.laws.uniform import UniformLaw
from tentimes18.assignment.laws.virtual import FiniteVirtual, SmoothVirtual, virtual_law
from tests.oracle.assignment import law_of_samples
from tests.oracle.prices import virtual_law as oracle_law

SAMPLES = st.lists(st.integers(0, 20), min_size=1, max_size=8)


@given(SAMPLES)
def test_the_hull_is_that_of_the_oracle(samples: list[int]) -> None:
    assert dict(FiniteVirtual(sample_law(samples)).exact_atoms()) == oracle_law(law_of_samples(samples))


@given(SAMPLES, st.integers(-5, 20))
def test_the_gain_is_that_of_the_best_price(samples: list[int], bound: int) -> None:
    law = FiniteVirtual(sample_law(samples))
    share = [(price, Fraction(sum(x >= price for x in samples), len(samples))) for price in samples]
    best = max([Fraction(0), *((price - bound) * chance for price, chance in share)])
    assert law.exact_excess(Fraction(bound)) == best
    price = law.price(bound)
    sold = 0 if price == math.inf else dict(share)[int(price)] * (price - bound)
    assert sold == best
    buyers = {x for x in samples if law.virtual(x) > bound}
    assert buyers == {x for x in samples if x >= price}


def test_laws_in_float64_have_the_same_hull() -> None:
    poisson = as_law(stats.poisson(3.0))
    assert isinstance(poisson, FiniteLaw)
    law = virtual_law(poisson)
    assert isinstance(law, FiniteVirtual)
    best = max((price - 1.0) * stats.poisson(3.0).sf(price - 1) for price in range(20))
    assert law.excess(1.0) == pytest.approx(best, rel=1e-12)


def test_smooth_laws() -> None:
    exponential = virtual_law(as_law(stats.expon()))  # x - 1
    assert isinstance(exponential, SmoothVirtual)
    for bound in (0.0, 5.0):
        assert exponential.price(bound) == pytest.approx(bound + 1, abs=1e-6)
        assert exponential.excess(bound) == pytest.approx(math.exp(-bound - 1), rel=1e-12)
        assert exponential.virtual(bound + 1) == pytest.approx(bound, abs=1e-6)
    assert exponential.virtual(-1.0) == -math.inf
    assert exponential.mean == pytest.approx(math.exp(-1.0), rel=1e-14)  # of max(V, 0)
    assert "virtual" in str(exponential)


@pytest.mark.parametrize("law", [UniformLaw(0, 1), sample_law([1, 2, 5])])
def test_prices_together_as_one_by_one(law: ValueLaw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(virtual, "TOGETHER", 3)
    found, bounds = virtual_law(law), [-0.5, 0.0, 0.1, 0.25, 0.5, 0.75, 0.99]
    assert found.prices(bounds) == pytest.approx([found.price(bound) for bound in bounds], abs=1e-12)
    assert found.prices([]) == []
