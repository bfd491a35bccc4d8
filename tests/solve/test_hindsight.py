"""The hindsight strategy: order statistics against enumeration, and the paper's recurrence against both."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Dice, Game, TooLarge, exact_thresholds
from tentimes18.solve.float_hindsight import order_statistics
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


def test_classic() -> None:
    orders = exact_order_statistics(Dice.parse("3d6"), 10)
    score = sum(i * order for i, order in enumerate(orders, start=1))
    assert paper_recurrence(Game.classic()) == score
    assert round(score, 5) == Fraction("652.93403")


@given(games(max_slots=7))
def test_hindsight_beats_optimal_beats_random(game: Game) -> None:
    hindsight = paper_recurrence(game)
    optimal = exact_thresholds(game.dice, game.size)[-1].value(game.multipliers)
    assert hindsight >= optimal >= game.dice.mean * sum(game.multipliers)


@given(dice(max_rolls=6), st.integers(1, 25))
def test_laws_of_order_statistics(one: Dice, n: int) -> None:
    orders = exact_order_statistics(one, n)
    assert sum(orders) == n * one.mean
    assert orders == sorted(orders)
    mirrored = Dice.from_mapping({-roll: p for roll, p in law_of(one).items()})
    assert exact_order_statistics(mirrored, n) == [-order for order in reversed(orders)]


def test_too_large() -> None:
    with pytest.raises(TooLarge):
        exact_order_statistics(Dice.parse("3d6"), 1_000_000)
    with pytest.raises(TooLarge):
        order_statistics(Dice.parse("d10000"), 10_000_000)
    with pytest.raises(TooLarge):
        paper_recurrence(Game.parse("3d6", "1-1000"))
