"""Every command with any options: a known exit code, no traceback, at most one line of complaint, within its limits.

Some values are sensible and some are not. Limits of time and memory are set low, so that the planner has to refuse what
would need more, and whatever it lets pass has to end within them.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import typer
from hypothesis import given, note, settings
from hypothesis import strategies as st

from tentimes18.cli import make_app
from tests.support.forks import Forks

SECONDS: Final = 4.0
MEMORY: Final = 500_000_000
SLACK_SECONDS: Final = 3 * SECONDS + 30  # estimates are within a factor; code may have to be compiled
SLACK_MEMORY: Final = 2 * MEMORY + 300_000_000
CODES: Final = {0, 1, 2, 130, 141}
EXAMPLES: Final = int(os.environ.get("TEN18_FUZZ", "12"))  # of each command

GOOD: Final = {
    "dice": "3d6 1d6 d{1,2} 2d12:12=2 1d6-3 d6 d{-5,0,5}",
    "slots": "1-10 1-3 1-5 1 1,1,1 1/3,1/2,7 -3-3",
    "moves": "8@1 4@1",
    "opponent": "8@2 4@2",
    "strategy": "optimal random hindsight nearest bands greedy hunter target:30 quantile:0.5 cvar:0.1 utility:exp:0.01",
    "strategies": "optimal,random nearest,target:30 optimal,bands,greedy",
    "first": "optimal random nearest hunter equilibrium target:30",
    "second": "optimal random nearest hunter equilibrium target:30",
    "to": "optimal nearest bands greedy equilibrium",
    "with_": "optimal random hunter",
    "against": "optimal random hunter equilibrium target:30",
    "aim": "mean target:30 duel duel:optimal target:30 cvar:0.1",
    "games": "1 100 100000",
    "count": "1 3",
    "free": "1 1,2 1-3",
    "opponent_free": "1 1,2 1-3",
    "output": "x.json x.csv x.txt x.png x.svg y.png y.svg x.html x.md x.prism",
    "save": "x.ndjson x.csv",
    "html": "x.html",
    "export": "x.txt x.csv x.ndjson",
    "cache": "tables",
    "file": "paper.txt learner.txt mixed.txt",
    "game": "1 2 4",
    "number": "1 2 4",
    "roll": "1 2 4 9",
    "score": "10 30 1e1 700",
    "players": "2 3",
    "draw": "0 0.5 1",
    "lead": "0 1",
    "digits": "5 50",
}
"""Sensible values by parameter, with blanks between them."""

RARE: Final = ("last", "number")
"""What excludes a file, which is nearly always given."""

BAD: Final = {
    "dice": "1d1000 1d10000 1d100000 20d20 d{-5,0,1000000} 3x6 99d99d9 4d6kh9 d{",
    "slots": "1-16 1-30 1-200 1-200000 1- 0,0 1-9999999 1/0",
    "moves": "8@5,8@5 9@99 x 8@",
    "strategy": "equilibrium lucky os:system no.py:play target: cvar:2 utility:exp:99999 target:1e999",
    "aim": "foo duel:x target:x cvar:",
    "games": "0 -1 x 1000000000000",
    "output": "nowhere/x.json . x /dev/null x.exe",
    "file": "none.txt - .",
    "cluster": "x tcp:// nowhere",
}
"""Others: too large, wrong, or nonsense."""

NUMBERS: Final = "0 1 2 -1 1000 18446744073709551616 1e3 0.5 -0 nan 1/3 x"
TEXT: Final = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
KEYS: Final = st.sampled_from([*NUMBERS.split(), "3", "4", "5", "u", "h", "q", "n", "y", "c", "?"])


def commands() -> dict[str, Any]:
    """Every command of the program by its words."""
    found: dict[str, Any] = {}

    def walk(command: Any, words: tuple[str, ...]) -> None:
        inner = getattr(command, "commands", {})
        for name, part in inner.items():
            walk(part, (*words, name))
        if not inner:
            found[" ".join(words)] = command

    walk(typer.main.get_command(make_app()), ())
    return found


@st.composite
def arguments(draw: st.DrawFn, command: Any) -> list[str]:
    """Some of the options of a command in any order, and its arguments; or nearly so."""
    words: list[list[str]] = []
    is_sane = draw(st.booleans())
    for parameter in command.params:
        is_argument = parameter.param_type_name == "argument"
        is_needed = is_argument or parameter.required or parameter.name in ("dice", "slots")
        odds = 20 if parameter.name in RARE else 3
        if parameter.name == "help" or not (draw(st.integers(0, 20)) if is_needed else draw(st.integers(0, odds)) == 0):
            continue
        option = [] if is_argument else [draw(st.sampled_from([*parameter.opts, *parameter.secondary_opts]))]
        is_flag = not is_argument and parameter.is_flag
        words.append(option if is_flag else [*option, draw(values(parameter, is_sane))])
    if not is_sane and draw(st.integers(0, 9)) == 0:
        words.append([draw(TEXT)])
    return [word for part in draw(st.permutations(words)) for word in part]


def values(parameter: Any, is_sane: bool) -> st.SearchStrategy[str]:
    """Values for a parameter: sensible ones, or any."""
    choices = [str(choice) for choice in getattr(parameter.type, "choices", [])]
    good = st.sampled_from(choices or GOOD.get(parameter.name, NUMBERS).split())
    return good if is_sane else good | st.sampled_from(BAD.get(parameter.name, NUMBERS).split()) | TEXT


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """Runs in a folder with files of games, under low limits."""
    folder = tmp_path_factory.mktemp("fuzz")
    for file in Path("docs/games").glob("*.txt"):
        shutil.copy(file, folder)
    (folder / "data").mkdir()
    shutil.copy(folder / "mixed.txt", folder / "data" / "games.ndjson")  # a history, with a bad line in it
    environment = {
        "TEN18_DATA": str(folder / "data"),
        "TEN18_CACHE": str(folder / "tables"),
        "TEN18_TIME": f"{SECONDS:g}",
        "TEN18_MEMORY": f"{MEMORY}",
    }
    with Forks(folder, SLACK_SECONDS, environment) as found:
        yield found


@pytest.mark.parametrize("name", commands())
def test_any_arguments(forks: Forks, name: str) -> None:
    command = commands()[name]

    codes = []

    @settings(max_examples=EXAMPLES)
    @given(words=arguments(command), typed=st.lists(KEYS, max_size=30))
    def holds(words: list[str], typed: list[str]) -> None:
        result = forks.run([*name.split(), *words], stdin=" ".join(typed))
        note(f"ten18 {name} {words}: {result.code} in {result.seconds:.1f} s, {result.memory / 1e6:.0f} MB")
        note(result.err[-2000:])
        codes.append(result.code)
        assert result.code in CODES
        assert "Traceback" not in result.err + result.out
        complaints = [line for line in result.err.splitlines() if line.startswith("ten18: ")]
        assert len(complaints) <= (1 if result.code else 12)  # the lines of a file that are no games, each in one
        if result.code == 2:
            assert result.err.count("\n") == 1
        assert result.memory < SLACK_MEMORY

    holds()
    assert 0 in codes, "nothing sensible was tried"
