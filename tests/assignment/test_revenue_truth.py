"""Revenue with smooth distributions, against a direct search for the best price and a dynamic program over prices."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize_scalar

from tentimes18.assignment import Problem, mixture

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
