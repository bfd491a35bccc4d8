"""Dice against enumeration: the notation, the law, and what is refused."""

import time
from collections.abc import Mapping
from fractions import Fraction
from math import inf
from typing import Any

import dyce
import icepool  # type: ignore[import-untyped]
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Dice, InvalidDice
from tests.support.games import dice, law_of, weights


def normalised(law: Mapping[int, int | Fraction]) -> dict[int, Fraction]:
    total = sum(law.values())
    return {roll: Fraction(weight) / total for roll, weight in law.items()}


def sum_of(left: Mapping[int, int], right: Mapping[int, int]) -> dict[int, int]:
    """Every pair of rolls, one after the other."""
    law: dict[int, int] = {}
    for roll, count in left.items():
        for other, weight in right.items():
            law[roll + other] = law.get(roll + other, 0) + count * weight
    return law


@st.composite
def terms(draw: st.DrawFn) -> tuple[str, str, dict[int, int]]:
    """A sign, the text of a term, and its law by enumeration."""
    sign = draw(st.sampled_from("+-"))
    factor = 1 if sign == "+" else -1
    kind = draw(st.sampled_from(["constant", "sides", "faces"]))
    if kind == "constant":
        constant = draw(st.integers(0, 30))
        return sign, str(constant), {factor * constant: 1}
    if kind == "sides":
        sides = draw(st.integers(1, 6))
        one = dict.fromkeys(range(1, sides + 1), 1)
        text = f"d{sides}"
    else:
        faces = draw(st.lists(st.integers(-9, 9), min_size=1, max_size=4))
        one = {face: faces.count(face) for face in faces}
        text = "d{" + ",".join(map(str, faces)) + "}"
    loaded = draw(st.lists(st.sampled_from(sorted(one)), unique=True, max_size=3))
    # A face that is there once gets its weight; what one that is there twice gets is another matter.
    loaded = [face for face in loaded if one[face] == 1]
    for face in loaded:
        one[face] = draw(st.integers(1, 12))
    if loaded:
        text += ":" + ",".join(f"{face}={one[face]}" for face in loaded)
    count = draw(st.integers(1, 3))
    law = {0: 1}
    for _ in range(count):
        law = sum_of(law, {factor * face: weight for face, weight in one.items()})
    return sign, (str(count) if count > 1 or draw(st.booleans()) else "") + text, law


@given(st.lists(terms(), min_size=1, max_size=3))
def test_notation_against_enumeration(parts: list[tuple[str, str, dict[int, int]]]) -> None:
    text = "".join(sign + term for sign, term, _ in parts)
    law = {0: 1}
    for _, _, one in parts:
        law = sum_of(law, one)
    read = Dice.parse(text)
    assert law_of(read) == normalised(law)
    assert Dice.parse(text.removeprefix("+")) == read
    assert Dice.parse(str(read)) == read


@pytest.mark.parametrize(
    ("notation", "law"),
    [
        ("3d6", dict(enumerate([1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1], start=3))),
        ("d6", dict.fromkeys(range(1, 7), 1)),
        ("1d6", dict.fromkeys(range(1, 7), 1)),
        ("D6", dict.fromkeys(range(1, 7), 1)),
        (" 1 d 6\t", dict.fromkeys(range(1, 7), 1)),
        ("d12:12=2", dict.fromkeys(range(1, 12), 1) | {12: 2}),
        ("2d2:2=3", {2: 1, 3: 6, 4: 9}),
        ("d{1,1,2,3,5,8}", {1: 2, 2: 1, 3: 1, 5: 1, 8: 1}),
        ("d{-3,+4,0}", {-3: 1, 0: 1, 4: 1}),
        ("d{-3,4}:-3=2", {-3: 2, 4: 1}),
        ("2d{0,10}", {0: 1, 10: 2, 20: 1}),
        ("1d6-3", dict.fromkeys(range(-2, 4), 1)),
        ("3-1d6", dict.fromkeys(range(-3, 3), 1)),
        ("-1d2", {-1: 1, -2: 1}),
        ("d2+d2+3", {5: 1, 6: 2, 7: 1}),
        ("d2:2=3+d2:1=5-1", {1: 5, 2: 16, 3: 3}),
        ("d2-d2", {-1: 1, 0: 2, 1: 1}),
        ("7", {7: 1}),
        ("-7", {-7: 1}),
        ("d1", {1: 1}),
        ("999999999999999", {999999999999999: 1}),
    ],
)
def test_notations(notation: str, law: dict[int, int]) -> None:
    assert law_of(Dice.parse(notation)) == normalised(law)


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
def test_equal_laws_are_equal_dice(law: dict[int, int], factor: int) -> None:
    made = Dice.from_mapping(law)
    scaled = Dice.from_mapping({roll: Fraction(weight * factor, 7) for roll, weight in reversed(law.items())})
    assert made == scaled
    assert hash(made) == hash(scaled)
    more = Dice.from_mapping(law | {10: 1})
    assert made != more


