"""The chances of counts, continued to complex bounds, are nowhere larger than what the kernels say."""

from math import factorial
from typing import Any

import numpy as np
import pytest

from tentimes18.assignment.laws.uniform import UniformLaw
from tentimes18.kernels.quadrature import count_growth, discounted_counts, discounted_growth
from tentimes18.kernels.types import Clockwork, Growth

ELLIPSES = np.array([1.5, 3.0])
CIRCLE = np.exp(2j * np.pi * np.arange(40) / 40)
LAW = UniformLaw(1, 3)


def on_ellipse(begin: float, end: float, rho: float) -> Any:
    return (begin + end) / 2 + (end - begin) / 4 * (rho * CIRCLE + 1 / (rho * CIRCLE))


def empty_growth() -> Growth:
    return Growth(np.empty((1, 2)), np.empty(1), np.empty(1))


@pytest.mark.parametrize("piece", [(1.2, 1.4), (1.1, 1.9), (1.85, 1.95)])
@pytest.mark.parametrize("is_sure", [False, True])
def test_counts_of_rounds(piece: tuple[float, float], is_sure: bool) -> None:
    scales, chances = np.array([1.0, 0.9, 0.7]), np.array([1.0, 1.0, 0.5])
    out, pieces = empty_growth(), (np.array(piece[:1]), np.array(piece[1:]))
    rounds = chances, scales, np.ones(3)
    count_growth(LAW.table, np.zeros((3, 1), dtype=np.int64), rounds, (False, is_sure, 2), pieces, ELLIPSES, out)
    assert out.noises[0] < 1e-14
    for e, rho in enumerate(ELLIPSES):
        count = np.zeros((4, len(CIRCLE)), dtype=complex)
        count[0] = 1.0
        for scale, chance in zip(scales, chances, strict=True):
            p = chance * (3.0 - on_ellipse(*piece, rho) / scale) / 2.0
            count[1:] = count[1:] * (1 - p) + count[:-1] * p
            count[0] *= 1 - p
        for k in (1, 2):
            tail = np.abs(count[k:].sum(axis=0)).max()
            missing = np.abs(count[:k].sum(axis=0)).max()
            assert (min(tail, missing) if is_sure else tail) <= np.exp(out.sizes[0, e]) * (1 + 1e-12)


def test_another_cell_on_the_piece_is_noise() -> None:
    out = empty_growth()
    one = np.ones(1)
    pieces = np.array([2.9]), np.array([3.2])
    count_growth(LAW.table, np.zeros((1, 1), dtype=np.int64), (one, one, one), (False, True, 1), pieces, ELLIPSES, out)
    assert out.noises[0] == pytest.approx(0.05)  # the chance at 2.9, where the cell in the middle has none


@pytest.mark.parametrize("piece", [(0.9, 0.95), (1.2, 1.25), (2.4, 2.45)])
def test_counts_in_time(piece: tuple[float, float]) -> None:
    """Between 1 and 3 at a constant rate: the integral of P(X > z e^(ru)), whose ends move with z."""
    rate, decay, until = 4.0, 0.5, 1.0
    clock = Clockwork(decay, np.array([0.0, until]), np.array([[rate]]))
    out, pieces = empty_growth(), (np.array(piece[:1]), np.array(piece[1:]))
    rule = np.polynomial.legendre.leggauss(12)

    def number(z: Any) -> Any:
        t = sum(piece) / 2
        begin = np.log(1 / z) / decay if t < 1 else 0.0 * z
        end = np.log(3 / z) / decay if t * np.exp(decay * until) > 3 else until + 0.0 * z
        lost = z * (np.exp(decay * end) - np.exp(decay * begin)) / decay
        return rate * (begin + (3 * (end - begin) - lost) / 2)

    bounds = np.array([sum(piece) / 2])
    assert discounted_counts(LAW.table, clock, bounds, rule, out.counts) < 1e-14
    assert out.counts == pytest.approx(number(bounds), rel=1e-13)
    discounted_growth(LAW.table, clock, 2, pieces, ELLIPSES, out)
    assert out.noises[0] == 0.0
    for e, rho in enumerate(ELLIPSES):
        L = number(on_ellipse(*piece, rho))
        below = [sum(np.exp(-L) * L**j / factorial(j) for j in range(k)) for k in (1, 2)]
        for missing in below:
            assert min(np.abs(1 - missing).max(), np.abs(missing).max()) <= np.exp(out.sizes[0, e]) * (1 + 1e-12)
