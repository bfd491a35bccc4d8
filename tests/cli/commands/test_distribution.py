"""`ten18 distribution`: scores by their names, distributions side by side, or less and or more, fractions."""

import csv
import io
import re

import pytest

from tentimes18 import Board, Game, named
from tentimes18.solve.moments import optimal_moments
from tests.support.command import Run, read_json

SMALL = ("--dice", "1d6", "--slots", "1-4")


def test_a_small_distribution_shows_each_score(run_here: Run) -> None:
    """A teacher's example: no score that cannot happen, no bin of 5.625."""
    out = run_here("distribution", "--dice", "d{1,2}", "--slots", "1-3").out
    assert re.findall(r"^ +(\d+)  ([\d.]+%)", out, re.MULTILINE) == [
        ("6", "12.50%"),
        ("9", "37.50%"),
        ("11", "37.50%"),
        ("12", "12.50%"),
    ]


def test_ranges_are_named_and_none_is_left_out(run_here: Run) -> None:
    out = run_here("distribution").out
    ranges = [tuple(map(int, found)) for found in re.findall(r"^ +(\d+)-(\d+) ", out, re.MULTILINE)]
    assert ranges == [(low, low + 9) for low in range(430, 810, 10)]
    tails = re.findall(r"^ (429 or less|810 or more) +([\d.]+)%", out, re.MULTILINE)
    distribution = named("optimal").distribution(Board(Game.classic()))
    assert [float(share) for _, share in tails] == [
        pytest.approx(100 * float(chance), abs=0.005)
        for chance in (distribution.at_most(429), distribution.at_least(810))
    ]


def test_several_distributions_side_by_side(run_here: Run) -> None:
    names = ["optimal", "random", "target:40"]
    found = read_json(run_here("distribution", "--strategy", " optimal,random,target:40", *SMALL, "--json"))
    assert list(found) == ["distributions"]
    for name, distribution in zip(names, found["distributions"], strict=True):
        assert distribution == read_json(run_here("distribution", "--strategy", name, *SMALL, "--json"))
    lines = run_here("distribution", "--strategy", "optimal,random,target:40", *SMALL).out.splitlines()
    assert lines[0] == "Final scores, 1d6 1-4"
    assert [line.split()[-3:] for line in lines if "optimal" in line] == [names, names]
    assert "█" not in "".join(lines)
    head, *rows = csv.reader(
        io.StringIO(run_here("distribution", "--strategy", "optimal,random", *SMALL, "--csv", "--cumulative").out)
    )
    assert head == [
        "score",
        "optimal",
        "optimal at most",
        "optimal at least",
        *(f"random{k}" for k in ("", " at most", " at least")),
    ]
    assert [sum(float(row[column]) for row in rows) for column in (1, 4)] == [pytest.approx(1), pytest.approx(1)]


def test_or_less_and_or_more(run_here: Run) -> None:
    distribution = named("optimal").distribution(Board(Game.parse("1d6", "1-4")))
    found = read_json(
        run_here("distribution", *SMALL, "--at-most", "30,4e1", "--at-least", "50", "--cumulative", "--json")
    )
    assert found["at_most"] == {"30": float(distribution.at_most(30)), "40": float(distribution.at_most(40))}
    assert found["at_least"] == {"50": float(distribution.at_least(50))}
    assert found["cumulative"] == [
        [s, float(distribution.at_most(s)), float(distribution.at_least(s))] for s in distribution.scores
    ]
    out = run_here("distribution", *SMALL, "--at-most", "30", "--cumulative").out
    assert f"P(30 or less)       {float(distribution.at_most(30)):.6f}" in out
    assert re.search(r"score +chance +or less +or more", out)


def test_fractions_in_text(run_here: Run) -> None:
    out = run_here("distribution", "--dice", "1d6", "--slots", "1-2", "--exact", "--at-most", "9").out
    distribution = named("optimal").distribution(Board(Game.parse("1d6", "1-2")))
    assert f" {distribution.mean}\n" in out
    assert f" {distribution.at_most(9)}\n" in out
    assert f" {distribution.probability(distribution.scores[0])}  " in out
    moments = optimal_moments(Game.parse("1d6", "1-2"))
    out = run_here("distribution", "--dice", "1d6", "--slots", "1-2", "--exact", "--moments").out
    assert f" {moments.mean}\n" in out
    assert f" {moments.variance}\n" in out
    out = run_here("distribution", "--dice", "1d2", "--slots", "1-2", "--exact", "--per-slot").out
    assert out.splitlines()[-3:-1] == ["    1  3/4  1/4", "    2  1/4  3/4"]


def test_where_the_rolls_end_up_in_few_columns(run_here: Run) -> None:
    """The classic game fits a window of 80; with more slots than rolls, the rolls are side by side."""
    lines = run_here("distribution", "--per-slot").out.splitlines()
    assert lines[2].split() == ["roll", *(f"#{slot}" for slot in range(1, 11))]
    assert max(map(len, lines)) <= 80
    lines = run_here("distribution", "--per-slot", "--dice", "d2", "--slots", "1-9").out.splitlines()
    assert lines[2].split() == ["slot", "1", "2"]
    head, *rows = csv.reader(io.StringIO(run_here("distribution", "--per-slot", "--dice", "d2", "--csv").out))
    assert head == ["slot", "roll", "probability"]
    assert sum(float(row[2]) for row in rows) == pytest.approx(10)


def test_moments_of_several(run_here: Run) -> None:
    found = read_json(run_here("distribution", "--strategy", "optimal,random", "--moments", "--json"))
    assert [distribution["strategy"] for distribution in found["distributions"]] == ["optimal", "random"]
    assert re.search("optimal +random\n", run_here("distribution", "--strategy", "optimal,random", "--moments").out)


def test_a_summary_has_no_scores(run_here: Run) -> None:
    out = run_here("distribution", *SMALL, "--summary").out
    assert "standard deviation" in out
    assert "Probability of" not in out


def test_no_number_of_sixteen_digits(run_here: Run) -> None:
    out = run_here("distribution", "--dice", "1d6", "--slots", "1/3,1/7,2", "--strategy", "random").out
    assert not re.search(r"\d\.\d{6}", out)
    medians = named("random").distribution(Board(Game.parse("1d6", "1/3,1/7,2"))).medians
    assert f" {' and '.join(map(str, medians))}\n" in out
