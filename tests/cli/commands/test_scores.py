"""`ten18 distribution`, `target`, `aim` and `front`: the JSON that programs read, the tables, and bad input."""

from fractions import Fraction
from typing import Any

import pytest

from tentimes18 import Board, Game, named
from tentimes18.records.notation import parse_moves
from tentimes18.solve.aims import chance_table
from tentimes18.solve.moments import hindsight_moments, optimal_moments, random_moments, slot_distributions
from tentimes18.strategies.front import front, front_names
from tentimes18.strategies.strategy import ObjectiveStrategy, is_exact_sensible, score_distribution
from tests.support.command import Run, read_json

FIELDS = ["strategy", "mean", "variance", "sd", "skewness", "median", "medians", "quantiles", "exact", "pmf"]
QUANTILES = ["0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99"]
SMALL = ("--dice", "1d6", "--slots", "1-4")
ODD = ("--dice", "d{-5,0,7}:0=3", "--slots", "-2,0,1/2,3")


def board_of(dice: str, slots: str, moves: str = "") -> Board:
    return Board.replay(Game.parse(dice, slots), parse_moves(moves))


def whole(score: Fraction | int) -> int | float:
    """A score as JSON has it: an integer where it is one."""
    return int(score) if score == int(score) else float(score)


@pytest.mark.parametrize(
    ("strategy", "dice", "slots", "moves"),
    [
        ("optimal", "3d6", "1-10", ""),
        ("random", "3d6", "1-10", ""),
        ("hindsight", "3d6", "1-10", "8@5 4@1"),
        ("optimal", "d{-5,0,7}:0=3", "-2,0,1/2,3", "-5@1,7@3"),
        ("target:15", "1d6", "1-4", "6@3"),
        ("optimal", "1d6", "1-2", "6@1 5@2"),
    ],
)
def test_distribution_json(run_here: Run, strategy: str, dice: str, slots: str, moves: str) -> None:
    """Exact numbers, each rounded once; scores that are whole are integers."""
    law = named(strategy).distribution(board_of(dice, slots, moves))
    arguments = ("--strategy", strategy, "--dice", dice, "--slots", slots, "--moves", moves)
    found = read_json(run_here("distribution", *arguments, "--json"))
    assert list(found) == FIELDS
    assert found["strategy"] == strategy
    assert (found["mean"], found["variance"]) == (float(law.mean), float(law.variance))
    assert (found["sd"], found["skewness"]) == (law.sd, law.skewness)
    assert all(type(found[name]) is float for name in ("mean", "variance", "sd", "skewness"))
    assert found["median"] == whole(law.median)
    assert found["medians"] == [whole(score) for score in law.medians]
    assert found["quantiles"] == {q: whole(law.quantile(Fraction(q))) for q in QUANTILES}
    assert found["exact"] is True
    assert found["pmf"] == [[whole(score), float(law.probability(score))] for score in law.scores]
    assert all(type(score) is type(whole(wanted)) for (score, _), wanted in zip(found["pmf"], law.scores, strict=True))


@pytest.mark.parametrize("strategy", ["optimal", "quantile:0.3"])
def test_distribution_exact(run_here: Run, strategy: str) -> None:
    """Every number that can be a fraction is one; roots are floats."""
    law = named(strategy).distribution(board_of("d{-5,0,7}:0=3", "-2,0,1/2,3"))
    found = read_json(
        run_here("distribution", "--strategy", strategy, *ODD, "--exact", "--json", "--at-least", "3,7/2")
    )
    assert list(found) == [*FIELDS, "at_least"]

    def fraction(text: Any) -> Fraction:
        numerator, denominator = text.split("/")
        assert Fraction(int(numerator), int(denominator)).denominator == int(denominator)
        return Fraction(text)

    assert fraction(found["mean"]) == law.mean
    assert fraction(found["variance"]) == law.variance
    assert fraction(found["median"]) == law.median
    assert [fraction(score) for score in found["medians"]] == list(law.medians)
    assert {q: fraction(score) for q, score in found["quantiles"].items()} == {
        q: law.quantile(Fraction(q)) for q in QUANTILES
    }
    pairs = [(fraction(score), fraction(share)) for score, share in found["pmf"]]
    assert pairs == [(score, law.probability(score)) for score in law.scores]
    assert sum(share for _, share in pairs) == 1
    assert {score: fraction(share) for score, share in found["at_least"].items()} == {
        "3": law.at_least(3),
        "7/2": law.at_least(Fraction(7, 2)),
    }
    assert found["sd"] == law.sd


