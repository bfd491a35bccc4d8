"""The chi-square test of rolls: its p-value by other ways, and that it sees a bias."""

from fractions import Fraction
from math import exp, isclose, lgamma, log
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.torture.fairness import chi_square_of, p_value

ROUNDING: Final = 1e-11


@pytest.mark.parametrize(
    ("statistic", "degrees", "chance"),
    [  # Abramowitz and Stegun, Handbook of Mathematical Functions, Table 26.8
        (3.84146, 1, 0.05),
        (6.63490, 1, 0.01),
        (10.828, 1, 0.001),
        (5.99147, 2, 0.05),
        (18.3070, 10, 0.05),
        (4.86518, 10, 0.9),
        (24.9958, 15, 0.05),
        (30.5779, 15, 0.01),
        (37.697, 15, 0.001),
        (5.22935, 15, 0.99),
        (124.342, 100, 0.05),
        (149.449, 100, 0.001),
    ],
)
def test_known_values(statistic: float, degrees: int, chance: float) -> None:
    assert isclose(p_value(statistic, degrees), chance, rel_tol=5e-4)  # the table has five or six digits


def lower_tail(statistic: float, degrees: int) -> float:
    """The chance of less, by the series of the lower incomplete gamma function."""
    shape, half = degrees / 2, statistic / 2
    term = total = 1 / shape
    place = 1
    while term > total * 1e-18:
        term *= half / (shape + place)
        total += term
        place += 1
    return exp(shape * log(half) - half - lgamma(shape)) * total


@given(statistic=st.floats(0.01, 600), degrees=st.integers(1, 400))
def test_both_tails_make_one(statistic: float, degrees: int) -> None:
    assert isclose(p_value(statistic, degrees) + lower_tail(statistic, degrees), 1, abs_tol=ROUNDING)


@given(statistic=st.floats(0, 2000), degrees=st.integers(1, 300))
def test_it_falls_with_the_statistic_and_rises_with_the_degrees(statistic: float, degrees: int) -> None:
    here = p_value(statistic, degrees)
    assert 0 <= here <= 1
    assert p_value(statistic + 1, degrees) <= here + ROUNDING
    assert here <= p_value(statistic, degrees + 1) + ROUNDING


def test_far_tails_keep_their_digits() -> None:
    assert isclose(p_value(200.0, 2), exp(-100), rel_tol=1e-12)
    assert isclose(p_value(200.0, 4), exp(-100) * 101, rel_tol=1e-12)
    assert p_value(1e5, 15) == 0.0


def test_the_statistic_is_exact() -> None:
    seen, weights = [17, 30, 53], [1, 2, 3]
    expected = [Fraction(100 * weight, 6) for weight in weights]
    statistic = sum((found - mean) ** 2 / mean for found, mean in zip(seen, expected, strict=True))
    found = chi_square_of(seen, weights)
    assert found.degrees == 2
    assert isclose(found.statistic, statistic, rel_tol=1e-15)


def test_rolls_of_which_few_are_expected_count_together() -> None:
    assert chi_square_of([1, 2, 50, 47], [1, 1, 49, 49]).degrees == 1
    assert chi_square_of([97, 3], [98, 2]).degrees == 0


def test_a_bias_is_seen() -> None:
    """Bytes modulo 6: four of the six faces come 43 times in 256, two 42 times."""
    seen = [43 * 40_000] * 4 + [42 * 40_000] * 2
    assert chi_square_of(seen, [1] * 6).p_value < 1e-9
