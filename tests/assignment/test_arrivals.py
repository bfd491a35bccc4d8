"""How many values arrive, and when: numbers, rates, clocks, regimes."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tentimes18.assignment.arrivals import Clock, Endless, Poisson, RandomNumber
from tentimes18.errors import Ten18Error


def test_the_number_of_arrivals() -> None:
    number = RandomNumber([Fraction(1, 4), Fraction(3, 4), 0])
    assert number.most == 2
    assert [number.at_least(m) for m in range(4)] == [1, 1, Fraction(3, 4), 0]
    assert RandomNumber({0: 0.25, 3: 0.75}).chances == (0.25, 0, 0, 0.75)
    assert Endless() == Endless()


@pytest.mark.parametrize(
    "chances",
    [[], [0.5], [0.5, 0.6], [-0.5, 1.5], [math.nan, 1], {0: 1}, {-1: 1}, {1.5: 1}, [Fraction(1, 3), Fraction(1, 3)]],
)
def test_chances_that_are_none(chances: Any) -> None:
    with pytest.raises(Ten18Error) as caught:
        RandomNumber(chances)
    assert caught.value.field == "arrivals"


def test_rates_of_every_kind_expect_the_same() -> None:
    table = Poisson([(0, 2.0), (3, 0.0), (5, 4.0)], until=9.0)
    steps = Poisson(lambda time: 2.0 if time < 3 else 0.0 if time < 5 else 4.0, until=9.0)
    assert table.expected(0, 9) == 22
    assert steps.expected(0, 9) == pytest.approx(22, abs=1e-8)
    assert table.expected(2.5, 5.5) == pytest.approx(3.0)
    assert table.expected(6, 6) == table.expected(7, 6) == 0
    assert table.at(4) == 0
    assert table.breaks() == [0, 3, 5, 9]
    assert steps.breaks() == [0, 9]


def test_a_smooth_rate_is_integrated_to_the_last_digits() -> None:
    wave = Poisson(lambda time: 1 + math.sin(5 * time), until=7.0)
    assert wave.expected(0, 7) == pytest.approx(7 + (1 - math.cos(35)) / 5, rel=1e-13)


@pytest.mark.parametrize(
    ("rate", "until", "field"),
    [
        (-1.0, 1.0, "rate"),
        (math.nan, 1.0, "rate"),
        (math.inf, 1.0, "rate"),
        ("3", 1.0, "rate"),
        (None, 1.0, "rate"),
        (0.0, 1.0, "rate"),
        (1e12, 1.0, "rate"),
        ([(1, 2.0)], 3.0, "rate"),
        ([(0, 2.0), (0, 1.0)], 3.0, "rate"),
        ([(0, -2.0)], 3.0, "rate"),
        ([], 3.0, "rate"),
        (lambda time: -time, 1.0, "rate"),
        (1.0, 0.0, "until"),
        (1.0, math.inf, "until"),
        (1.0, "8", "until"),
    ],
)
def test_rates_that_are_none(rate: Any, until: Any, field: str) -> None:
    with pytest.raises(Ten18Error) as caught:
        Poisson(rate, until)
    assert caught.value.field == field


def test_the_time_by_which_a_number_is_expected() -> None:
    smooth = Clock(Poisson(lambda time: 3 + math.sin(time), 5.0), chance=0.5)
    times = np.array([0.0, 0.7, 3.1, 5.0])
    assert smooth.reached(smooth.counted(times)) == pytest.approx(times, abs=1e-9)
    jump = Clock(Poisson(lambda time: 3.0 if time < 1.7 else 0.5, 4.0))
    assert jump.reached(np.array([3 * 1.7 + 0.25])) == pytest.approx([2.2], abs=1e-9)
