"""The multisecretary problem: rows in tiles, order statistics, regret."""

import sys
from fractions import Fraction
from math import log
from typing import Final

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from tentimes18.assignment import rounds
from tentimes18.assignment.as_distribution import as_distribution, read_distribution
from tentimes18.assignment.distributions import UniformDistribution
from tentimes18.assignment.multisecretary import _order_statistics, multisecretary
from tentimes18.assignment.problem import Problem
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error, TooLarge
from tests.oracle.assignment import distribution_of_samples, regrets

SIX: Final = Dice.parse("1d6")
MODULE: Final = sys.modules[multisecretary.__module__]  # the package shows the function by this name


@given(st.lists(st.integers(-3, 6), min_size=1, max_size=3), st.integers(1, 4))
@settings(max_examples=15)
def test_it_is_what_hindsight_has_more_than_the_best_of_all_plays(samples: list[int], arrivals: int) -> None:
    exact = multisecretary(samples, arrivals, exact=True)
    assert list(exact.regret) == regrets(distribution_of_samples(samples), arrivals)
    assert exact.error == exact.regret_error == 0


VALUES = st.lists(st.fractions(-30, 30, max_denominator=11), min_size=1, max_size=6)
UNIFORM = st.builds(lambda low, width: UniformDistribution(low, low + width), st.integers(-9, 9), st.integers(1, 30))


@given(st.one_of(VALUES, UNIFORM, st.just(SIX)), st.integers(1, 14))
@example([Fraction(-17, 7), Fraction(11, 2), Fraction(-21, 2), Fraction(-5, 2), Fraction(38, 5), Fraction(19, 7)], 1)
@example(UniformDistribution(-9, 21), 1)
@settings(max_examples=40)
def test_float64_is_within_its_bounds(dist: object, arrivals: int) -> None:
    exact, rounded = multisecretary(dist, arrivals, exact=True), multisecretary(dist, arrivals)
    for name, error in (("value", "error"), ("hindsight", "hindsight_error"), ("regret", "regret_error")):
        pairs = zip(getattr(rounded, name), getattr(exact, name), strict=True)
        bound = getattr(rounded, error)
        assert all(abs(Fraction(float(found)) - truth) <= Fraction(bound) for found, truth in pairs)
        assert bound < 1e-10


class Uniform:
    """By mean and φ, whose table has polynomials of degree 8."""

    mean = 0.5

    def phi(self, bound: float) -> float:
        return bound if bound < 0 else 0.5 if bound > 1 else bound - bound**2 / 2


def test_tiles_make_the_same_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks and spans of any size, in float64 and for distributions of every form."""
    for dist in (SIX, stats.uniform(), stats.gamma(2, scale=50), Uniform()):
        whole = multisecretary(dist, 300)
        for block, span in ((7, 11), (64, 5), (300, 300)):
            monkeypatch.setattr(MODULE, "BLOCK", block)
            monkeypatch.setattr(MODULE, "SPAN", span)
            cut = multisecretary(dist, 300)
            np.testing.assert_allclose(cut.thresholds, whole.thresholds, rtol=1e-13)
            few = multisecretary(dist, 300, most=9)
            np.testing.assert_allclose(few.regret, whole.regret[:10], atol=1e-10)
            monkeypatch.undo()


def test_expected_order_statistics() -> None:
    n = 1000
    k = np.arange(1, n + 1)
    forms = [
        (stats.uniform(), 1 - k / (n + 1), 1e-13),
        (stats.expon(), np.cumsum(1 / k[::-1])[::-1], 1e-12),  # Rényi's representation
        (stats.pareto(2.5), np.cumprod((k / (k - 0.4))[::-1])[::-1], 1e-10),
    ]
    for dist, expected, close in forms:
        found, error = _order_statistics(as_distribution(dist), n)
        np.testing.assert_allclose(found, expected, rtol=close / 10, atol=close)
        assert np.abs(np.cumsum(found - expected)).max() <= error < 1e-6
    normal, _ = _order_statistics(as_distribution(stats.norm(3, 2)), n)
    np.testing.assert_allclose(normal + normal[::-1], 6, atol=1e-11)


@pytest.mark.parametrize(
    "text",
    [
        "7",
        "3d6",
        "poisson(4)",
        "0.3*1d6 + 0.7*gamma(2, 5)",
        "lognormal(1, 5)",
        "beta(0.5, 0.5)",
        "0.5*normal(0, 1)+0.5*3",
    ],
)
def test_any_distribution(text: str) -> None:
    """All values together are N means, with and without knowing them; and nobody beats hindsight."""
    dist = read_distribution(text)
    found = multisecretary(dist, 200)
    assert found.hindsight[-1] == pytest.approx(200 * dist.mean, rel=1e-10, abs=1e-9)
    assert found.value[-1] == pytest.approx(200 * dist.mean, rel=1e-10, abs=1e-9)
    assert np.all(found.hindsight >= found.value - 1e-9)
    order = np.diff(found.hindsight)
    assert np.all(np.diff(order) <= 1e-9 * max(1.0, abs(order[0])))


def test_how_regret_grows() -> None:
    """Bounded for a finite distribution; for uniform values by a constant for each factor in N."""
    sizes = (250, 500, 1000, 2000)
    finite = [float(max(multisecretary(SIX, n).regret)) for n in sizes]
    assert max(finite) < 2.2
    assert abs(finite[3] - finite[2]) < 1e-6
    uniform = [float(max(multisecretary(stats.uniform(), n).regret)) for n in sizes]
    steps = np.diff(uniform)
    np.testing.assert_allclose(steps, log(2) / 8, atol=2e-3)


def test_progress_is_reported() -> None:
    told: list[tuple[int, int]] = []
    multisecretary(SIX, 5000, progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted({done for done, _ in told})


@pytest.mark.parametrize(
    ("arguments", "field"), [((SIX, 0), "arrivals"), ((SIX, 2.5), "arrivals"), ((SIX, 5, 0), "most")]
)
def test_bad_input(arguments: tuple[object, ...], field: str) -> None:
    with pytest.raises(Ten18Error) as found:
        multisecretary(*arguments)  # type: ignore[arg-type]
    assert found.value.field == field


def test_what_does_not_fit_is_rejected() -> None:
    with pytest.raises(TooLarge, match="the limit is"):
        multisecretary(SIX, 10**9)
    with pytest.raises(TooLarge, match="the limit is"):
        multisecretary(SIX, 10**5, exact=True)
    with pytest.raises(Ten18Error, match="exact"):
        multisecretary(stats.norm(), 5, exact=True)


@given(st.lists(st.integers(-3, 6), min_size=1, max_size=4), st.integers(1, 4), st.integers(1, 6))
@settings(max_examples=15)
def test_values_of_many_slots_use_the_same_tiles(samples: list[int], slots: int, arrivals: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds, "FEWEST_TILED", 1)
        patch.setattr(rounds, "CELLS_TILED", 0)
        problem = Problem(samples, slots, arrivals)
        fast, exact = problem.solve(), problem.solve(exact=True)
        assert abs(Fraction(fast.value) - exact.value) <= fast.error <= 1e-12
        assert fast.row(arrivals - 1) == pytest.approx([float(e) for e in exact.row(arrivals - 1)], abs=1e-12)
