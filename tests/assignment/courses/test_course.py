"""What every course of arrivals gives: who goes where, simulated games, and where it has no answer."""

import math
from fractions import Fraction

import pytest
from scipy import stats

from tentimes18.assignment import Endless, Poisson, Problem, Regimes
from tentimes18.errors import Ten18Error

HALF = Fraction(1, 2)
CHAIN = Regimes([[HALF, HALF], [Fraction(1, 4), Fraction(3, 4)]], [HALF, HALF])
COURSES = {
    "batches": Problem(stats.gamma(2), [1, 2, 2], 6, batches=[3, 2, 1], discount=0.9, chance=0.8),
    "exact batches": Problem([1, 2, 3, 7], [1, 2, 2], 6, batches=2, discount=Fraction(9, 10)),
    "must fill batches": Problem([-5, 2, 3], [1, 2], 4, batches=2, must_fill=True),
    "ahead": Problem([1, 2, 3, 7], [1, 2, 2], 6, ahead=2, discount=0.9, chance=0.8),
    "exact ahead": Problem([1, 2, 7], [1, 2, 2], 3, ahead=9, chance=HALF),
    "must fill ahead": Problem([-5, 2, 3], [1, 2], 4, ahead=1, must_fill=True),
    "exact regimes": Problem([[1, 2], [3, 7]], [1, 2, 2], 5, regimes=CHAIN, chance=HALF),
    "endless": Problem(stats.expon(), [1, 2, 2], Endless(), discount=0.5),
    "Poisson": Problem(stats.expon(), [1, 2, 2], Poisson(3.0, 2.0), discount=0.7),
    "Poisson, a table": Problem([1, 2, 5, 5], [1, 2, 2], Poisson([(0, 3.0), (0.5, 0), (1, 6.0)], 2.0), discount=0.7),
    "Poisson, a function": Problem(
        stats.uniform(), [1, 2], Poisson(lambda time: 3 + math.sin(time), 2.0), discount=0.7
    ),
}


@pytest.mark.parametrize("name", COURSES)
def test_simulated_games_are_worth_the_value(name: str) -> None:
    plan = COURSES[name].solve(exact=name.startswith("exact"))
    found = plan.simulate(4000, seed=18)
    assert 0 < abs(found.mean - float(plan.value)) < 4 * found.stderr
    assert found.stderr < 0.02 * float(plan.value)  # games enough to tell
    assert plan.simulate(50, seed=18) == plan.simulate(50, seed=18) != plan.simulate(50, seed=19)


@pytest.mark.parametrize("name", COURSES)
def test_no_slot_is_filled_twice_and_the_best_slots_first(name: str) -> None:
    plan = COURSES[name].solve(exact=name.startswith("exact"))
    rows = plan.fates()
    filled = [float(sum(row[slot] for row in rows)) for slot in range(len(plan.multipliers))]
    assert all(0 <= float(chance) <= 1 + 1e-12 for row in rows for chance in row)
    assert all(chance <= 1 + 1e-9 for chance in filled)
    if COURSES[name].must_fill:
        assert filled == pytest.approx([1.0] * len(filled))


def test_only_arrivals_in_time_have_times() -> None:
    for problem in (Problem([1, 2], 1, 4), COURSES["batches"], COURSES["ahead"], COURSES["endless"]):
        with pytest.raises(Ten18Error) as caught:
            problem.solve().fates([0.0, 1.0])
        assert caught.value.field == "times"


def test_a_course_without_an_end_has_no_table() -> None:
    with pytest.raises(Ten18Error, match="which rows"):
        Problem([1, 2], 1, Endless(), discount=0.5).solve().to_frame()
