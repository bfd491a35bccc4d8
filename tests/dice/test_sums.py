"""Sums of dice: by a recurrence, as a power of one integer, one by one."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Dice
from tests.oracle.dice import sum_of
from tests.support.games import law_of
from tests.support.notations import normalised


@pytest.mark.parametrize("die", ["d{1,2,1000000}", "d{-999999999,0,3}", "d{0,1}:1=1000"])
def test_a_count_is_a_sum(die: str) -> None:
    assert Dice.parse(f"2{die}") == Dice.parse(f"{die}+{die}")


def test_sum_of_many_dice() -> None:
    one = Dice.parse("1000d6")
    assert one.support == tuple(range(1000, 6001))
    assert one.total == 6**1000
    assert (one.mean, one.variance) == (Fraction(3500), Fraction(1000 * 35, 12))
    assert one.counts[:3] == (1, 1000, 1000 * 1001 // 2)
    assert one.counts == one.counts[::-1]


@given(
    st.dictionaries(st.integers(-9, 40), st.integers(1, 10**6), min_size=1, max_size=6),
    st.integers(1, 25),
    st.sampled_from(["SECONDS_A_STEP", "SECONDS_A_PACKED_DIGIT"]),
)
def test_equal_dice_by_either_way(one: dict[int, int], count: int, slow: str) -> None:
    """By the recurrence and as a power of one integer: the law of adding them one by one."""
    wanted = {0: Fraction(1)}
    for _ in range(count):
        wanted = sum_of(wanted, normalised(one))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"tentimes18.dice.sums.{slow}", 1e9)
        patch.setattr("tentimes18.dice.sums.MAX_SECONDS", float("inf"))
        text = "d{" + ",".join(map(str, one)) + "}:" + ",".join(f"{face}={weight}" for face, weight in one.items())
        assert law_of(Dice.parse(f"{count}{text}")) == wanted
