"""The incomplete gamma and beta functions, with a small relative error also far out in the tails.

    Q(a, x) = Γ(a, x) / Γ(a),    I_x(a, b) = B(x; a, b) / B(a, b).

Both are a density, which is found without cancellation (Loader 2000: the error of Stirling's formula and a deviance),
times a series or a continued fraction (evaluated by Lentz's method): the series below the mean, the fraction above it.
"""

from math import exp, gamma, lgamma, log, log1p, pi, sqrt

import numpy as np

from tentimes18.arrays import Floats
from tentimes18.compiled import compiled

__all__ = ["beta_tails", "gamma_tails", "poisson_chances"]

TINY = 1e-300
PRECISION = 1e-16
MOST_TERMS = 100_000


@compiled()
def _stirling_error(a: float) -> float:
    """Log Γ(a + 1) - ((a + 1/2) log a - a + log(2π) / 2)."""
    if a < 15.0:
        return lgamma(a + 1.0) - (a + 0.5) * log(a) + a - 0.5 * log(2.0 * pi)
    s = 1.0 / (a * a)
    return (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s * (1.0 / 1680.0 - s / 1188.0)))) / a


@compiled()
def _deviance(a: float, x: float) -> float:
    """A log(a / x) + x - a, also where x is close to a."""
    d = (x - a) / a
    if abs(d) > 0.25:
        return a * (d - log(x / a))
    v = d / (2.0 + d)
    total = d * v
    power = -2.0 * v
    for m in range(3, 60, 2):
        power *= v * v
        total += power / m
        if abs(power) < PRECISION * abs(total):
            break
    return a * total


@compiled()
def _poisson_chance(a: float, x: float) -> float:
    """x^a e^-x / Γ(a + 1), for any a >= 0 and x >= 0."""
    if x == 0.0:
        return 1.0 if a == 0.0 else 0.0
    if a < 20.0 and x < 700.0:
        return float(x**a * exp(-x) / gamma(a + 1.0))
    return exp(-_stirling_error(a) - _deviance(a, x)) / sqrt(2.0 * pi * a) if a > 0.0 else exp(-x)


@compiled()
def _upper_gamma(a: float, x: float) -> float:
    """Q(a, x)."""
    if x <= 0.0:
        return 1.0
    if x < a + 1.0:
        term = 1.0
        total = 1.0
        for m in range(1, MOST_TERMS):
            term *= x / (a + m)
            total += term
            if term < PRECISION * total:
                break
        return max(0.0, 1.0 - _poisson_chance(a, x) * total)
    b = x + 1.0 - a
    c = 1.0 / TINY
    d = 1.0 / b
    fraction = d
    for m in range(1, MOST_TERMS):
        numerator = -m * (m - a)
        b += 2.0
        d = numerator * d + b
        d = 1.0 / (TINY if abs(d) < TINY else d)
        c = b + numerator / c
        c = TINY if abs(c) < TINY else c
        change = c * d
        fraction *= change
        if abs(change - 1.0) < PRECISION * 4.0:
            break
    return _poisson_chance(a, x) * a * fraction


@compiled()
def _beta_front(a: float, b: float, x: float, y: float) -> float:
    """x^a y^b / (a B(a, b)) with y = 1 - x."""
    n = a + b
    if n < 20.0:
        return float(x**a * y**b * gamma(n) / (gamma(a + 1.0) * gamma(b)))
    if a < 1e-8 or b < 1e-8:
        return exp(a * log(x) + b * log1p(-x) + lgamma(n) - lgamma(a + 1.0) - lgamma(b))
    stirling = _stirling_error(n) - _stirling_error(a) - _stirling_error(b)
    return exp(stirling - _deviance(a, n * x) - _deviance(b, n * y)) * sqrt(b / (2.0 * pi * n * a))


@compiled()
def _beta_fraction(a: float, b: float, x: float) -> float:
    c = 1.0
    d = 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (TINY if abs(d) < TINY else d)
    fraction = d
    for m in range(1, MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        change = 1.0
        for numerator in (even, odd):
            d = 1.0 + numerator * d
            d = 1.0 / (TINY if abs(d) < TINY else d)
            c = 1.0 + numerator / c
            c = TINY if abs(c) < TINY else c
            change = c * d
            fraction *= change
        if abs(change - 1.0) < PRECISION * 4.0:
            break
    return fraction


@compiled()
def _upper_beta(a: float, b: float, x: float) -> float:
    """1 - I_x(a, b) = I_{1-x}(b, a)."""
    if x <= 0.0:
        return 1.0
    if x >= 1.0:
        return 0.0
    if x > (a + 1.0) / (a + b + 2.0):
        return _beta_front(b, a, 1.0 - x, x) * _beta_fraction(b, a, 1.0 - x)
    return max(0.0, 1.0 - _beta_front(a, b, x, 1.0 - x) * _beta_fraction(a, b, x))


@compiled()
def gamma_tails(a: float, x: Floats, out: Floats) -> None:
    """out[m] = Q(a, x[m])."""
    for m in range(len(x)):
        out[m] = _upper_gamma(a, x[m])


@compiled()
def beta_tails(a: float, b: float, x: Floats, out: Floats) -> None:
    """out[m] = 1 - I_x(a, b) at x[m]."""
    for m in range(len(x)):
        out[m] = _upper_beta(a, b, x[m])


@compiled()
def poisson_chances(a: Floats, x: float, out: Floats) -> None:
    """out[m] = x^a e^-x / Γ(a + 1) at a[m]: the chances of a Poisson law where the a are integers."""
    for m in range(len(a)):
        out[m] = _poisson_chance(np.float64(a[m]), x)
