"""`ten18 assign` and `ten18 plot assign`: every form of the problem as a page, for programs, and as a picture."""

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.oracle.assignment import Tree, batch_value, distribution_of_samples, in_order, seen_ahead
from tests.oracle.closed_forms import moser, poisson_exponential, secretary_rank
from tests.oracle.prices import best_revenue
from tests.support.command import Run, read_json

SIX = distribution_of_samples(range(1, 7))


def test_json_against_brute_force(run_here: Run) -> None:
    found = read_json(run_here("assign", "1d6", "--slots", "1,2", "--arrivals", "4", "--exact", "--json"))
    tree = Tree(in_order([SIX] * 4), (1, 2))
    assert Fraction(found["value"]) == tree.value
    assert [row["left"] for row in found["thresholds"]] == [3, 2, 1, 0]
    assert found["distribution"] == "1d6"
    must = read_json(run_here("assign", "1d6-4", "--slots", "2", "--arrivals", "3", "--must-fill", "--exact", "--json"))
    low = distribution_of_samples(range(-3, 3))
    assert Fraction(must["value"]) == Tree(in_order([low] * 3), (1, 1), may_stay_empty=False).value
    may = read_json(run_here("assign", "1d6-4", "--slots", "2", "--arrivals", "3", "--exact", "--json"))
    assert Fraction(may["value"]) == Tree(in_order([low] * 3), (1, 1)).value > Fraction(must["value"])


def test_one_decision(run_here: Run) -> None:
    words = ("assign", "1d6", "--slots", "1,2,4", "--arrivals", "5", "--value", "4", "--free", "1,3", "--left", "2")
    found = read_json(run_here(*words, "--json"))["decision"]
    tree = Tree(in_order([SIX] * 5), (1, 2, 4))
    assert found["best"] == tree.best(Fraction(4), 3, frozenset({1, 3}))
    page = run_here(*words).out
    assert "A value of 4, free: 1 and 3, 2 still to come: slot 1" in page
    assert len(run_here(*words, "--csv", "--table", "choices").out.splitlines()) == 4


def test_every_form_has_a_page(run_here: Run) -> None:
    assert "Thresholds: a value above that of a slot" in run_here("assign", "3d6", "--arrivals", "30").out
    page = run_here("assign", "3d6", "--slots", "1,2", "--arrivals", "30", "--prices").out
    assert "bought at values from" in page
    page = run_here("assign", "--secretary", "best", "--arrivals", "10").out
    assert "chance to choose the best  0.39869048" in page
    page = run_here("assign", "uniform(0, 1)", "--multisecretary", "--arrivals", "100").out
    assert "100 arrivals of uniform(0, 1): the regret is largest for 50 slots, 0.399179" in page
    for choices, value in (("1", "expected rank"), ("2", "expected sum of ranks")):
        assert value in run_here("assign", "--secretary", "rank", "--arrivals", "100", "--slots", choices).out
    page = run_here("assign", "uniform(0, 1)", "--slots", "30", "--arrivals", "90", "--must-fill").out
    assert "Every slot is filled" in page


@pytest.mark.parametrize("words", [(), ("--json",), ("--multisecretary",)])
def test_an_error_above_one_percent_is_no_answer(run_here: Run, words: tuple[str, ...]) -> None:
    found = run_here("assign", "pareto(1.001, 1)", "--arrivals", "100", *words)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("ten18: distribution: float64 gives")
    assert found.err.count("\n") == 1
    assert "more than one percent" in found.err


def test_known_numbers(run_here: Run) -> None:
    found = read_json(run_here("assign", "uniform(0, 1)", "--arrivals", "6", "--exact", "--json"))
    assert Fraction(found["value"]) == moser(6)
    found = read_json(run_here("assign", "exponential(1)", "--slots", "3", "--poisson", "2", "--until", "4", "--json"))
    assert found["value"] == pytest.approx(poisson_exponential(3, 8.0), rel=1e-10)
    found = read_json(run_here("assign", "--secretary", "rank", "--arrivals", "12", "--exact", "--json"))
    assert Fraction(found["value"]) == secretary_rank(12)
    found = read_json(run_here("assign", "uniform(0,1)", "--arrivals", "endless", "--discount", "0.8", "--json"))
    assert found["hindsight"] is None
    assert found["thresholds"][0]["bounds"][0] == pytest.approx(0.5)


def test_revenue(run_here: Run) -> None:
    words = ("assign", "1d6", "--slots", "1,3", "--arrivals", "3", "--revenue", "--exact", "--json")
    found = read_json(run_here(*words, "--prices"))
    assert Fraction(found["value"]) == best_revenue([SIX] * 3, (1, 3))
    assert [Fraction(row["bought_from"]).denominator for row in found["prices"]] == [1, 1]  # values of the die


def test_chances_to_fill_each_slot(run_here: Run) -> None:
    words = ("assign", "1d6", "--slots", "1,3", "--arrivals", "4", "--filled")
    found = read_json(run_here(*words, "--exact", "--json"))["filled"]
    wanted = Tree(in_order([SIX] * 4), (1, 3)).filled()
    for row in found:
        for slot, chance in enumerate(row["chances"], start=1):
            assert Fraction(chance) == wanted.get((slot, row["arrival"]), (0,))[0]
    assert "fills each slot" in run_here(*words).out
    assert len(run_here(*words, "--csv", "--table", "filled").out.splitlines()) == 1 + 4 * 2


