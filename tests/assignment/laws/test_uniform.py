"""The uniform law."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.assignment.laws.uniform import UniformLaw
from tentimes18.errors import Ten18Error

FRACTIONS = st.fractions(-10, 10, max_denominator=9)


@given(FRACTIONS, st.fractions(Fraction(1, 9), 5, max_denominator=9), FRACTIONS)
def test_exact_and_in_float64(low: Fraction, width: Fraction, bound: Fraction) -> None:
    law = UniformLaw(low, low + width)
    exact = law.exact_excess(bound)
    # The mean of very many points, in the limit: compare with the trapezoid of the chances.
    inside = min(max(bound, low), low + width)
    assert exact == (low + width - inside) ** 2 / (2 * width) + (inside - bound if bound < low else 0)
    assert law.excess(float(bound)) == pytest.approx(float(exact), abs=1e-13)
    assert law.exact_mean() == low + width / 2
    assert law.is_exact


def test_ends_that_are_none() -> None:
    for low, high in ((1, 1), (2, 1), (0, math.inf), (math.nan, 1)):
        with pytest.raises(Ten18Error, match="ends"):
            UniformLaw(low, high)
