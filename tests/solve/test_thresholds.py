"""The rows E_j: exact ones against the oracle, all others against the exact ones."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import Dice, Game, TooLarge, exact_thresholds
from tentimes18.solve.float_thresholds import last_row, thresholds
from tentimes18.solve.thresholds import ExactRow, exact_plan
from tests.oracle import play
from tests.support.games import all_slots, dice, games, law_of, weights


def fractions(rows: Sequence[ExactRow]) -> list[list[Fraction]]:
    return [list(row) for row in rows]


@given(dice(), st.integers(1, 7))
def test_exact_rows_are_the_papers(one: Dice, n: int) -> None:
    assert fractions(exact_thresholds(one, n)) == play.paper_thresholds(law_of(one), n)


@given(dice(), st.integers(1, 4))
def test_exact_rows_are_the_expected_rolls(one: Dice, n: int) -> None:
    assert fractions(exact_thresholds(one, n)) == play.thresholds(law_of(one), n)


def test_printed_row_of_the_paper() -> None:
    row = exact_thresholds(Dice.parse("3d6"), 10)[9]
    printed = "6.720 7.868 8.730 9.466 10.160 10.840 11.534 12.270 13.132 14.280"
    assert [round(threshold, 3) for threshold in row] == [Fraction(number) for number in printed.split()]
    assert round(row.value(range(1, 11)), 5) == Fraction("642.23935")


@given(dice(max_rolls=6), st.integers(1, 12))
def test_laws_of_the_rows(one: Dice, n: int) -> None:
    rows = exact_thresholds(one, n)
    assert [len(row) for row in rows] == list(range(1, n + 1))
    for j, row in enumerate(rows, start=1):
        assert sum(row) == j * one.mean
        assert list(row) == sorted(row)
        assert one.support[0] <= row[0]
        assert row[-1] <= one.support[-1]
    for shorter, longer in pairwise(rows):
        assert all(longer[i] <= shorter[i] <= longer[i + 1] for i in range(len(shorter)))


@given(weights(), st.integers(-4, 4), st.integers(1, 9))
def test_symmetric_dice_have_symmetric_rows(law: dict[int, int], centre: int, n: int) -> None:
    both = {centre + sign * roll: weight for roll, weight in law.items() if roll >= 0 for sign in (1, -1)}
    if not both:
        return
    for row in exact_thresholds(Dice.from_mapping(both), n):
        assert all(low + high == 2 * centre for low, high in zip(row, reversed(row), strict=True))


@given(dice(), st.integers(-5, 5), st.integers(1, 5), st.integers(1, 6))
def test_shifted_and_scaled_dice(one: Dice, shift: int, factor: int, n: int) -> None:
    other = Dice.from_mapping({factor * roll + shift: p for roll, p in law_of(one).items()})
    expected = [[factor * threshold + shift for threshold in row] for row in exact_thresholds(one, n)]
    assert fractions(exact_thresholds(other, n)) == expected


@given(games())
def test_value(game: Game) -> None:
    row = exact_thresholds(game.dice, game.size)[-1]
    assert row.value(game.multipliers) == play.value(law_of(game.dice), game.multipliers, all_slots(game))


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


def test_small_rows_are_kept_for_the_next_call_and_large_ones_are_not() -> None:
    """What counts is their memory: as many slots of dice with long weights take a thousand times as much."""
    assert exact_thresholds(Dice.parse("3d6"), 50) is exact_thresholds(Dice.parse("3d6"), 50)
    long_weights = Dice.parse(f"d{{1,2}}:2={10**750}")
    rows = exact_thresholds(long_weights, 50)
    assert sum(N.bit_length() for row in rows for N in row.numerators) > 100_000_000
    assert exact_thresholds(long_weights, 50) is not rows


def test_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    three_dice = Dice.parse("3d6")
    assert exact_plan(three_dice, 300).fits()
    assert not exact_plan(three_dice, 10_000).fits()
    with pytest.raises(TooLarge):
        exact_thresholds(three_dice, 10_000)
    with pytest.raises(TooLarge, match="last row"):
        thresholds(three_dice, 60_000)
    monkeypatch.setenv("TEN18_TIME", "20")
    with pytest.raises(TooLarge, match="slots of these dice fit"):
        last_row(three_dice, 1_000_000)
