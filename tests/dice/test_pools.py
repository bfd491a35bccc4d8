"""Dice that explode and dice that are kept, against enumeration and against another library."""

from fractions import Fraction

import icepool  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Dice, InvalidDice
from tentimes18.dice.pools import MAX_WORK, Pool, exploded, kept_law, kept_work
from tests.oracle.dice import pool_law
from tests.support.games import weights
from tests.support.notations import normalised


@given(weights(), st.integers(1, 4))
def test_explosions_against_enumeration(one: dict[int, int], times: int) -> None:
    assert normalised(exploded(one, times)) == pool_law(normalised(one), 1, times)


@given(weights(), st.integers(2, 5), st.data(), st.booleans())
def test_kept_dice_against_enumeration(one: dict[int, int], count: int, data: st.DataObject, highest: bool) -> None:
    kept = data.draw(st.integers(1, count - 1))
    pool = Pool(tuple(sorted(one.items())), count, kept, highest, 1)
    assert normalised(kept_law(pool)) == pool_law(normalised(one), count, 0, kept, highest=highest)


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


def test_what_takes_too_long_is_known_beforehand() -> None:
    def pool(count: int, kept: int, sides: int = 6) -> Pool:
        return Pool(tuple((face, 1) for face in range(1, sides + 1)), count, kept, keeps_highest=True, factor=1)

    assert kept_work(pool(4, 3)) < kept_work(pool(40, 30)) < kept_work(pool(200, 100)) < MAX_WORK
    assert kept_work(pool(1000, 900)) > MAX_WORK
    for count, kept, sides, complaint in ((10**9, 1, 6, "digits"), (3, 2, 9_999, "different rolls")):
        with pytest.raises(InvalidDice, match=complaint):
            kept_work(pool(count, kept, sides))
