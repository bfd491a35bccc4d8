"""Values seen ahead: what is known decides, what is not the law's is refused."""

from fractions import Fraction

import pytest
from scipy import stats

from tentimes18.assignment import Problem
from tentimes18.errors import Ten18Error, TooLarge


def test_what_is_seen_decides() -> None:
    plan = Problem([1, 5, 9], 1, 6, ahead=2).solve(exact=True)
    assert plan.assign(5, left=4, known=[1, 9]) is None
    assert plan.assign(5, left=1, known=[1]) == 1
    assert plan.assign(5, left=0, known=[]) == 1
    assert plan.thresholds(1, known=[9]) == [9]
    assert list(plan.course.knowns(1)) == [(1,), (5,), (9,)]
    assert (len(list(plan.course.knowns(5))), list(plan.course.knowns(0))) == (9, [()])
    for known in (None, [1], [1, 2], 3):
        with pytest.raises(Ten18Error, match="known"):
            plan.assign(5, left=4, known=known)


def test_more_that_is_seen_is_worth_more() -> None:
    problems = [Problem([1, 2, 6], [1, 3], 5, ahead=ahead) for ahead in range(5)]
    values = [problem.solve(exact=True).value for problem in problems]
    assert values == sorted(values)
    assert values[-1] == problems[0].solve(exact=True).hindsight


def test_a_chance_that_nothing_comes() -> None:
    plan = Problem([1, 2], 1, 4, ahead=1, chance=Fraction(1, 2)).solve(exact=True)
    assert plan.value == Problem([0, 0, 1, 2], 1, 4, ahead=1).solve(exact=True).value
    assert Problem([1, 2], 1, 4, ahead=1, chance=0.5).solve().value == pytest.approx(float(plan.value))
    assert Problem(stats.poisson(2.0), 1, 3, ahead=1).solve().value > Problem(stats.poisson(2.0), 1, 3).solve().value


def test_too_many_windows_are_refused() -> None:
    with pytest.raises(TooLarge, match="fewer rounds ahead"):
        Problem(range(30), 3, 20, ahead=12).solve()