@given(dice(), st.fractions(-12, 12) | st.floats(-12, 12) | st.integers(-12, 12).map(Fraction))
def test_moments_and_phi(one: Dice, bound: Fraction | float) -> None:
    law = law_of(one)
    mean = sum(roll * p for roll, p in law.items())
    assert one.mean == mean
    assert one.variance == sum((roll - mean) ** 2 * p for roll, p in law.items())
    assert one.phi(bound) == sum(min(Fraction(roll), Fraction(bound)) * p for roll, p in law.items())
    assert one.phi(inf) == mean
    for roll in range(-8, 12):
        assert one.probability(roll) == law.get(roll, 0)
        up_to = [(other, count) for other, count in zip(one.support, one.counts, strict=True) if other <= roll]
        assert one.below(len(up_to)) == (sum(count for _, count in up_to), sum(x * count for x, count in up_to))


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


@given(st.text("0123456789dD{}:=,+- ./*x²\0", max_size=10) | st.text(max_size=10))
@settings(max_examples=400)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read = Dice.parse(text)
    except InvalidDice as error:
        assert len(str(error).splitlines()) == 1
        return
    assert sum(law_of(read).values()) == 1
    assert Dice.parse(str(read)) == read


@pytest.mark.parametrize(
    ("notation", "complaint"),
    [
        ("", "cannot read ''"),
        (" ", "cannot read ''"),
        ("3x6", "cannot read '3x6'"),
        ("d", "cannot read 'd'"),
        ("3d", "cannot read '3d'"),
        ("d-6", "cannot read 'd'"),
        ("d6.5", "cannot read 'd6.5'"),
        ("1.5", "cannot read '1.5'"),
        ("3d6*2", "cannot read '3d6*2'"),
        ("(3d6)", "cannot read '(3d6)'"),
        ("3d6d6", "cannot read '3d6d6'"),
        ("3d6+", "cannot read '+'"),
        ("3d6++1", "cannot read '+'"),
        ("3d6+-1", "cannot read '+'"),
        ("--3d6", "cannot read '-'"),
        ("3d6-", "cannot read '-'"),
        ("3d6+x", "cannot read '+x'"),
        ("d{1,}", "cannot read 'd{1,}'"),
        ("d{1;2}", "cannot read 'd{1;2}'"),
        ("d{1", "cannot read 'd{1'"),
        ("d{1.5}", "cannot read 'd{1.5}'"),
        ("3d6\0", "cannot read"),
        ("²d6", "cannot read"),
        ("1e3", "cannot read"),
        ("nan", "cannot read"),
        ("9999999999999999", "cannot read"),
        ("d{}", "without faces"),
        ("3d{}:1=2", "without faces"),
        ("d0", "without faces"),
        ("3d0", "without faces"),
        ("0d6", "number of dice"),
        ("3d6:", "cannot read the weight ''"),
        ("3d6:6", "cannot read the weight '6'"),
        ("3d6:6=", "cannot read the weight '6='"),
        ("3d6:=2", "cannot read the weight '=2'"),
        ("3d6:6=1.5", "cannot read the weight '6=1.5'"),
        ("3d6:6=1/2", "cannot read the weight '6=1/2'"),
        ("3d6:6=2:5=3", "cannot read the weight"),
        ("3d6:6=0", "weight 0 of 6 must be positive"),
        ("3d6:6=-2", "weight -2 of 6 must be positive"),
        ("3d6:7=2", "no face 7"),
        ("d{1,2}:3=2", "no face 3"),
        ("d{1,2}:-1=2", "no face -1"),
        ("999999999999999+1", "too large"),
        ("2d{999999999999999,1}", "too large"),
        (f"d2:2={'9' * 3999}", "digits"),
    ],
)
def test_bad_notation(notation: str, complaint: str) -> None:
    with pytest.raises(InvalidDice) as error:
        Dice.parse(notation)
    text = str(error.value)
    assert complaint in text
    assert text.startswith("dice")
    assert len(text.splitlines()) == 1
    assert len(text) < 300


