"""The incomplete gamma and beta functions against SciPy's, and finite sums."""

import numpy as np
import pytest
from scipy import special, stats

from tentimes18.kernels.incomplete import beta_tails, gamma_tails, poisson_chances


@pytest.mark.parametrize("a", [0.01, 0.5, 1.0, 7.3, 40.0, 1e4])
def test_gamma(a: float) -> None:
    x = np.concatenate([[0.0], a * np.geomspace(0.01, 1, 30), a + np.sqrt(a) * np.linspace(0, 10, 40)])
    out = np.empty_like(x)
    gamma_tails(a, x, out)
    assert out == pytest.approx(special.gammaincc(a, x), rel=1e-11)


def test_gamma_far_out_is_a_finite_sum() -> None:
    x = np.array([60.0, 200.0])
    out = np.empty_like(x)
    gamma_tails(3.0, x, out)
    assert out == pytest.approx(np.exp(-x) * (1 + x + x * x / 2), rel=1e-13)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1.0, 1.0), (2.0, 30.0), (30.0, 0.7), (400.0, 300.0), (1e-9, 50.0)])
def test_beta(a: float, b: float) -> None:
    x = np.concatenate([[-0.5, 0.0], np.linspace(0.001, 0.999, 60), [1.0, 1.5]])
    out = np.empty_like(x)
    beta_tails(a, b, x, out)
    known = special.betaincc(a, b, np.clip(x, 0, 1))
    close = known > 1e-250
    assert out[close] == pytest.approx(known[close], rel=1e-10)
    assert (out[~close] < 1e-200).all()


def test_poisson() -> None:
    numbers = np.arange(0.0, 120.0)
    out = np.empty_like(numbers)
    for rate in (0.0, 0.3, 50.0):
        poisson_chances(numbers, rate, out)
        assert out == pytest.approx(stats.poisson(rate).pmf(numbers), rel=1e-11)
    poisson_chances(np.array([0.0, 800.0]), 800.0, out[:2])
    assert out[:2] == pytest.approx(stats.poisson(800.0).pmf([0, 800]), rel=1e-11)
