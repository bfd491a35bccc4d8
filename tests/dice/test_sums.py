"""Sums of dice, exploding dice and kept dice, against enumeration and another library."""

from fractions import Fraction

import icepool  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Dice
from tentimes18.dice.sums import Pool, exploded, kept_sum
from tests.oracle.dice import pool_law, sum_of
from tests.support.games import law_of, weights
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
    st.booleans(),
)
@settings(max_examples=40)
def test_equal_dice_by_either_way(one: dict[int, int], count: int, by_recurrence: bool) -> None:
    """The recurrence and the power of one integer both give the distribution of adding the dice one by one."""
    expected = {0: Fraction(1)}
    for _ in range(count):
        expected = sum_of(expected, normalised(one))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tentimes18.dice.sums.FEW_PACKED_BITS", 0 if by_recurrence else 10**9)
        text = "d{" + ",".join(map(str, one)) + "}:" + ",".join(f"{face}={weight}" for face, weight in one.items())
        assert law_of(Dice.parse(f"{count}{text}")) == expected


@given(weights(), st.integers(1, 4))
def test_explosions_against_enumeration(one: dict[int, int], times: int) -> None:
    assert normalised(exploded(one, times)) == pool_law(normalised(one), 1, times)


@given(weights(), st.integers(2, 5), st.data(), st.booleans())
def test_kept_dice_against_enumeration(one: dict[int, int], count: int, data: st.DataObject, highest: bool) -> None:
    kept = data.draw(st.integers(1, count - 1))
    pool = Pool(tuple(sorted(one.items())), count, kept, highest, 1)
    assert normalised(kept_sum(pool)) == pool_law(normalised(one), count, 0, kept, highest=highest)


@pytest.mark.parametrize(
    ("notation", "made"),
    [
        ("4d6kh3", icepool.d(6).highest(4, 3)),
        ("2d20kl1", icepool.d(20).lowest(2)),
        ("30d12kl17", icepool.d(12).lowest(30, 17)),
        ("1d6!x9", icepool.d(6).explode(depth=9)),
        ("5d4!x2kh2", icepool.d(4).explode(depth=2).highest(5, 2)),
        ("3d{0:5,1:3,7:2}kh2", icepool.Die({0: 5, 1: 3, 7: 2}).highest(3, 2)),
    ],
)
def test_as_another_library_has_them(notation: str, made: icepool.Die) -> None:
    assert Dice.parse(notation) == Dice.from_mapping(made)


def test_an_explosion_adds_little_to_what_an_endless_one_does() -> None:
    """E = mean (1 + p + ... + p^c), p the chance of the highest face."""
    assert [Dice.parse(f"1d6!x{times}").mean for times in (1, 2, 3)] == [
        Fraction(7, 2) * sum(Fraction(1, 6**j) for j in range(times + 1)) for times in (1, 2, 3)
    ]
