"""Arrivals in time: rows, hindsight, placements."""

import math
from typing import Any

import pytest
from scipy import stats

from tentimes18.assignment import Poisson, Problem, RandomNumber, as_distribution, poisson_arrivals
from tentimes18.errors import Ten18Error
from tests.oracle.assignment import distribution_of_samples
from tests.oracle.closed_forms import by_deadline, poisson_exponential, poisson_uniform


def test_exponential_values() -> None:
    plan = Problem(stats.expon(scale=3.0), 6, Poisson(7.3, 1.0)).solve()
    for left in (1.0, 0.4, 0.01):
        row = plan.thresholds(left)[::-1]
        for k in range(1, 7):
            assert sum(row[:k]) == pytest.approx(3 * poisson_exponential(k, 7.3 * left), abs=k * plan.model.error)
    assert plan.model.error < 1e-10


@pytest.mark.parametrize("number", [0.5, 30.0, 4000.0])
def test_uniform_values(number: float) -> None:
    plan = Problem(stats.uniform(), 1, Poisson(lambda time: number * time / 2, 2.0)).solve()
    assert abs(plan.value - poisson_uniform(number)) <= plan.error < 1e-10


def test_samples_against_the_oracle() -> None:
    def rate(time: float) -> float:
        return 1.0 + time

    expected = by_deadline(distribution_of_samples([-1, 2, 2, 5]), (1, 3), rate, 2.0)
    plan = Problem([-1, 2, 2, 5], [1, 3], Poisson(rate, 2.0)).solve()
    assert plan.value == pytest.approx(expected, abs=1e-8)


def test_many_samples_take_no_more_steps_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is then larger, and stated."""
    samples = as_distribution(stats.gamma(2)).sample(500, seed=18)
    fine = Problem(samples, 3, Poisson(20.0, 1.0)).solve()
    monkeypatch.setattr(poisson_arrivals, "MAX_STEPS", 1 << 10)
    monkeypatch.setattr(poisson_arrivals, "FEW_STEPS", 1 << 9)
    coarse = Problem(samples, 3, Poisson(20.0, 1.0)).solve()
    assert fine.error < 1e-10 < coarse.error < 1e-2
    assert abs(float(fine.value) - float(coarse.value)) < coarse.error
    monkeypatch.setattr(poisson_arrivals, "TOLERANCES", (1e-12,))
    with pytest.raises(Ten18Error, match="too rough"):
        Problem(samples, 3, Poisson(20.0, 1.0)).solve()


def test_hindsight_is_that_of_a_poisson_number_of_values() -> None:
    chances = {m: math.exp(-3.0) * 3.0**m / math.factorial(m) for m in range(40)}
    total = sum(chances.values())
    number = RandomNumber({m: chance / total for m, chance in chances.items()})
    for dist in (stats.gamma(2), [1, 5, 6]):
        timed = Problem(dist, [1, 2], Poisson(3.0, 1.0)).solve()
        assert timed.hindsight == pytest.approx(Problem(dist, [1, 2], number).solve().hindsight, rel=1e-10)
        assert timed.regret > 0


def test_a_chance_to_come_is_a_slower_rate() -> None:
    half = Problem(stats.expon(), 3, Poisson(8.0, 1.0), chance=0.5).solve()
    assert half.value == pytest.approx(Problem(stats.expon(), 3, Poisson(4.0, 1.0)).solve().value, rel=1e-13)


def test_a_discount_in_time() -> None:
    """Against very many rounds, in each of which a value comes with a small chance."""
    rates = [(0, 3.0), (2, 0.0), (3, 6.0)]
    timed = Problem(stats.expon(), [1, 2], Poisson(rates, 4.0), discount=0.8).solve()
    errors = []
    for steps in (200, 400):
        width = 1 / steps
        chance = 6.0 * width
        end = Problem(stats.expon(), 2, steps, discount=0.8**width, chance=chance).solve()
        assert len(end.expected()) == 2
        errors.append(abs(sum(end.expected()) - sum(timed.thresholds(1.0))))
    assert errors[1] < 0.6 * errors[0] < 0.02
    resting = timed.thresholds(2.0)
    assert resting == pytest.approx([0.8 * e for e in timed.thresholds(1.0)], rel=1e-12)
    assert timed.thresholds(1.5) == pytest.approx([0.8**0.5 * e for e in timed.thresholds(1.0)], rel=1e-12)
    assert timed.value == pytest.approx(timed.thresholds(4.0)[0] + 2 * timed.thresholds(4.0)[1], rel=1e-12)
    assert 0 < timed.regret < timed.value


def test_what_is_rejected() -> None:
    plan = Problem(stats.expon(), 1, Poisson(3.0, 8.0)).solve()
    for left in (-1, 8.1, math.nan, "3", None):
        with pytest.raises(Ten18Error) as caught:
            plan.thresholds(left)
        assert caught.value.field == "left"
    wrong: list[Any] = [[], [0.0], [1.0, 1.0], [-1.0, 2.0], [0.0, 9.0], [0.0, math.nan], ["a", "b"]]
    for times in wrong:
        with pytest.raises(Ten18Error) as caught:
            plan.placements(times)
        assert caught.value.field == "times"


def test_a_discount_with_any_rate() -> None:
    """A function that is constant, and one that jumps, against the table that says the same."""
    dist = stats.uniform(1, 2)
    for table, function in (
        ([(0, 4.0)], lambda _: 4.0),
        ([(0, 1.0), (1.25, 6.0)], lambda time: 1.0 if time < 1.25 else 6.0),
    ):
        one = Problem(dist, [1, 2], Poisson(table, 3.0), discount=0.8).solve()
        other = Problem(dist, [1, 2], Poisson(function, 3.0), discount=0.8).solve()
        assert abs(float(one.value) - float(other.value)) <= one.error + other.error < 1e-9
        assert abs(float(one.hindsight) - float(other.hindsight)) <= one.hindsight_error + other.hindsight_error < 1e-8
        for left in (0.3, 1.75, 2.9):
            assert one.thresholds(left) == pytest.approx(other.thresholds(left), abs=1e-9)


def test_who_goes_where_by_closed_form() -> None:
    """One slot and the value 1: filled as soon as somebody comes. Uniform values: the bound is τ / (2 + τ)."""
    plan = Problem([1], 1, Poisson(2.0, 3.0)).solve()
    found = [row[0] for row in plan.placements([0.0, 1.0, 2.5])]
    assert found == pytest.approx([1 - math.exp(-2), math.exp(-2) - math.exp(-5)], abs=1e-8)
    # The chance to be free falls at the rate 2 / (2 + τ): it is ((2 + τ) / (2 + T))² with τ still to come of T.
    plan = Problem(stats.uniform(), 1, Poisson(2.0, 3.0)).solve()
    found = [row[0] for row in plan.placements([0.0, 1.0, 3.0])]
    assert found == pytest.approx([1 - (6 / 8) ** 2, (6 / 8) ** 2 - (2 / 8) ** 2], abs=1e-9)
    assert sum(row[0] for row in plan.placements()) == pytest.approx(1 - (2 / 8) ** 2, abs=1e-9)
