"""The solved problem: decisions, losses, prices, placements, games."""

import math
import sys
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tentimes18.assignment import Poisson, Policy, Problem, RandomNumber, Regimes, UniformLaw, rounds
from tentimes18.assignment import policy as policy_module
from tentimes18.errors import Ten18Error, TooLarge
from tests.oracle import assignment as oracle
from tests.oracle import prices as price_oracle
from tests.support.assignment import DISCOUNTS, FEW, MULTIPLIERS, POSITIVE, SAMPLES, both, chances_of


@FEW
@given(st.lists(SAMPLES, min_size=1, max_size=4), MULTIPLIERS, DISCOUNTS, st.data())
def test_every_decision_is_that_of_the_oracle(
    samples: list[list[int]], multipliers: tuple[int, ...], discount: Fraction, data: st.DataObject
) -> None:
    laws = [both(found) for found in samples]
    tree = oracle.Tree(oracle.in_order([law for law, _ in laws]), multipliers, discount=discount)
    plan = Problem([law for _, law in laws], multipliers, len(laws), discount=discount).solve(exact=True)
    slots = range(1, len(multipliers) + 1)
    free = data.draw(st.sets(st.sampled_from(slots), min_size=1))
    for past, (law, _) in enumerate(laws):
        left = len(laws) - past - 1
        for x in law:
            worths = tree.actions(x, past + 1, frozenset(free))
            losses = plan.losses(x, free, left)
            assert losses == {action: max(worths.values()) - worth for action, worth in worths.items()}
            assert plan.assign(x, free, left) == tree.best(x, past + 1, frozenset(free))


@FEW
@given(SAMPLES, MULTIPLIERS, st.integers(1, 4), st.data())
def test_decisions_where_slots_must_be_filled(
    samples: list[int], multipliers: tuple[int, ...], rounds: int, data: st.DataObject
) -> None:
    law, ours = both(samples)
    multipliers = multipliers[:rounds]
    tree = oracle.Tree(oracle.in_order([law] * rounds), multipliers, may_stay_empty=False)
    plan = Problem(ours, multipliers, rounds, must_fill=True).solve(exact=True)
    free = data.draw(st.sets(st.sampled_from(range(1, len(multipliers) + 1)), min_size=1))
    for left in range(len(free) - 1, rounds):
        for x in law:
            worths = tree.actions(x, rounds - left, frozenset(free))
            losses = plan.losses(x, free, left)
            assert losses == {action: max(worths.values()) - worth for action, worth in worths.items()}
            assert losses[plan.assign(x, free, left)] == 0


@FEW
@given(SAMPLES, MULTIPLIERS, st.lists(st.integers(0, 3), min_size=1, max_size=4), st.booleans())
def test_who_goes_where(samples: list[int], multipliers: tuple[int, ...], weights: list[int], certain: bool) -> None:
    law, ours = both(samples)
    chances = chances_of(weights)
    rounds = len(chances)
    if certain:
        arrivals, number = oracle.in_order([law] * rounds), rounds
        plan = Problem(ours, multipliers, number).solve(exact=True)
    else:
        arrivals = oracle.random_number([law] * rounds, dict(enumerate(chances, start=1)))
        plan = Problem(ours, multipliers, RandomNumber(chances)).solve(exact=True)
    agree(plan, oracle.Tree(arrivals, multipliers))


def agree(plan: Policy, tree: oracle.Tree) -> None:
    """Who goes where, exactly."""
    filled = tree.filled()
    for t, row in enumerate(plan.fates(), start=1):
        assert all(isinstance(chance, Fraction) for chance in row)
        for slot, chance in enumerate(row, start=1):
            if plan.multipliers[slot - 1]:
                assert chance == filled.get((slot, t), (Fraction(0),))[0]


