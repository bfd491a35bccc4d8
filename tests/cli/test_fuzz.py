"""Every command with any options: a known exit code, no traceback, at most one line of complaint, within its limits.

Some values are sensible and some are not. Limits of time and memory are low, so that what would need more is rejected
before it starts, and whatever is accepted has to end soon. A run leaves no process behind, and no file that was not
asked for.
"""

import os
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import example, given, note, settings
from hypothesis import strategies as st
from sqlalchemy import insert, update

from tentimes18.cli import make_command
from tentimes18.game import Game
from tentimes18.server.store.admin import back_up
from tentimes18.server.store.database import Database, bring_up_to_date
from tentimes18.server.store.groups import create_group
from tentimes18.server.store.schema import games, groups, players
from tentimes18.server.store.writer import Commit
from tests.support.command import golden_lines, run_here
from tests.support.forks import Forked, forking
from tests.support.stored import player_row, put_duel

SECONDS: Final = (0.05, 0.5, 2.0)  # that a job may be planned to take
MEMORY: Final = (20_000_000, 500_000_000)  # bytes
FACTOR: Final = 3.0  # of a plan, at most
OTHER_SECONDS: Final = 3.0  # for what is not part of a plan: options, tables and pictures
OTHER_MEMORY: Final = 150_000_000
LONGEST: Final = 120.0  # of a clock: code may have to be compiled, on a busy machine
CODES: Final = {0, 1, 2, 130, 141}
EXAMPLES: Final = int(os.environ.get("FUZZ_EXAMPLES", "3"))  # of each command

GROUP: Final = "ABCDEF"  # the code of a group, also in golden/calls.txt

GOOD: Final = {
    "dice": "3d6 1d6 d{1,2} 2d12:12=2 1d6-3 d6 d{-5,0,5} 4d6kh3 3d6kl1+2 1d6!x3 d{1:3,2:1} 2d6*2 1d100 1d20",
    "slots": "1-10 1-3 1-4 1-5 1-7 1-9 1-12 1-15 1-20 2,2,3,5 1/3,1/2,7 -3-3",
    "moves": "8@1 4@1",
    "opponent": "8@2 4@2",
    "strategy": "optimal random hindsight nearest bands greedy hunter target:30 quantile:0.5 cvar:0.1 utility:exp:0.01",
    "strategies": "optimal,random nearest,target:30 optimal,bands,greedy hunter,optimal,equilibrium",
    "first": "optimal random nearest hunter equilibrium target:30",
    "second": "optimal random nearest hunter equilibrium target:30",
    "to": "optimal nearest bands greedy equilibrium",
    "with_": "optimal random hunter",
    "against": "optimal random hunter equilibrium target:30",
    "aim": "mean target:30 duel duel:optimal target:30 cvar:0.1",
    "games": "1 100 100000",
    "count": "1 3",
    "free": "1 1,2 1-3",
    "distribution": "3d6 uniform(0,1) gamma(2,50) exponential(1) 1d6-3 0.5*1d6+0.5*2 7 samples:values.csv poisson(3)",
    "arrivals": "1 5 40 1000 endless 1:0.5,3:0.5",
    "poisson": "3 0.5 rates.csv",
    "until": "1 8.5",
    "chance": "1 0.5 1/3",
    "discount": "1 0.9 1/2",
    "value": "3 0.5 7/2 -1",
    "left": "0 1 2.5 4",
    "opponent_free": "1 1,2 1-3",
    "output": "x.json x.csv x.txt x.png x.svg y.png y.svg x.html x.md x.prism",
    "save": "x.ndjson x.csv",
    "html": "x.html",
    "export": "x.txt x.csv x.ndjson",
    "cache": "tables",
    "folder": "tables .",
    "kind": "equilibrium response compiled",
    "older_than": "0 0.5 30",
    "shell": "bash zsh fish",
    "file": "paper.txt learner.txt mixed.txt fair.json fair.ndjson",
    "start": "fair-start.json fair.json",
    "game": "1 2 4",
    "number": "1 2 4",
    "roll": "1 2 4 9",
    "seed": "0 18 -7 1987",
    "target": "10 30 700",
    "score": "10 30 1e1 700",
    "players": "2 3",
    "draw": "0 0.5 1",
    "lead": "0 1",
    "digits": "5 50",
    "at_least": "10 30 1e1 700",
    "at_most": "10 30 1e1 700",
    "table": "distribution scores moves rolls games thresholds slots",
    "name": "Ada Löwe",
    "cluster": "local",
}
"""Sensible values by parameter, with blanks between them."""

LINES: Final[dict[str, list[str]]] = {}
"""What makes sense together, by command."""
for line in golden_lines("calls.txt"):
    command, _, call = line.partition(" |")
    LINES.setdefault(command, []).append(call.strip())

ENDINGS: Final = {"plot": "x.png y.svg", "card": "x.html x.md", "prism": "x.prism"}
"""Outputs of commands that make no table."""

