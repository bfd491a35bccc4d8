"""Distributions in a table: bars as long as there is room, and numbers that are never cut."""

import io
import re
from fractions import Fraction

import pytest
from rich.console import Console

from tentimes18.cli.solve_commands import DistributionTable
from tentimes18.pictures.score_bins import Bins, table_rows
from tentimes18.solve.score_distribution import ScoreDistribution

DISTRIBUTION = ScoreDistribution((-6, 9, 11, 12), (1, 3, 3, 1), 8)
OTHER = ScoreDistribution((9,), (1,), 1)


def table_of(
    distributions: dict[str, ScoreDistribution], *, exact: bool = False, cumulative: bool = False
) -> DistributionTable:
    rows = table_rows(Bins(1, Fraction(1), 0), list(distributions.values()))
    return DistributionTable("score", distributions, rows, exact, cumulative)


def shown(drawn: DistributionTable, width: int) -> list[str]:
    screen = Console(file=io.StringIO(), width=width, highlight=False, markup=False)
    screen.print(drawn)
    assert isinstance(screen.file, io.StringIO)
    return [line.rstrip() for line in screen.file.getvalue().splitlines()]


def test_a_distribution_alone_has_bars() -> None:
    assert shown(table_of({"optimal": DISTRIBUTION}), 80) == [
        "Probability of each score",
        "",
        " score  chance",
        " " + "─" * 55,
        "    −6  12.50%  " + "█" * 13,
        "     9  37.50%  " + "█" * 40,
        "    11  37.50%  " + "█" * 40,
        "    12  12.50%  " + "█" * 13,
        "",
    ]


@pytest.mark.parametrize("width", [80, 60, 40, 20])
def test_distributions_side_by_side_are_never_cut(width: int) -> None:
    lines = shown(table_of({"optimal": DISTRIBUTION, "random": OTHER}, cumulative=True), width)
    numbers = re.findall(r"[\d.]+%", "\n".join(lines))
    mine = "12.50% 12.50% 100% 37.50% 50.00% 87.50% 37.50% 87.50% 50.00% 12.50% 100% 12.50%"
    theirs = "0% 0% 100% 100% 100% 100% 0% 100% 0% 0% 100% 0%"
    assert sorted(numbers) == sorted(f"{mine} {theirs}".split())
