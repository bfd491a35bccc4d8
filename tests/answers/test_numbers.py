"""Numbers in JSON: plain ones, fractions, decimals."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.answers.numbers import decimal_text, fraction_text, plain, writer


@pytest.mark.parametrize(
    ("value", "wanted"),
    [(3, 3), (Fraction(6, 2), 3), (Fraction(1, 2), 0.5), (0.25, 0.25), (np.float64(0.25), 0.25), (2.0, 2.0)],
)
def test_plain(value: int | float | Fraction, wanted: int | float) -> None:
    assert plain(value) == wanted
    assert type(plain(value)) is type(wanted)


@given(st.fractions())
def test_fractions_come_back(value: Fraction) -> None:
    assert Fraction(fraction_text(value)) == value
    assert fraction_text(value).count("/") == 1


@given(st.fractions().filter(bool), st.integers(1, 40))
def test_decimals_are_the_nearest(value: Fraction, digits: int) -> None:
    text = decimal_text(value, digits)
    assert "e" not in text.lower()
    last = Decimal(text).adjusted() - digits + 1
    assert abs(Fraction(text) - value) <= Fraction(10) ** last / 2


@pytest.mark.parametrize(("digits", "text"), [(1, "0"), (3, "0.00")])
def test_zero(digits: int, text: str) -> None:
    assert decimal_text(0, digits) == text


def test_writers() -> None:
    third = Fraction(1, 3)
    assert writer() is float
    assert (writer(exact=True)(third), writer(digits=3)(third)) == ("1/3", "0.333")
    assert writer(exact=True, digits=3)(third) == "1/3"
