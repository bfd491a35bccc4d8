"""The notation of dice against enumeration; bad notation and dice that are too large are rejected at once."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Dice, InvalidDice
from tests.support.games import law_of
from tests.support.notations import Written, normalised, notations
from tests.support.steps import counted

MAX_STEPS = 2_000_000


@given(notations())
@settings(deadline=None)
def test_notation_against_enumeration(written: Written) -> None:
    read = Dice.parse(written.text)
    assert law_of(read) == written.law
    again = Dice.parse(str(read))
    assert again == read
    assert str(again) == str(read)


@pytest.mark.parametrize(
    ("notation", "canonical"),
    [
        ("3d6", "3d6"),
        (" 2 D 12 : 12 = 2 ", "2d12:12=2"),
        ("1d6!", "1d6!x3"),
        ("4d6 KH 3", "4d6kh3"),
        ("4d6dl1", "4d6kh3"),
        ("5d6dh2", "5d6kl3"),
        ("2d20kl", "2d20kl1"),
        ("4d6!kh3 * 2 - 1", "4d6!x3kh3*2-1"),
        ("d{1 : 3, 2 : 1} + d6 ! x 2", "d{1:3,2:1}+d6!x2"),
    ],
)
def test_full_notation(notation: str, canonical: str) -> None:
    assert str(Dice.parse(notation)) == canonical
    assert Dice.parse(canonical) == Dice.parse(notation)


@pytest.mark.parametrize(
    ("notation", "law"),
    [
        ("3d6", dict(enumerate([1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1], start=3))),
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
        ("999999999999999", {999999999999999: 1}),
        ("2d6*2", {2 * roll: 6 - abs(roll - 7) for roll in range(2, 13)}),
        ("1d2*10+1d2", {11: 1, 12: 1, 21: 1, 22: 1}),
        ("-1d2*3", {-3: 1, -6: 1}),
        ("d{1:3,2:1}", {1: 3, 2: 1}),
        ("d{-1:3,-1:+1,2}:2=5", {-1: 4, 2: 5}),
        ("2d2kh1", {1: 1, 2: 3}),
        ("-2d2kh1", {-1: 1, -2: 3}),
        ("2d2kl1+2d2kl1", {2: 9, 3: 6, 4: 1}),
        ("1d2!x1", {1: 2, 3: 1, 4: 1}),
        ("-1d2!x1", {-1: 2, -3: 1, -4: 1}),
        ("2d1!x2", {6: 1}),
        ("1000000d1", {10**6: 1}),
    ],
)
def test_notations(notation: str, law: dict[int, int]) -> None:
    assert law_of(Dice.parse(notation)) == normalised(law)


@given(st.text("0123456789dDkhl!{}:=,+- ./*x²\0", max_size=10) | st.text(max_size=10))
@settings(max_examples=150)
def test_any_text_is_read_or_rejected(text: str) -> None:
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
        ("d-6", "cannot read 'd'"),
        ("(3d6)", "cannot read '(3d6)'"),
        ("3d6*", "cannot read '3d6*'"),
        ("2*3d6", "cannot read '2*3d6'"),
        ("3d6*0", "at least 1"),
        ("1d6!3", "write !x3"),
        ("1d6!x", "cannot read '1d6!x'"),
        ("1d6!x0", "explodes 0 times; accepted: 1 to 100"),
        ("4d6k3", "cannot read '4d6k3'"),
        ("4d6kh3!", "cannot read '4d6kh3!'"),
        ("4d6kh0", "to keep 1 to 4"),
        ("d6dl", "to keep 1 to 1"),
        ("6kh1", "cannot read '6kh1'"),
        ("d{1:}", "cannot read 'd{1:}'"),
        ("d{1:2:3}", "cannot read 'd{1:2:3}'"),
        ("d{1:0}", "weight 0 of 1 must be positive"),
        ("d{1:-2,3}", "weight -2 of 1 must be positive"),
        ("__import__('os')", "cannot read"),
        ("3d6+", "cannot read '+'"),
        ("3d6+x", "cannot read '+x'"),
        ("d{1,}", "cannot read 'd{1,}'"),
        ("3d6\0", "cannot read"),
        ("1e3", "cannot read"),
        ("9999999999999999", "cannot read"),
        ("d{}", "without faces"),
        ("d0", "without faces"),
        ("0d6", "number of dice"),
        ("3d6:", "cannot read the weight ''"),
        ("3d6:6=", "cannot read the weight '6='"),
        ("3d6:6=1.5", "cannot read the weight '6=1.5'"),
        ("3d6:6=2:5=3", "cannot read the weight"),
        ("3d6:6=0", "weight 0 of 6 must be positive"),
        ("3d6:6=-2", "weight -2 of 6 must be positive"),
        ("3d6:7=2", "no face 7"),
        ("d{1,2}:3=2", "no face 3"),
        ("999999999999999+1", "too large"),
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
        "1000000000d1",
        "999999999999999d999999999999999",
        "d1000000000",
        "+".join(f"d{{0,{10**k}}}" for k in range(14)),
        "d{" + ",".join(map(str, range(10_001))) + "}",
        "+".join(["d10000"] * 10_000),
        "x" * 1_000_000,
        "d{" + "1" * 1_000_000 + "}",
        "d6:6=" + "9" * 1_000_000,
        "1" + " " * 300_000 + "1",
        "+".join(f"{k}d2:1={k}" for k in range(2, 140)),
        "+".join(f"d{{0,1000000}}:0={k}" for k in range(1, 3_000)),
        "1400d2:1=999",
        "999999999999999d6kh3",
        "999999999999999d1kh1+999999999999999d2kh999999999999998",
        "1000d6kh999",
        "9d9999kh8",
        "3d{1,2,1000000}kh2",
        "100d6!x100kh50",
        "1d10000!x100",
        f"d{{0:{'9' * 3900},1:7}}!x3",
        "1d6*999999999999999",
        "+".join(f"{k}d6kh{k // 2}" for k in range(2, 200)),
        "+".join(f"d{k}!" for k in range(100, 10_000)),
        "+".join(f"d6*{k}" for k in range(1, 100_000)),
        "8d{" + ",".join(f"{k}:{k}{'7' * 477}" for k in range(100, 290)) + "}",
        "2d{" + ",".join(f"{k}:{k}{'7' * 1900}" for k in range(100, 800)) + "}",
    ],
    ids=lambda notation: notation[:20],
)
def test_too_large_is_rejected_at_once(notation: str) -> None:
    with pytest.raises(InvalidDice) as error, counted() as steps:
        Dice.parse(notation)
    assert steps.count < MAX_STEPS
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("notation", "rolls"),
    [
        ("1000d6", 5_001),
        ("1000d{1,1,2,2}", 1_001),
        ("3d3333", 9_997),
        ("+".join(f"d{k}" for k in range(2, 140)), 9_592),
        ("+".join(f"d{{0,{k}000000}}" for k in range(1, 60)), 1_771),
        ("2d100*50+2d50", 9_999),
    ],
    ids=lambda notation: notation[:20] if isinstance(notation, str) else "",
)
def test_dice_just_below_the_limits_are_read_quickly(notation: str, rolls: int) -> None:
    with counted() as steps:
        dice = Dice.parse(notation)
    assert steps.count < MAX_STEPS
    assert len(dice.support) == rolls
    assert dice.mean == Fraction(dice.support[0] + dice.support[-1], 2)  # all of these are symmetric
