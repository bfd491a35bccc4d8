"""Every way in which values arrive: games, placements, batches, regimes, values seen ahead, rounds forever."""

import math
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from tentimes18.assignment import Endless, Poisson, Problem, RandomNumber, Regimes, UniformDistribution, rounds
from tentimes18.assignment.as_distribution import as_distribution
from tentimes18.assignment.batches import order_distribution
from tentimes18.assignment.distributions import FiniteDistribution, thresholds_of
from tentimes18.assignment.hindsight import equal_count_tails
from tentimes18.assignment.policy import Policy
from tentimes18.assignment.rounds import FloatRounds
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error, TooLarge
from tests.oracle.closed_forms import discounted_uniform
from tests.support.assignment import FEW, POSITIVE, both

HALF = Fraction(1, 2)
CHAIN = Regimes([[HALF, HALF], [Fraction(1, 4), Fraction(3, 4)]], [HALF, HALF])
MODELS = {
    "batches": Problem(stats.uniform(), [1, 2, 2], 4, batches=[3, 1], discount=0.9, chance=0.8),
    "exact batches": Problem([1, 2, 3, 7], [1, 2, 2], 6, batches=2, discount=Fraction(9, 10)),
    "must fill batches": Problem([-5, 2, 3], [1, 2], 4, batches=2, must_fill=True),
    "ahead": Problem([1, 2, 3, 7], [1, 2, 2], 6, ahead=2, discount=0.9, chance=0.8),
    "exact ahead": Problem([1, 2, 7], [1, 2, 2], 3, ahead=9, chance=HALF),
    "must fill ahead": Problem([-5, 2, 3], [1, 2], 4, ahead=1, must_fill=True),
    "exact regimes": Problem([[1, 2], [3, 7]], [1, 2, 2], 5, regimes=CHAIN, chance=HALF),
    "regimes": Problem([stats.expon(), 3], [1, 2], 6, regimes=CHAIN, chance=0.8, discount=0.9),
    "gamma": Problem(stats.gamma(2), [1, 1, 3], 12, discount=0.95, chance=0.8),
    "must fill": Problem([-1, 2, 5], [1, 2], 6, must_fill=True),
    "random number": Problem(stats.norm(1), [1, 2], RandomNumber([0.2, 0.3, 0.5])),
    "endless": Problem(stats.expon(), [1, 2, 2], Endless(), discount=0.5),
    "Poisson": Problem(stats.expon(), [1, 2, 2], Poisson(3.0, 2.0), discount=0.7),
    "Poisson, a table": Problem([1, 2, 5, 5], [1, 2, 2], Poisson([(0, 3.0), (0.5, 0), (1, 6.0)], 2.0), discount=0.7),
    "Poisson, a function": Problem(
        stats.uniform(), [1, 2], Poisson(lambda time: 3 + math.sin(time), 2.0), discount=0.7
    ),
}


@cache
def solved(name: str) -> Policy[Any]:
    return MODELS[name].solve(exact=name.startswith("exact"))


@pytest.mark.parametrize("name", MODELS)
def test_simulated_games_are_worth_the_value(name: str) -> None:
    plan = solved(name)
    found = plan.simulate(4000, seed=18)
    assert 0 < abs(found.mean - float(plan.value)) < 4 * found.stderr
    assert found.stderr < 0.02 * float(plan.value)  # games enough to tell
    assert plan.simulate(50, seed=18) == plan.simulate(50, seed=18) != plan.simulate(50, seed=19)


@pytest.mark.parametrize("name", MODELS)
def test_no_slot_is_filled_twice_and_the_best_slots_first(name: str) -> None:
    rows = solved(name).placements()
    filled = [float(sum(row[slot] for row in rows)) for slot in range(len(rows[0]))]
    assert all(0 <= float(chance) <= 1 + 1e-12 for row in rows for chance in row)
    assert all(chance <= 1 + 1e-9 for chance in filled)
    if MODELS[name].must_fill:
        assert filled == pytest.approx([1.0] * len(filled))


def test_only_arrivals_in_time_have_times() -> None:
    for problem in (Problem([1, 2], 1, 4), MODELS["batches"], MODELS["ahead"], MODELS["endless"]):
        with pytest.raises(Ten18Error) as caught:
            problem.solve().placements([0.0, 1.0])
        assert caught.value.field == "times"