def test_distribution_in_floats(run_here: Run) -> None:
    """Where exact numbers take too long the answer says so; probabilities stay probabilities."""
    dice = "d6:" + ",".join(f"{face}={10**2000 + face}" for face in range(1, 7))  # long numbers, few scores
    board = board_of(dice, "1-12")
    assert not is_exact_sensible(board, named("optimal"))
    found = read_json(run_here("distribution", "--dice", dice, "--slots", "1-12", "--at-least", "78,300,469", "--json"))
    wanted = named("optimal").distribution(board_of("1d6", "1-12"))
    assert found["exact"] is False
    assert found["mean"] == pytest.approx(float(wanted.mean), rel=1e-12)
    assert found["variance"] == pytest.approx(float(wanted.variance), rel=1e-12)
    assert [score for score, _ in found["pmf"]] == list(wanted.scores)
    assert [share for _, share in found["pmf"]] == pytest.approx(
        [float(wanted.probability(score)) for score in wanted.scores], rel=1e-12, abs=0
    )
    assert (found["at_least"]["78"], found["at_least"]["469"]) == (1.0, 0.0)
    assert found["at_least"]["300"] == pytest.approx(float(wanted.at_least(300)), rel=1e-12)


@pytest.mark.parametrize(
    ("strategy", "compute"),
    [("optimal", optimal_moments), ("hindsight", hindsight_moments), ("random", random_moments)],
)
def test_moments(run_here: Run, strategy: str, compute: Any) -> None:
    wanted = compute(Game.parse("3d6", "1-60"))
    arguments = ("distribution", "--strategy", strategy, "--slots", "1-60", "--moments", "--json")
    found = read_json(run_here(*arguments))
    assert found == {
        "strategy": strategy,
        "mean": float(wanted.mean),
        "variance": float(wanted.variance),
        "sd": wanted.sd,
    }
    exact = read_json(run_here(*arguments, "--exact"))
    assert (Fraction(exact["mean"]), Fraction(exact["variance"])) == (wanted.mean, wanted.variance)


def test_per_slot(run_here: Run) -> None:
    game = Game.parse("d{-5,0,7}:0=3", "-2,0,1/2,3")
    wanted = slot_distributions(game.dice, game.size)
    found = read_json(run_here("distribution", *ODD, "--per-slot", "--json"))
    assert list(found) == ["strategy", "rolls", "slots"]
    assert (found["strategy"], found["rolls"]) == ("optimal", [-5, 0, 7])
    assert found["slots"] == [[float(share) for share in law] for law in wanted]
    exact = read_json(run_here("distribution", *ODD, "--per-slot", "--exact", "--json"))
    assert [[Fraction(share) for share in law] for law in exact["slots"]] == wanted


@pytest.mark.parametrize(
    ("target", "dice", "slots", "moves"),
    [
        ("700", "3d6", "1-10", ""),
        ("60", "3d6", "1-4", "8@2 17@4"),
        ("5.5", "d{-5,0,7}:0=3", "-2,0,1/2,3", ""),
    ],
)
def test_target_json(run_here: Run, target: str, dice: str, slots: str, moves: str) -> None:
    board = board_of(dice, slots, moves)
    wanted = Fraction(target)
    found = read_json(run_here("target", target, "--dice", dice, "--slots", slots, "--moves", moves, "--json"))
    assert found == {
        "target": whole(wanted),
        "probability": float(chance_table(board.game).chance(wanted, board.free, board.score)),
        "with_optimal": float(named("optimal").distribution(board).at_least(wanted)),
        "mean": float(named(f"target:{target}").distribution(board).mean),
        "mean_with_optimal": float(named("optimal").distribution(board).mean),
        "next_move": {str(roll): named(f"target:{target}").choose(board, roll) for roll in board.game.dice.support},
    }
    assert list(found)[:3] == ["target", "probability", "with_optimal"]
    assert [type(found[name]) for name in ("probability", "with_optimal")] == [float, float]


def test_equal_chances(run_here: Run) -> None:
    """Among the moves with the best chance, those with the best mean; for certain targets the mean alone."""
    found = read_json(run_here("aim", "target:700", "--json"))
    assert found["value"] == 0.18123244424667273
    assert found["mean"] == pytest.approx(633.6162404189247, rel=1e-15)
    law = read_json(run_here("distribution", "--strategy", "target:700", "--summary", "--json"))
    assert law["mean"] == found["mean"]
    sure = read_json(run_here("target", "0", "--json"))
    assert sure["mean"] == sure["mean_with_optimal"] == read_json(run_here("solve", "--json"))["expected"]["optimal"]


