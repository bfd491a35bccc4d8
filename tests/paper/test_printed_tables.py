"""The printed tables: whole, and in the form that the checks read."""

from fractions import Fraction

import pytest

from tentimes18 import Game
from tentimes18.paper.printed_tables import (
    E_TABLE,
    FIRST_MOVE,
    LOADED_E_TABLE,
    LOADED_PROBABILITIES,
    M_NINE,
    PROBABILITIES,
)


@pytest.mark.parametrize(("table", "rows"), [(E_TABLE, 10), (LOADED_E_TABLE, 5)])
def test_thresholds_form_a_triangle_of_increasing_rows(table: str, rows: int) -> None:
    cells = [[Fraction(cell) for cell in row.split()] for row in table.strip().splitlines()]
    assert [len(row) for row in cells] == list(range(1, rows + 1))
    assert all(row == sorted(row) for row in cells)


@pytest.mark.parametrize(("table", "dice"), [(PROBABILITIES, "3d6"), (LOADED_PROBABILITIES, "2d12:12=2")])
def test_probabilities_are_whole_laws(table: str, dice: str) -> None:
    counts = [int(count) for count in table.split()]
    law = Game.parse(dice, "1").dice
    assert sum(counts) == law.total
    assert len(counts) == len(law.support)


def test_first_moves_are_for_all_rolls() -> None:
    cells = FIRST_MOVE.split()
    assert [int(roll) for roll in cells[::3]] == list(range(3, 19))
    slots = [int(slot) for slot in cells[1::3]]
    assert slots == sorted(slots)
    assert all(1 <= slot <= 10 for slot in slots)
    assert len(cells[2::3]) == 16


def test_values_with_nine_free_slots_fall() -> None:
    values = [Fraction(value) for value in M_NINE.split()]
    assert len(values) == 10
    assert values == sorted(values, reverse=True)
