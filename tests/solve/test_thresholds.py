"""The rows E_j: exact ones against the oracle, all others against the exact ones; and the values of moves."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18 import Dice, exact_thresholds
from tentimes18.game import Board
from tentimes18.solve.float_thresholds import last_row, thresholds
from tentimes18.solve.thresholds import ExactRow, decimal_thresholds, value_of
from tests.oracle import play
from tests.support.games import dice, law_of
from tests.support.solved import MANY_DICE, boards, few


def fractions(rows: Sequence[ExactRow]) -> list[list[Fraction]]:
    return [list(row) for row in rows]


@given(dice(), st.integers(1, 7))
def test_exact_rows_are_the_papers(one: Dice, n: int) -> None:
    assert fractions(exact_thresholds(one, n)) == play.paper_thresholds(law_of(one), n)


@given(dice(), st.integers(1, 4))
def test_exact_rows_are_the_expected_rolls(one: Dice, n: int) -> None:
    assert fractions(exact_thresholds(one, n)) == play.thresholds(law_of(one), n)


@given(dice(), st.integers(1, 6), st.integers(-8, 11))
def test_ranks(one: Dice, n: int, roll: int) -> None:
    row = exact_thresholds(one, n)[-1]
    assert row.rank(roll) == 1 + sum(threshold < roll for threshold in row)
    assert row.highest_rank(roll) == 1 + sum(threshold <= roll for threshold in row)
    assert row.floats() == [float(threshold) for threshold in row]
    assert row[1:] == list(row)[1:]
    assert row[-1] == list(row)[-1]
    with pytest.raises(IndexError):
        row[n]


@given(boards(max_slots=4, max_rolls=4))
@few
def test_value_of_a_free_set(board: Board) -> None:
    law, free = law_of(board.game.dice), frozenset(board.free_slots)
    assert value_of(board.game, board.free) == play.value(law, board.game.multipliers, free)


@given(dice(), st.integers(5, 60), st.integers(1, 12))
@settings(max_examples=40)
def test_decimal_rows_of_random_dice(one: Dice, digits: int, n: int) -> None:
    check_decimals(one, digits, n)


NEAR_ZERO = ["d{0,1}:0=1000000", "d{-1,0,1}:0=100000000", "d{-1,1}:1=1000"]
OTHERS = [*NEAR_ZERO, "d{0,1}", "d{-1,1}", "d{999999999999998,999999999999999}"]


@pytest.mark.parametrize("digits", [5, 17, 60])
@pytest.mark.parametrize("notation", [*MANY_DICE, *OTHERS])
def test_decimal_rows(notation: str, digits: int) -> None:
    """Significant digits: a number far below 1 has as many as the others."""
    check_decimals(Dice.parse(notation), digits, 12 if notation in NEAR_ZERO else 60)


def check_decimals(one: Dice, digits: int, n: int) -> None:
    rows = decimal_thresholds(one, n, digits)
    for row, exact in zip(rows, exact_thresholds(one, n), strict=True):
        for decimal, fraction in zip(row, exact, strict=True):
            assert len(decimal.as_tuple().digits) <= digits
            # One unit in the last of these significant digits.
            magnitude = Decimal(fraction.numerator) / Decimal(fraction.denominator) if fraction else Decimal(1)
            unit = Fraction(10) ** (magnitude.adjusted() - digits + 1)
            assert abs(Fraction(decimal) - fraction) <= unit


EPSILON = Fraction(1, 2**52)


@pytest.mark.parametrize("notation", MANY_DICE)
def test_float_rows(notation: str) -> None:
    """Row j is within j units of 2^-52 times the largest roll; the worst seen is 0.23 j."""
    one = Dice.parse(notation)
    n = 200
    unit = EPSILON * max(map(abs, one.support))
    rows = thresholds(one, n)
    exact = exact_thresholds(one, n)
    for j in [*range(1, 21), 37, 64, 100, 151, 200]:
        errors = [abs(Fraction(float(a)) - b) for a, b in zip(rows[j - 1], exact[j - 1], strict=True)]
        assert max(errors) <= j * unit
    assert np.array_equal(last_row(one, n), rows[-1])


def test_last_row_in_several_calls() -> None:
    """More rows than one call of the kernel does, with a report after each."""
    seen: list[tuple[int, int]] = []
    row = last_row(Dice.parse("3d6"), 2_500, lambda done, total: seen.append((done, total)))
    assert seen == [(1_000**2, 2_500**2), (2_000**2, 2_500**2), (2_500**2, 2_500**2)]
    assert np.array_equal(row, thresholds(Dice.parse("3d6"), 2_500)[-1])
    assert np.all(np.diff(row) >= 0)
    assert abs(row.sum() - 2_500 * 10.5) < 1e-7
