"""`ten18 solve`, `advise` and `closest`: the JSON that programs read, and the tables that people do."""

import re
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import pytest

from tentimes18 import Game, exact_thresholds
from tentimes18.queries.json_numbers import writer
from tentimes18.solve.closest_calls import closest_calls, exact_ties
from tentimes18.solve.hindsight import exact_order_statistics
from tentimes18.solve.subsets import exact_subset_values
from tests.support.command import Run, read_json
from tests.support.terminal import on_terminal, without_escapes

GAMES = [
    ("3d6", "1-10"),
    ("2d12:12=2", "1-5"),
    ("d{1,1,2,3,5,8}", "1,3,5,7,9"),
    ("1d6-3", "-2,0,0,1/2,3"),
    ("2d6+1d8+3", "4"),
    ("d{-1,1}", "1-6"),
]


def exact_solution(dice: str, slots: str) -> tuple[Game, dict[str, Fraction], list[list[Fraction]]]:
    game = Game.parse(dice, slots)
    rows = exact_thresholds(game.dice, game.size)
    orders = exact_order_statistics(game.dice, game.size)
    expected = {
        "random": game.dice.mean * sum(game.multipliers),
        "optimal": rows[-1].value(game.multipliers),
        "hindsight": sum((m * order for m, order in zip(game.multipliers, orders, strict=True)), Fraction(0)),
    }
    return game, expected, [list(row) for row in rows]


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_solve_json(run_here: Run, dice: str, slots: str) -> None:
    game, expected, rows = exact_solution(dice, slots)
    found = read_json(run_here("solve", "--dice", dice, "--slots", slots, "--json"))
    assert list(found) == ["dice", "slots", "expected", "thresholds"]
    assert found["dice"] == dice
    assert found["slots"] == list(game.multipliers)
    assert list(found["expected"]) == ["random", "optimal", "hindsight"]
    # Up to 300 slots each number is an exact one, rounded once.
    assert found["expected"] == {name: float(value) for name, value in expected.items()}
    assert found["thresholds"] == [[float(threshold) for threshold in row] for row in rows]
    assert all(isinstance(threshold, float) for row in found["thresholds"] for threshold in row)


@pytest.mark.parametrize("precision", [{"exact": True}, {"digits": 1}, {"digits": 50}], ids=str)
@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_fractions_and_decimals(run_here: Run, dice: str, slots: str, precision: dict[str, int]) -> None:
    """Written as tests/queries/test_json_numbers.py has it."""
    game, expected, rows = exact_solution(dice, slots)
    options = ("--exact",) if "exact" in precision else ("--digits", str(precision["digits"]))
    found = read_json(run_here("solve", "--dice", dice, "--slots", slots, *options, "--json"))
    written: Any = writer(**precision)  # type: ignore[arg-type]
    assert list(found) == ["dice", "slots", "expected", "thresholds"]
    assert found["slots"] == [written(Fraction(multiplier)) for multiplier in game.multipliers]
    assert found["expected"] == {name: written(value) for name, value in expected.items()}
    assert found["thresholds"] == [[written(threshold) for threshold in row] for row in rows]


@pytest.mark.parametrize("digits", [20, 50])
def test_digits_beyond_exact_numbers(run_here: Run, digits: int) -> None:
    """Too many slots for fractions: the last row by decimal numbers, its sum and its symmetry to the last digit."""
    found = read_json(run_here("solve", "--slots", "1-1100", "--digits", str(digits), "--last-row", "--json"))
    row = [Fraction(text) for text in found["thresholds"][0]]
    unit = Fraction(10) ** (2 - digits)
    assert len(row) == 1100
    assert all(abs(low + high - 21) <= 2 * unit for low, high in zip(row, reversed(row), strict=True))
    assert abs(sum(row) - 1100 * Fraction(21, 2)) <= 1100 * unit


@pytest.mark.parametrize("precision", [["--exact"], ["--digits", "30"]], ids=" ".join)
def test_subsets_give_the_same_exactly(run_here: Run, precision: list[str]) -> None:
    arguments = ("solve", "--dice", "2d12:12=2", "--slots", "-1,0,1/2,3,3", "--json", *precision)
    found = read_json(run_here(*arguments, "--method", "subsets"))
    assert found == read_json(run_here(*arguments))
    game = Game.parse("2d12:12=2", "-1,0,1/2,3,3")
    if precision == ["--exact"]:
        assert Fraction(found["expected"]["optimal"]) == exact_subset_values(game)[game.all_free]


@pytest.mark.parametrize("precision", [[], ["--exact"], ["--digits", "12"]], ids=" ".join)
def test_last_row(run_here: Run, precision: list[str]) -> None:
    whole = read_json(run_here("solve", "--json", *precision))
    last = read_json(run_here("solve", "--json", "--last-row", *precision))
    assert last == whole | {"thresholds": whole["thresholds"][-1:]}


@pytest.mark.parametrize(
    ("dice", "slots"),
    [("3d6", "1-400"), ("100d6", "1-200"), ("d10000", "1-40"), ("400d6", "1-200")],
)
def test_games_beyond_the_small_ones(run_here: Run, dice: str, slots: str) -> None:
    """Plain float64 has an answer where fractions are out of reach, and says nothing on standard error."""
    found = read_json(run_here("solve", "--dice", dice, "--slots", slots, "--json", "--last-row"))
    game = Game.parse(dice, slots)
    expected = found["expected"]
    assert expected["random"] == pytest.approx(float(game.dice.mean * sum(game.multipliers)), rel=1e-14)
    assert expected["random"] < expected["optimal"] < expected["hindsight"]
    assert sum(found["thresholds"][0]) == pytest.approx(float(game.size * game.dice.mean), rel=1e-11)


@pytest.mark.parametrize(("dice", "slots"), [("3d6", "1-10"), ("1d3", "1-4"), ("3d6", "1,1,2"), ("3d6", "5")])
def test_closest_json(run_here: Run, dice: str, slots: str) -> None:
    found = read_json(run_here("closest", "--dice", dice, "--slots", slots, "--json"))
    game = Game.parse(dice, slots)
    assert list(found) == ["first_move", "game", "ties"]
    for name, calls in (
        ("first_move", closest_calls(game, first_move=True)),
        ("game", closest_calls(game)),
    ):
        assert found[name] == [
            asdict(call) | {"loss": float(call.loss), "example": list(call.example)} for call in calls
        ]
    assert found["ties"] == [asdict(tie) for tie in exact_ties(game)]


@pytest.mark.parametrize("precision", [["--digits", "200"], ["--exact"]], ids=" ".join)
def test_no_long_number_is_cut(run_here: Run, precision: list[str]) -> None:
    found = read_json(run_here("solve", "--json", *precision))
    numbers = [*found["expected"].values(), *(threshold for row in found["thresholds"] for threshold in row)]
    piped = run_here("solve", *precision).out.split()
    assert [number for number in numbers if number not in piped] == []
    # A terminal breaks a long line, and shows all of it.
    shown = re.sub(r"\s", "", without_escapes(on_terminal("solve", *precision)))
    assert [number for number in numbers if number not in shown] == []