def test_chances_to_fill_each_slot_in_time(run_here: Run) -> None:
    words = ("assign", "exponential(1)", "--slots", "1", "--poisson", "2", "--until", "4", "--filled")
    page = run_here(*words).out
    assert "Chance that an arrival in this time fills each slot" in page
    assert " 3.8 to 4 " in page
    head, *rows = csv.reader(io.StringIO(run_here(*words, "--csv", "--table", "filled").out))
    assert head == ["begin", "end", "slot", "chance"]
    assert (rows[0][0], rows[-1][1]) == ("0.0", "4.0")
    assert sum(float(row[3]) for row in rows) <= 1


def test_regimes_batches_and_values_seen_ahead(run_here: Run) -> None:
    chain = ("assign", "1d6;2d6", "--slots", "1,2", "--arrivals", "4", "--regimes", "0.9,0.1;0.5,0.5", "--start", "1")
    page = run_here(*chain).out
    assert "arrivals: 4 in 2 regimes" in page
    assert "still to come  regime" in page
    assert ", regime 1: " in run_here(*chain, "--value", "6", "--left", "2", "--known", "1").out
    head, *rows = csv.reader(io.StringIO(run_here(*chain, "--csv").out))
    assert (head, len(rows)) == (["left", "regime", "slot", "bound"], 4 * 2 * 2)
    together = ("assign", "1d6", "--slots", "1,3", "--arrivals", "4", "--batches", "2")
    found = read_json(run_here(*together, "--exact", "--json"))
    assert Fraction(found["value"]) == batch_value([[SIX] * 2] * 2, (1, 3))
    assert found["batches"] == [2, 2]
    page = run_here(*together, "--value", "6,1", "--left", "1").out
    assert "A batch, free: 1 and 2, 1 batch still to come" in page
    assert "reject" in page
    ahead = ("assign", "1d6", "--slots", "1,3", "--arrivals", "4", "--ahead", "1")
    found = read_json(run_here(*ahead, "--exact", "--json"))
    assert Fraction(found["value"]) == Tree(seen_ahead([SIX] * 4, 1), (1, 3)).value
    assert "seen ahead: 6: slot 1" in run_here(*ahead, "--value", "5", "--left", "2", "--known", "6").out


def test_simulated(run_here: Run) -> None:
    words = ("assign", "gamma(2, 50)", "--slots", "3", "--arrivals", "20", "--games", "20000", "--seed", "18")
    found = read_json(run_here(*words, "--json"))
    assert abs(found["simulated"]["mean"] - found["value"]) < 4 * found["simulated"]["stderr"]
    assert "20,000 simulated" in run_here(*words).out


def test_files(run_here: Run, tmp_path: Path) -> None:
    (tmp_path / "values.csv").write_text("value\n1\n2\n3\n4\n5\n6\n")
    (tmp_path / "rates.csv").write_text("time,rate\n0,1\n2,3\n")
    words = ("--slots", "2", "--arrivals", "3", "--exact", "--json")
    by_file = read_json(run_here("assign", f"samples:{tmp_path}/values.csv", *words))
    assert by_file["value"] == read_json(run_here("assign", "1d6", *words))["value"]
    rates = ("--poisson", f"{tmp_path}/rates.csv", "--until", "4")
    varying = read_json(run_here("assign", "exponential(1)", "--slots", "2", *rates, "--json"))
    assert varying["value"] == pytest.approx(poisson_exponential(2, 8.0), rel=1e-10)


def test_csv(run_here: Run) -> None:
    head, *rows = csv.reader(io.StringIO(run_here("assign", "1d6", "--slots", "2", "--arrivals", "5", "--csv").out))
    assert head == ["left", "slot", "bound"]
    assert len(rows) == 10
    head, *rows = csv.reader(
        io.StringIO(run_here("assign", "1d6", "--multisecretary", "--arrivals", "40", "--csv").out)
    )
    assert head == ["slots", "value", "hindsight", "regret"]
    assert len(rows) == 41
    rule = run_here("assign", "--secretary", "rank", "--arrivals", "40", "--slots", "2", "--csv").out
    assert rule.startswith("choices_left,rank 1,")


@pytest.mark.parametrize(
    "words",
    [
        ("gamma(2, 50)", "--slots", "1,2,5", "--arrivals", "30"),
        ("uniform(0, 1)", "--slots", "3", "--poisson", "4", "--until", "5", "--kind", "prices"),
        ("3d6", "--slots", "2", "--arrivals", "20", "--kind", "value"),
        ("3d6", "--arrivals", "50", "--kind", "regret"),
    ],
    ids=["thresholds", "prices", "value", "regret"],
)
def test_pictures(run_here: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "picture.svg"
    found = run_here("plot", "assign", *words, "-o", str(file), "--json")
    assert json.loads(found.out) == {"output": str(file)}
    assert "<svg" in file.read_text()


def test_rules_in_comparison(run_here: Run) -> None:
    words = ["assign", "1d6", "--slots", "2", "--arrivals", "4", "--compare", "nearest,prophet"]
    answer = read_json(run_here(*words, "--json", "--exact"))
    assert [(row["rule"], row["value"], row["loss"]) for row in answer["comparison"]] == [
        ("optimal", "107/12", "0/1"),
        ("nearest", "107/12", "0/1"),
        ("prophet", "76/9", "17/36"),
    ]
    assert "of hindsight" in run_here(*words).out
    assert len(run_here(*words, "--csv", "--table", "comparison").out.splitlines()) == 4
