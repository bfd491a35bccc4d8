"""Numbers in JSON: plain ones, fractions, decimals."""

from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.queries.json_numbers import fraction_text, plain, ratio_text, writer
from tests.support.solved import few


@pytest.mark.parametrize(
    ("value", "wanted"),
    [(3, 3), (Fraction(6, 2), 3), (Fraction(1, 2), 0.5), (0.25, 0.25), (np.float64(0.25), 0.25), (2.0, 2.0)],
)
def test_plain(value: int | float | Fraction, wanted: int | float) -> None:
    assert plain(value) == wanted
    assert type(plain(value)) is type(wanted)


@few
@given(st.fractions())
def test_fractions_come_back(value: Fraction) -> None:
    assert Fraction(fraction_text(value)) == value
    assert fraction_text(value).count("/") == 1


@few
@given(st.fractions().filter(bool), st.integers(1, 40))
def test_decimals_are_the_nearest(value: Fraction, digits: int) -> None:
    text = str(writer(digits=digits)(value))
    assert "e" not in text.lower()
    last = Decimal(text).adjusted() - digits + 1
    assert abs(Fraction(text) - value) <= Fraction(10) ** last / 2


@few
@given(st.integers(-(10**200), 10**200), st.integers(1, 10**200), st.integers(1, 60))
def test_long_ratios_as_the_decimals_of_python(numerator: int, denominator: int, digits: int) -> None:
    quotient = Context(prec=digits).divide(Decimal(numerator), Decimal(denominator))
    text = ratio_text(numerator, denominator, digits)
    assert Decimal(text) == quotient
    assert ratio_text(7 * numerator, 7 * denominator, digits) == text


@pytest.mark.parametrize(
    ("numerator", "denominator", "text"),
    [
        (25, 10, "2"),
        (35, 10, "4"),
        (-25, 10, "-2"),
        (2500000001, 10**9, "3"),
        (95, 10, "10"),
        (10**30 - 1, 1, "1" + "0" * 30),
    ],
)
def test_halves_go_to_the_even_one(numerator: int, denominator: int, text: str) -> None:
    assert ratio_text(numerator, denominator, 1) == text


@pytest.mark.parametrize(("digits", "text"), [(1, "0"), (3, "0.00")])
def test_zero(digits: int, text: str) -> None:
    assert writer(digits=digits)(0) == text


def test_writers() -> None:
    third = Fraction(1, 3)
    assert writer() is float
    assert (writer(exact=True)(third), writer(digits=3)(third)) == ("1/3", "0.333")
    assert [writer(digits=3)(number) for number in (Fraction(1, 4), -12345, 7)] == ["0.250", "-12300", "7.00"]
    assert writer(exact=True, digits=3)(third) == "1/3"
