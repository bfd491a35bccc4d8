"""Regimes: what is refused, decisions that depend on the regime, hindsight."""

from fractions import Fraction
from typing import Any

import pytest
from scipy import stats

from tentimes18.assignment import Problem, RandomNumber, Regimes
from tentimes18.errors import Ten18Error

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("transitions", "start", "field"),
    [
        ([], 0, "regimes"),
        ([[1]], 1, "start"),
        ([[1]], -1, "start"),
        ([[HALF, HALF]], 0, "regimes"),
        ([[0.5, 0.6], [0, 1]], 0, "regimes"),
        ([[1, 0], [0, 1]], [1], "start"),
        ([[1, 0], [0, 1]], [0.5, 0.4], "start"),
    ],
)
def test_what_is_no_chain(transitions: Any, start: Any, field: str) -> None:
    with pytest.raises(Ten18Error) as caught:
        Regimes(transitions, start)
    assert caught.value.field == field


def test_the_same_law_in_all_regimes_makes_no_difference() -> None:
    chain = Regimes([[0.5, 0.5], [0.25, 0.75]], start=[0.5, 0.5])
    for arrivals in (6, RandomNumber([0.5, 0, 0.5])):
        plain = Problem(stats.gamma(2), [1, 2], arrivals, discount=0.9, chance=0.7).solve()
        plan = Problem([stats.gamma(2)] * 2, [1, 2], arrivals, discount=0.9, chance=0.7, regimes=chain).solve()
        assert plan.value == pytest.approx(plain.value, rel=1e-13)
        assert plan.hindsight == pytest.approx(plain.hindsight, rel=1e-9)


def test_hindsight_of_a_chain_that_stays_where_it_starts() -> None:
    chain = Regimes([[1, 0], [0, 1]], start=[HALF, HALF])
    both = Problem([[1, 5], [2, 8]], [1, 2], 3, regimes=chain)
    each = [Problem(samples, [1, 2], 3).solve(exact=True) for samples in ([1, 5], [2, 8])]
    assert both.solve(exact=True).hindsight == (each[0].hindsight + each[1].hindsight) / 2
    assert both.solve().hindsight == pytest.approx(float((each[0].hindsight + each[1].hindsight) / 2), rel=1e-14)


def test_the_regime_decides() -> None:
    plan = Problem([[1, 2], [7, 9]], 1, 4, regimes=Regimes([[1, 0], [0, 1]])).solve()
    assert plan.assign(2, left=2, known=0) == 1
    assert plan.assign(2, left=2, known=1) is None
    for known in (None, 2, -1, 0.5):
        with pytest.raises(Ten18Error, match="known"):
            plan.assign(2, left=2, known=known)
    assert plan.to_frame(known=1).shape == (4, 1)
    assert list(plan.course.knowns(2)) == [0, 1]


def test_exact_chains_need_exact_chances() -> None:
    with pytest.raises(Ten18Error, match="Fractions"):
        Problem([[1, 2], [7, 9]], 1, 4, regimes=Regimes([[0.5, 0.5], [0, 1]])).solve(exact=True)
