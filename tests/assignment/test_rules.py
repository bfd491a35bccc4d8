"""Every rule against an oracle that goes through all sequences, known rules against their definitions, and bounds."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from tentimes18.assignment import (
    Endless,
    Poisson,
    Problem,
    RandomNumber,
    Regimes,
    UniformDistribution,
    Worth,
    rule_values,
)
from tentimes18.assignment.rules import Course, as_rule
from tentimes18.errors import Ten18Error
from tests.oracle import assignment as oracle
from tests.support.assignment import DISCOUNTS, FEW, MULTIPLIERS, POSITIVE, both, problems

RULES = ["static_price", "fluid", "resolving", "nearest", "certainty_equivalent", "prophet", "prophet:units"]


def worths_of(problem: Problem, arrivals: oracle.Arrivals, rule: Any) -> dict[Fraction, Fraction]:
    multipliers, discount = [Fraction(m) for m in problem.multipliers], Fraction(problem.discount)
    return oracle.rule_worths(arrivals, multipliers, rule, may_stay_empty=not problem.must_fill, discount=discount)


def by_rank(problem: Problem, name: str) -> Any:
    """A rule with thresholds, as the oracle plays it."""
    row: Any = as_rule(name).thresholds(Course(problem, exact=True))  # type: ignore[misc]

    def rule(value: Fraction, free: frozenset[int], left: int, state: Any) -> int | None:
        known = None if problem.regimes is None else state[1]
        rank = sum(level >= value for level in row(left, len(free), known))
        ranked = sorted(free, key=lambda slot: (-problem.multipliers[slot - 1], slot))
        return ranked[rank] if rank < len(free) else None

    return rule


@FEW
@given(problems(), st.sampled_from(RULES[1:]))
def test_rules_with_thresholds(found: tuple[Problem, oracle.Arrivals], name: str) -> None:
    problem, arrivals = found
    expected = worths_of(problem, arrivals, by_rank(problem, name))
    exact, fast = problem.evaluate(name, exact=True), problem.evaluate(name)
    assert exact.value == sum(worth * chance for worth, chance in expected.items())
    assert exact.error == 0 <= exact.loss
    assert dict(zip(exact.distribution.values, exact.distribution.chances, strict=True)) == expected
    assert abs(Fraction(fast.value) - exact.value) <= fast.error < 1e-9


@FEW
@given(problems())
def test_functions_with_and_without_a_memory(found: tuple[Problem, oracle.Arrivals]) -> None:
    problem, arrivals = found

    def odd(value: Any, free: Any, left: int) -> int | None:
        slots = sorted(free)
        return slots[int(value + left) % len(slots)] if (3 * value + left) % 4 != 1 else None

    def remembers(value: Any, free: Any, left: int, seen: Any) -> int | None:
        return odd(value, free, left) if len(seen) < 9 else None

    expected = worths_of(problem, arrivals, lambda value, free, left, _: odd(value, free, left))
    exact = problem.evaluate(odd, exact=True)
    assert dict(zip(exact.distribution.values, exact.distribution.chances, strict=True)) == expected
    assert exact.value == exact.distribution.mean
    assert problem.evaluate(remembers, exact=True).value == exact.value
    fast = problem.evaluate(odd)
    assert abs(Fraction(fast.value) - exact.value) <= fast.error < 1e-9


@FEW
@given(problems())
def test_the_optimal_policy_as_a_rule(found: tuple[Problem, oracle.Arrivals]) -> None:
    problem, _ = found
    policy, best = problem.solve(exact=True), problem.evaluate(exact=True)
    assert problem.evaluate(policy, exact=True).value == policy.value == best.value == best.distribution.mean
    if problem.regimes is None:
        assert problem.evaluate(policy.assign, exact=True).value == policy.value


@FEW
@given(POSITIVE, st.integers(1, 3), st.integers(1, 4))
def test_the_best_static_price(samples: list[int], slots: int, rounds: int) -> None:
    for revenue in (False, True):
        problem = Problem([Fraction(sample) for sample in samples], slots, rounds, revenue=revenue)
        values = [problem.evaluate(price, exact=True).value for price in range(8)]
        assert problem.evaluate("static_price", exact=True).value == max(values)


@FEW
@given(st.lists(POSITIVE, min_size=1, max_size=3), MULTIPLIERS, DISCOUNTS)
def test_the_fluid_bound_is_a_linear_program(
    samples: list[list[int]], multipliers: tuple[int, ...], discount: Fraction
) -> None:
    problem = Problem([both(found)[1] for found in samples], multipliers, len(samples), discount=discount)
    places = [(t, x) for t, found in enumerate(samples) for x in found]
    worth = [float(discount**t) * x * m for t, x in places for m in multipliers]
    by_value = np.kron(np.eye(len(places)), np.ones(len(multipliers)))
    by_slot = np.kron(np.ones(len(places)), np.eye(len(multipliers)))
    most = [1 / len(samples[t]) for t, _ in places] + [1.0] * len(multipliers)
    best = -optimize.linprog(-np.array(worth), np.vstack([by_value, by_slot]), most).fun
    bound = problem.compare([]).fluid_bound
    assert bound == pytest.approx(best, abs=1e-9)
    assert bound >= float(problem.solve().hindsight) - 1e-9


def test_rules_by_their_definitions() -> None:
    course = Course(Problem(UniformDistribution(0, 1), 2, arrivals=10))
    rows: Any = {name: as_rule(name).thresholds(course) for name in [*RULES[1:], "prophet:median"]}  # type: ignore[misc]
    assert rows["fluid"](5, 2, None) == pytest.approx([0.9, 0.8])
    assert rows["resolving"](4, 2, None) == pytest.approx([0.8, 0.6])
    assert rows["nearest"](4, 2, None) == pytest.approx([0.8, 0.6])
    assert rows["certainty_equivalent"](1, 2, None) == pytest.approx([0.5, 0.0])
    assert rows["prophet"](1, 1, None) == pytest.approx([(10 / 11 + 9 / 11) / 4])
    assert rows["prophet:units"](1, 1, None) == pytest.approx([1 - (2 - math.sqrt(4 * math.log(2))) / 10])
    assert stats.binom(10, 1 - rows["prophet:median"](1, 1, None)[0]).sf(1) == pytest.approx(0.5)


POLICIES = {
    "Poisson": Problem(stats.expon(), [1, 2, 2], Poisson([(0, 3.0), (0.5, 0), (1, 6.0)], 2.0), discount=0.9),
    "endless": Problem(stats.expon(), [1, 2, 2], Endless(), discount=0.5),
    "gamma": Problem(stats.gamma(2), [1, 1, 3], 12, discount=0.95, chance=0.8),
    "must fill": Problem(stats.norm(), [1, 2], 6, must_fill=True),
    "number": Problem(stats.norm(1), [1, 2], RandomNumber(stats.binom(5, 0.6))),
    "regimes": Problem([stats.expon(), stats.gamma(3)], [1, 2], 6, regimes=Regimes([[0.8, 0.2], [0.5, 0.5]])),
    "revenue": Problem(stats.gamma(4), [1, 2, 2], 5, revenue=True),
    "revenue in time": Problem(stats.expon(), 2, Poisson(3.0, 1.0), revenue=True),
}


@pytest.mark.parametrize("name", POLICIES)
def test_the_thresholds_of_a_policy_are_worth_its_value(name: str) -> None:
    """The value of the rule, by a recurrence for each number of free slots, against that of the optimal policy."""
    problem = POLICIES[name]
    policy = problem.solve()
    found = problem.evaluate(policy)
    assert abs(found.value - policy.value) <= found.error + policy.error
    assert found.error < 1e-5
    assert found.value <= problem.compare([]).fluid_bound


def test_a_static_price_in_time_in_closed_form() -> None:
    """Gallego and van Ryzin: a Poisson number of buyers pay the price, until the seats are gone."""
    problem = Problem("gamma(4, 25)", 20, Poisson(2, 30), revenue=True)
    buyers = stats.poisson(60 * stats.gamma(4, scale=25).sf(110))
    expected = 110 * sum(buyers.sf(sold) for sold in range(20))
    values = {each.rule: each.value for each in problem.compare([90, 105, 110, 120, "static_price"]).evaluations}
    assert values["static_price:110"] == pytest.approx(expected, rel=1e-9)
    assert max(list(values.values())[1:]) == values["static_price:112.01"]


@pytest.mark.parametrize(
    "problem",
    [
        Problem(stats.gamma(2), [1, 2, 2], 6, batches=[3, 2, 1], discount=0.9, chance=0.8),
        Problem([1, 2, 3, 7], [1, 2, 2], 6, ahead=2, discount=0.9, chance=0.8),
    ],
)
def test_rules_that_are_simulated(problem: Problem) -> None:
    """Where values are seen together or ahead the best choices lose nothing, and others what their games lose."""
    policy = problem.solve()
    best = problem.evaluate(lambda value, free, left, known: policy.assign(value, free, left, known), games=100)
    assert best.loss == pytest.approx(0, abs=1e-9)
    other = problem.evaluate("resolving", games=400, seed=18)
    assert other.loss > 0
    assert other.error_kind == "standard error"
    mean, sd = other.distribution.mean, other.distribution.sd
    assert abs(mean - other.value) < 4 * sd / math.sqrt(400)


def test_a_function_of_smooth_values_is_simulated() -> None:
    problem = Problem("gamma(2, 50)", [1, 1, 2, 5], 40)
    price = problem.evaluate(100)

    def above_100(value: float, free: list[int], left: int) -> int | None:
        return free[-1] if value > 100 and left >= 0 else None

    games = problem.evaluate(above_100, games=500)
    assert abs(games.value - price.value) < 4 * games.error
    assert games.distribution.games == 500
    assert problem.evaluate(price.policy).value == pytest.approx(price.policy.value)
    assert problem.evaluate().distribution.mean == pytest.approx(price.policy.value, rel=0.05)


def test_who_learns_loses_more_than_who_knows() -> None:
    problem = Problem("gamma(2, 50)", 3, 40)
    ranked = problem.compare(["learning", "resolving", "optimal"], games=300)
    assert [each.rule for each in ranked.evaluations] == ["optimal", "resolving", "learning"]
    frame = ranked.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.loc["learning", "loss"] > frame.loc["resolving", "loss"] > 0
    assert ranked.plot().axes[0].patches


@pytest.mark.parametrize("slots", [1, 3])
def test_prophets_keep_their_promise(slots: int) -> None:
    """Half of hindsight, for a distribution that is hard on them: little for sure, or much with a small chance."""
    hard = [{Fraction(1): Fraction(1)}] * slots + [{Fraction(0): Fraction(99, 100), Fraction(100): Fraction(1, 100)}]
    problem = Problem(hard, slots, len(hard))
    assert problem.evaluate("prophet", exact=True).ratio >= 0.5
    if slots == 1:
        assert problem.evaluate("prophet:median").ratio >= 0.5 - 1e-9


def test_a_threshold_that_equals_a_value_rejects_it_in_float64_too() -> None:
    """7/3 is no float: threshold and value are rounded alike, for the value and for the distribution."""
    problem = Problem([Fraction(7, 3)], [1], 1)
    for exact in (False, True):
        found = problem.evaluate({(0, 1): [Fraction(7, 3)]}, exact=exact)
        assert found.value == found.distribution.mean == 0


def test_slots_that_are_worth_nothing_have_a_prophet() -> None:
    assert Problem([1, 2], [0, 0], 3).evaluate("prophet").value == 0


@pytest.mark.parametrize("options", [{"batches": 2}, {"ahead": 1}])
def test_what_is_simulated_has_no_exact_value(options: dict[str, int]) -> None:
    with pytest.raises(Ten18Error, match="no exact value where values are seen together or ahead"):
        Problem([1, 2], 1, 4, **options).evaluate("resolving", exact=True)  # type: ignore[arg-type]


def test_tables_and_prices() -> None:
    problem = Problem([1, 2, 6], 2, arrivals=3)
    table = {(left, count): 1.5 for left in range(3) for count in (1, 2)}
    rows = [[1.5, 1.5]] * 3
    assert problem.evaluate(table).value == problem.evaluate(rows).value == problem.evaluate(1.5).value
    assert problem.evaluate("static_price:3/2", exact=True).value == problem.evaluate(Fraction(3, 2), exact=True).value


def test_the_risk_of_a_worth() -> None:
    worth = Problem("1d6", 1, 2).evaluate(exact=True).distribution  # the first roll is taken from 4 on
    assert dict(zip(worth.values, worth.chances, strict=True)) == {
        roll: Fraction(1, 12) + (Fraction(1, 6) if roll > 3 else 0) for roll in range(1, 7)
    }
    assert worth.at_least(6) == Fraction(1, 4)
    assert worth.quantile(0.25) == 3
    assert worth.cvar(0.25) == pytest.approx(2)
    assert "exact" in repr(worth)
    assert Worth([1, 2], [0.5, 0.5]).sd == 0.5


def _seventh(value: float, free: list[int], left: int) -> int:
    return free[-1] if value + left < 0 else 7


@pytest.mark.parametrize(
    ("rule", "options", "problem"),
    [
        ("best", {}, "accepted: optimal, static_price"),
        ("prophet:thirds", {}, "accepted: half, median, units"),
        ("static_price:x", {}, "accepted: a number"),
        (object(), {}, "accepted: a rule, its name"),
        ({(0, 1): 1}, {}, "has no thresholds with 1 still to come and 1 free"),
        ([[[1, 2]], [[1, 2]], [[1, 2]]], {}, "2 thresholds for 1 free"),
        (_seventh, {}, "accepted: a free slot"),
        ("resolving", {"games": 1}, "at least two games"),
        ("certainty_equivalent", {"revenue": True}, "without revenue"),
        (_seventh, {"revenue": True}, "a seller posts prices"),
    ],
)
def test_rules_that_are_rejected(rule: Any, options: dict[str, Any], problem: str) -> None:
    games = options.pop("games", 100)
    with pytest.raises(Ten18Error, match=problem):
        Problem([1, 2, 6], 1, arrivals=3, **options).evaluate(rule, games=games)


def test_a_rule_too_large_for_exact_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_values, "MAX_MOVES", 1000)
    problem = Problem(range(1, 20), 12, arrivals=30)
    with pytest.raises(Ten18Error, match="too large for exact numbers"):
        problem.evaluate(lambda value, free, left: free[int(value + left) % len(free)], exact=True)
    assert problem.evaluate(1, exact=True).error_kind == "exact"
