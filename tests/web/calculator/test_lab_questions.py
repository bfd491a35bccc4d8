"""The questions of the lab: the same bytes as the command's, and what is refused."""

import ast
import inspect
from collections.abc import Callable
from typing import Any

import pytest

from tentimes18.cli.commands import advise as advise_command
from tentimes18.cli.commands import distribution as distribution_command
from tentimes18.cli.commands import scores, solve
from tentimes18.errors import IllegalMove, InvalidDice, InvalidGame, Ten18Error, TooLarge
from tentimes18.plan import Limits
from tentimes18.strategies.named import UnknownStrategy
from tentimes18.web.calculator.lab_questions import LAB_QUESTIONS
from tentimes18.web.calculator.process import answer_bytes
from tests.support.command import Run

LIMITS = Limits(memory=1e9, seconds=10)
SMALL = {"dice": "2d4-3", "slots": "1,2,5/2,-1"}


def ask(question: str, data: dict[str, Any]) -> bytes:
    return answer_bytes(LAB_QUESTIONS[question](LIMITS, **data))


@pytest.mark.parametrize(
    ("question", "data"),
    [
        ("solve", {}),
        ("solve", SMALL),
        ("solve", SMALL | {"exact": True}),
        ("solve", SMALL | {"digits": 50}),
        ("solve", SMALL | {"method": "subsets"}),
        ("solve", SMALL | {"last_row": True, "method": "thresholds"}),
        ("solve", {"dice": "1d100", "slots": "1-17"}),
        ("advise", {"roll": 9}),
        ("advise", {"roll": 9, "free": "1,4,7"}),
        ("advise", {"roll": 9, "moves": "8@5 4@1"}),
        ("advise", SMALL | {"roll": 3, "moves": "5@3", "aim": "target:9"}),
        ("advise", SMALL | {"roll": 3, "moves": "5@3", "opponent": "5@1", "aim": "duel"}),
        ("advise", SMALL | {"roll": 3, "moves": "5@3", "opponent": "5@1", "aim": "duel:equilibrium"}),
        ("advise", SMALL | {"roll": 3, "aim": "duel:nearest"}),
        ("advise", SMALL | {"roll": -1, "moves": "5@3", "target": "7/2"}),
        ("distribution", {}),
        ("distribution", SMALL | {"strategy": "hindsight"}),
        ("distribution", SMALL | {"strategy": "optimal, random,target:9", "at_least": "9,10", "at_most": "0"}),
        ("distribution", SMALL | {"exact": True, "cumulative": True}),
        ("distribution", SMALL | {"moves": "5@3", "summary": True, "strategy": "cvar:0.1"}),
        ("distribution", SMALL | {"moments": True, "strategy": "optimal"}),
        ("distribution", SMALL | {"moments": True, "strategy": "optimal,random", "exact": True}),
        ("distribution", SMALL | {"per_slot": True}),
        ("distribution", {"dice": "1", "slots": "1"}),
        ("target", {"target": "700"}),
        ("target", SMALL | {"target": "9.5", "moves": "5@3"}),
        ("target", SMALL | {"target": "-1"}),
    ],
)
def test_the_same_bytes_as_the_command(run_here: Run, question: str, data: dict[str, Any]) -> None:
    options = [
        part
        for name, value in data.items()
        if (question, name) != ("target", "target")
        for part in ([f"--{name.replace('_', '-')}"] if value is True else [f"--{name.replace('_', '-')}={value}"])
    ]
    score = [data["target"]] if question == "target" else []
    asked = run_here(question, *options, "--json", "--", *score)
    assert (asked.code, asked.err) == (0, "")
    assert ask(question, data).decode() == asked.out


def test_the_questions_take_what_the_commands_take() -> None:
    commands: dict[str, Callable[..., object]] = {
        "solve": solve.solve,
        "advise": advise_command.advise,
        "distribution": distribution_command.distribution,
        "target": scores.target,
    }
    others = {"dice": {"dice", "exact"}, "drill": {"dice", "slots", "count", "seed"}, "review": {"record"}}
    assert LAB_QUESTIONS.keys() == commands.keys() | others.keys()
    for name, taken in others.items():  # parts of what the commands of these names take
        assert inspect.signature(LAB_QUESTIONS[name]).parameters.keys() - {"_"} == taken
    for name, command in commands.items():
        taken = {"target" if option == "score" else option for option in inspect.signature(command).parameters}
        asked = inspect.signature(LAB_QUESTIONS[name]).parameters
        assert asked.keys() - {"limits"} == taken - {"form"}
        assert all(asked[option].kind is inspect.Parameter.KEYWORD_ONLY for option in asked.keys() - {"limits"})