@pytest.mark.parametrize("notation", ["3d6:6=2,6=3", "٣d٦", "3d６", "d{١,٢}", "3d6 6", "1 2", "d{1 2,3}", "3d6:6=1 0"])
def test_notation_that_only_seems_right(notation: str) -> None:
    """A weight given twice, digits that no other program reads, and a number cut in two."""
    with pytest.raises(InvalidDice):
        Dice.parse(notation)


@pytest.mark.parametrize(
    "notation",
    [
        "1000000000d6",
        "1000000000d1",
        "999999999999999d999999999999999",
        "d1000000000",
        "100000d10000",
        "10000d2",
        "+".join(f"d{{0,{10**k}}}" for k in range(14)),
        "d6000+d6000",
        "d{" + ",".join(map(str, range(10_001))) + "}",
        "+".join(["d10000"] * 10_000),
        "x" * 1_000_000,
        "+" * 1_000_000,
        "d{" + "1" * 1_000_000 + "}",
        "d6:6=" + "9" * 1_000_000,
        "1" + " " * 300_000 + "1",
        "+".join(f"d{k}" for k in range(2, 200)),
        "+".join(f"{k}d2:1={k}" for k in range(2, 140)),
        "+".join(f"d{{0,1000000}}:0={k}" for k in range(1, 3_000)),
        "1400d2:1=999",
    ],
    ids=lambda notation: notation[:20],
)
def test_too_large_is_refused_at_once(notation: str) -> None:
    start = time.process_time()
    with pytest.raises(InvalidDice) as error:
        Dice.parse(notation)
    assert time.process_time() - start < 2
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("notation", "rolls"),
    [
        ("1000d6", 5_001),
        ("3000d2", 3_001),
        ("1000d{1,1,2,2}", 1_001),
        ("100d100", 9_901),
        ("3d3333", 9_997),
        ("+".join(f"d{k}" for k in range(2, 140)), 9_592),
        ("+".join(f"d{{0,{k}000000}}" for k in range(1, 60)), 1_771),
    ],
    ids=lambda notation: notation[:20] if isinstance(notation, str) else "",
)
def test_what_is_just_not_too_large_is_read_in_a_moment(notation: str, rolls: int) -> None:
    start = time.process_time()
    found = Dice.parse(notation)
    assert time.process_time() - start < 5
    assert len(found.support) == rolls
    assert found.total == sum(found.counts)
    assert found.mean == Fraction(found.support[0] + found.support[-1], 2)  # all of these are symmetric


@given(
    st.dictionaries(st.integers(-9, 40), st.integers(1, 10**6), min_size=1, max_size=6),
    st.integers(1, 25),
    st.sampled_from([0, 10**9]),
)
def test_equal_dice_by_either_way(one: dict[int, int], count: int, steps: int) -> None:
    """By the recurrence and as a power of one integer: the law of adding them one by one."""
    wanted = {0: 1}
    for _ in range(count):
        wanted = sum_of(wanted, one)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tentimes18.dice.MAX_STEPS", steps)
        text = "d{" + ",".join(map(str, one)) + "}:" + ",".join(f"{face}={weight}" for face, weight in one.items())
        assert law_of(Dice.parse(f"{count}{text}")) == normalised(wanted)


@pytest.mark.parametrize(
    ("law", "complaint"),
    [
        ({}, "no faces"),
        ({1: 0, 2: 1}, "positive"),
        ({1: -1, 2: 3}, "positive"),
        ({1: Fraction(-1, 2)}, "positive"),
        ({1: 0.5, 2: 0.5}, "0.5 of roll 1"),
        ({1: 1.0}, "1.0 of roll 1"),
        ({1: True}, "True of roll 1"),
        ({1: "2"}, "'2' of roll 1"),
        ({1: None}, "None of roll 1"),
        ({1: np.float64(2)}, "of roll 1"),
        ({True: 1}, "roll True"),
        ({1.0: 1}, "roll 1.0"),
        ({"1": 1}, "roll '1'"),
        ({Fraction(1, 2): 1}, "roll Fraction(1, 2)"),
        ({10**15: 1}, "too large"),
        ({-(10**15): 1, 3: 1}, "too large"),
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
