"""Finite laws: dice, samples, constants; exact and in float64."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.assignment.laws.finite import constant, dice_law, finite_law, sample_law
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error

NUMBERS = st.lists(st.integers(-50, 50), min_size=1, max_size=9)


@given(NUMBERS, st.fractions(-60, 60, max_denominator=7))
def test_the_excess_is_a_mean(samples: list[int], bound: Fraction) -> None:
    expected = sum((max(sample - bound, Fraction(0)) for sample in samples), Fraction(0)) / len(samples)
    for law in (sample_law(samples), sample_law([Fraction(sample) for sample in samples])):
        assert law.exact_excess(bound) == expected
        assert law.exact_mean() == Fraction(sum(samples), len(samples))
        assert law.excess(float(bound)) == pytest.approx(float(expected), abs=1e-12)
        assert law.above(float(bound)) == pytest.approx(sum(x > float(bound) for x in samples) / len(samples))
        assert law.support == (min(samples), max(samples))


def test_dice_and_constants() -> None:
    dice = Dice.parse("2d6")
    law = dice_law(dice)
    assert law.exact_mean() == 7
    assert law.mean - law.excess(5.5) == pytest.approx(float(dice.phi(Fraction(11, 2))))
    assert constant(Fraction(1, 3)).exact_atoms() == ((Fraction(1, 3), Fraction(1)),)
    assert constant(2.5).phi(2.0) == 2.0


def test_columns_and_numbers_of_any_kind() -> None:
    column = pandas.DataFrame({"value": [1.5, 2.5, 2.5]})
    assert sample_law(column["value"].to_numpy()).exact_atoms()[1] == (Fraction(5, 2), Fraction(2, 3))
    assert sample_law(column.to_numpy()).mean == pytest.approx(6.5 / 3)
    assert sample_law(np.array([1, 2], dtype=np.int8)).mean == 1.5
    assert sample_law([Fraction(1, 2), 1.5, int(np.int64(4))]).exact_mean() == 2


def test_values_that_float64_cannot_tell_apart_are_one_there() -> None:
    law = finite_law([(Fraction(1), Fraction(1, 2)), (1 + Fraction(1, 10**30), Fraction(1, 2))], "two")
    assert len(law.values) == 1
    assert law.exact_excess(Fraction(1)) == Fraction(1, 2 * 10**30)


@pytest.mark.parametrize(
    "samples",
    [[], [math.nan], [1.0, math.inf], [[1, 2], [3, 4]], ["a"], [Fraction(1), math.nan], [Fraction(1), "a"], [10**400]],
)
def test_samples_that_are_none(samples: Any) -> None:
    with pytest.raises(Ten18Error) as caught:
        sample_law(samples)
    assert caught.value.field == "law"


def test_a_constant_is_finite() -> None:
    with pytest.raises(Ten18Error, match="finite"):
        constant(math.inf)
