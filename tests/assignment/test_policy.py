"""The solved problem: decisions, losses, prices, placements, games."""

import math
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tentimes18.assignment import Poisson, Problem, RandomNumber, UniformDistribution, rounds
from tentimes18.assignment import policy as policy_module
from tentimes18.errors import Ten18Error, TooLarge
from tests.oracle import assignment as oracle
from tests.oracle import prices as price_oracle
from tests.support.assignment import FEW, MULTIPLIERS, POSITIVE, SAMPLES, both, problems


@settings(FEW, max_examples=30)
@given(problems(kinds=["list"]), st.data())
def test_every_decision_is_that_of_the_oracle(found: tuple[Problem, oracle.Arrivals], data: st.DataObject) -> None:
    problem, arrivals = found
    multipliers, stays = [int(m) for m in problem.multipliers], not problem.must_fill
    tree = oracle.Tree(arrivals, multipliers, may_stay_empty=stays, discount=Fraction(problem.discount))
    plan = problem.solve(exact=True)
    free = data.draw(st.sets(st.sampled_from(range(1, len(multipliers) + 1)), min_size=1))
    for past, dist in enumerate(problem.distributions):
        left = len(problem.distributions) - past - 1
        if stays or len(free) <= left + 1:
            for x, _ in dist.exact_atoms():
                worths = tree.actions(x, past + 1, frozenset(free))
                losses = plan.losses(x, free, left)
                assert losses == {action: max(worths.values()) - worth for action, worth in worths.items()}
                assert losses[plan.assign(x, free, left)] == 0
                assert problem.must_fill or plan.assign(x, free, left) == tree.best(x, past + 1, frozenset(free))


@FEW
@given(SAMPLES, st.lists(st.integers(0, 3), min_size=1, max_size=3), st.integers(3, 4))
def test_every_slot_that_must_be_filled_is_filled(samples: list[int], multipliers: list[int], rounds: int) -> None:
    """Slots of multiplier 0, too: the placement probabilities are those of the decisions."""
    dist, ours = both(samples)
    policy = Problem(ours, multipliers, rounds, must_fill=True).solve(exact=True)
    expected: dict[tuple[int, int], Fraction] = {}

    def follow(past: int, free: frozenset[int], chance: Fraction) -> None:
        if past < rounds and free:
            for x, weight in dist.items():
                slot = policy.assign(x, free, rounds - past - 1)
                if slot is not None:
                    expected[past, slot] = expected.get((past, slot), Fraction(0)) + chance * weight
                follow(past + 1, free - {slot}, chance * weight)

    slots = range(1, len(multipliers) + 1)
    follow(0, frozenset(slots), Fraction(1))
    rows = policy.placements()
    assert rows == [[expected.get((past, slot), 0) for slot in slots] for past in range(rounds)]
    assert all(sum(row[slot - 1] for row in rows) == 1 for slot in slots)


@FEW
@given(st.permutations([0, 1, 1, 3]), SAMPLES, st.data())
def test_slots_keep_their_numbers(multipliers: list[int], samples: list[int], data: st.DataObject) -> None:
    """In any order: every answer is that of the same slots in increasing order."""
    ours = both(samples)[1]
    sizes = data.draw(st.sampled_from([None, [2, 1, 2]]))
    policy = Problem(ours, multipliers, 5, batches=sizes).solve(exact=True)
    plain = Problem(ours, sorted(multipliers), 5, batches=sizes).solve(exact=True)
    number = {rank: i + 1 for rank, i in enumerate(sorted(range(4), key=multipliers.__getitem__), start=1)}
    ranks = data.draw(st.sets(st.integers(1, 4), min_size=1).map(sorted))
    slots = [number[rank] for rank in ranks]

    def moved(items: Iterable[Any], at: Sequence[int] = range(1, 5)) -> list[Any]:
        return [item for _, item in sorted(zip((number[rank] for rank in at), items, strict=True))]

    assert policy.value == plain.value
    assert policy.expected() == moved(plain.expected())
    assert policy.placements() == [moved(row) for row in plain.placements()]
    assert policy.thresholds(1, slots) == moved(plain.thresholds(1, ranks), ranks)
    assert policy.prices(1, slots) == moved(plain.prices(1, ranks), ranks)
    assert policy.to_frame([2]).loc[2].tolist() == moved(plain.row(2))
    for x in {0, *samples}:
        losses = plain.losses(x, ranks, 1)
        assert policy.losses(x, slots, 1) == {rank and number[rank]: loss for rank, loss in losses.items()}
        rank = plain.assign(x, ranks, 1)
        assert policy.assign(x, slots, 1) == (rank and number[rank])
        assert policy.assign(np.array([x]), slots, 1).tolist() == [(rank and number[rank]) or 0]
    if sizes:
        values = data.draw(st.lists(st.sampled_from(samples), min_size=2, max_size=2))
        together = plain.assign_batch(values, ranks, 1)
        assert policy.assign_batch(values, slots, 1) == [rank and number[rank] for rank in together]


