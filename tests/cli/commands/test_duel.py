"""`ten18 duel response`, `duel equilibrium` and `duel play`: the JSON that programs read, the tables, and bad input."""

from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tentimes18.duel.best_response import best_response, fixed_duel
from tentimes18.duel.certificate import certify
from tentimes18.duel.equilibrium import solve_equilibrium
from tentimes18.duel.lead_windows import Outcome
from tentimes18.duel.play_out import EquilibriumPath, ResponsePath
from tentimes18.duel.slot_choice import ANY
from tentimes18.game import Game, mask_of
from tentimes18.solve.rule_distributions import random_distribution, rule_distribution
from tentimes18.solve.score_distribution import ScoreDistribution
from tentimes18.solve.thresholds import optimal_rule
from tentimes18.strategies.named import greedy, nearest
from tests.support.command import Run, read_json
from tests.support.duels import RULES

SMALL = ("--dice", "1d6", "--slots", "1-3")
ODD = ("--dice", "d{-3,0,4}:0=3", "--slots", "-2,0,1/2,3")


def close(wanted: float) -> object:
    return pytest.approx(wanted, rel=0, abs=1e-14)


def assert_outcome(
    found: Any, wanted: Outcome, laws: tuple[ScoreDistribution, ScoreDistribution] | None = None
) -> None:
    """From the start with mean and standard deviation of my score and the opponent's."""
    facts = asdict(wanted)
    if laws:
        own, other = laws
        facts |= {"mean": own.mean, "sd": own.sd, "opponent_mean": other.mean, "opponent_sd": other.sd}
    found = {name: fact for name, fact in found.items() if name != "moves"}
    assert list(found) == list(facts)
    assert all(type(number) is float for number in found.values())
    assert found == pytest.approx({name: float(fact) for name, fact in facts.items()}, rel=1e-12, abs=1e-14)


def test_response(run_here: Run) -> None:
    game = Game.parse("1d6", "1-3")
    for name, rule, draw in (("optimal", optimal_rule, 0.5), ("greedy", greedy, 0.25)):
        best = best_response(game, rule(game), draw=draw)
        found = read_json(run_here("duel", "response", "--to", name, "--draw", str(draw), *SMALL, "--json"))
        assert_outcome(found, best.outcome, (ResponsePath(best).distribution, rule_distribution(game, rule(game))))
        assert found["moves"] == {str(roll): [[best.choose(7, 7, 0, roll), 1.0]] for roll in range(1, 7)}


def test_players_share_a_draw(run_here: Run) -> None:
    game = Game.parse("1d6", "1-3")
    best = best_response(game, nearest(game), draw=1 / 3)
    found = read_json(run_here("duel", "response", "--to", "nearest", "--players", "3", *SMALL, "--json"))
    assert_outcome(found, best.outcome, (ResponsePath(best).distribution, rule_distribution(game, nearest(game))))


def test_a_rule_instead_of_the_response(run_here: Run) -> None:
    game = Game.parse("1d6", "1-3")
    optimal = optimal_rule(game)
    found = read_json(
        run_here("duel", "response", "--with", "greedy", "--to", "optimal", "--draw", "0", *SMALL, "--json")
    )
    laws = rule_distribution(game, greedy(game)), rule_distribution(game, optimal)
    assert_outcome(found, fixed_duel(game, greedy(game), optimal, draw=0), laws)
    assert found["draw"] > 0
    found = read_json(run_here("duel", "response", "--with", "random", *SMALL, "--json"))
    assert_outcome(
        found, fixed_duel(game, None, optimal), (random_distribution(game), rule_distribution(game, optimal))
    )


def test_the_best_response_to_the_equilibrium(run_here: Run) -> None:
    """The certificate: one half from the start, and no gain anywhere."""
    certificate = certify(solve_equilibrium(Game.parse("1d6", "1-3")))
    found = read_json(run_here("duel", "response", "--to", "equilibrium", *SMALL, "--json"))
    assert list(found) == ["equity", "win", "draw", "loss", "largest_gain", "positions"]
    gain = {"largest_gain": certificate.largest + certificate.rounding, "positions": certificate.positions}
    assert found == pytest.approx(asdict(certificate.response) | gain, abs=1e-14)
    assert found["largest_gain"] < 1e-11
    shown = run_here("duel", "response", "--to", "equilibrium", *SMALL)
    assert f"{certificate.positions} open positions" in shown.out


