"""Answers to problems of assignment: texts, numbers against brute force, ranks, regret."""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.assignment import Endless, Poisson, Problem, RandomNumber, UniformDistribution
from tentimes18.errors import Ten18Error
from tentimes18.queries import to_json
from tentimes18.queries.assignment import (
    assign,
    lefts_of,
    lefts_shown,
    read_problem,
    slots_shown,
    solve_regret,
    solve_secretary,
)
from tentimes18.queries.assignment_text import (
    read_arrivals,
    read_batches,
    read_distributions,
    read_free,
    read_multipliers,
    read_number,
    read_numbers,
    read_regimes,
)
from tests.oracle.assignment import Tree, distribution_of_samples, in_order, seen_ahead
from tests.oracle.prices import externality_prices
from tests.oracle.secretary import choose_low_ranks, choose_the_best


def ask(solve: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a program reads in JSON."""
    return json.loads(to_json(solve(*arguments, **options)))


assignment = partial(ask, assign)
secretary_answer = partial(ask, solve_secretary)
regret_answer = partial(ask, solve_regret)

SIX = distribution_of_samples(range(1, 7))
PROBLEM = ("1d6", "1,2,4", "5")
TREE = Tree(in_order([SIX] * 5), (1, 2, 4))


def test_a_decision_and_what_else_costs() -> None:
    free = frozenset({1, 3})
    for value in range(1, 7):
        worths = TREE.actions(Fraction(value), 3, free)
        found = assignment(*PROBLEM, exact=True, value=str(value), free="1,3", left=2)["decision"]
        losses = {choice["slot"]: Fraction(str(choice["loss"])) for choice in found["choices"]}
        assert losses == {slot: max(worths.values()) - worth for slot, worth in worths.items()}
        assert found["choices"][0]["slot"] == found["best"] == TREE.best(Fraction(value), 3, free)
        assert (found["left"], found["free"]) == (2, [1, 3])


def test_prices() -> None:
    menu = externality_prices([SIX] * 5, (1, 2, 4))(0, frozenset({1, 2, 3}))
    found = assignment(*PROBLEM, exact=True, prices=True)["prices"]
    assert {row["slot"]: Fraction(str(row["price"])) for row in found} == menu


def test_errors_are_beside_the_numbers() -> None:
    exact, plain = assignment(*PROBLEM, exact=True), assignment(*PROBLEM)
    assert (exact["error"], exact["hindsight_error"], exact["regret_error"]) == (0, 0, 0)
    seller = assignment("exponential(1)", "1", "2", revenue=True)
    assert [found["error_kind"] for found in (exact, plain, seller)] == ["exact", "bound", "estimate"]
    for wanted, found, error in (
        (exact["value"], plain["value"], plain["error"]),
        (exact["hindsight"], plain["hindsight"], plain["hindsight_error"]),
        (exact["regret"], plain["regret"], plain["regret_error"]),
    ):
        assert isinstance(found, float)
        assert error is not None
        assert abs(float(Fraction(str(wanted))) - found) <= error < 1e-9
    endless = assignment("uniform(0, 1)", "1", "endless", discount="0.5")
    assert (endless["hindsight_error"], endless["regret_error"]) == (None, None)


def test_values_seen_ahead_decide() -> None:
    problem = partial(assignment, "1/3*1 + 1/3*2 + 1/3*6", "1,3", "4", ahead=1)
    tree = Tree(seen_ahead([distribution_of_samples([1, 2, 6])] * 4, 1), (1, 3))
    for seen in (1, 2, 6):
        decision = problem(exact=True, value="2", left=2, known=str(seen))["decision"]
        assert decision["best"] == tree.best(Fraction(2), (2, (Fraction(seen),)), frozenset({1, 2}))
        assert decision["ahead"] == [f"{seen}/1"]
    answer = problem()
    assert len(answer["thresholds"]) == 3 * 3 + 1
    assert answer["arrivals"] == "4, 1 seen ahead"


def test_a_batch_is_placed_together() -> None:
    problem = partial(assignment, "1d4", "1,5", "6", batches="1,2,3")
    placed = problem(value="2,4,4", left=0)["placed"]
    assert placed["slots"] == [None, 2, 1]
    assert [row["left"] for row in problem()["thresholds"]] == [2, 1, 0]
    for values in ("2,4", "2,4,4,4"):
        with pytest.raises(Ten18Error, match="all 3 values") as caught:
            problem(value=values, left=0)
        assert caught.value.field == "value"
    with pytest.raises(Ten18Error, match="only batches take several"):
        assignment(*PROBLEM, value="1,2")
    with pytest.raises(Ten18Error, match="no posted prices"):
        problem(prices=True)


def test_who_goes_where_says_when() -> None:
    rows = assignment("1d2", "1", "3", exact=True, filled=True)["filled"]
    assert [row["arrival"] for row in rows] == [1, 2, 3]
    assert sum(Fraction(row["chances"][0]) for row in rows) == 1
    rows = assignment("1d2", "1", "3", batches="1,2", filled=True)["filled"]
    assert [row["batch"] for row in rows] == [1, 2]
    rows = assignment("uniform(0, 1)", "1", poisson="2", until=3.0, filled=True)["filled"]
    assert (rows[0]["begin"], rows[-1]["end"]) == (0, 3)
    assert all(row["end"] == after["begin"] for row, after in pairwise(rows))


def test_slots() -> None:
    assert read_multipliers(" 20 ") == 20
    assert read_multipliers("1-3, 10") == [1, 2, 3, 10]
    assert read_multipliers("5x2,15x1, 1/2") == [*[2] * 5, *[1] * 15, Fraction(1, 2)]


@given(st.lists(st.tuples(st.integers(1, 5), st.fractions(0, 9, max_denominator=9)), min_size=1, max_size=4))
def test_counted_multipliers_are_read_back(parts: list[tuple[int, Fraction]]) -> None:
    text = ",".join(f"{count}x{multiplier}" for count, multiplier in parts)
    assert read_multipliers(text) == [multiplier for count, multiplier in parts for _ in range(count)]


def test_arrivals() -> None:
    assert read_arrivals("40") == 40
    assert read_arrivals("Endless") == Endless()
    assert read_arrivals("0: 1/2, 4: 0.5") == RandomNumber({0: Fraction(1, 2), 4: Fraction(1, 2)})


def test_distributions_in_order() -> None:
    first, second, third = read_distributions("3d6; uniform(0, 1);3d6")
    assert first is not second
    assert third.mean == first.mean == 10.5


def test_free_slots() -> None:
    assert read_free("7, 1 - 3,2", 10) == [1, 2, 3, 7]


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
        ({"distribution": "nonsense", "slots": "1", "arrivals": "3"}, "distribution"),
        ({"distribution": "samples:x", "slots": "1", "arrivals": "3"}, "distribution"),
        ({"distribution": "1d6", "slots": "x", "arrivals": "3"}, "slots"),
        ({"distribution": "1d6", "slots": "0x1", "arrivals": "3"}, "slots"),
        ({"distribution": "1d6", "slots": "999999999x1", "arrivals": "3"}, "slots"),
        ({"distribution": "1d6", "slots": "1"}, "arrivals"),
        ({"distribution": "1d6", "slots": "1", "arrivals": "many"}, "arrivals"),
        ({"distribution": "1d6", "slots": "1", "arrivals": "1:0.5,1:0.5"}, "arrivals"),
        ({"distribution": "1d6", "slots": "1", "arrivals": "3", "poisson": "1", "until": 2.0}, "arrivals"),
        ({"distribution": "1d6", "slots": "1", "poisson": "1"}, "until"),
        ({"distribution": "1d6", "slots": "1", "until": 1.0}, "poisson"),
        ({"distribution": "1d6", "slots": "1", "arrivals": "3", "discount": "1/0"}, "discount"),
        ({"distribution": "1d6;1d8", "slots": "1", "regimes": "1,0;0,1"}, "arrivals"),
        ({"distribution": "1d6;1d8", "slots": "1", "arrivals": "3", "regimes": "x"}, "regimes"),
        ({"distribution": "1d6", "slots": "1", "arrivals": "3", "start": "0"}, "start"),
        ({"distribution": "1d6", "slots": "1", "arrivals": "3", "batches": "x"}, "batches"),
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


def test_the_secretary() -> None:
    best = choose_the_best(5, 2)
    answer = secretary_answer(5, "best", 2, exact=True)
    assert Fraction(str(answer["value"])) == best.value
    assert answer["rule"][0]["choices_left"] == 2
    chances = best.chosen()
    for rank, chance in enumerate(answer["chosen"], start=1):
        assert chance == pytest.approx(float(sum(p for (_, of), p in chances.items() if of == rank)))
    assert -Fraction(str(secretary_answer(5, "rank", 2, exact=True)["value"])) == choose_low_ranks(5, 2).value
    plain = secretary_answer(50, [3, 1], 2)
    assert plain["reward"] == [3.0, 1.0]


def test_many_slots_are_thinned_out() -> None:
    answer = regret_answer(UniformDistribution(0, 1), 25_000, "any")
    assert len(answer["slots"]) <= 1000
    assert (answer["slots"][0], answer["slots"][-1]) == (0, 25_000)
    assert answer["distribution"] == "any"
    assert slots_shown([0, 1, 2]) == [0, 1, 2]


DISTRIBUTION = UniformDistribution(0, 1)


def test_what_is_still_to_come() -> None:
    assert lefts_of(Problem(DISTRIBUTION, 2, 4)) == [3, 2, 1, 0]
    assert lefts_of(Problem(DISTRIBUTION, 2, RandomNumber([Fraction(1, 2), Fraction(1, 2)]))) == [1, 0]
    assert lefts_of(Problem(DISTRIBUTION, 1, Endless(), discount=0.5)) == [None]
    times = lefts_of(Problem(DISTRIBUTION, 1, Poisson(2, 5)))
    assert times[0] == 5
    assert [float(time or 0) for time in times] == sorted((float(time or 0) for time in times), reverse=True)
    many = lefts_of(Problem(DISTRIBUTION, 10, 100_000))
    assert len(many) < 50
    assert (many[0], many[-1]) == (99_999, 0)
    assert lefts_shown(times)[0] == 5
    assert len(lefts_shown(times)) <= 12


def test_a_problem() -> None:
    problem = read_problem("1d6", "1,2", "5", chance="1/3", discount="0.9", must_fill=False)
    assert (problem.arrivals, problem.chance, problem.discount) == (5, Fraction(1, 3), Fraction(9, 10))
    by_deadline = read_problem("1d6", "2", poisson="table", until=4.0, read_rate=lambda _: [(0.0, 1.0), (2.0, 3.0)])
    assert by_deadline.arrivals == Poisson([(0.0, 1.0), (2.0, 3.0)], 4.0)
    assert read_problem("1d6;1d8", "1").arrivals == 2
