"""Strategies of a user's own: Python functions in a file."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.run import Run
from tests.support.command import Run as RunTen18
from tests.support.command import problems, read_json
from tests.support.simulated import CLASSIC, law_of_run
from tests.support.user_code import MINE


def test_strategy_of_a_user(run_here: RunTen18, mine: Path) -> None:
    """Always the highest free slot: the rolls go to the slots from the right, whatever they are."""
    name = f"{mine}:highest"
    found = read_json(run_here("simulate", "--strategy", name, "--games", "3000", "--seed", "18", "--json"))
    rolls = drawn_rolls(Run(CLASSIC, ("optimal",), 18), 0, 3_000)
    scores = Counter(sum((10 - r) * roll for r, roll in enumerate(game)) for game in rolls)
    assert law_of_run(found) == scores
    assert found["strategy"] == name
    assert found["fit"] is None
    duel = read_json(run_here("duel", "play", name, "optimal", "--games", "3000", "--json"))
    assert duel["win"] < 0.3


def test_what_a_strategy_prints_is_not_part_of_the_answer(run_here: RunTen18, mine: Path) -> None:
    found = run_here("simulate", "--strategy", f"{mine}:talks", "--games", "200", "--json")
    assert json.loads(found.out)["games"] == 200
    assert set(found.err.split()) == {"hello"}


FAILING = {
    "third": ["returned 3", "slot 3 already holds", "free: 1,2,4,5,6,7,8,9,10", "for roll ", "after ", "@3"],
    "long": ["ValueError", "line one", "for roll "],
    "exits": ["SystemExit", "for roll ", "after no moves"],
    "number": ["number is not a function"],
}


def test_strategy_of_a_user_that_fails(run_here: RunTen18, mine: Path) -> None:
    """One line with the board and the roll."""
    found = {
        function: problems(
            run_here("simulate", "--strategy", f"{mine}:{function}", "--games", "3000", "--json"), "--strategy", *facts
        )
        for function, facts in FAILING.items()
    }
    assert {function: wrong for function, wrong in found.items() if wrong} == {}


@pytest.mark.slow
def test_strategy_of_a_user_that_fails_among_others(run_here: RunTen18, mine: Path) -> None:
    facts = ("returned 3", "slot 3 already holds", "for roll ")
    name = f"{mine}:third"
    assert problems(run_here("duel", "play", "optimal", name, "--games", "3000", "--json"), *facts) == []
    assert problems(run_here("tournament", "--strategies", f"optimal,{name}", "--games", "3000"), *facts) == []


@pytest.mark.parametrize("name", ["numpy", "fractions"])
def test_strategy_in_a_file_named_like_a_module(run: RunTen18, tmp_path: Path, name: str) -> None:
    """What the program itself imports is not taken for the user's file."""
    file = tmp_path / f"{name}.py"
    file.write_text(MINE)
    found = read_json(run("simulate", "--strategy", f"{file}:highest", "--games", "1000", "--json"))
    assert found["games"] == 1000