def test_what_is_not_an_aim(run_here: Run) -> None:
    """What is offered instead is accepted."""
    refused = run_here("aim", "foo", *SMALL)
    assert refused.code == 2
    for offered in refused.err.strip().rpartition("accepted: ")[2].split(", "):
        assert run_here("aim", offered, *SMALL).code == 0


def test_negative_target(run_here: Run) -> None:
    """Scores may be negative; a dash is then no option."""
    found = read_json(run_here("target", "--json", *ODD, "--", "-5"))
    assert found["target"] == -5
    assert read_json(run_here("target", "-5", "--json", *ODD)) == found


@pytest.mark.parametrize("strategy", ["target:20", "cvar:0.25", "utility:exp:0.05"])
def test_aim_json(run_here: Run, strategy: str) -> None:
    game = Game.parse("1d6", "1-4")
    known = named(strategy)
    assert isinstance(known, ObjectiveStrategy)
    law, usual = known.distribution(Board(game)), named("optimal").distribution(Board(game))
    found = read_json(run_here("aim", strategy, *SMALL, "--json"))
    assert list(found) == ["strategy", "value", "with_optimal", "gap", "mean", "sd", "first_move"]
    assert found["strategy"] == strategy
    assert found["value"] == float(known.solve(game).value)
    assert found["with_optimal"] == known.measure(game, usual) <= found["value"] + 1e-12
    assert 0 <= found["gap"] < 1e-9
    assert (found["mean"], found["sd"]) == (float(law.mean), law.sd)
    assert found["first_move"] == {str(roll): known.choose(Board(game), roll) for roll in range(1, 7)}


@pytest.mark.parametrize("strategy", ["utility:exp:0.000000000001", "utility:power:0.00000000001"])
def test_aim_has_no_gap(run_here: Run, strategy: str) -> None:
    """The value promised is the value reached, however little the aim differs from the mean."""
    found = read_json(run_here("aim", strategy, "--slots", "1-5", "--json"))
    assert found["gap"] < 1e-6
    assert found["value"] >= found["with_optimal"] - 1e-6


def test_front_json(run_here: Run) -> None:
    board = board_of("1d6", "1-4")
    found = read_json(run_here("front", *SMALL, "--json"))
    assert list(found) == ["front"]
    points = found["front"]
    names = [point["strategy"] for point in points]
    wanted = front((name, score_distribution(board, named(name))) for name in names)
    assert {"optimal", "random"} < set(names)
    assert sorted(names) == sorted(front_names(board.game))
    assert [point["sd"] for point in points] == sorted(point["sd"] for point in points)
    by_name = {point.strategy: point for point in wanted}
    for point in points:
        assert list(point) == ["strategy", "mean", "sd", "efficient"]
        assert point["mean"] == pytest.approx(by_name[point["strategy"]].mean, rel=1e-12)
        assert point["sd"] == pytest.approx(by_name[point["strategy"]].sd, rel=1e-9)
        assert type(point["efficient"]) is bool
    best = max(points, key=lambda point: point["mean"])
    assert best["mean"] == pytest.approx(by_name["optimal"].mean, rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (["distribution"], ["642.23935", "54.96060", "646", "165", "990", "█", "650-659"]),
        (["distribution", "--strategy", "random", "--at-least", "700"], ["577 and 578", "P(700 or more)"]),
        (["distribution", "--moments", "--slots", "1-50"], ["mean", "standard deviation"]),
        (["distribution", "--per-slot"], ["#1 ", "#10\n", "18"]),
        (["target", "700"], ["0.181232", "0.142658", "target:700", "optimal", "#10"]),
        (["aim", "cvar:0.1", *SMALL], ["mean of the worst share", "Optimality gap", "The first move"]),
        (["front", *SMALL], ["optimal", "on the front", "mean lost"]),
        (["front", *SMALL, "--least"], ["least sd", "7.017", "6.566"]),
    ],
    ids=lambda value: " ".join(value),
)
def test_tables(run_here: Run, arguments: list[str], facts: list[str]) -> None:
    result = run_here(*arguments)
    assert (result.code, result.err) == (0, "")
    for fact in facts:
        assert fact in result.out
