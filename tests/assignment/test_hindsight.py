"""Hindsight: its error is a bound, against Fractions, integrals between all break points and complex numbers."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import exp, factorial, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial.polynomial import polyadd, polymul
from scipy import stats

from tentimes18.assignment import Endless, Poisson, Problem, RandomNumber, Regimes, as_distribution, mixture
from tentimes18.assignment.distributions import UniformDistribution
from tentimes18.assignment.hindsight import (
    Growth,
    count_growth,
)

FEW = settings(max_examples=25)
ATOMS = st.lists(st.integers(-3, 12), min_size=1, max_size=4)
SLOTS = st.lists(st.integers(1, 3), min_size=1, max_size=4)
DISCOUNTS = st.builds(Fraction, st.integers(3, 10), st.just(10))


def within(problem: Problem, truth: Any, close: float) -> None:
    """What is computed is as near the truth as it says, and that is near."""
    plan = problem.solve()
    assert abs(Fraction(plan.hindsight) - Fraction(truth)) <= Fraction(plan.hindsight_error)
    assert plan.hindsight_error <= close * max(1.0, abs(float(truth)))


def test_atoms_of_a_mixture_with_a_discount() -> None:
    dist = mixture([Fraction(1, 2)] * 2, [5, 8])
    within(Problem(dist, 2, 20, discount=Fraction(7, 10)), Fraction(11155, 1000), 1e-10)
    endless = Problem(dist, 2, Endless(), discount=0.7).solve()
    atoms = Problem([5, 8], 2, Endless(), discount=0.7).solve()
    assert abs(float(endless.hindsight) - float(atoms.hindsight)) <= endless.hindsight_error < 1e-9


def test_thousands_of_samples_in_a_mixture() -> None:
    samples = np.random.default_rng(1).integers(0, 10**6, 3000).tolist()
    within(Problem(mixture([1.0], [samples]), 2, 10), Problem(samples, 2, 10).solve().hindsight, 1e-11)


@FEW
@given(ATOMS, ATOMS, SLOTS, st.integers(1, 8), DISCOUNTS, st.integers(0, 4))
def test_mixtures_against_fractions(
    one: list[int], other: list[int], slots: list[int], rounds: int, discount: Fraction, kind: int
) -> None:
    dist, half = mixture([Fraction(1, 4), Fraction(3, 4)], [one, other]), Fraction(1, 2)
    chain = Regimes([[half, half], [Fraction(1, 3), Fraction(2, 3)]], [half, half])
    problem = (
        lambda: Problem(dist, slots, rounds, discount=discount, chance=half),
        lambda: Problem(dist, slots[:rounds], rounds, discount=discount, must_fill=True),
        lambda: Problem(dist, slots, 2 * rounds, batches=2, discount=discount),
        lambda: Problem(dist, slots, RandomNumber([Fraction(1, rounds)] * rounds), discount=discount),
        lambda: Problem([dist, as_distribution(one)], slots, rounds, discount=discount, regimes=chain),
    )[kind]()
    within(problem, problem.solve(exact=True).hindsight, 1e-10)


def uniform_hindsight(low: Fraction, high: Fraction, slots: int, scales: list[Fraction]) -> Fraction:
    """The sum of the largest values: the integral of polynomials, exactly."""
    points = sorted({Fraction(0), *(end * scale for end in (low, high) for scale in scales)})
    total = Fraction(0)
    for begin, end in pairwise(points):
        count: Any = [[Fraction(1)]]  # polynomials in (t - begin): the chance of n values above t
        for scale in scales:
            if begin >= high * scale:
                p = [Fraction(0)]
            elif end <= low * scale:
                p = [Fraction(1)]
            else:
                p = [(high - begin / scale) / (high - low), -1 / scale / (high - low)]
            missed = [1 - p[0], *(-c for c in p[1:])]
            stayed: list[Any] = [*(polymul(c, missed) for c in count), [Fraction(0)]]
            more: list[Any] = [[Fraction(0)], *(polymul(c, p) for c in count)]
            count = [polyadd(a, b) for a, b in zip(stayed, more, strict=True)]
        width = end - begin
        for number, polynomial in enumerate(count):
            total += min(number, slots) * sum(
                (c * width ** (m + 1) / (m + 1) for m, c in enumerate(polynomial)), Fraction(0)
            )
    return total


@FEW
@given(st.integers(0, 6), st.integers(1, 8), st.integers(1, 4), st.integers(1, 9), st.integers(1, 10))
def test_uniform_values_with_a_discount(low: int, width: int, slots: int, rounds: int, tenths: int) -> None:
    begin, end, discount = Fraction(low, 2), Fraction(low + width, 2), Fraction(tenths, 10)
    truth = uniform_hindsight(begin, end, slots, [discount**t for t in range(rounds)])
    within(Problem(UniformDistribution(begin, end), slots, rounds, discount=discount), truth, 1e-10)


def test_uniform_values_of_the_worst_case() -> None:
    discount = Fraction(7, 10)
    truth = uniform_hindsight(Fraction(5, 2), Fraction(3), 3, [discount**t for t in range(7)])
    within(Problem(UniformDistribution(2.5, 3), 3, 7, discount=0.7), truth, 1e-11)
    problem = Problem(UniformDistribution(2.5, 3), 3, Endless(), discount=0.9)
    many = Problem(UniformDistribution(2.5, 3), 3, 500, discount=0.9)
    assert abs(float(problem.solve().hindsight) - float(many.solve().hindsight)) <= 2 * problem.solve().hindsight_error


def poisson_hindsight(number: Callable[[float], float], breaks: list[float], slots: int) -> float:
    """The sum of the largest values, from how many exceed t: many points between any two breaks."""
    places, weights = np.polynomial.legendre.leggauss(40)
    total = 0.0
    edges = sorted({0.0, *breaks})
    for begin, end in pairwise(edges):
        parts = np.concatenate([begin + (end - begin) * 0.5 ** np.arange(30, -1, -1.0)])
        for a, b in pairwise([begin, *parts.tolist()]):
            for place, weight in zip(places, weights, strict=True):
                count = number((a + b) / 2 + (b - a) / 2 * place)
                tail = 1.0
                for k in range(slots):
                    tail -= exp(-count) * count**k / factorial(k)
                    total += (b - a) / 2 * weight * tail
    return total


@pytest.mark.parametrize("dist", [[1, 3], mixture([Fraction(1, 2)] * 2, [1, 3])])
def test_atoms_in_time(dist: Any) -> None:
    decay = -log(0.6)
    rates = [(0.0, 1.0, 1.0), (1.0, 2.5, 4.0)]

    def number(t: float) -> float:
        return sum(
            0.5 * rate * max(0.0, min(end, log(value / t) / decay) - begin)
            for value in (1, 3)
            for begin, end, rate in rates
        )

    breaks = [value * exp(-decay * time) for value in (1, 3) for time in (0.0, 1.0, 2.5)]
    truth = poisson_hindsight(number, breaks, 2)
    within(Problem(dist, 2, Poisson([(0, 1.0), (1.0, 4.0)], 2.5), discount=0.6), truth, 1e-9)


def test_uniform_values_in_time() -> None:
    decay, rate, until, low, high = -log(0.6), 3.0, 2.0, 1.0, 3.0

    def number(t: float) -> float:
        times = sorted({0.0, until, *(min(until, max(0.0, log(x / t) / decay)) for x in (low, high))})
        total = 0.0
        for begin, end in pairwise(times):
            middle = t * exp(decay * (begin + end) / 2)
            if middle < low:
                total += rate * (end - begin)
            elif middle < high:
                lost = t * (exp(decay * end) - exp(decay * begin)) / decay
                total += rate * (high * (end - begin) - lost) / (high - low)
        return total

    truth = poisson_hindsight(number, [x * exp(-decay * time) for x in (low, high) for time in (0.0, until)], 2)
    within(Problem(stats.uniform(1, 2), 2, Poisson(rate, until), discount=0.6), truth, 1e-9)


class JumpByPhi:
    """The value 1/3, by mean and φ: where P(X > t) jumps is found by halving."""

    mean = 1 / 3

    def phi(self, bound: float) -> float:
        return min(bound, 1 / 3)


def test_distributions_without_a_discount_against_closed_forms() -> None:
    """One value, the largest of exponential values, and the largest of a Poisson number of them."""
    within(Problem(UniformDistribution(-1, 3), 1, 1, must_fill=True), 1, 1e-11)
    within(Problem(UniformDistribution(-1, 3), 1, 1), Fraction(9, 8), 1e-11)
    within(Problem(JumpByPhi(), 1, 3), 1 / 3, 1e-6)
    for rounds in (1, 7, 300):
        within(Problem(stats.expon(), 1, rounds), sum(1 / k for k in range(1, rounds + 1)), 1e-9)
    truth = poisson_hindsight(lambda t: 5.0 * exp(-t), [float(t) for t in range(1, 45)], 3)
    within(Problem(stats.expon(), 3, Poisson(5.0, 1.0)), truth, 1e-9)


ELLIPSES = np.array([1.5, 3.0])
CIRCLE = np.exp(2j * np.pi * np.arange(40) / 40)
UNIFORM = UniformDistribution(1, 3)


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
    count_growth(UNIFORM.table, np.zeros((3, 1), dtype=np.int64), rounds, (False, is_sure, 2), pieces, ELLIPSES, out)
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
    count_growth(
        UNIFORM.table, np.zeros((1, 1), dtype=np.int64), (one, one, one), (False, True, 1), pieces, ELLIPSES, out
    )
    assert out.noises[0] == pytest.approx(0.05)  # the chance at 2.9, where the cell in the middle has none