def test_a_course_without_an_end_has_no_table() -> None:
    with pytest.raises(Ten18Error, match="choose the rows"):
        Problem([1, 2], 1, Endless(), discount=0.5).solve().to_frame()


def test_the_largest_of_some_values() -> None:
    dist = as_distribution([1, 2, 3, 4, 5, 6])
    largest = order_distribution(dist, 2, 1, exact=True)
    assert isinstance(largest, FiniteDistribution)
    assert largest.exact_mean() == Fraction(161, 36)
    assert largest.mean == pytest.approx(161 / 36)
    assert order_distribution(dist, 1, 1) is dist
    smooth = order_distribution(as_distribution(stats.expon()), 3, 2)
    assert smooth.mean == pytest.approx(1 / 2 + 1 / 3, rel=1e-12)
    assert smooth.above(1.0) == pytest.approx(stats.binom(3, stats.expon.sf(1.0)).sf(1), rel=1e-9)
    assert "largest but 1 of 3" in str(smooth)


def test_a_discount_is_that_of_a_batch() -> None:
    for exact in (False, True):
        plan = Problem([1, 2, 4], [1, 2], 4, batches=2, discount=Fraction(1, 2)).solve(exact=exact)
        alone = Problem([1, 2, 4], [1, 2], 2, batches=2).solve(exact=exact)
        assert [2 * e for e in plan.thresholds(1)] == alone.expected()
        found = float(plan.hindsight)
        assert found == pytest.approx(Problem([1, 2, 4], [1, 2], 4, batches=2, discount=0.5).solve().hindsight)
        assert float(plan.value) < found < 4 * 3


@pytest.mark.parametrize("exact", [False, True])
def test_a_batch_placed_value_by_value_is_placed_as_at_once(exact: bool) -> None:
    """With the bounds beside the values that must still be placed, in any order."""
    for must_fill in (False, True):
        plan = Problem([-1, 1, 2, 4], [1, 2, 2, 5], 6, batches=3, must_fill=must_fill).solve(exact=exact)
        for values in permutations([4, 1, 2]):
            for left in (0, 1):
                free = [1, 2, 4] if must_fill else [1, 2, 3, 4]
                at_once = plan.assign_batch(values, free, left)
                for place, value in enumerate(values):
                    slot = plan.assign(value, free, left, known=list(values[place + 1 :]))
                    assert plan.losses(value, free, left, known=values[place + 1 :])[slot] == 0
                    multipliers = [
                        None if found is None else plan.multipliers[found - 1] for found in (slot, at_once[place])
                    ]
                    assert multipliers[0] == multipliers[1]
                    free = [other for other in free if other != slot]
    with pytest.raises(Ten18Error, match="known 4: accepted: the values of this batch that are still to be placed"):
        plan.assign(1, left=1, known=4)


def test_bad_questions() -> None:
    plan = Problem([1, 2, 4], [1, 2], 4, batches=2).solve()
    for left in (2, -1, None, 0.5):
        with pytest.raises(Ten18Error, match="batches still to come"):
            plan.assign(1, left=left)
    with pytest.raises(Ten18Error, match="exact and finite"):
        Problem(stats.uniform(), 1, 4, batches=2).solve(exact=True)


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
def test_what_is_not_a_chain(transitions: Any, start: Any, field: str) -> None:
    with pytest.raises(Ten18Error) as caught:
        Regimes(transitions, start)
    assert caught.value.field == field


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
    assert list(plan.model.knowns(2)) == [0, 1]


def test_exact_chains_need_exact_chances() -> None:
    with pytest.raises(Ten18Error, match="Fractions"):
        Problem([[1, 2], [7, 9]], 1, 4, regimes=Regimes([[0.5, 0.5], [0, 1]])).solve(exact=True)


def test_what_is_seen_decides() -> None:
    plan = Problem([1, 5, 9], 1, 6, ahead=2).solve(exact=True)
    assert plan.assign(5, left=4, known=[1, 9]) is None
    assert plan.assign(5, left=1, known=[1]) == 1
    assert plan.assign(5, left=0, known=[]) == 1
    assert plan.thresholds(1, known=[9]) == [9]
    assert list(plan.model.knowns(1)) == [(1,), (5,), (9,)]
    assert (len(list(plan.model.knowns(5))), list(plan.model.knowns(0))) == (9, [()])
    for known in (None, [1], [1, 2], 3):
        with pytest.raises(Ten18Error, match="known"):
            plan.assign(5, left=4, known=known)


