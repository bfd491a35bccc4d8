"""The rows with any number of digits against the exact ones."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Dice, exact_thresholds
from tentimes18.solve.decimal_thresholds import decimal_thresholds
from tests.support.games import dice
from tests.support.solved import MANY_DICE


@given(dice(), st.integers(5, 60), st.integers(1, 12))
@settings(max_examples=40)
def test_decimal_rows_of_random_dice(one: Dice, digits: int, n: int) -> None:
    check_decimals(one, digits, n)


@pytest.mark.parametrize("digits", [5, 17, 60])
@pytest.mark.parametrize("notation", [*MANY_DICE, "d{0,1}", "d{-1,1}", "d{999999999999998,999999999999999}"])
def test_decimal_rows(notation: str, digits: int) -> None:
    check_decimals(Dice.parse(notation), digits, 60)


@pytest.mark.parametrize("notation", ["d{0,1}:0=1000000", "d{-1,0,1}:0=100000000", "d{-1,1}:1=1000"])
def test_decimal_rows_near_zero(notation: str) -> None:
    """Significant digits: a number far below 1 has as many as the others."""
    check_decimals(Dice.parse(notation), 10, 12)


def check_decimals(one: Dice, digits: int, n: int) -> None:
    rows = decimal_thresholds(one, n, digits)
    for row, exact in zip(rows, exact_thresholds(one, n), strict=True):
        for decimal, fraction in zip(row, exact, strict=True):
            assert len(decimal.as_tuple().digits) <= digits
            # One unit in the last of so many significant digits.
            magnitude = Decimal(fraction.numerator) / Decimal(fraction.denominator) if fraction else Decimal(1)
            unit = Fraction(10) ** (magnitude.adjusted() - digits + 1)
            assert abs(Fraction(decimal) - fraction) <= unit


def test_decimal_progress() -> None:
    seen: list[tuple[int, int]] = []
    decimal_thresholds(Dice.parse("3d6"), 4, 20, lambda done, total: seen.append((done, total)))
    assert seen == [(1, 16), (4, 16), (9, 16), (16, 16)]
