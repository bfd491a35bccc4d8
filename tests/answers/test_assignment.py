"""Answers to problems of assignment, against the brute force over all actions."""

import json
from fractions import Fraction
from itertools import pairwise

import pytest

from tentimes18.answers.assignment import assignment
from tentimes18.assignment import Endless, Poisson, Problem, Regimes, UniformLaw
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tests.oracle.assignment import Tree, in_order, law_of_samples, seen_ahead, with_regimes
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


def test_errors_stand_beside_the_numbers() -> None:
    exact, plain = assignment(PROBLEM, exact=True), assignment(PROBLEM)
    assert (exact["error"], exact["hindsight_error"], exact["regret_error"]) == (0, 0, 0)
    for wanted, found, error in (
        (exact["value"], plain["value"], plain["error"]),
        (exact["hindsight"], plain["hindsight"], plain["hindsight_error"]),
        (exact["regret"], plain["regret"], plain["regret_error"]),
    ):
        assert isinstance(found, float)
        assert error is not None
        assert abs(float(Fraction(str(wanted))) - found) <= error < 1e-9
    endless = assignment(Problem(UniformLaw(0, 1), 1, Endless(), discount=0.5))
    assert (endless["hindsight_error"], endless["regret_error"]) == (None, None)


def test_regimes_have_a_row_each_and_decide() -> None:
    half = Fraction(1, 2)
    chain = [[half, half], [Fraction(1, 4), Fraction(3, 4)]]
    laws = [law_of_samples([1, 2]), law_of_samples([3, 7])]
    tree = Tree(with_regimes(laws, chain, [half, half], 3), (1, 2))
    problem = Problem([[1, 2], [3, 7]], [1, 2], 3, regimes=Regimes(chain, [half, half]))
    answer = assignment(problem, exact=True, value=3, left=1, known=[1])
    assert Fraction(answer["value"]) == tree.value
    assert [(row["left"], row["regime"]) for row in answer["thresholds"]] == [(j, s) for j in (2, 1, 0) for s in (0, 1)]
    decision = answer["decision"]
    worths = tree.actions(Fraction(3), (2, 1), frozenset({1, 2}))
    assert {choice["slot"]: Fraction(choice["loss"]) for choice in decision["choices"]} == {
        slot: max(worths.values()) - worth for slot, worth in worths.items()
    }
    assert (decision["regime"], answer["regimes"]) == (1, [["1/2", "1/2"], ["1/4", "3/4"]])
    with pytest.raises(Ten18Error) as caught:
        assignment(problem, value=3, left=1)
    assert caught.value.field == "known"


def test_values_seen_ahead_decide() -> None:
    problem = Problem([1, 2, 6], [1, 3], 4, ahead=1)
    tree = Tree(seen_ahead([law_of_samples([1, 2, 6])] * 4, 1), (1, 3))
    for seen in (1, 2, 6):
        decision = assignment(problem, exact=True, value=2, left=2, known=[seen])["decision"]
        assert decision["best"] == tree.best(Fraction(2), (2, (Fraction(seen),)), frozenset({1, 2}))
        assert decision["ahead"] == [f"{seen}/1"]
    answer = assignment(problem)
    assert len(answer["thresholds"]) == 3 * 3 + 1
    assert answer["arrivals"] == "4, 1 seen ahead"


def test_a_batch_is_placed_together() -> None:
    problem = Problem([1, 2, 3, 4], [1, 5], 6, batches=[1, 2, 3])
    placed = assignment(problem, value=[2, 4, 4], left=0)["placed"]
    assert placed["slots"] == [None, 2, 1]
    assert [row["left"] for row in assignment(problem)["thresholds"]] == [2, 1, 0]
    for values, field in (([2, 4], "value"), ([2, 4, 4, 4], "value")):
        with pytest.raises(Ten18Error, match="all 3 values") as caught:
            assignment(problem, value=values, left=0)
        assert caught.value.field == field
    with pytest.raises(Ten18Error, match="batches only"):
        assignment(PROBLEM, value=[1, 2])
    with pytest.raises(Ten18Error, match="no posted prices"):
        assignment(problem, prices=True)


def test_who_goes_where_says_when() -> None:
    rows = assignment(Problem([1, 2], 1, 3), exact=True, filled=True)["filled"]
    assert [row["arrival"] for row in rows] == [1, 2, 3]
    assert sum(Fraction(row["chances"][0]) for row in rows) == 1
    rows = assignment(Problem([1, 2], 1, 3, batches=[1, 2]), filled=True)["filled"]
    assert [row["batch"] for row in rows] == [1, 2]
    rows = assignment(Problem(UniformLaw(0, 1), 1, Poisson(2.0, 3.0)), filled=True)["filled"]
    assert (rows[0]["begin"], rows[-1]["end"]) == (0, 3)
    assert all(row["end"] == after["begin"] for row, after in pairwise(rows))
    # With s left the bound is s / (1 + s), a value is taken at rate 2 / (1 + s): so none is with chance ((1 + s) / 4)².
    first = next(i for i, row in enumerate(rows) if row["end"] == 1.5) + 1
    assert sum(float(row["chances"][0]) for row in rows[:first]) == pytest.approx(1 - (2.5 / 4) ** 2, rel=1e-9)


def test_more_cannot_be_still_to_come_than_there_is() -> None:
    with pytest.raises(Ten18Error) as found:
        assignment(PROBLEM, value=3, left=9)
    assert found.value.field == "left"
