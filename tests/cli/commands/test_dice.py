"""`ten18 dice` and `ten18 plot dice`: the distribution of one roll, as a page, for programs, and as a picture."""

import csv
import io
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from tentimes18 import Dice
from tests.oracle.dice import pool_law
from tests.support.command import Run, read_json

SIX = {face: Fraction(1, 6) for face in range(1, 7)}


def test_json_against_enumeration(run_here: Run) -> None:
    found = read_json(run_here("dice", "4d6kh3", "2d6*2", "1d6!x2", "--exact", "--json"))
    distributions = [pool_law(SIX, 4, 0, 3), pool_law(SIX, 2, factor=2), pool_law(SIX, 1, 2)]
    assert list(found) == ["distributions"]
    for distribution, wanted in zip(found["distributions"], distributions, strict=True):
        assert list(distribution) == ["dice", "mean", "variance", "sd", "least", "most", "medians", "rolls"]
        assert {line["roll"]: Fraction(line["chance"]) for line in distribution["rolls"]} == wanted
        assert Fraction(distribution["mean"]) == sum(roll * chance for roll, chance in wanted.items())


def test_the_page(run_here: Run) -> None:
    lines = run_here("dice", "3d6", "4d6 kh 3").out.splitlines()
    assert lines[0] == "One roll"
    assert lines[2].split() == ["3d6", "4d6kh3"]
    assert lines[-2].split() == ["18", "0.46%", "100%", "0.46%", "1.62%", "100%", "1.62%"]
    assert "median              10 and 11        12" in "\n".join(lines)


def test_fractions(run_here: Run) -> None:
    out = run_here("dice", "1d6!", "--exact").out
    assert re.search(r"^ mean +1813/432$", out, re.MULTILINE)
    assert "   24  1/1296" in out


def test_dice_that_start_with_a_minus(run_here: Run) -> None:
    assert read_json(run_here("dice", "-1d6", "--json"))["distributions"][0]["least"] == -6


def test_the_same_dice_once(run_here: Run) -> None:
    found = read_json(run_here("dice", "1d6!", "1d6 ! x3", "3d6", "--json"))
    assert [distribution["dice"] for distribution in found["distributions"]] == ["1d6!x3", "3d6"]


def test_csv_has_every_roll_where_the_page_has_ranges(run_here: Run) -> None:
    head, *rows = csv.reader(io.StringIO(run_here("dice", "1d1000", "--csv").out))
    assert head == ["roll", "probability", "at most", "at least"]
    assert [int(row[0]) for row in rows] == list(range(1, 1001))
    assert "980-999   2.00%" in run_here("dice", "1d1000").out
    head, *rows = csv.reader(io.StringIO(run_here("dice", "1d1000", "--csv", "--table", "bins").out))
    assert head == ["rolls", "first", "last", "probability", "at most", "at least"]
    assert sum(float(row[3]) for row in rows) == pytest.approx(1)


@pytest.mark.parametrize("more", [[], ["--cumulative"]])
def test_a_picture(run_here: Run, tmp_path: Path, more: list[str]) -> None:
    path = tmp_path / "dice.svg"
    result = run_here("plot", "dice", "3d6", "4d6kh3", "-o", str(path), "--json", *more)
    assert json.loads(result.out) == {"output": str(path)}
    assert path.read_text().startswith("<?xml")
    assert Dice.parse("4d6kh3") == Dice.parse("4d6dl1")