@pytest.mark.parametrize("name", ["optimal", "nearest", "bands", "greedy", "random", "hunter"])
def test_a_strategy_against_the_equilibrium(run_here: Run, name: str) -> None:
    game = Game.parse("1d6", "1-4")
    where = ("--dice", "1d6", "--slots", "1-4", "--json")
    rule = RULES[name](game) if name in RULES else None
    mine = best_response(game, optimal_rule(game)) if name == "hunter" else rule or ANY
    wanted = EquilibriumPath(solve_equilibrium(game), mine).outcome
    assert_outcome(read_json(run_here("duel", "response", "--with", name, "--to", "equilibrium", *where)), wanted)


def test_response_from_a_position(run_here: Run) -> None:
    """With 4 in the slot of 1/2 against 4 in the slot of 0, the lead is 2."""
    game = Game.parse("d{-3,0,4}:0=3", "-2,0,1/2,3")
    where = ("--free", "1,2,4", "--opponent-free", "1,3,4", "--lead", "2")
    wanted = best_response(game, optimal_rule(game)).at(mask_of([1, 2, 4]), mask_of([1, 3, 4]), 2)
    assert_outcome(read_json(run_here("duel", "response", "--to", "optimal", *ODD, *where, "--json")), wanted)


def test_a_lead_that_is_not_whole(run_here: Run) -> None:
    game = Game.parse("d{-3,0,4}:0=3", "-2,0,1/2,3")
    where = ("--free", "1,2,4", "--opponent-free", "1,3,4", "--lead=-3/2")
    table = solve_equilibrium(game)
    found = read_json(run_here("duel", "equilibrium", *ODD, *where, "--json"))
    assert found["value"] == close(table.value(mask_of([1, 2, 4]), mask_of([1, 3, 4]), Fraction(-3, 2)))
    assert list(found["moves"]) == ["-3", "0", "4"]


def test_the_opponent_has_the_same_free_slots_unless_told(run_here: Run) -> None:
    table = solve_equilibrium(Game.parse("1d6", "1-3"))
    found = read_json(run_here("duel", "equilibrium", *SMALL, "--free", "1,3", "--json"))
    assert found["value"] == close(table.value(0b101, 0b101, 0))


@pytest.mark.parametrize(
    ("mine", "theirs", "lead"),
    [((), (), 0), ((1, 2), (1, 3), 5), ((2,), (1,), -4)],
)
def test_equilibrium(run_here: Run, mine: tuple[int, ...], theirs: tuple[int, ...], lead: int) -> None:
    """A mixed move for every roll, the slots increasing."""
    game = Game.parse("1d6", "1-3")
    table = solve_equilibrium(game)
    position = (mask_of(mine or (1, 2, 3)), mask_of(theirs or (1, 2, 3)), lead)
    where = ("--free", ",".join(map(str, mine)), "--opponent-free", ",".join(map(str, theirs)), f"--lead={lead}")
    found = read_json(run_here("duel", "equilibrium", *SMALL, *(where if mine else ()), "--json"))
    assert list(found) == ["value", "moves"]
    assert found["value"] == close(table.value(*position))
    assert list(found["moves"]) == ["1", "2", "3", "4", "5", "6"]
    for roll, moves in found["moves"].items():
        wanted = table.moves(*position, int(roll))
        assert [slot for slot, _ in moves] == sorted(wanted)
        assert all(type(slot) is int and type(chance) is float for slot, chance in moves)
        assert dict(moves) == pytest.approx(wanted, rel=0, abs=1e-14)


def test_a_table_that_is_kept(run: Run, tmp_path: Path) -> None:
    """The second run reads what the first has solved, and says the same."""
    first, second = (run("duel", "equilibrium", *SMALL, "--json", TEN18_CACHE=str(tmp_path)) for _ in range(2))
    assert read_json(first) == read_json(second)
    assert [path.name.split("-")[0] for path in tmp_path.glob("*.npy")] == ["equilibrium"]


def test_no_circle_is_one_line_and_a_table_without_rows(run_here: Run) -> None:
    assert run_here("duel", "cycle", "--slots", "1-2").out == "No cycle among the best responses in 1d6 1,2.\n"
    assert run_here("duel", "cycle", "--slots", "1-2", "--csv").out == "strategy,against,win,draw,loss\n"
