"""How plain numbers are told, at the edges where the telling changes."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.number_format import (
    counted,
    listed,
    ordinal,
    percent,
    points,
    rough,
    share,
    short,
    shown_number,
    span,
    times,
)


def test_counts() -> None:
    assert [counted(count, "inaccuracy") for count in (0, 1, 1200)] == [
        "0 inaccuracies",
        "1 inaccuracy",
        "1,200 inaccuracies",
    ]
    assert [counted(count, "day") for count in (1, 7)] == ["1 day", "7 days"]


@given(st.lists(st.integers(), min_size=1))
def test_a_list_is_read_back(numbers: list[int]) -> None:
    assert [int(name) for name in re.split(", | and ", listed(numbers))] == numbers
    assert listed(numbers).count(" and ") == (len(numbers) > 1)


def test_numbers() -> None:
    assert [points(Fraction(value)) for value in ("999.96", "1000", "99.996", "9.9996", "-0.0001")] == [
        "1,000",
        "1,000",
        "100",
        "10",
        "0",
    ]
    assert [points(score) for score in (-1000, Fraction(7, 2), 0.5)] == ["−1,000", "3.5", "0.5"]
    assert [shown_number(value) for value in (10**7 - 1, 10**7, Fraction(1, 3), 2.5)] == [
        "9999999",
        "1e+07",
        "0.33",
        "2.5",
    ]
    assert [percent(chance) for chance in (1, 0.01, 0.0099, 0)] == ["100.0%", "1.0%", "0.99%", "0%"]
    assert [share(part) for part in (1, 0.0099, 0.0004)] == ["100.0%", "1.0%", "0.0%"]
    assert [rough(value) for value in (9.94, 9.95, -12.4)] == ["9.9", "10", "-12"]
    assert [short(loss) for loss in (9.94, 9.95, 0.094, 0.0096, 0.0094)] == ["9.9", "10", "0.09", "0.01", "0.009"]
    assert [times(multiplier) for multiplier in (-3, Fraction(1, 3), 10**9)] == ["×-3", "×1/3", "×10⁹"]


@pytest.mark.parametrize(("rank", "text"), [(1, "1st"), (12, "12th"), (21, "21st"), (112, "112th"), (103, "103rd")])
def test_ranks(rank: int, text: str) -> None:
    assert ordinal(rank) == ordinal(rank, 1000) == text
    assert ordinal(rank, rank) == "last"


def test_rolls_in_a_row() -> None:
    assert [span(rolls) for rolls in ((5,), (-5,), (0, 1), (-1, 0))] == ["5", "-5", "0–1", "-1 to 0"]
