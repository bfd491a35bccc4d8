"""The page of the benchmarks: a section takes the place of the one before, and all others stay."""

from benchmarks.harness import Claim, Section, Table
from benchmarks.report import with_section


def section(title: str, measured: float) -> Section:
    claim = Claim("one step", 2.0, measured, "1 is the least", "plain Python: 9", "{:g} s".format)
    return Section(title, f"About {title}.", [claim], [Table(("slots", "time"), [("3", "1 s")])])


def test_sections_come_one_after_the_other_and_are_replaced_in_their_place() -> None:
    page = "# Benchmarks\n\nPython.\n"
    for title in ("Duel", "Review", "Table"):
        page = with_section(page, section(title, 1.0))
    again = with_section(page, section("Review", 3.0))
    assert [line for line in page.splitlines() if line.startswith("#")] == [
        "# Benchmarks",
        "## Duel",
        "## Review",
        "## Table",
    ]
    before, after = page.splitlines(), again.splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert changed == [
        (
            "| one step | 2 s | 1 s | yes | 1 is the least | plain Python: 9 |",
            "| one step | 2 s | 3 s | NO | 1 is the least | plain Python: 9 |",
        )
    ]
    assert with_section(again, section("Review", 1.0)) == page
    assert page.endswith("| 3 | 1 s |\n")
