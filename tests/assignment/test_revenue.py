"""Revenue: virtual values against the oracle's hull, closed forms, and the best prices."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import minimize_scalar

from tentimes18.assignment import Problem, mixture, virtual_values
from tentimes18.assignment.as_distribution import as_distribution
from tentimes18.assignment.distributions import (
    UniformDistribution,
    ValueDistribution,
    sample_distribution,
)
from tentimes18.assignment.virtual_values import FiniteVirtual, SmoothVirtual, virtual_distribution
from tests.oracle.assignment import distribution_of_samples, hindsight_value
from tests.oracle.prices import virtual_distribution as oracle_distribution

SAMPLES = st.lists(st.integers(0, 20), min_size=1, max_size=8)


@given(SAMPLES)
def test_the_hull_is_that_of_the_oracle(samples: list[int]) -> None:
    assert dict(FiniteVirtual(sample_distribution(samples)).exact_atoms()) == oracle_distribution(
        distribution_of_samples(samples)
    )


@given(SAMPLES, st.integers(-5, 20))
def test_the_gain_is_that_of_the_best_price(samples: list[int], bound: int) -> None:
    dist = FiniteVirtual(sample_distribution(samples))
    share = [(price, Fraction(sum(x >= price for x in samples), len(samples))) for price in samples]
    best = max([Fraction(0), *((price - bound) * chance for price, chance in share)])
    assert dist.exact_excess(Fraction(bound)) == best
    price = dist.price(bound)
    sold = 0 if price == math.inf else dict(share)[int(price)] * (price - bound)
    assert sold == best
    buyers = {x for x in samples if dist.virtual(x) > bound}
    assert buyers == {x for x in samples if x >= price}


@given(st.lists(st.integers(0, 20), min_size=1, max_size=3))
def test_hindsight_is_the_best_auction(samples: list[int]) -> None:
    """All virtual values are known, not what each buyer would pay."""
    virtual = oracle_distribution(distribution_of_samples(samples))
    policy = Problem(samples, [1, 2], 3, revenue=True).solve(exact=True)
    assert policy.hindsight == hindsight_value([virtual] * 3, (1, 2), may_stay_empty=True)
    assert policy.value <= policy.hindsight <= Problem(samples, [1, 2], 3).solve(exact=True).hindsight


def test_smooth_distributions() -> None:
    exponential = virtual_distribution(as_distribution(stats.expon()))  # x - 1
    assert isinstance(exponential, SmoothVirtual)
    for bound in (0.0, 5.0):
        assert exponential.price(bound) == pytest.approx(bound + 1, abs=1e-6)
        assert exponential.excess(bound) == pytest.approx(math.exp(-bound - 1), rel=1e-12)
        assert exponential.virtual(bound + 1) == pytest.approx(bound, abs=1e-6)
    assert exponential.virtual(-1.0) == -math.inf
    assert exponential.mean == pytest.approx(math.exp(-1.0), rel=1e-14)  # of max(V, 0)
    assert "virtual" in str(exponential)


@pytest.mark.parametrize("dist", [UniformDistribution(0, 1), sample_distribution([1, 2, 5])])
def test_prices_together_as_one_by_one(dist: ValueDistribution, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(virtual_values, "TOGETHER", 3)
    found, bounds = virtual_distribution(dist), [-0.5, 0.0, 0.1, 0.25, 0.5, 0.75, 0.99]
    assert found.prices(bounds) == pytest.approx([found.price(bound) for bound in bounds], abs=1e-12)
    assert found.prices([]) == []


DISTRIBUTIONS = [
    stats.t(5, loc=4),
    stats.logistic(10, 1),
    stats.norm(100, 15),
    stats.norm(1, 2),
    stats.gumbel_r(10, 2),
    stats.invgauss(0.5),
    stats.gamma(10),
    stats.gamma(4, scale=25),
    stats.lognorm(0.5, scale=80),
    stats.weibull_min(5),
    stats.beta(8, 3),
    stats.beta(0.5, 0.5),
    stats.uniform(2, 3),
    stats.expon(),
    stats.pareto(2.5),
    stats.triang(0.3),
    stats.laplace(3, 1),
]
TWO_GROUPS = [stats.norm(2, 0.2), stats.norm(6, 0.3)]
ROUNDING = 1e-12  # of the search below, relative


def two_groups(price: Any) -> Any:
    return 0.7 * TWO_GROUPS[0].sf(price) + 0.3 * TWO_GROUPS[1].sf(price)


def best_gain(above: Callable[[Any], Any], low: float, high: float, cost: float) -> float:
    """The largest (p - cost) P(X > p), by a grid and a search around its best point."""
    prices = np.linspace(low, high, 8001)
    gains = (prices - cost) * above(prices)
    best = int(gains.argmax())
    bounds = (prices[max(best - 1, 0)], prices[min(best + 1, len(prices) - 1)])
    search = minimize_scalar(
        lambda p: -(p - cost) * above(p), bounds=bounds, method="bounded", options={"xatol": 1e-13}
    )
    return float(max(-search.fun, gains[best], 0.0))


def best_revenue(above: Callable[[Any], Any], low: float, high: float, units: int, buyers: int) -> float:
    """The value of selling equal units one by one: V_k(n) = V_k(n-1) + max_p (p - V_k(n-1) + V_{k-1}(n-1)) P(X > p)."""
    value = [0.0] * (units + 1)
    for _ in range(buyers):
        gains = [best_gain(above, low, high, value[k] - value[k - 1]) for k in range(1, units + 1)]
        value = [0.0] + [value[k] + gains[k - 1] for k in range(1, units + 1)]
    return value[-1]


CASES = [
    pytest.param(given, given.sf, max(0.0, float(given.support()[0])), float(given.isf(1e-9)), id=given.dist.name)
    for given in DISTRIBUTIONS
]
CASES.append(pytest.param(mixture([0.7, 0.3], TWO_GROUPS), two_groups, 0.0, 9.0, id="mixture"))


@pytest.mark.parametrize(("values", "above", "low", "high"), CASES)
def test_the_value_is_that_of_the_best_prices(values: Any, above: Any, low: float, high: float) -> None:
    for units, buyers in ((1, 1), (3, 10)):
        policy = Problem(values, units, arrivals=buyers, revenue=True).solve()
        truth = best_revenue(above, low, high, units, buyers)
        assert abs(policy.value - truth) <= policy.error + ROUNDING * truth
        assert policy.error < 1e-8 * policy.value


@pytest.mark.parametrize("values", [stats.norm(1, 2), stats.logistic(10, 1), mixture([0.7, 0.3], TWO_GROUPS)])
def test_a_simulation_makes_the_value(values: Any) -> None:
    policy = Problem(values, 2, arrivals=6, revenue=True).solve()
    games = policy.simulate(40_000, seed=18)
    assert abs(games.mean - policy.value) < 5 * games.stderr


@pytest.mark.parametrize("values", [stats.uniform(-2, 1), stats.beta(2, 2, -1, 1), stats.norm(-50), stats.norm(-8.5)])
def test_where_nobody_pays_nothing_is_sold_at_a_loss(values: Any) -> None:
    policy = Problem(values, [1, 2], 3, revenue=True).solve()
    assert 0 <= policy.value <= policy.error < 1e-15
    assert min(policy.prices(left=1)) >= 0
