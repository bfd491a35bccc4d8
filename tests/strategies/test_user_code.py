"""A user's own functions: found by module or file, checked at every move, and told about when they fail."""

import sys
from pathlib import Path

import pytest
from hypothesis import given

from tentimes18 import Board, Game, InvalidGame, Ten18Error, named
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.games import simulate
from tentimes18.simulate.run import Run
from tentimes18.solve.aims import UtilityTable
from tentimes18.solve.utilities import Utility
from tentimes18.strategies.named import UnknownStrategy
from tentimes18.strategies.strategy import ObjectiveStrategy
from tentimes18.strategies.user_code import FunctionStrategy, find, find_known
from tests.support.games import games

CLASSIC = Game.classic()
HIGHEST = "tests.strategies.test_user_code:highest"


def highest(board: Board, roll: int) -> int:  # noqa: ARG001
    return board.free_slots[-1]


def written(folder: Path, text: str) -> str:
    """A file with this Python text, in the form of a strategy that is its function ``mine``."""
    file = folder / "mine.py"
    file.write_text(text)
    return f"{file}:mine"


@pytest.mark.parametrize("name", ["", "nobody", "Optimal", "random:", "hunter", "target:abc", "cvar:2"])
def test_names_that_the_library_rejects_are_rejected_the_same_way(name: str) -> None:
    with pytest.raises(Ten18Error) as wanted:
        named(name)
    for door in (find, find_known):
        with pytest.raises(type(wanted.value)) as refused:
            door(name)
        assert str(refused.value) == str(wanted.value)


def test_names_of_modules_with_dots() -> None:
    """Also of the function that a utility is."""
    assert isinstance(find(HIGHEST), FunctionStrategy)
    assert find("utility:os.path:getsize").name == "utility:os.path:getsize"
    assert not isinstance(find("utility:os.path:getsize"), FunctionStrategy)


def test_a_function_has_no_distribution() -> None:
    with pytest.raises(UnknownStrategy):
        find_known(HIGHEST)


def test_a_file_may_import_its_neighbours_and_hides_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "neighbour_of_mine.py").write_text("SLOT = 7\n")
    (tmp_path / "json.py").write_text("raise RuntimeError\n")
    name = written(tmp_path, "import json\nfrom neighbour_of_mine import SLOT\ndef mine(board, roll): return SLOT\n")
    assert find(name).choose(Board(CLASSIC), 9) == 7
    assert "mine" not in sys.modules


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("return 0", "returned 0: there is no slot 0; slots are 1 to 10, for roll 8 after no moves"),
        ("return 11", "returned 11: there is no slot 11; slots are 1 to 10, for roll 8 after no moves"),
        ("return 4", "returned 4: slot 4 already holds 8; free: 1,2,3,5,6,7,8,9,10, for roll 10 after 8@4"),
        ("return 'a'", "returned 'a', not a slot, for roll 8 after no moves"),
        ("return 2.0", "returned 2.0, not a slot, for roll 8 after no moves"),
        ("return True", "returned True, not a slot, for roll 8 after no moves"),
        ("return None", "returned None, not a slot, for roll 8 after no moves"),
        ("return 10**5000", "returned with too many digits"),
        ("return 'x' * 10**6", "not a slot, for roll 8 after no moves"),
        ("raise KeyError(roll)", ": KeyError: 8, for roll 8 after no moves"),
        ("return board.rounds // 0", ": ZeroDivisionError: integer division or modulo by zero, for roll 8 after"),
    ],
)
def test_functions_that_fail(tmp_path: Path, body: str, complaint: str) -> None:
    name = written(tmp_path, f"def mine(board, roll):\n    {body}\n")
    run = Run(CLASSIC, (name,), 1987, find)
    assert drawn_rolls(run, 0, 1)[0][:2] == [8, 10]
    with pytest.raises(Ten18Error) as caught:
        next(simulate(run, 1))
    assert (caught.value.field, caught.value.value) == ("strategy", name)
    assert complaint in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("text", "function", "complaint"),
    [
        ("mine = 7\n", "mine", "mine is not a function"),
        ("def other(board, roll):\n    return 1\n", "mine", "no attribute 'mine'"),
        ("def mine(board roll):\n", "mine", "SyntaxError"),
        ("import nothing_of_that_name\n", "mine", "nothing_of_that_name"),
        ("1 / 0\n", "mine", "ZeroDivisionError"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, text: str, function: str, complaint: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(Ten18Error, match=r"^strategy '") as caught:
        find(f"{file}:{function}")
    assert complaint in str(caught.value)


def test_files_and_modules_that_are_not_there(tmp_path: Path) -> None:
    for place in (str(tmp_path / "nothing.py"), str(tmp_path) + ".py", "nothing_of_that_name", "os.nothing"):
        with pytest.raises(Ten18Error, match="cannot load it"):
            find(f"{place}:mine")


@given(games(max_slots=3, max_rolls=3))
def test_a_utility_is_solved_as_it_says(game: Game) -> None:
    strategy = find_known("utility:builtins:abs")
    assert isinstance(strategy, ObjectiveStrategy)
    best = UtilityTable(game, Utility(abs)).best_play()
    assert strategy.distribution(Board(game)) == best.distribution()
    assert strategy.solve(game).value == best.value


@pytest.mark.parametrize(
    "name",
    [
        *("utility:math:nosuch", "utility:nosuchmodule:f", "utility:nosuch.module:f", "utility:math.:f"),
        *("utility:math:a:b", "utility:1:2", "utility: :x", "utility:.math:sqrt", "utility:..:sqrt", "utility:math:pi"),
        "utility:tentimes18:Game.classic",
    ],
)
def test_no_such_utility(name: str) -> None:
    with pytest.raises(UnknownStrategy, match=r"there is no utility .*accepted: .*utility:math:sqrt"):
        find_known(name)


@pytest.mark.parametrize(
    ("name", "dice"),
    [
        ("utility:math:sqrt", "1d6-4"),
        ("utility:math:log", "1d6-1"),
        ("utility:math:exp", "1d6+900"),
        ("utility:math:factorial", "1d6-4"),
        ("utility:cmath:sqrt", "1d6"),
        ("utility:builtins:print", "1d6"),
        ("utility:builtins:list", "1d6"),
        ("utility:os:getcwd", "1d6"),
    ],
)
def test_a_utility_that_does_not_suit_the_game(name: str, dice: str) -> None:
    """It has no finite value for some score, or is no function of a number."""
    with pytest.raises(InvalidGame, match=r"^strategy\b"):
        find_known(name).distribution(Board(Game.parse(dice, "1-3")))