EASY: Final = (
    "as_json",
    "exact",
    "summary",
    "cumulative",
    "seed",
    "name",
    "at_least",
    "coach",
    "against",
    "strategies",
)
"""Options that make sense with nearly any others."""

ROLLS_OF_EIGHT: Final = ("3d6", "2d12:12=2", "4d6kh3", "1d20", "2d6*2", "1d100", "1d6!x3")

BAD: Final = {
    "dice": "1d1000 1d10000 1d100000 20d20 d{-5,0,1000000} 3x6 99d99d9 4d6kh9 d{ 9d9!x9 3d6!x99 1d6*1000000 "
    "1d6*0 d{1:0} d{1:99999999999,2:1} 100d6kh50 1d6!",
    "slots": "1-16 1-30 1-200 1-200000 1- 0,0 1-9999999 1/0",
    "moves": "8@5,8@5 9@99 x 8@",
    "strategy": "equilibrium lucky os:system no.py:play target: cvar:2 utility:exp:99999 target:1e999",
    "aim": "foo duel:x target:x cvar:",
    "games": "0 -1 x 1000000000000",
    "output": "nowhere/x.json . x /dev/null x.exe",
    "file": "none.txt - .",
    "start": "none.txt - . paper.txt",
    "cluster": "x tcp:// nowhere",
    "distribution": "x gamma() gamma(-1,2) pareto(0.5) samples:none samples:. 0.5*3d6 normal(1,-1) uniform(1,0) ;;;",
    "arrivals": "0 -1 1000000000 99999999999999999999 1:2 1:0.5 x 1:0.5,1:0.5",
    "poisson": "-1 nan none.csv 1e300 values.csv inf",
    "until": "0 -1 nan inf 1e300",
    "chance": "0 2 -1 x 1/0",
    "left": "-1 nan inf 1e9 x",
    "discount": "0 2 -1 x 1/0",
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
        if not inner and words != ("serve",):  # which goes on until it is stopped: tests/web tries it
            found[" ".join(words)] = command

    walk(make_command(is_whole=True), ())
    return found


@st.composite
def arguments(draw: st.DrawFn, name: str, command: Any) -> list[str]:
    """Options and arguments of a command: what makes sense, or that with some wrong words, or anything."""
    how = draw(st.sampled_from(["sensible"] * 6 + ["nearly"] * 2 + ["wild"]))
    words = draw(wild(command)) if how == "wild" else draw(sensible(name, command))
    places = [place for place, word in enumerate(words) if not word.startswith("--")]
    if how == "nearly" and places:
        place = draw(st.sampled_from(places))
        before = words[place - 1].lstrip("-").replace("-", "_") if place else ""
        words[place] = draw(st.sampled_from(wrong(before)) | TEXT)
    return words


@st.composite
def sensible(draw: st.DrawFn, name: str, command: Any) -> list[str]:
    """A call that makes sense, unless it is too large."""
    parameters = {parameter.name: parameter for parameter in command.params}
    line = draw(st.sampled_from(LINES.get(name, ("",))))
    words = line.split()
    for option in ("dice", "slots"):
        if option in parameters and parameters[option].param_type_name == "option":
            fitting = ROLLS_OF_EIGHT if option == "dice" and "8" in line else GOOD[option].split()
            words += [f"--{option}", draw(st.sampled_from(fitting))]
    if "games" in parameters:
        words += ["--games", draw(st.sampled_from(GOOD["games"].split()))]
    forms = [form for form, option in (("--json", "as_json"), ("--csv", "as_csv")) if option in parameters]
    words += draw(st.lists(st.sampled_from(forms), max_size=1)) if forms else []
    endings = next((found for word, found in ENDINGS.items() if word in name.split()), "x.json x.txt")
    if "output" in parameters and (parameters["output"].required or not draw(st.integers(0, 3))):
        words += ["--output", draw(st.sampled_from(endings.split()))]
    for option in draw(st.lists(st.sampled_from(EASY), max_size=2, unique=True)):
        is_option = option in parameters and parameters[option].param_type_name == "option"
        if is_option and parameters[option].opts[0] not in words:
            value = [] if parameters[option].is_flag else [draw(values(parameters[option]))]
            words += [parameters[option].opts[0], *value]
    return words


@st.composite
def wild(draw: st.DrawFn, command: Any) -> list[str]:
    """Any of the options of a command in any order, with any values."""
    words: list[list[str]] = []
    for parameter in command.params:
        is_argument = parameter.param_type_name == "argument"
        if parameter.name == "help" or draw(st.integers(0, 20 if is_argument else 3)) == (0 if is_argument else 1):
            continue
        option = [] if is_argument else [draw(st.sampled_from([*parameter.opts, *parameter.secondary_opts]))]
        is_flag = not is_argument and parameter.is_flag
        value = values(parameter) | st.sampled_from(wrong(parameter.name)) | TEXT
        words.append(option if is_flag else [*option, draw(value)])
    return [word for part in draw(st.permutations(words)) for word in part]


def values(parameter: Any) -> st.SearchStrategy[str]:
    """Sensible values of a parameter."""
    choices = [str(choice) for choice in getattr(parameter.type, "choices", [])]
    return st.sampled_from(choices or GOOD.get(parameter.name, NUMBERS).split())


def wrong(name: str) -> list[str]:
    """Other values of it."""
    return BAD.get(name, NUMBERS).split()


def small(name: str, command: Any) -> list[str]:
    """The first of the sensible calls of a command, in a small game."""
    parameters = {parameter.name: parameter for parameter in command.params}
    words = LINES.get(name, ("",))[0].split()
    for option, value in (("dice", "3d6"), ("slots", "1-4"), ("games", "100")):
        if option in parameters and parameters[option].param_type_name == "option":
            words += [f"--{option}", value]
    endings = next((found for word, found in ENDINGS.items() if word in name.split()), "")
    return [*words, "--output", endings.split()[0]] if endings else words


def files_named(words: Sequence[str]) -> set[str]:
    """The names among these words that may be those of files."""
    return {Path(part).name for word in words for part in (word, word.partition("=")[2])}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files of games, a history, and room for tables."""
    folder = tmp_path_factory.mktemp("fuzz")
    for file in Path("docs/games").iterdir():
        shutil.copy(file, folder)
    (folder / "values.csv").write_text("value\n1\n2.5\n7\n")
    (folder / "rates.csv").write_text("time,rate\n0,1\n2,5\n")
    (folder / "data").mkdir()
    (folder / "tables").mkdir()
    shutil.copy(folder / "mixed.txt", folder / "data" / "games.ndjson")  # a history, with a bad line in it
    assert run_here("duel", "export", str(folder / "kept.npy"), "--dice", "1d4", "--slots", "1-3").code == 0
    with closing(Database(f"sqlite:///{folder}/data/service.sqlite")) as database:
        bring_up_to_date(database)
        with database.writing() as connection:  # a player for each change that an operator can make
            changes = [lines[0].split()[0] for name, lines in LINES.items() if name.startswith("admin ")]
            connection.execute(insert(players), [player_row(change, 0) for change in changes])
            (number,) = put_duel(connection, [("duel", ())], bot="optimal")
            connection.execute(update(games).where(games.c.number == number).values(id="duel"))
            commit = Commit(connection)
            code = create_group(commit, "rename", None, Game.classic(), "off", 0, is_started=True).code
            connection.execute(update(groups).where(groups.c.code == code).values(code=GROUP))
        back_up(database, folder / "kept.backup")
    return folder


@pytest.fixture(scope="module")
def forks(folder: Path) -> Iterator[Callable[..., Forked]]:
    """Runs in this folder."""
    environment = {"TEN18_DATA": str(folder / "data"), "TEN18_CACHE": str(folder / "tables")}
    with forking(folder, LONGEST, environment) as found:
        yield found


@pytest.mark.parametrize("name", commands())
def test_any_arguments(forks: Callable[..., Forked], folder: Path, name: str) -> None:
    command = commands()[name]
    codes = []

    @settings(max_examples=EXAMPLES)
    @given(
        words=arguments(name, command),
        typed=st.lists(KEYS, max_size=30),
        seconds=st.sampled_from(SECONDS),
        memory=st.sampled_from(MEMORY),
    )
    @example(words=small(name, command), typed=["q"], seconds=SECONDS[-1], memory=MEMORY[-1])
    def holds(words: list[str], typed: list[str], seconds: float, memory: int) -> None:
        limits = {"TEN18_TIME": f"{seconds:g}", "TEN18_MEMORY": str(memory)}
        before = set(folder.iterdir())
        for _ in "12":  # where it takes too long, once more: now everything is compiled
            result = forks([*name.split(), *words], stdin=" ".join(typed), **limits)
            if result.seconds < FACTOR * seconds + OTHER_SECONDS:
                break
        note(f"{limits} ten18 {name} {shlex.join(words)}")
        note(f"{result.code} in {result.seconds:.1f} s, {result.memory / 1e6:.0f} MB")
        note(result.err[-2000:])
        codes.append(result.code)
        assert result.code in CODES
        assert "Traceback" not in result.err + result.out
        complaints = [line for line in result.err.splitlines() if line.startswith("ten18: ")]
        assert len(complaints) <= (1 if result.code else 12)  # the lines of a file that are no games, each in one
        if result.code == 2:
            assert result.err.count("\n") == 1
        assert result.seconds < FACTOR * seconds + OTHER_SECONDS
        assert result.memory < FACTOR * memory + OTHER_MEMORY
        assert result.processes == []
        new = set(folder.iterdir()) - before
        assert {file.name for file in new} <= (files_named(words) if result.code in (0, 1) else set())
        for file in new:
            shutil.rmtree(file) if file.is_dir() else file.unlink()

    holds()
    assert codes[0] == 0, "nothing sensible was tried"
