"""A course in one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18.cli.terminal.review_page import BLOCKS, sparkline


@pytest.mark.parametrize(
    ("values", "line"),
    [([], ""), ([None], " "), ([5.0], "▁"), ([2.0, 2.0], "▁▁"), ([0.0, None, 7.0], "▁ █"), ([3.0, 1.0, 2.0], "█▁▅")],
)
def test_lines(values: list[float | None], line: str) -> None:
    assert sparkline(values) == line


@given(st.lists(st.floats(-1e6, 1e6), min_size=2))
def test_what_is_higher_stands_no_lower(values: list[float]) -> None:
    places = [BLOCKS.index(block) for block in sparkline(values)]
    for one, place in zip(values, places, strict=True):
        assert all(place <= other for value, other in zip(values, places, strict=True) if value >= one)