def test_equal_choices_lose_nothing_in_float64() -> None:
    """A value that equals its threshold: float64 may take it or reject it, exact arithmetic rejects it."""
    arrivals = RandomNumber({0: Fraction(3, 8), 1: Fraction(1, 4), 2: Fraction(3, 8)})
    problem = Problem([[2, 4], [0, 4, 6]], 1, arrivals)
    policy = problem.solve()
    assert problem.solve(exact=True).assign(2, left=1) is None
    assert max(policy.losses(2, left=1).values()) <= policy.error


def test_an_error_above_one_percent_is_no_answer() -> None:
    class HeavyTail:
        """Pareto with shape 2.5 by mean and φ alone: φ is known to 4e-5, and every round adds that."""

        mean = 5 / 3

        def phi(self, t: float) -> float:
            return t if t < 1 else (2.5 - t**-1.5) / 1.5

    few = Problem(HeavyTail(), 1, 100).solve()
    assert abs(few.value - Problem(stats.pareto(2.5), 1, 100).solve().value) <= few.error < 0.01 * few.value
    with pytest.raises(Ten18Error, match="more than one percent"):
        float(Problem(HeavyTail(), 1, 100_000).solve().value)
    assert abs(Problem(stats.norm(), 2, 2, must_fill=True).solve().value) < 1e-12  # zero is an answer


@FEW
@given(SAMPLES, MULTIPLIERS, st.lists(st.integers(1, 2), min_size=1, max_size=3))
def test_who_goes_where_of_batches(samples: list[int], multipliers: tuple[int, ...], sizes: list[int]) -> None:
    """Against every outcome, followed through the decisions that the plan takes."""
    dist, ours = both(samples)
    plan = Problem(ours, multipliers, sum(sizes), batches=sizes).solve(exact=True)
    expected: dict[tuple[int, int], Fraction] = {}

    def follow(past: int, free: frozenset[int], chance: Fraction) -> None:
        if past == len(sizes) or not free:
            return
        for values in product(dist, repeat=sizes[past]):
            here = chance * math.prod((dist[x] for x in values), start=Fraction(1))
            slots = [slot for slot in plan.assign_batch(values, free, len(sizes) - past - 1) if slot is not None]
            for slot in slots:
                expected[past, slot] = expected.get((past, slot), Fraction(0)) + here
            follow(past + 1, free - set(slots), here)

    follow(0, frozenset(range(1, len(multipliers) + 1)), Fraction(1))
    for past, row in enumerate(plan.placements()):
        assert row == [expected.get((past, slot), 0) for slot in range(1, len(multipliers) + 1)]


@FEW
@given(POSITIVE, MULTIPLIERS, st.integers(1, 3))
def test_prices_make_arrivals_choose_as_the_plan_does(
    samples: list[int], multipliers: tuple[int, ...], rounds: int
) -> None:
    dist, ours = both(samples)
    plan = Problem(ours, multipliers, rounds).solve(exact=True)

    def menu(past: int, free: frozenset[int]) -> dict[int, Fraction]:
        found = plan.prices(rounds - past - 1, free) if free else []
        return dict(zip(sorted(free), found, strict=True))

    worth, _ = price_oracle.sold([dist] * rounds, multipliers, menu)
    assert worth == plan.value
    assert menu(0, frozenset(range(1, len(multipliers) + 1))) == price_oracle.externality_prices(
        [dist] * rounds, multipliers
    )(0, frozenset(range(1, len(multipliers) + 1)))


@FEW
@given(POSITIVE, st.integers(1, 3))
def test_prices_of_a_seller_make_the_revenue(samples: list[int], rounds: int) -> None:
    dist, ours = both(samples)
    multipliers = (1, 2)
    plan = Problem(ours, multipliers, rounds, revenue=True).solve(exact=True)

    def menu(past: int, free: frozenset[int]) -> dict[int, Fraction]:
        found = plan.prices(rounds - past - 1, free) if free else []
        return {slot: price for slot, price in zip(sorted(free), found, strict=True) if price < math.inf}

    _, revenue = price_oracle.sold([dist] * rounds, multipliers, menu)
    assert revenue == plan.value


def test_a_seller_of_exponential_values() -> None:
    """The closed form of Gallego and van Ryzin 1994: ln Σ (λt/e)^m / m!; the price is 1 more than what is given up."""
    plan = Problem(stats.expon(), 3, Poisson(20.0, 1.0), revenue=True).solve()
    assert plan.value == pytest.approx(
        math.log(sum((20 / math.e) ** m / math.factorial(m) for m in range(4))), abs=1e-9
    )
    bound = plan.thresholds(0.5)[0]
    assert plan.prices(0.5)[0] == pytest.approx(1 + bound, abs=1e-6)
    assert plan.assign(1.01 + bound, left=0.5) == 1
    assert plan.assign(0.99 + bound, left=0.5) is None


