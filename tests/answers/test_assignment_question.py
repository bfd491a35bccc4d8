"""Problems from texts: what is read, and what is refused in one line that names the field."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.answers.assignment_question import (
    read_arrivals,
    read_batches,
    read_free,
    read_laws,
    read_multipliers,
    read_number,
    read_numbers,
    read_problem,
    read_regimes,
)
from tentimes18.assignment import Endless, Poisson, RandomNumber
from tentimes18.errors import Ten18Error


def test_slots() -> None:
    assert read_multipliers(" 20 ") == 20
    assert read_multipliers("1-3, 10") == [1, 2, 3, 10]
    assert read_multipliers("5x2,15x1, 1/2") == [Fraction(1, 2), *[1] * 15, *[2] * 5]


@given(st.lists(st.tuples(st.integers(1, 5), st.fractions(0, 9, max_denominator=9)), min_size=1, max_size=4))
def test_counted_multipliers_are_read_back(parts: list[tuple[int, Fraction]]) -> None:
    text = ",".join(f"{count}x{multiplier}" for count, multiplier in parts)
    assert read_multipliers(text) == sorted(multiplier for count, multiplier in parts for _ in range(count))


def test_arrivals() -> None:
    assert read_arrivals("40") == 40
    assert read_arrivals("Endless") == Endless()
    assert read_arrivals("0: 1/2, 4: 0.5") == RandomNumber({0: Fraction(1, 2), 4: Fraction(1, 2)})


def test_laws_in_order() -> None:
    first, second, third = read_laws("3d6; uniform(0, 1);3d6")
    assert first is not second
    assert third.mean == first.mean == 10.5


def test_free_slots() -> None:
    assert read_free("7, 1 - 3,2", 10) == [1, 2, 3, 7]


def test_a_problem() -> None:
    problem = read_problem("1d6", "1,2", "5", chance="1/3", discount="0.9", must_fill=False)
    assert (problem.arrivals, problem.chance, problem.discount) == (5, Fraction(1, 3), Fraction(9, 10))
    by_deadline = read_problem("1d6", "2", rate=[(0.0, 1.0), (2.0, 3.0)], until=4.0)
    assert by_deadline.arrivals == Poisson([(0.0, 1.0), (2.0, 3.0)], 4.0)
    assert read_problem("1d6;1d8", "1").arrivals == 2


def test_what_is_seen_of_the_time_to_come() -> None:
    half = Fraction(1, 2)
    assert read_regimes("1/2, 0.5; 0,1").transitions == ((half, half), (0, 1))
    assert read_regimes("1,0;0,1", "0.5,1/2").begin == (half, half)
    assert (read_batches("3"), read_batches("3, 1")) == (3, [3, 1])
    assert read_numbers("1, 1/2", "known") == [1, half]
    chain = read_problem("1d6;1d8", "1", "5", regimes="1,0;0,1", start="1")
    assert chain.regimes is not None
    assert (chain.regimes.begin, chain.arrivals) == ((0, 1), 5)
    assert read_problem("1d6", "1", "5", batches="2").batches == (2, 2, 1)
    assert read_problem("1d6", "1", "5", ahead=2).ahead == 2


@pytest.mark.parametrize(
    ("given_", "field"),
    [
        ({"law": "nonsense", "slots": "1", "arrivals": "3"}, "law"),
        ({"law": "samples:x", "slots": "1", "arrivals": "3"}, "law"),
        ({"law": "1d6", "slots": "x", "arrivals": "3"}, "slots"),
        ({"law": "1d6", "slots": "0", "arrivals": "3"}, "slots"),
        ({"law": "1d6", "slots": "0x1", "arrivals": "3"}, "slots"),
        ({"law": "1d6", "slots": "999999999x1", "arrivals": "3"}, "slots"),
        ({"law": "1d6", "slots": "-1,2", "arrivals": "3"}, "slots"),
        ({"law": "1d6", "slots": "1"}, "arrivals"),
        ({"law": "1d6", "slots": "1", "arrivals": "many"}, "arrivals"),
        ({"law": "1d6", "slots": "1", "arrivals": "0"}, "arrivals"),
        ({"law": "1d6", "slots": "1", "arrivals": "1:0.5,1:0.5"}, "arrivals"),
        ({"law": "1d6", "slots": "1", "arrivals": "1:0.5"}, "arrivals"),
        ({"law": "1d6", "slots": "1", "arrivals": "3", "rate": 1.0, "until": 2.0}, "arrivals"),
        ({"law": "1d6", "slots": "1", "rate": 1.0}, "until"),
        ({"law": "1d6", "slots": "1", "until": 1.0}, "rate"),
        ({"law": "1d6", "slots": "1", "rate": -1.0, "until": 2.0}, "rate"),
        ({"law": "1d6", "slots": "1", "arrivals": "3", "chance": "2"}, "chance"),
        ({"law": "1d6", "slots": "1", "arrivals": "3", "discount": "1/0"}, "discount"),
        ({"law": "1d6", "slots": "5", "arrivals": "3", "must_fill": True}, "slots"),
        ({"law": "1d6;1d8", "slots": "1", "regimes": "1,0;0,1"}, "arrivals"),
        ({"law": "1d6;1d8", "slots": "1", "arrivals": "3", "regimes": "1,0"}, "regimes"),
        ({"law": "1d6;1d8", "slots": "1", "arrivals": "3", "regimes": "x"}, "regimes"),
        ({"law": "1d6;1d8", "slots": "1", "arrivals": "3", "regimes": "0.5,0.4;0,1"}, "regimes"),
        ({"law": "1d6;1d8", "slots": "1", "arrivals": "3", "regimes": "1,0;0,1", "start": "2"}, "start"),
        ({"law": "1d6;1d8", "slots": "1", "arrivals": "3", "regimes": "1,0;0,1", "start": "0.5,0.4"}, "start"),
        ({"law": "1d6", "slots": "1", "arrivals": "3", "start": "0"}, "start"),
        ({"law": "1d6", "slots": "1", "arrivals": "3", "regimes": "1,0;0,1"}, "law"),
        ({"law": "1d6", "slots": "1", "arrivals": "3", "batches": "x"}, "batches"),
        ({"law": "1d6", "slots": "1", "arrivals": "3", "batches": "2,2"}, "batches"),
        ({"law": "1d6", "slots": "1", "arrivals": "3", "batches": "0"}, "batches"),
        ({"law": "1d6", "slots": "1", "arrivals": "endless", "batches": "2"}, "batches"),
        ({"law": "1d6", "slots": "1", "arrivals": "3", "ahead": -1}, "ahead"),
        ({"law": "1d6", "slots": "1", "arrivals": "3", "ahead": 1, "batches": "1"}, "ahead"),
    ],
)
def test_bad_input(given_: dict[str, Any], field: str) -> None:
    with pytest.raises(Ten18Error) as found:
        read_problem(**given_)
    assert found.value.field == field
    assert "\n" not in str(found.value)


def test_bad_numbers_and_slots() -> None:
    for text in ("", "x", "1_0", "nan", "1/0", "--1"):
        with pytest.raises(Ten18Error):
            read_number(text, "value")
    for text in ("", "0", "11", "1-11", "a", "1-2-3"):
        with pytest.raises(Ten18Error) as found:
            read_free(text, 10)
        assert found.value.field == "free"
