"""Arrivals for ever: the fixed point, and what many rounds come to."""

import pytest
from scipy import stats

from tentimes18.assignment import Endless, Problem, UniformLaw
from tentimes18.errors import Ten18Error
from tests.oracle.closed_forms import discounted_uniform


@pytest.mark.parametrize("discount", [0.1, 0.9, 0.999])
def test_uniform_values(discount: float) -> None:
    plan = Problem(UniformLaw(0, 1), 1, Endless(), discount=discount).solve()
    assert plan.thresholds()[0] == pytest.approx(discounted_uniform(discount), abs=1e-13)
    assert plan.value == pytest.approx(discounted_uniform(discount) / discount, abs=1e-13)


def test_many_rounds_come_to_it() -> None:
    law = stats.norm(1.0)
    plan = Problem(law, [1, 2, 5], Endless(), discount=0.7, chance=0.5).solve()
    long = Problem(law, [1, 2, 5], 150, discount=0.7, chance=0.5).solve()
    assert abs(float(plan.value) - float(long.value)) <= plan.error + long.error
    assert plan.thresholds() == pytest.approx(long.thresholds(149), rel=1e-12)
    assert plan.hindsight == pytest.approx(long.hindsight, rel=1e-10)
    found = plan.simulate(1000, seed=18)
    assert abs(found.mean - plan.value) < 4 * found.stderr


def test_nothing_is_left_of_what_has_no_end() -> None:
    plan = Problem([1, 2], 1, Endless(), discount=0.9).solve()
    with pytest.raises(Ten18Error, match="left"):
        plan.assign(1, left=3)