@pytest.mark.parametrize(
    ("question", "data", "kind", "field"),
    [
        ("solve", {"dice": "3x6"}, InvalidDice, "dice"),
        ("solve", {"slots": "1-21"}, InvalidGame, "slots"),
        ("solve", {"exact": True, "digits": 5}, Ten18Error, "digits"),
        ("advise", {"roll": 2}, IllegalMove, "roll"),
        ("advise", {"roll": 9, "free": "11"}, InvalidGame, "free"),
        ("advise", {"roll": 9, "free": "1,2", "moves": "8@5"}, Ten18Error, "free"),
        ("advise", {"roll": 9, "free": "1,2", "target": "700"}, Ten18Error, "free"),
        ("advise", {"roll": 9, "free": "1,2", "aim": "target:700"}, Ten18Error, "free"),
        ("advise", {"roll": 9, "opponent": "8@5"}, Ten18Error, "opponent"),
        ("advise", {"roll": 9, "aim": "fame"}, Ten18Error, "aim"),
        ("advise", {"roll": 9, "aim": "duel:os"}, Ten18Error, "aim"),
        ("advise", {"roll": 9, "moves": "8@5 8@5"}, IllegalMove, "moves"),
        ("distribution", {"strategy": "tests/evil.py:play"}, UnknownStrategy, "strategy"),
        ("distribution", {"strategy": "os:system"}, UnknownStrategy, "strategy"),
        ("distribution", {"strategy": "hunter"}, Ten18Error, "strategy"),
        ("distribution", {"strategy": ",".join(f"target:{k}" for k in range(9))}, Ten18Error, "strategy"),
        ("distribution", {"at_least": "x"}, InvalidGame, "at_least"),
        ("distribution", {"at_most": ",".join(["1"] * 51)}, Ten18Error, "at_most"),
        ("distribution", {"cumulative": True, "summary": True}, Ten18Error, "cumulative"),
        ("distribution", {"moments": True, "per_slot": True}, Ten18Error, "moments"),
        ("distribution", {"moments": True, "at_least": "3"}, Ten18Error, "at_least"),
        ("distribution", {"per_slot": True, "at_most": "3"}, Ten18Error, "at_most"),
        ("distribution", {"per_slot": True, "cumulative": True}, Ten18Error, "cumulative"),
        ("distribution", {"moments": True, "moves": "8@5"}, Ten18Error, "moves"),
        ("distribution", {"per_slot": True, "strategy": "random"}, Ten18Error, "strategy"),
        ("distribution", {"dice": "1d19", "slots": "1-20"}, TooLarge, "slots"),
        ("target", {"target": "many"}, InvalidGame, "target"),
        ("target", {"target": "1", "slots": "1-18"}, TooLarge, "slots"),
        ("dice", {"dice": ["3d6", "3x6"]}, InvalidDice, "dice"),
        ("drill", {"slots": "1-21"}, InvalidGame, "slots"),
        ("review", {"record": {"moves": "8@5 4@5"}}, InvalidGame, "moves"),
    ],
)
def test_what_is_refused(question: str, data: dict[str, Any], kind: type[Ten18Error], field: str) -> None:
    with pytest.raises(kind) as error:
        ask(question, data)
    assert error.value.field == field
    assert "--" not in str(error.value)  # options are the command's


def test_what_a_duel_would_take_is_refused_before_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEN18_TIME", "1")
    with pytest.raises(TooLarge, match="at most 1 second"):
        ask("advise", {"roll": 3, "dice": "1d9", "slots": "1-11", "aim": "duel"})


def test_an_answer_that_is_too_long_is_refused() -> None:
    with pytest.raises(TooLarge, match="ask for a summary"):
        answer_bytes({"pmf": ["1" * 1000] * 5000})


def test_no_name_of_a_stranger_loads_code() -> None:
    tree = ast.parse(inspect.getsource(inspect.getmodule(LAB_QUESTIONS["solve"])))  # type: ignore[arg-type]
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert "tentimes18.strategies.user_code" not in imported
