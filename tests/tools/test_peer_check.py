"""The peer's check of the solver: the page has what OpenSpiel finds, for the cheapest game found anew."""

import pytest

from tools.peer_check import CASES, HEAD, PAGE, Found, found_of, marked_table, row_of


def test_the_page_has_what_openspiel_finds() -> None:
    lines = marked_table(PAGE.read_text(encoding="utf-8")).splitlines(keepends=True)[1:-1]
    assert "".join(lines[:2]) == HEAD
    assert len(lines) == 2 + len(CASES)
    found = found_of(CASES[0])
    assert found.mixed > 0
    assert (found.low, found.high) == pytest.approx((found.value, found.value), rel=0, abs=1e-12)
    assert lines[2] == row_of(CASES[0], found)


def test_a_gap_would_be_shown() -> None:
    row = row_of(CASES[0], Found(2112, 22, 0.0, 1e-17, -0.5, nash_conv=0.25))
    assert row.count("| 0.000000000 ") == 2
    assert row.endswith("| 0.25 |\n")
    with pytest.raises(ValueError, match="no marks"):
        marked_table("nothing")
