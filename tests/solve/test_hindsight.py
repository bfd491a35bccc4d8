"""The hindsight strategy: order statistics, exact and in float64, and the paper's recurrence."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Dice, Game
from tentimes18.solve.float_thresholds import order_statistics
from tentimes18.solve.hindsight import exact_order_statistics, paper_recurrence
from tests.oracle import sequences
from tests.support.games import dice, games, law_of


@given(dice(), st.integers(1, 4))
def test_order_statistics_against_enumeration(one: Dice, n: int) -> None:
    assert exact_order_statistics(one, n) == sequences.expected_order_statistics(law_of(one), n)


@given(games(max_slots=6))
def test_the_papers_recurrence(game: Game) -> None:
    orders = exact_order_statistics(game.dice, game.size)
    expected = sum(m * order for m, order in zip(game.multipliers, orders, strict=True))
    assert paper_recurrence(game) == expected
    if game.size <= 4:
        assert expected == sequences.expected_hindsight(law_of(game.dice), game.multipliers)


EPSILON = Fraction(1, 2**52)


@pytest.mark.parametrize("n", [1, 2, 10, 57, 200])
@pytest.mark.parametrize(
    "notation", ["3d6", "1d6", "2d12:12=2", "d20-10", "d{-5,0,7}:0=3", "20d6", "d100", "d{-3,-1}:-1=999", "d2", "5"]
)
def test_float_order_statistics(notation: str, n: int) -> None:
    """Within 12 units of 2^-52 times the largest roll; the worst seen is 3.1 units."""
    assert error_in_units(Dice.parse(notation), n) <= 12


@given(dice(max_rolls=7), st.integers(1, 40))
def test_float_order_statistics_of_random_dice(one: Dice, n: int) -> None:
    assert error_in_units(one, n) <= 12


def error_in_units(one: Dice, n: int) -> Fraction:
    pairs = zip(order_statistics(one, n), exact_order_statistics(one, n), strict=True)
    largest = max(1, *map(abs, one.support))
    return max(abs(Fraction(float(approximate)) - exact) for approximate, exact in pairs) / (EPSILON * largest)


@pytest.mark.parametrize("n", [1, 3, 20])
@pytest.mark.parametrize(
    "notation",
    [
        f"d{{0,1}}:1={10**400}",
        f"d{{0,1}}:0={10**400}",
        f"d{{-7,0,3}}:0={10**400}",
        f"d{{-7,0,3}}:-7={10**320},0={10**10}",
        f"d{{-7,0,3}}:3={10**320},0={10**310}",
        f"d{{1,2,3,4}}:1={10**308},4={10**307}",
        f"d{{1,2}}:2={2**1074}",
        f"d{{1,2}}:2={2**1060}",
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else None,
)
def test_huge_ratios_of_weights(notation: str, n: int) -> None:
    assert error_in_units(Dice.parse(notation), n) <= 12


@pytest.fixture(scope="module")
def thousand_dice() -> Dice:
    return Dice.parse("1000d6")


@pytest.mark.parametrize("n", [1, 10, 200, 2_000])
def test_a_thousand_dice(thousand_dice: Dice, n: int) -> None:
    """Chances down to 6^-1000, far below float64: no warning, no division by zero, and the mean comes out."""
    orders = [float(order) for order in order_statistics(thousand_dice, n)]
    assert orders == sorted(orders)
    assert sum(orders) / n == pytest.approx(3500, rel=1e-12)
    assert all(low + high == pytest.approx(7000, rel=1e-12) for low, high in zip(orders, reversed(orders), strict=True))
