"""Every variant of the problem against an oracle that goes through every action, and bad input."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tentimes18.assignment import (
    Endless,
    Poisson,
    Problem,
    RandomNumber,
    Regimes,
    UniformDistribution,
    mixture,
    secretary,
)
from tentimes18.assignment.policy import Policy
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error, TooLarge
from tests.oracle import assignment as oracle
from tests.oracle import prices
from tests.oracle.closed_forms import moser, uniform_limit
from tests.support.assignment import (
    DISCOUNTS,
    FEW,
    MULTIPLIERS,
    ONE_BY_ONE,
    POSITIVE,
    SAMPLES,
    both,
    problems,
)


def agrees(problem: Problem, value: Fraction) -> Policy[Any]:
    """Exact is exact, and float64 lies within the error that it states."""
    exact, fast = problem.solve(exact=True), problem.solve()
    assert exact.value == value
    assert exact.error == 0
    assert abs(Fraction(fast.value) - value) <= fast.error
    assert fast.error <= 1e-12
    return exact


@settings(FEW, max_examples=90)
@given(problems(kinds=(*ONE_BY_ONE, "ahead")))
def test_every_variant_against_the_oracle(found: tuple[Problem, oracle.Arrivals]) -> None:
    """What it is worth, and the chances that each arrival fills each slot, exactly."""
    problem, arrivals = found
    multipliers, stays = [int(m) for m in problem.multipliers], not problem.must_fill
    tree = oracle.Tree(arrivals, multipliers, may_stay_empty=stays, discount=Fraction(problem.discount))
    policy = agrees(problem, tree.value)
    if problem.ahead:
        assert policy.regret >= 0
        assert policy.regret == 0 or problem.ahead < policy.model.length - 1
    if stays:
        filled = tree.filled()
        for t, row in enumerate(policy.placements(), start=1):
            for slot, chance in enumerate(row, start=1):
                assert isinstance(chance, Fraction)
                if multipliers[slot - 1]:
                    assert chance == filled.get((slot, t), (Fraction(0),))[0]


def test_both_readings_of_an_empty_slot_differ() -> None:
    """Padding alone fills every slot; max(X, 0) in the place of X lets one stay empty."""
    value = Problem([-3, 1], [1, 2], arrivals=3).solve(exact=True).value
    filled = Problem([-3, 1], [1, 2], arrivals=3, must_fill=True).solve(exact=True).value
    positive = Problem([0, 1], [1, 2], arrivals=3, must_fill=True).solve(exact=True).value
    assert value == positive > filled


@FEW
@given(SAMPLES, MULTIPLIERS, st.lists(st.integers(1, 2), min_size=1, max_size=3), DISCOUNTS, st.booleans())
def test_values_seen_in_batches(
    samples: list[int], multipliers: tuple[int, ...], sizes: list[int], discount: Fraction, fill: bool
) -> None:
    dist, ours = both(samples)
    multipliers = multipliers[: sum(sizes)]
    batches = [[dist] * size for size in sizes]
    value = oracle.batch_value(batches, multipliers, may_stay_empty=not fill, discount=discount)
    agrees(Problem(ours, multipliers, sum(sizes), batches=sizes, discount=discount, must_fill=fill), value)


@FEW
@given(st.lists(SAMPLES, min_size=1, max_size=4), MULTIPLIERS, st.booleans())
def test_hindsight(samples: list[list[int]], multipliers: tuple[int, ...], fill: bool) -> None:
    dists = [both(found) for found in samples]
    multipliers = multipliers[: len(dists)] if fill else multipliers
    expected = oracle.hindsight_value([dist for dist, _ in dists], multipliers, may_stay_empty=not fill)
    problem = Problem([dist for _, dist in dists], multipliers, len(dists), must_fill=fill)
    exact, fast = problem.solve(exact=True), problem.solve()
    assert exact.hindsight == expected
    assert exact.regret == expected - exact.value >= 0
    assert abs(Fraction(fast.hindsight) - expected) <= fast.hindsight_error < 1e-11
    assert exact.hindsight_error == 0 == exact.regret_error


def test_hindsight_of_smooth_distributions_lies_within_its_error() -> None:
    """Order statistics in closed form: uniform, exponential, and a heavy tail."""
    uniform = Problem(stats.uniform(), 2, 9).solve()
    assert abs(float(uniform.hindsight) - (9 + 8) / 10) <= uniform.hindsight_error < 1e-11
    exponential = Problem(stats.expon(), 1, 20, chance=1).solve()
    expected = math.fsum(1 / k for k in range(1, 21))
    assert abs(float(exponential.hindsight) - expected) <= exponential.hindsight_error < 1e-10
    heavy = Problem(stats.pareto(1.5), 1, 10).solve()
    largest = math.gamma(11) * math.gamma(1 - 1 / 1.5) / math.gamma(11 - 1 / 1.5)
    assert abs(float(heavy.hindsight) - largest) <= heavy.hindsight_error < 1e-6


@FEW
@given(POSITIVE, MULTIPLIERS.filter(lambda found: len(found) < 3), st.integers(1, 3))
def test_revenue(samples: list[int], multipliers: tuple[int, ...], rounds: int) -> None:
    dist, ours = both(samples)
    agrees(Problem(ours, multipliers, rounds, revenue=True), prices.best_revenue([dist] * rounds, multipliers))


def test_one_batch_of_all_values_is_hindsight() -> None:
    dist = stats.gamma(2)
    plan = Problem(dist, [1, 2, 5], arrivals=12).solve()
    assert Problem(dist, [1, 2, 5], arrivals=12, batches=12).solve().value == pytest.approx(plan.hindsight, rel=1e-13)
    assert Problem(dist, [1, 2, 5], arrivals=12, batches=1).solve().value == pytest.approx(plan.value, rel=1e-14)


@pytest.mark.parametrize("arrivals", [1, 2, 3, 5, 8])
def test_moser(arrivals: int) -> None:
    assert Problem(UniformDistribution(0, 1), 1, arrivals).solve(exact=True).value == moser(arrivals)


def test_the_limits_of_many_uniform_values() -> None:
    arrivals = 200_000
    row = Problem(stats.uniform(), 2, arrivals).solve().expected()
    assert arrivals * (1 - row[1]) == pytest.approx(uniform_limit(1), rel=1e-3)
    assert arrivals * (1 - row[0]) == pytest.approx(uniform_limit(2), rel=1e-3)


def test_a_distribution_by_mean_and_phi_alone() -> None:
    class Exponential:
        mean = 1.0

        def phi(self, bound: float) -> float:
            return bound if bound < 0 else 1 - math.exp(-bound)

    ours = Problem(Exponential(), [1, 3], arrivals=20).solve()
    assert ours.value == pytest.approx(Problem(stats.expon(), [1, 3], arrivals=20).solve().value, abs=ours.error)


def test_float64_is_as_good_as_it_says_after_many_rounds() -> None:
    """Of dice, whose exact rows are known for hundreds of rounds."""
    problem = Problem(Dice.parse("3d6"), [1, 2, 3, 4, 5], arrivals=300)
    exact, fast = problem.solve(exact=True), problem.solve()
    assert 0 < abs(float(exact.value - Fraction(fast.value))) <= fast.error < 1e-10


BESIDE = [
    [-1, Fraction(1, 25_000_000)],
    [-3, Fraction(87, 10**6), Fraction(53, 10**9)],
    mixture([Fraction(1, 2)] * 2, [UniformDistribution(-30, Fraction(1, 10**9)), -7]),
]


@pytest.mark.parametrize("dist", BESIDE)
@pytest.mark.parametrize("discount", [1, Fraction(1, 2)])
def test_a_small_worth_beside_large_losses_is_within_its_error(dist: Any, discount: Fraction) -> None:
    """Values that are rejected are a billion times as large as those that count."""
    problem = Problem(dist, [1, 2], arrivals=5, discount=discount)
    exact, policy = problem.solve(exact=True), problem.solve()
    worth = Fraction(policy.value)
    assert 0 < exact.value < Fraction(1, 1000)
    assert abs(worth - exact.value) <= policy.error < 1e-12 * worth


def refused(field: str, *given_: Any, **named: Any) -> str:
    with pytest.raises(Ten18Error) as caught:
        Problem(*given_, **named).solve()
    assert caught.value.field == field
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("field", "given_"),
    [
        ("slots", {"slots": 0}),
        ("slots", {"slots": []}),
        ("slots", {"slots": "1-3"}),
        ("slots", {"slots": [1, math.nan]}),
        ("slots", {"slots": [-1]}),
        ("slots", {"slots": None}),
        ("slots", {"slots": [lambda value: value**2]}),
        ("slots", {"slots": [(1, 3.5)]}),
        ("slots", {"slots": 4, "arrivals": 3, "must_fill": True}),
        ("arrivals", {"arrivals": 0}),
        ("arrivals", {"arrivals": 2.5}),
        ("arrivals", {"arrivals": None}),
        ("discount", {"discount": 0}),
        ("discount", {"discount": 1.5}),
        ("discount", {"discount": math.nan}),
        ("discount", {"arrivals": Endless()}),
        ("chance", {"chance": 0}),
        ("must_fill", {"arrivals": RandomNumber([1]), "must_fill": True}),
        ("must_fill", {"chance": 0.5, "must_fill": True}),
        ("ahead", {"ahead": -1}),
        ("ahead", {"ahead": 1, "batches": 2}),
        ("batches", {"batches": [1, 1]}),
        ("batches", {"batches": 0}),
        ("batches", {"batches": 2, "arrivals": Endless()}),
        ("distribution", {"regimes": Regimes([[1, 0], [0, 1]])}),
        ("revenue", {"revenue": True, "must_fill": True}),
        ("revenue", {"revenue": True, "batches": 2}),
        ("distribution", {"distribution": [math.nan, 1.0]}),
        ("distribution", {"distribution": []}),
        ("distribution", {"distribution": stats.cauchy()}),
        ("distribution", {"distribution": stats.expon(), "ahead": 1}),
        ("distribution", {"distribution": [stats.expon(), stats.norm()]}),
        ("distribution", {"distribution": [stats.expon(), stats.norm()], "arrivals": Poisson(3.0, 1.0)}),
        ("arrivals", {"arrivals": 10**9, "slots": 10**6}),
    ],
)
def test_bad_input_is_rejected_in_a_line_that_names_the_field(field: str, given_: dict[str, Any]) -> None:
    refused(field, **{"distribution": [1, 2], "slots": 1, "arrivals": 3, **given_})


def test_where_the_structure_is_lost_a_line_says_why() -> None:
    assert "multiplier × value" in refused("slots", [1, 2], [lambda value: value**2], 3)
    assert "come later" in refused("slots", [1, 2], [(1, 0.0), (2, 3.5)], 3)


def test_what_is_not_exact_has_no_exact_answer() -> None:
    for field, problem in [
        ("distribution", Problem(stats.expon(), 1, 3)),
        ("discount", Problem([1, 2], 1, 3, discount=0.5)),
        ("arrivals", Problem([1, 2], 1, Poisson(1.0, 1.0))),
        ("arrivals", Problem([1, 2], 1, RandomNumber([0.5, 0.5]))),
    ]:
        with pytest.raises(Ten18Error) as caught:
            problem.solve(exact=True)
        assert caught.value.field == field


def test_exact_rows_of_squares_are_rejected_before_they_fill_the_memory() -> None:
    with pytest.raises(TooLarge, match="the limit is"):
        Problem(UniformDistribution(0, 1), 1, 60).solve(exact=True)


class Strange:
    """Like a distribution, but for its mean or its φ."""

    def __init__(self, mean: object, phi: object) -> None:
        self.mean, self.phi = mean, phi


WRONG: dict[str, Any] = {
    "chances": ["x", 1],
    "number": 3,
    "nothing": None,
    "halves": [1.5],
    "square": [[1, 0], [0, 1]],
}


@pytest.mark.parametrize(
    ("field", "build"),
    [
        ("distribution", lambda: Problem(Strange("x", abs), 1, 3)),
        ("distribution", lambda: Problem(Strange(0.5, 3), 1, 3)),
        ("distribution", lambda: Problem(pandas.Series([1.0, math.nan]), 1, 3)),
        ("distribution", lambda: Problem(pandas.Series([1, "x"]), 1, 3)),
        ("distribution", lambda: Problem(np.array([1, None], dtype=object), 1, 3)),
        ("distribution", lambda: Problem(np.ma.array([1.0, 2.0], mask=[False, True]), 1, 3)),
        ("distribution", lambda: Problem("x", 1, 3)),
        ("distribution", lambda: mixture(WRONG["chances"], [1, 2])),
        ("slots", lambda: Problem([1, 2], [0.5], 3).solve(exact=True)),
        ("arrivals", lambda: RandomNumber(WRONG["chances"])),
        ("arrivals", lambda: RandomNumber(WRONG["number"])),
        ("arrivals", lambda: RandomNumber({10**8: 1})),
        ("until", lambda: Poisson(1.0, math.nan)),
        ("regimes", lambda: Problem([[1], [2]], 1, 3, regimes=WRONG["square"])),
        ("regimes", lambda: Regimes(WRONG["nothing"])),
        ("regimes", lambda: Regimes(WRONG["chances"])),
        ("start", lambda: Regimes([[1]], WRONG["nothing"])),
        ("batches", lambda: Problem([1, 2], 1, 3, batches=WRONG["chances"])),
        ("free", lambda: Problem([1, 2], 1, 3).solve().assign(1, free=WRONG["number"], left=1)),
        ("free", lambda: Problem([1, 2], 1, 3).solve().assign(1, free=WRONG["halves"], left=1)),
        ("values", lambda: Problem([1, 2], 1, 4, batches=2).solve().assign_batch(WRONG["number"], left=1)),
        ("times", lambda: Problem([1, 2], 1, Poisson(1.0, 1.0)).solve().placements(WRONG["number"])),
        ("price", lambda: Problem([1, 2], 1, 3).evaluate(math.nan)),
        ("rule", lambda: Problem([1, 2], 1, 3).evaluate(abs)),
        ("rule", lambda: Problem([1, 2], 1, 1).evaluate({(0, 1): ["x"]})),
        ("rule", lambda: Problem([1, 2], 1, 1).evaluate({(0, 1): math.nan})),
        ("rules", lambda: Problem([1, 2], 1, 3).compare(WRONG["number"])),
        ("rules", lambda: Problem([1, 2], 1, 3).compare("fluid")),
        ("distribution", lambda: mixture(WRONG["number"], [1])),
        ("distribution", lambda: UniformDistribution(WRONG["chances"], 1)),
        ("reward", lambda: secretary(5, reward=WRONG["number"])),
        ("chance", lambda: Problem([1, 2], 1, 3).evaluate(1).distribution.cvar(WRONG["nothing"])),
        ("table", lambda: Problem([1, 2], 1, 3).solve().to_frame(table=WRONG["nothing"])),
    ],
)
def test_what_a_new_user_may_get_wrong(field: str, build: Callable[[], Any]) -> None:
    with pytest.raises(Ten18Error) as caught:
        build()
    assert caught.value.field == field
    assert len(str(caught.value).splitlines()) == 1
