"""The brute force of sequential assignment against results by hand, against closed forms, and against each other."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from math import exp, factorial, isclose, prod, sqrt

import pytest

from tests.oracle import Multipliers, play
from tests.oracle.assignment import (
    Tree,
    ValueLaw,
    batch_value,
    hindsight_value,
    in_order,
    law_of_samples,
    random_number,
    seen_ahead,
    with_chance,
    with_regimes,
)
from tests.oracle.closed_forms import (
    SECRETARY_TWO_CHOICES,
    by_deadline,
    discounted_uniform,
    moser,
    poisson_exponential,
    poisson_uniform,
    secretary_best,
    secretary_rank,
    secretary_rank_limit,
    uniform_limit,
)
from tests.oracle.prices import best_revenue, externality_prices, sold, virtual_law
from tests.oracle.secretary import choose_low_ranks, choose_the_best, ranks_of

HALF = Fraction(1, 2)
COIN: ValueLaw = {Fraction(0): HALF, Fraction(1): HALF}
SIGNS: ValueLaw = {Fraction(-2): HALF, Fraction(3): HALF}
SIX: ValueLaw = law_of_samples(range(1, 7))
SKEW: ValueLaw = {Fraction(1): Fraction(1, 6), Fraction(4): HALF, Fraction(5): Fraction(1, 3)}
MIXED = (SIX, SKEW, COIN, SIX)


def worth(laws: Sequence[ValueLaw], multipliers: Multipliers, *, may_stay_empty: bool = True) -> Fraction:
    return Tree(in_order(laws), multipliers, may_stay_empty=may_stay_empty).value


def test_results_by_hand() -> None:
    assert worth([COIN] * 3, (1,)) == Fraction(7, 8)
    assert worth([SIX] * 2, (1,)) == Fraction(17, 4)  # 4, 5, 6 are taken, else 7/2
    # Two slots that must be filled, three values -2 or 3: the first -2 is refused.
    assert worth([SIGNS] * 3, (1, 1), may_stay_empty=False) == Fraction(1, 8) * (6 + 3 * 6 + 3 * 1 - 4)


def test_as_many_values_as_slots_are_the_game() -> None:
    law = {int(x): p for x, p in SKEW.items()}
    for multipliers in ((1, 2, 5), (-1, 0, 3), (1, 1, 1)):
        free = frozenset({1, 2, 3})
        assert worth([SKEW] * 3, multipliers, may_stay_empty=False) == play.value(law, multipliers, free)


def test_the_trap_of_values_of_both_signs() -> None:
    """Slots of multiplier 0 stand for refusing where all must be filled; where slots may stay empty, max(X, 0) does."""
    cut = {Fraction(0): HALF, Fraction(3): HALF}
    for n in (1, 2, 3):
        must = worth([SIGNS] * 3, (0,) * (3 - n) + (2,) * n, may_stay_empty=False)
        assert must == worth([SIGNS] * 3, (2,) * n, may_stay_empty=False)
        may = worth([SIGNS] * 3, (2,) * n)
        assert may == worth([cut] * 3, (0,) * (3 - n) + (2,) * n, may_stay_empty=False)
        assert may > must


def test_fewer_values_than_slots() -> None:
    nothing: ValueLaw = {Fraction(0): Fraction(1)}
    for multipliers in ((1, 2, 5), (-1, 2, 3)):
        must = worth([SIGNS, SKEW], multipliers, may_stay_empty=False)
        assert must == worth([SIGNS, SKEW, nothing], multipliers, may_stay_empty=False)


def test_a_random_number_by_hand() -> None:
    # One or two coins, one slot: a 1 is taken, a 0 refused.
    assert Tree(random_number([COIN] * 2, {1: HALF, 2: HALF}), (1,)).value == HALF + HALF * HALF * HALF
    assert Tree(random_number([COIN], {0: HALF, 1: HALF}), (1,)).value == Fraction(1, 4)


def test_an_arrival_with_a_chance_is_a_zero_mixed_in() -> None:
    q = Fraction(1, 3)
    mixed = [
        {Fraction(0): 1 - q + q * law.get(Fraction(0), Fraction(0))} | {x: q * p for x, p in law.items() if x}
        for law in MIXED
    ]
    for multipliers in ((1,), (1, 3), (1, 2, 4)):
        assert Tree(with_chance(MIXED, [q] * 4), multipliers).value == worth(mixed, multipliers)


def test_a_discount() -> None:
    assert Tree(in_order([COIN] * 3), (1,), discount=HALF).value == HALF + HALF * HALF * (HALF + HALF * HALF * HALF)
    # Endless values: each more of them adds less than β times what the one before added.
    values = [Tree(in_order([SIX] * n), (1,), discount=HALF).value for n in range(1, 7)]
    assert all(0 <= c - b <= (b - a) / 2 for a, b, c in zip(values, values[1:], values[2:], strict=False))


def test_regimes() -> None:
    one: ValueLaw = {Fraction(1): Fraction(1)}
    two: ValueLaw = {Fraction(2): Fraction(1)}
    stay, swap = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))), ((0, 1), (1, 0))
    assert Tree(with_regimes([one, two], stay, (HALF, HALF), 3), (1,)).value == Fraction(3, 2)
    crossing = tuple(tuple(Fraction(p) for p in row) for row in swap)
    assert Tree(with_regimes([one, two], crossing, (Fraction(1), Fraction(0)), 3), (1, 10)).value == 1 + 20
    same = ((HALF, HALF), (HALF, HALF))
    mixed = law_of_samples([1, 2])
    assert Tree(with_regimes([one, two], same, (HALF, HALF), 3), (1, 3)).value == worth([mixed] * 3, (1, 3))


@pytest.mark.parametrize("multipliers", [(1,), (1, 3), (0, 2, 3)])
@pytest.mark.parametrize("may_stay_empty", [True, False])
def test_to_see_more_is_never_worse_and_to_see_all_is_hindsight(multipliers: Multipliers, may_stay_empty: bool) -> None:
    laws = (SIGNS, SKEW, COIN)
    values = [Tree(seen_ahead(laws, k), multipliers, may_stay_empty=may_stay_empty).value for k in range(4)]
    assert values[0] == worth(laws, multipliers, may_stay_empty=may_stay_empty)
    assert values == sorted(values)
    assert values[2] == values[3] == hindsight_value(laws, multipliers, may_stay_empty=may_stay_empty)
    single = batch_value([[law] for law in laws], multipliers, may_stay_empty=may_stay_empty)
    assert single == values[0]
    pairs = batch_value([laws[:2], laws[2:]], multipliers, may_stay_empty=may_stay_empty)
    assert values[0] <= pairs <= values[2]


def test_hindsight_sorts() -> None:
    laws, multipliers = (SIGNS, SKEW, COIN), (1, 3)
    total = Fraction(0)
    for values in product(*laws):
        chance = prod((law[x] for law, x in zip(laws, values, strict=True)), start=Fraction(1))
        total += chance * sum(m * x for m, x in zip(multipliers, sorted(values)[1:], strict=True))
    assert hindsight_value(laws, multipliers, may_stay_empty=False) == total


def test_who_goes_where() -> None:
    tree = Tree(in_order([SIX] * 4), (1, 3))
    filled = tree.filled()
    assert (
        sum(multiplier * filled[slot, t][1] for slot, multiplier in ((1, 1), (2, 3)) for t in range(1, 5)) == tree.value
    )
    for slot in (1, 2):  # six sides are never worth less than nothing: every slot is filled
        assert sum(filled[slot, t][0] for t in range(1, 5)) == 1


@pytest.mark.parametrize("multipliers", [(1,), (1, 3), (1, 2, 4), (2, 2)])
def test_prices_that_say_what_others_lose_lead_to_the_best(multipliers: Multipliers) -> None:
    laws = (SKEW, SIX, COIN, SKEW)
    reached, revenue = sold(laws, multipliers, externality_prices(laws, multipliers))
    assert reached == worth(laws, multipliers)
    assert 0 <= revenue <= best_revenue(laws, multipliers) <= reached


@pytest.mark.parametrize("law", [SKEW, law_of_samples([1, 2, 7, 8]), law_of_samples([1, 1, 1, 6])])
def test_the_best_revenue_is_the_best_worth_of_virtual_values(law: ValueLaw) -> None:
    for multipliers in ((1,), (1, 3)):
        assert best_revenue([law] * 3, multipliers) == worth([virtual_law(law)] * 3, multipliers)


# Ranks.


def test_ranks_of_relative_ranks() -> None:
    orders = {ranks_of(history) for history in product(*(range(1, t + 1) for t in range(1, 5)))}
    assert orders == set(permutations(range(1, 5)))
    assert ranks_of((1, 1, 3, 2)) == (3, 1, 4, 2)


def test_the_best_with_one_choice() -> None:
    for n in range(1, 7):
        assert choose_the_best(n, 1).value == secretary_best(n)[0]
    value, cut = secretary_best(10)
    assert (round(float(value), 4), cut) == (0.3987, 3)
    assert secretary_best(100)[1] == 37


def test_the_best_with_several_choices() -> None:
    for n in (3, 5):
        values = [choose_the_best(n, choices).value for choices in range(n + 1)]
        assert values[0] == 0
        assert values[n] == 1
        assert values == sorted(values)
    assert round(SECRETARY_TWO_CHOICES, 4) == 0.5910


def test_the_least_expected_rank() -> None:
    """OEIS A330250 has n! times it: 1, 3, 10, 45, 246, 1596, 11472, 96768, 905760, 9282240."""
    numerators = [secretary_rank(n) * factorial(n) for n in range(1, 11)]
    assert numerators == [1, 3, 10, 45, 246, 1596, 11472, 96768, 905760, 9282240]
    for n in range(1, 7):
        assert -choose_low_ranks(n, 1).value == secretary_rank(n)
    assert secretary_rank_limit() == pytest.approx(3.8695192, abs=1e-7)  # Finch 2003, section 5.15
    short = [secretary_rank_limit() - float(secretary_rank(n)) for n in (50, 100, 200)]
    assert 0 < short[2] < short[1] < short[0] < 0.5


def test_several_choices_of_low_rank() -> None:
    assert -choose_low_ranks(4, 4).value == 10
    # To choose four of five is to refuse one, of a rank as large as can be: the same problem from the other end.
    assert -choose_low_ranks(5, 4).value == 15 - (6 - secretary_rank(5))


# Closed forms.


def test_uniform_values() -> None:
    assert [moser(n) for n in range(4)] == [0, HALF, Fraction(5, 8), Fraction(89, 128)]
    assert uniform_limit(1) == 2
    assert isclose(uniform_limit(2), 1 + sqrt(5))
    many = 0.0
    for _ in range(100_000):
        many = (1 + many**2) / 2
    assert 100_000 * (1 - many) == pytest.approx(2, abs=1e-3)
    assert discounted_uniform(0.8) == pytest.approx(0.5)


def test_a_deadline_against_closed_forms() -> None:
    """The value 1 alone: k slots take the first k that come. Many values that are nearly uniform, or exponential."""
    one: ValueLaw = {Fraction(1): Fraction(1)}
    assert by_deadline(one, (1,), lambda _: 2.0, 1.5) == pytest.approx(1 - exp(-3), abs=1e-8)
    both = sum(min(m, 2) * exp(-3) * 3**m / factorial(m) for m in range(40))
    assert by_deadline(one, (1, 1), lambda time: 8 * time / 3, 1.5) == pytest.approx(both, abs=1e-8)
    cells = 60
    uniform = law_of_samples([Fraction(2 * i + 1, 2 * cells) for i in range(cells)])
    assert by_deadline(uniform, (1,), lambda _: 3.0, 1.0, 1e-5) == pytest.approx(poisson_uniform(3.0), abs=1e-4)
    assert poisson_exponential(0, 3.0) == 0
    assert poisson_exponential(1, 3.0) == pytest.approx(1.3862943611)
