"""The game solved: every number is the core's, written as asked for."""

from fractions import Fraction

import pytest

from tentimes18.answers import solution as module
from tentimes18.answers.numbers import decimal_text, fraction_text, plain
from tentimes18.answers.solution import SolutionAnswer, solution
from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.solve.hindsight import exact_order_statistics
from tentimes18.solve.thresholds import exact_thresholds
from tests.support.answers import assert_answer

GAMES = [Game.classic(), Game.parse("1d6-3", "-2,0,0,1/2,3"), Game.parse("2d6+1d8+3", "4")]
EACH = pytest.mark.parametrize("game", GAMES, ids=str)


def expected(game: Game) -> dict[str, Fraction]:
    orders = exact_order_statistics(game.dice, game.size)
    return {
        "random": Fraction(game.dice.mean * sum(game.multipliers)),
        "optimal": exact_thresholds(game.dice, game.size)[-1].value(game.multipliers),
        "hindsight": sum((m * order for m, order in zip(game.multipliers, orders, strict=True)), Fraction(0)),
    }


@EACH
def test_exact(game: Game) -> None:
    answer = solution(game, exact=True)
    assert_answer(answer, SolutionAnswer)
    assert answer == {
        "dice": str(game.dice),
        "slots": [fraction_text(multiplier) for multiplier in game.multipliers],
        "expected": {name: fraction_text(value) for name, value in expected(game).items()},
        "thresholds": [[fraction_text(value) for value in row] for row in exact_thresholds(game.dice, game.size)],
    }


@EACH
def test_plain_numbers_are_exact_ones_rounded_once(game: Game) -> None:
    answer = solution(game)
    assert_answer(answer, SolutionAnswer)
    assert answer["slots"] == [plain(multiplier) for multiplier in game.multipliers]
    assert answer["expected"] == {name: float(value) for name, value in expected(game).items()}
    assert answer["thresholds"] == [[float(value) for value in row] for row in exact_thresholds(game.dice, game.size)]


@EACH
def test_digits(game: Game) -> None:
    answer = solution(game, digits=30)
    assert_answer(answer, SolutionAnswer)
    assert answer["expected"] == {name: decimal_text(value, 30) for name, value in expected(game).items()}


@pytest.mark.parametrize(("exact", "digits"), [(False, None), (True, None), (False, 9)])
@EACH
def test_last_row_and_subsets(game: Game, exact: bool, digits: int | None) -> None:
    whole = solution(game, exact=exact, digits=digits)
    last = solution(game, exact=exact, digits=digits, last_row=True)
    assert last == whole | {"thresholds": whole["thresholds"][-1:]}
    table = solution(game, exact=exact, digits=digits, by_subsets=True)
    assert_answer(table, SolutionAnswer)
    if exact or digits:
        assert table == whole
    else:
        assert table["expected"]["optimal"] == pytest.approx(whole["expected"]["optimal"], rel=1e-13)


@pytest.mark.parametrize("last_row", [False, True])
def test_float64_beyond_exact_numbers(monkeypatch: pytest.MonkeyPatch, last_row: bool) -> None:
    """The same numbers where the exact ones are out of reach, here by a limit of nothing."""
    wanted = solution(Game.classic(), last_row=last_row)
    monkeypatch.setattr(module, "ROUNDED_EXACT_SECONDS", 0.0)
    found = solution(Game.classic(), last_row=last_row)
    assert_answer(found, SolutionAnswer)
    assert found["expected"] == pytest.approx(wanted["expected"], rel=1e-13)
    assert found["thresholds"][-1] == pytest.approx(wanted["thresholds"][-1], rel=1e-13)
    assert len(found["thresholds"]) == len(wanted["thresholds"])


@pytest.mark.parametrize("last_row", [False, True])
def test_decimals_beyond_exact_numbers(monkeypatch: pytest.MonkeyPatch, last_row: bool) -> None:
    wanted = solution(Game.classic(), digits=20, last_row=last_row)
    monkeypatch.setattr(module, "DECIMAL_EXACT_SECONDS", 0.0)
    told: list[tuple[int, int]] = []
    assert solution(Game.classic(), digits=20, last_row=last_row, progress=lambda *at: told.append(at)) == wanted
    assert told == sorted(told)
    assert told[-1] == (1000, 1000)


def test_too_many_numbers() -> None:
    """Refused with the figure, before anything is computed."""
    with pytest.raises(TooLarge, match=r"the solution for 20,000 slots would need .* the last row") as refused:
        solution(Game.parse("3d6", "1-20000"))
    assert refused.value.field == "slots"
    with pytest.raises(TooLarge, match="the thresholds need no such table"):
        solution(Game.parse("3d6", "1-4000"), by_subsets=True)
