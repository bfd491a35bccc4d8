"""Dice: the distribution, mappings, and dice of other libraries."""

from fractions import Fraction
from math import inf
from typing import Any

import dyce
import icepool  # type: ignore[import-untyped]
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Dice, InvalidDice
from tests.support.games import dice, law_of, weights
from tests.support.notations import normalised


@given(
    st.dictionaries(
        st.integers(-(10**15) + 1, 10**15 - 1),
        st.integers(1, 9) | st.integers(1, 10**60) | st.fractions(min_value=0).filter(bool),
        min_size=1,
        max_size=6,
    )
)
def test_mappings_round_trip(law: dict[int, int | Fraction]) -> None:
    made = Dice.from_mapping(law)
    assert law_of(made) == normalised(law)
    again = Dice.parse(str(made))
    assert again == made
    assert hash(again) == hash(made)
    assert str(again) == str(made)


@given(weights(), st.integers(2, 50))
def test_equal_distributions_are_equal_dice(law: dict[int, int], factor: int) -> None:
    made = Dice.from_mapping(law)
    scaled = Dice.from_mapping({roll: Fraction(weight * factor, 7) for roll, weight in reversed(law.items())})
    assert made == scaled
    assert hash(made) == hash(scaled)
    more = Dice.from_mapping(law | {10: 1})
    assert made != more


@given(dice(), st.fractions(-12, 12) | st.floats(-12, 12) | st.integers(-12, 12).map(Fraction))
def test_moments_and_phi(one: Dice, t: Fraction | float) -> None:
    law = law_of(one)
    mean = sum(roll * p for roll, p in law.items())
    assert one.mean == mean
    assert one.variance == sum((roll - mean) ** 2 * p for roll, p in law.items())
    assert one.phi(t) == sum(min(Fraction(roll), Fraction(t)) * p for roll, p in law.items())
    assert one.phi(inf) == mean
    for roll in range(-8, 12):
        assert one.probability(roll) == law.get(roll, 0)
        up_to = [(other, count) for other, count in zip(one.support, one.counts, strict=True) if other <= roll]
        assert one.below(len(up_to)) == (sum(count for _, count in up_to), sum(x * count for x, count in up_to))


@pytest.mark.parametrize(
    ("made", "notation"),
    [
        (icepool.d(6), "d6"),
        (3 @ icepool.d(6), "3d6"),
        (icepool.d(8) + 2 @ icepool.d(6) - 3, "d8+2d6-3"),
        (icepool.Die({-1: 3, 4: 10**30}), f"d{{-1,4}}:-1=3,4={10**30}"),
        (dyce.H(6), "d6"),
        (3 @ dyce.H(6), "3d6"),
        (dyce.H({1: 2, 2: 1, 3: 1, 5: 1, 8: 1}), "d{1,1,2,3,5,8}"),
        ({np.int64(1): np.int64(4), np.int64(3): np.int64(6)}, "d{1,3}:1=2,3=3"),
    ],
)
def test_dice_of_other_libraries(made: Any, notation: str) -> None:
    assert Dice.from_mapping(made) == Dice.parse(notation)


@pytest.mark.parametrize(
    ("law", "complaint"),
    [
        ({}, "no faces"),
        ({1: 0, 2: 1}, "positive"),
        ({1: -1, 2: 3}, "positive"),
        ({1: 0.5, 2: 0.5}, "0.5 of roll 1"),
        ({1: True}, "True of roll 1"),
        ({1: "2"}, "'2' of roll 1"),
        ({1: np.float64(2)}, "of roll 1"),
        ({True: 1}, "roll True"),
        ({1.0: 1}, "roll 1.0"),
        ({Fraction(1, 2): 1}, "roll 1/2"),
        ({10**15: 1}, "too large"),
        (dict.fromkeys(range(10_001), 1), "10001 different rolls"),
        ({1: 1, 2: 10**4000}, "digits"),
        ({1: -(10**5000)}, "positive"),
        ({10**5000: 0}, "positive"),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_bad_mappings(law: Any, complaint: str) -> None:
    with pytest.raises(InvalidDice) as error:
        Dice.from_mapping(law)
    text = str(error.value)
    assert complaint in text
    assert text.startswith("dice")
    assert len(text.splitlines()) == 1