@FEW
@given(SAMPLES, SAMPLES, MULTIPLIERS, st.integers(1, 3), DISCOUNTS)
def test_who_goes_where_in_every_course(
    one: list[int], other: list[int], multipliers: tuple[int, ...], rounds: int, discount: Fraction
) -> None:
    (law, ours), (second, theirs) = both(one), both(other)
    third = Fraction(1, 3)
    chain, start = [[third, 1 - third], [1 - third, third]], [third, 1 - third]
    for problem, arrivals in (
        (
            Problem(ours, multipliers, rounds, discount=discount, chance=third),
            oracle.with_chance([law] * rounds, [third] * rounds),
        ),
        (Problem(ours, multipliers, rounds, discount=discount, ahead=1), oracle.seen_ahead([law] * rounds, 1)),
        (
            Problem([ours, theirs], multipliers, rounds, discount=discount, regimes=Regimes(chain, start)),
            oracle.with_regimes([law, second], chain, start, rounds),
        ),
    ):
        tree = oracle.Tree(arrivals, multipliers, discount=discount)
        agree(problem.solve(exact=True), tree)


@FEW
@given(SAMPLES, MULTIPLIERS, st.lists(st.integers(1, 2), min_size=1, max_size=3))
def test_who_goes_where_of_batches(samples: list[int], multipliers: tuple[int, ...], sizes: list[int]) -> None:
    """Against every outcome, followed through the decisions that the plan takes."""
    law, ours = both(samples)
    plan = Problem(ours, multipliers, sum(sizes), batches=sizes).solve(exact=True)
    expected: dict[tuple[int, int], Fraction] = {}

    def follow(past: int, free: frozenset[int], chance: Fraction) -> None:
        if past == len(sizes) or not free:
            return
        for values in product(law, repeat=sizes[past]):
            here = chance * math.prod((law[x] for x in values), start=Fraction(1))
            slots = [slot for slot in plan.assign_batch(values, free, len(sizes) - past - 1) if slot is not None]
            for slot in slots:
                expected[past, slot] = expected.get((past, slot), Fraction(0)) + here
            follow(past + 1, free - set(slots), here)

    follow(0, frozenset(range(1, len(multipliers) + 1)), Fraction(1))
    for past, row in enumerate(plan.fates()):
        assert row == [expected.get((past, slot), 0) for slot in range(1, len(multipliers) + 1)]


@FEW
@given(POSITIVE, MULTIPLIERS, st.integers(1, 3))
def test_prices_make_arrivals_choose_as_the_plan_does(
    samples: list[int], multipliers: tuple[int, ...], rounds: int
) -> None:
    law, ours = both(samples)
    plan = Problem(ours, multipliers, rounds).solve(exact=True)

    def menu(past: int, free: frozenset[int]) -> dict[int, Fraction]:
        found = plan.prices(rounds - past - 1, free) if free else []
        return dict(zip(sorted(free), found, strict=True))

    worth, _ = price_oracle.sold([law] * rounds, multipliers, menu)
    assert worth == plan.value
    assert menu(0, frozenset(range(1, len(multipliers) + 1))) == price_oracle.externality_prices(
        [law] * rounds, multipliers
    )(0, frozenset(range(1, len(multipliers) + 1)))


@FEW
@given(POSITIVE, st.integers(1, 3))
def test_prices_of_a_seller_make_the_revenue(samples: list[int], rounds: int) -> None:
    law, ours = both(samples)
    multipliers = (1, 2)
    plan = Problem(ours, multipliers, rounds, revenue=True).solve(exact=True)

    def menu(past: int, free: frozenset[int]) -> dict[int, Fraction]:
        found = plan.prices(rounds - past - 1, free) if free else []
        return {slot: price for slot, price in zip(sorted(free), found, strict=True) if price < math.inf}

    _, revenue = price_oracle.sold([law] * rounds, multipliers, menu)
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
    plan = Problem(UniformLaw(0, 1), [1, 2], 3).solve()
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


def test_too_many_games_are_refused() -> None:
    plan = Problem([1, 2], 1, 2).solve()
    with pytest.raises(TooLarge, match="operations"):
        plan.simulate(10**12)
    with pytest.raises(Ten18Error, match="games"):
        plan.simulate(0)