def test_games_do_not_depend_on_how_many_are_played_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    games = Problem(stats.gamma(2), [1, 3], RandomNumber([0.5, 0.25, 0.25]), chance=0.5).solve()
    whole = games.simulate(200, seed=18)
    monkeypatch.setattr(policy_module, "VALUES_AT_ONCE", 9)
    monkeypatch.setattr(rounds, "BLOCK", 2)
    assert games.simulate(200, seed=18) == pytest.approx(whole)


def test_one_game_has_no_deviation() -> None:
    assert Problem([1, 2], 1, 2).solve().simulate(1).stderr == 0


def test_assign_a_batch() -> None:
    plan = Problem([1, 2, 3, 4], [1, 2, 5], 8, batches=4).solve(exact=True)
    assert plan.assign_batch([4, 1, 3, 2], left=0) == [3, None, 2, 1]
    bounds = plan.thresholds(1)
    assert bounds[0] < 3 < bounds[2]
    assert plan.assign_batch([3, 1, 1, 1], left=1) == [sum(bound < 3 for bound in bounds), None, None, None]
    assert plan.assign_batch([], left=1) == []
    equal = Problem([1, 2, 3, 4], [0, 1, 1], 4, batches=2).solve()
    assert equal.assign_batch([4, 2], left=1) == [2, None]  # of equal slots the smaller number
    assert equal.assign_batch([3, 4], left=0) == [3, 2]
    with pytest.raises(Ten18Error, match="a value is a number"):
        equal.assign_batch([3, math.nan], left=0)


def test_the_table_of_thresholds() -> None:
    plan = Problem(UniformDistribution(0, 1), [1, 2], 3).solve()
    frame = plan.to_frame()
    assert frame.index.name == "left"
    assert frame.loc[2].tolist() == plan.thresholds(2)
    assert plan.to_frame([1]).shape == (1, 2)
    assert math.isinf(Problem([1, 2], 2, 2, must_fill=True).solve().to_frame().loc[0, "slot 1"])
    with pytest.raises(Ten18Error, match="lefts"):
        Problem([1, 2], 1, Poisson(1.0, 1.0)).solve().to_frame()


def test_without_pandas_a_line_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(Ten18Error, match="pandas"):
        Problem([1, 2], 1, 2).solve().to_frame()


@pytest.mark.parametrize(
    ("field", "asked"),
    [
        ("value", {"value": math.nan}),
        ("value", {"value": "3"}),
        ("value", {"value": True}),
        ("free", {"free": []}),
        ("free", {"free": [0]}),
        ("free", {"free": [1, 1]}),
        ("free", {"free": [3]}),
        ("left", {"left": 3}),
        ("left", {"left": -1}),
        ("left", {"left": 1.5}),
        ("left", {"left": None}),
        ("known", {"known": 0}),
    ],
)
def test_bad_questions_name_the_field(field: str, asked: dict[str, Any]) -> None:
    plan = Problem([1, 2], [1, 2], 3).solve()
    with pytest.raises(Ten18Error) as caught:
        plan.assign(**{"value": 1, "left": 1, **asked})
    assert caught.value.field == field
    with pytest.raises(Ten18Error):
        plan.losses(**{"value": 1, "left": 1, **asked})


def test_what_cannot_be_filled_any_more() -> None:
    plan = Problem([1, 2], [1, 2, 3], 3, must_fill=True).solve()
    with pytest.raises(Ten18Error, match="cannot all be filled"):
        plan.assign(1, left=1)
    with pytest.raises(Ten18Error, match="no prices"):
        plan.prices(left=1, free=[1, 2])
    assert plan.assign(1, free=[1, 2], left=1) == 1


def test_batches_are_placed_only_where_there_are_batches_and_room() -> None:
    plan = Problem([2], [1, 2, 3], arrivals=3, batches=[1, 2], must_fill=True).solve()
    with pytest.raises(Ten18Error, match="3 slots cannot all be filled"):
        plan.assign_batch([2, 2], left=0)
    assert plan.assign_batch([2, 2], free=[2, 3], left=0) == [3, 2]
    assert plan.assign_batch([2], left=1) == [1]
    with pytest.raises(Ten18Error, match="one by one"):
        Problem([2], [1, 2], arrivals=3).solve().assign_batch([2, 2], left=0)


def test_too_many_games_are_rejected() -> None:
    plan = Problem([1, 2], 1, 2).solve()
    with pytest.raises(TooLarge, match="operations"):
        plan.simulate(10**12)
    with pytest.raises(Ten18Error, match="games"):
        plan.simulate(0)