def test_too_many_windows_are_rejected() -> None:
    with pytest.raises(TooLarge, match="the limit is"):
        Problem(range(30), 3, 20, ahead=12).solve()


@pytest.mark.parametrize("discount", [0.1, 0.9, 0.999])
def test_uniform_values(discount: float) -> None:
    plan = Problem(UniformDistribution(0, 1), 1, Endless(), discount=discount).solve()
    assert plan.thresholds()[0] == pytest.approx(discounted_uniform(discount), abs=1e-13)
    assert plan.value == pytest.approx(discounted_uniform(discount) / discount, abs=1e-13)


def test_many_rounds_come_to_it() -> None:
    dist = stats.norm(1.0)
    plan = Problem(dist, [1, 2, 5], Endless(), discount=0.7, chance=0.5).solve()
    long = Problem(dist, [1, 2, 5], 150, discount=0.7, chance=0.5).solve()
    assert abs(float(plan.value) - float(long.value)) <= plan.error + long.error
    assert plan.thresholds() == pytest.approx(long.thresholds(149), rel=1e-12)
    assert plan.hindsight == pytest.approx(long.hindsight, rel=1e-10)
    found = plan.simulate(1000, seed=18)
    assert abs(found.mean - plan.value) < 4 * found.stderr


def test_nothing_is_left_of_what_has_no_end() -> None:
    plan = Problem([1, 2], 1, Endless(), discount=0.9).solve()
    with pytest.raises(Ten18Error, match="left"):
        plan.assign(1, left=3)


def test_rows_that_were_not_kept_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(stats.gamma(2), 3, 50, discount=0.9)
    whole = problem.solve()
    monkeypatch.setattr(rounds, "KEPT_BYTES", 8 * 3 * 7)
    sparse = problem.solve()
    assert isinstance(sparse.model, FloatRounds)
    assert sparse.value == whole.value
    for left in range(50):
        assert sparse.thresholds(left) == pytest.approx(whole.thresholds(left), rel=1e-14)


@FEW
@given(POSITIVE)
def test_as_many_slots_as_arrivals_is_the_recurrence_alone(samples: list[int]) -> None:
    _, dist = both(samples)

    class Plain:
        mean = dist.exact_mean()

        def phi(self, bound: Fraction) -> Fraction:
            return self.mean - dist.exact_excess(bound)

    expected = thresholds_of([Plain()] * 5)[-1]
    assert Problem(dist, 5, 5, must_fill=True).solve(exact=True).expected() == expected
    assert Problem(dist, 5, 5).solve().expected() == pytest.approx([float(e) for e in expected], abs=1e-13)


def test_a_million_rounds_round_no_more_than_they_say() -> None:
    """Rows of a finite distribution against a twin in NumPy with twice the digits, which has errors of its own."""
    dist = Problem(Dice.parse("2d6"), 4, 20_000)
    plan = dist.solve()
    chances = np.array([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1], dtype=np.longdouble) / 36
    values = np.arange(2, 13, dtype=np.longdouble)
    row = np.zeros(4, dtype=np.longdouble)
    for _ in range(20_000):
        excess = np.maximum(values[:, None] - row[None, :], 0).T @ chances
        row = row + excess - np.concatenate([[0], excess[:-1]])
    assert np.abs(np.array(plan.expected()[::-1]) - row).max() <= plan.model.error < 1e-11


@pytest.mark.parametrize("rounds", [3.0, 1000.0, np.inf])
def test_counts_of_equal_values(rounds: float) -> None:
    shares = np.array([0.0, 1e-20, 1e-4, 0.3, 0.9999, 1.0])
    out = np.empty((6, 4))
    equal_count_tails(shares, rounds, out)
    for m, share in enumerate(shares):
        known = stats.poisson(share) if rounds == np.inf else stats.binom(int(rounds), share)
        assert out[m] == pytest.approx(known.sf(np.arange(4)), rel=1e-12, abs=1e-300)  # small chances, too
