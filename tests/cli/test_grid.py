"""Tables: never a cut number, at no width; and for programs the same cells at full precision."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from tentimes18.cli.grid import Column, Entry, Grid, number, table


def shown(grid: Grid, width: int) -> list[str]:
    """The lines of a table in a window of this width."""
    screen = Console(file=io.StringIO(), width=width, highlight=False, markup=False)
    screen.print(grid)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue().splitlines()


def thresholds() -> Grid:
    grid = table("Thresholds", *map(str, range(1, 11)), label="j")
    for j in range(1, 11):
        grid.add_row(j, *(number(10 + j * i / 7, ".3f") for i in range(j)))
    return grid


def test_a_table_as_wide_as_it_is() -> None:
    grid = table("A title that is wider than all that is below it", "points", label="strategy")
    grid.add_row("optimal", number(-642.2393, ".1f"), style="bold")
    grid.add_row("random", "")
    assert shown(grid, 80) == [
        "A title that is wider than all that is below it",
        "",
        " strategy  points",
        " ────────────────",
        " optimal   −642.2",
        " random",
        "",
    ]


def test_a_table_that_just_fits_is_set_closer() -> None:
    lines = shown(thresholds(), 80)
    assert len(lines) == 15
    assert lines[2].split() == ["j", *map(str, range(1, 11))]
    assert max(map(len, lines)) <= 80


def test_a_table_that_does_not_fit_is_cut_between_columns() -> None:
    lines = shown(thresholds(), 40)
    heads = [line.split() for line in lines if line.split()[:1] == ["j"]]
    assert heads == [["j", "1", "2", "3", "4", "5"], ["j", "6", "7", "8", "9", "10"]]
    assert sum(line.split()[:1] == ["3"] for line in lines) == 1, "a row with nothing in the second part is not in it"


@given(
    st.lists(st.lists(st.floats(allow_nan=False), min_size=3, max_size=3), min_size=1, max_size=5), st.integers(10, 120)
)
def test_no_digit_is_lost_at_any_width(rows: list[list[float]], width: int) -> None:
    grid = table("", "a", "b", "c", label="row")
    for place, row in enumerate(rows):
        grid.add_row(f"#{place}", *map(number, row))
    lines = shown(grid, width)
    assert max(map(len, lines)) <= width
    assert "…" not in "".join(lines)
    for kind in "0123456789":
        found = "".join(lines).count(kind)
        expected = "".join(cell.text for row, _ in grid.rows for cell in row[1:]).count(kind)
        assert found >= expected


def test_a_number_longer_than_a_line_takes_several() -> None:
    grid = table("", "value", label="name")
    grid.add_row("exact", "1234567890" * 9)
    lines = shown(grid, 30)
    assert max(map(len, lines)) <= 30
    assert "".join(re.sub("[^0-9]", "", line) for line in lines) == "1234567890" * 9


def test_wide_letters_count_twice() -> None:
    grid = table("", "score", label="player")
    grid.add_row("日本", 7)
    grid.add_row("abcdef", 12)
    assert shown(grid, 40)[3:5] == [" 日本        7", " abcdef     12"]


def test_csv() -> None:
    grid = table("Moves", Column("± sd", "sd"), "note", label="slot")
    grid.add_row(Entry(4, "#4"), number(1 / 3, ".2f"), Entry(True, "yes"))
    grid.add_row(Entry(5, "#5"), number(None), 'a "quoted", text')
    assert list(csv.reader(io.StringIO(grid.csv()))) == [
        ["slot", "sd", "note"],
        ["4", repr(1 / 3), "true"],
        ["5", "", 'a "quoted", text'],
    ]


def test_a_row_has_no_more_cells_than_columns() -> None:
    with pytest.raises(ValueError, match="shorter"):
        table("", "a", "b").add_row(1, 2, 3)
