"""What a shell gets for a line: asked as bash, zsh and fish ask, and by bash itself."""

import re
import shutil
import sys
from pathlib import Path
from typing import Final

import pytest

from tentimes18.cli import COMMANDS
from tentimes18.cli.completion import SHELLS, VALUES, VARIABLE
from tentimes18.coach.aims import aim_named
from tentimes18.dice import Dice
from tentimes18.game import Game
from tentimes18.strategies.named import DUEL_STRATEGIES, OBJECTIVES, RULES, named
from tentimes18.tables import CACHE_KINDS
from tests.support.command import TEN18, Result, Run, clean_environment, problems
from tests.support.process import finished

HEAVY: Final = {"numpy", "numba", "matplotlib", "dask", "scipy"}
LINES: Final = [
    ("ten18 so", ["solve"]),
    ("ten18 nothing", []),
    ("ten18 solve --dig", ["--digits"]),
    ("ten18 solve --dice 2", ["2d6", "2d12:12=2", "2d6+1d8+3"]),
    ("ten18 duel e", ["equilibrium", "export"]),
    ("ten18 duel play hunter e", ["equilibrium"]),
    ("ten18 tournament --strategies optimal,gr", ["optimal,greedy"]),
    ("ten18 tournament --strategies greedy,gr", []),
    ("ten18 table optimal hu", ["hunter"]),
    ("ten18 advise --aim m", ["mean"]),
    ("ten18 aim q", ["quantile:0.1"]),
    ("ten18 play --coach w", ["warn"]),
    ("ten18 cache clear --kind ", list(CACHE_KINDS)),
]


def asked(run: Run, line: str, shell: str = "bash") -> tuple[int, list[str]]:
    """The exit code and the values that a shell receives for a line with the cursor at its end."""
    words = line.split(" ")
    environment = {
        "bash": {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)},
        "zsh": {"_TYPER_COMPLETE_ARGS": line},
        "fish": {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }[shell]
    result = run(**environment, **{VARIABLE: f"complete_{shell}"})
    assert result.err == ""
    if shell == "zsh":
        return result.code, [text.replace("\\\\:", ":") for text in re.findall(r'"((?:[^"]|"")*)":"', result.out)]
    return result.code, [value.split("\t")[0] for value in result.out.splitlines() if value]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(("line", "values"), [LINES[0], LINES[3], LINES[5]])
def test_every_shell_receives_the_values(run_here: Run, shell: str, line: str, values: list[str]) -> None:
    assert asked(run_here, line, shell) == (0, values)


@pytest.mark.parametrize(("line", "values"), LINES)
def test_completions(run_here: Run, line: str, values: list[str]) -> None:
    assert asked(run_here, line) == (0, values)


def test_all_commands_are_offered(run_here: Run) -> None:
    assert set(asked(run_here, "ten18 ")[1]) == set(COMMANDS)


@pytest.mark.parametrize(("line", "code"), [("ten18 so", 0), ("ten18 nothing", 1)])
def test_fish_learns_from_the_exit_code_whether_there_are_values(run_here: Run, line: str, code: int) -> None:
    environment = {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "is-args", VARIABLE: "complete_fish"}
    assert run_here(**environment) == Result(code, "", "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_in_bash_itself(tmp_path: Path) -> None:
    """The script is loaded, and the function that it registers fills in what bash offers."""
    script = f"""
PATH={TEN18.parent}:$PATH
eval "$(ten18 completion bash)"
[[ $(complete -p ten18) =~ -F\\ ([^ ]+) ]] && function=${{BASH_REMATCH[1]}}
COMP_WORDS=(ten18 duel response --to n); COMP_CWORD=4
$function ten18
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = finished(("bash", "--norc", "-c", script), env=clean_environment({"HOME": str(tmp_path)}))
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, "nearest\n", b"")


def test_completing_loads_nothing_heavy() -> None:
    environment = {"_TYPER_COMPLETE_ARGS": "ten18 advise --free ", VARIABLE: "complete_zsh"}
    command = (sys.executable, "-X", "importtime", str(TEN18))
    told = finished(command, env=clean_environment(environment)).stderr.decode()
    imported = {name.split(".")[0] for name in re.findall(r"^import time:.*\|\s*([\w.]+)$", told, re.MULTILINE)}
    assert "tentimes18" in imported
    assert imported & HEAVY == set()


def test_no_value_is_offered_that_is_rejected() -> None:
    game = Game.parse("1d6", "1-3")
    for names in (VALUES["strategy"], VALUES["scores strategies"], VALUES["aim aim"]):
        assert all(named(name) for name in names)
    for key in ("strategies", "to", "with_", "against", "first", "second"):
        assert all(name in DUEL_STRATEGIES or named(name) for name in VALUES[key])
    assert all(aim_named(game, name) for name in VALUES["aim"])
    assert all(Dice.parse(text) for text in VALUES["dice"])
    assert all(Game.parse("3d6", text) for text in VALUES["slots"])
    assert tuple(VALUES["kind"]) == CACHE_KINDS


def test_every_strategy_is_offered() -> None:
    kinds = {name.partition(":")[0] for name in VALUES["strategies"]}
    assert kinds == {*RULES, *OBJECTIVES, *DUEL_STRATEGIES, "random", "hindsight"}


def test_values_belong_to_parameters_that_exist(run_here: Run) -> None:
    """A parameter that is renamed would lose its values without a word."""
    shown = run_here("tournament", "--help").out + run_here("plot", "scores", "--help").out
    assert "--strategies" in shown
    for line in (
        "ten18 duel response --with ",
        "ten18 play --against ",
        "ten18 duel play ",
        "ten18 duel play optimal ",
        "ten18 plot scores --strategies ",
        "ten18 distribution --strategy ",
        "ten18 distribution --slots ",
    ):
        assert asked(run_here, line)[1], line


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell(run_here: Run, shell: str) -> None:
    result = run_here("completion", shell)
    assert (result.code, result.err) == (0, "")
    assert f"_TEN18_COMPLETE=complete_{shell}" in result.out
    assert run_here("completion", SHELL=f"/usr/bin/{shell}") == result


@pytest.mark.parametrize(("arguments", "shell"), [(["tcsh"], "bash"), ([], "/bin/tcsh"), ([], ""), ([""], "bash")])
def test_another_shell_is_rejected(run_here: Run, arguments: list[str], shell: str) -> None:
    assert problems(run_here("completion", *arguments, SHELL=shell), "accepted: bash, zsh, fish") == []
