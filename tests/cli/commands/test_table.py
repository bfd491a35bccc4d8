"""`ten18 table`: the page, JSON and CSV say the same; and bad input is one line."""

import csv
import re

import pytest

from tests.support.command import Run as RunTen18
from tests.support.command import read_json

SMALL = ("--dice", "1d6", "--slots", "1-4", "--games", "2000", "--seed", "18")
THREE = ("table", "optimal", "nearest", "greedy", *SMALL)


def test_page_and_json(run_here: RunTen18) -> None:
    page, found = run_here(*THREE), read_json(run_here(*THREE, "--json"))
    assert page.code == 0
    assert page.out.startswith("2,000 games at one table, 1d6 1-4, seed 18\n")
    assert "games per second" in page.err
    for seat, name in enumerate(("optimal", "nearest", "greedy")):
        line = next(line for line in page.out.splitlines() if line.startswith(f" {name}"))
        shown = f"{found['shares'][seat]:.4%}", f"{found['sole'][seat]:.4%}", f"{found['exact']['shares'][seat]:.6%}"
        assert all(text in line for text in shown)
        assert f"{found['ranks'][seat]:.4f}" in line
    assert f"Computed from {found['exact']['positions']} positions" in page.out


def test_csv(run_here: RunTen18) -> None:
    found = read_json(run_here(*THREE, "--json"))
    rows = list(csv.DictReader(run_here(*THREE, "--csv").out.splitlines()))
    assert [float(row["share of wins"]) for row in rows] == found["shares"]
    assert [float(row["computed"]) for row in rows] == found["exact"]["shares"]
    response = list(csv.reader(run_here(*THREE, "--response", "--csv", "--table", "response").out.splitlines()))
    assert response[0] == ["strategy", "share of wins", "optimal", "nearest", "greedy"]
    assert [row[0] for row in response[1:3]] == ["nobody", "the best response"]
    assert [float(share) for share in response[1][2:]] == pytest.approx(found["exact"]["shares"])
    assert sum(map(float, response[2][1:])) == pytest.approx(1)


def test_response(run_here: RunTen18) -> None:
    page, found = run_here(*THREE, "--response"), read_json(run_here(*THREE, "--response", "--json"))
    best = found["response"]
    rows = [("nobody", best["without"]), ("the best response", [best["share"], *best["shares"]])]
    rows += [(f"{one['strategy']}, by optimal", [one["share"], *one["shares"]]) for one in best["others"]]
    for name, shares in rows:
        assert re.search(rf"^ {name} +" + " +".join(f"{share:.6%}" for share in shares) + "$", page.out, re.MULTILINE)
    for name, before, after in zip(found["strategies"], best["without"], best["shares"], strict=True):
        assert f"{100 * (before - after):.3f} from {name}" in page.out
    assert f"6 in #{best['moves']['6']}" in page.out


def test_players_of_a_duel(run_here: RunTen18) -> None:
    page = run_here("table", "hunter,optimal", "equilibrium", *SMALL)
    assert "hunter plays its duel with optimal." in page.out
    assert "equilibrium plays its duel with optimal." in page.out


def test_simulated_alone(run_here: RunTen18) -> None:
    page = run_here("table", "optimal", "hindsight", "greedy", *SMALL)
    assert "computed" not in page.out.lower()


def test_one_game(run_here: RunTen18) -> None:
    page = run_here(*THREE[:4], "--games", "1", "--slots", "1-4", "--dice", "1d6")
    assert page.code == 0
    line = next(line for line in page.out.splitlines() if line.startswith(" optimal"))
    assert "0.0000% " not in line.split("%")[1]


def test_a_strategy_of_ones_own(run_here: RunTen18) -> None:
    found = read_json(run_here("table", "tests.support.simulated:by_parity", "optimal", "greedy", *SMALL, "--json"))
    assert found["shares"][0] < found["shares"][1]
