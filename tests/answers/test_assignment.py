"""Answers to problems of assignment, against the brute force over all actions."""

import json
from fractions import Fraction

import pytest

from tentimes18.answers.assignment import assignment, lefts_of, lefts_shown
from tentimes18.assignment import Endless, Poisson, Problem, RandomNumber, UniformLaw
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tests.oracle.assignment import Tree, in_order, law_of_samples
from tests.oracle.prices import externality_prices

SIX = law_of_samples(range(1, 7))
PROBLEM = Problem(Dice.parse("1d6"), [1, 2, 4], 5)
TREE = Tree(in_order([SIX] * 5), (1, 2, 4))


def test_what_it_is_worth() -> None:
    answer = assignment(PROBLEM, exact=True)
    assert Fraction(str(answer["value"])) == TREE.value
    assert Fraction(str(answer["regret"])) == Fraction(str(answer["hindsight"])) - TREE.value
    plain = assignment(PROBLEM)
    assert plain["value"] == pytest.approx(float(TREE.value))
    assert plain["slots"] == [1, 2, 4]
    assert json.loads(json.dumps(plain)) == plain


def test_a_decision_and_what_else_costs() -> None:
    free = frozenset({1, 3})
    for value in range(1, 7):
        worths = TREE.actions(Fraction(value), 3, free)
        found = assignment(PROBLEM, exact=True, value=Fraction(value), free=[1, 3], left=2)["decision"]
        losses = {choice["slot"]: Fraction(str(choice["loss"])) for choice in found["choices"]}
        assert losses == {slot: max(worths.values()) - worth for slot, worth in worths.items()}
        assert found["choices"][0]["slot"] == found["best"] == TREE.best(Fraction(value), 3, free)
        assert (found["left"], found["free"]) == (2, [1, 3])


def test_prices() -> None:
    menu = externality_prices([SIX] * 5, (1, 2, 4))(0, frozenset({1, 2, 3}))
    found = assignment(PROBLEM, exact=True, prices=True)["prices"]
    assert {row["slot"]: Fraction(str(row["price"])) for row in found} == menu


def test_what_is_still_to_come() -> None:
    law = UniformLaw(0, 1)
    assert lefts_of(Problem(law, 2, 4)) == [3, 2, 1, 0]
    assert lefts_of(Problem(law, 2, RandomNumber([Fraction(1, 2), Fraction(1, 2)]))) == [1, 0]
    assert lefts_of(Problem(law, 1, Endless(), discount=0.5)) == [None]
    times = lefts_of(Problem(law, 1, Poisson(2, 5)))
    assert times[0] == 5
    assert [float(time or 0) for time in times] == sorted((float(time or 0) for time in times), reverse=True)
    many = lefts_of(Problem(law, 10, 100_000))
    assert len(many) < 50
    assert (many[0], many[-1]) == (99_999, 0)
    assert lefts_shown(times)[0] == 5
    assert len(lefts_shown(times)) <= 12


def test_what_cannot_be_still_to_come() -> None:
    with pytest.raises(Ten18Error, match="whole number"):
        assignment(PROBLEM, value=3, left=1.5)
    with pytest.raises(Ten18Error) as found:
        assignment(PROBLEM, value=3, left=9)
    assert found.value.field == "left"
