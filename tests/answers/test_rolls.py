"""The law of one roll: what the answer says is what enumeration finds."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from tentimes18.answers.rolls import RollLawsAnswer, roll_law, roll_laws
from tentimes18.dice import Dice
from tests.support.answers import assert_answer
from tests.support.notations import Written, notations


@given(notations(max_terms=2))
@settings(max_examples=50, deadline=None)
def test_against_enumeration(written: Written) -> None:
    dice = Dice.parse(written.text)
    answer = roll_laws([dice], exact=True)
    assert_answer(answer, RollLawsAnswer)
    (law,) = answer["laws"]
    mean = sum(roll * chance for roll, chance in written.law.items())
    assert (law["dice"], Fraction(law["mean"])) == (str(dice), mean)
    assert Fraction(law["variance"]) == sum((roll - mean) ** 2 * chance for roll, chance in written.law.items())
    assert (law["least"], law["most"]) == (min(written.law), max(written.law))
    for line in law["rolls"]:
        assert Fraction(line["chance"]) == written.law[line["roll"]]
        assert Fraction(line["at_least"]) == sum(p for roll, p in written.law.items() if roll >= line["roll"])
        assert Fraction(line["at_most"]) == sum(p for roll, p in written.law.items() if roll <= line["roll"])
    assert [line["roll"] for line in law["rolls"]] == sorted(written.law)


def test_several_in_their_order() -> None:
    dice = [Dice.parse(text) for text in ("3d6", "1d20", "4d6kh3")]
    answer = roll_laws(dice)
    assert_answer(answer, RollLawsAnswer)
    assert [law["dice"] for law in answer["laws"]] == ["3d6", "1d20", "4d6kh3"]
    assert [law["mean"] for law in answer["laws"]] == [10.5, 10.5, pytest.approx(12.2446, abs=1e-4)]
    assert answer["laws"][0]["medians"] == [10, 11]
    assert roll_law(dice[0]).mean == dice[0].mean
