"""What a shell gets for a line: asked as bash, zsh and fish ask, and by bash itself."""

import re
import shutil
import sys
from pathlib import Path
from typing import Final

import pytest

from tentimes18.cli import COMMANDS
from tentimes18.cli.completion import LINE_VARIABLES, VALUES, VARIABLE, Shell, asked_command
from tentimes18.coach.aims import aim_named
from tentimes18.dice import Dice
from tentimes18.game import Game
from tentimes18.strategies.named import DUEL_STRATEGIES, OBJECTIVES, RULES, named
from tentimes18.tables import CACHE_KINDS
from tests.support.command import TEN18, Run, clean_environment, problems
from tests.support.process import finished

HEAVY: Final = {"numpy", "numba", "matplotlib", "dask", "scipy"}
LINES: Final = [
    ("ten18 so", ["solve"]),
    ("ten18 nothing", []),
    ("ten18 solve --dig", ["--digits"]),
    ("ten18 solve --dice 2", ["2d6", "2d12:12=2", "2d6+1d8+3"]),
    ("ten18 duel e", ["equilibrium"]),
    ("ten18 duel play hunter e", ["equilibrium"]),
    ("ten18 tournament --strategies optimal,gr", ["optimal,greedy"]),
    ("ten18 tournament --strategies greedy,gr", []),
    ("ten18 table optimal hu", ["hunter"]),
    ("ten18 advise --aim m", ["mean"]),
    ("ten18 aim q", ["quantile:0.1"]),
    ("ten18 play --coach w", ["warn"]),
    ("ten18 cache clear --kind ", list(CACHE_KINDS)),
]


def asked(shell: Shell, line: str) -> tuple[int, list[str]]:
    """The exit code and the values that a shell is given for a line with the cursor at its end."""
    words = line.split(" ")
    environment = {
        Shell.bash: {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)},
        Shell.zsh: {"_TYPER_COMPLETE_ARGS": line},
        Shell.fish: {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }[shell]
    done = finished((TEN18,), env=clean_environment({**environment, VARIABLE: f"complete_{shell}"}))
    assert done.stderr == b""
    out = done.stdout.decode()
    if shell is Shell.zsh:
        return done.returncode, [text.replace("\\\\:", ":") for text in re.findall(r'"((?:[^"]|"")*)":"', out)]
    return done.returncode, [value.split("\t")[0] for value in out.splitlines() if value]


@pytest.mark.parametrize("shell", Shell)
@pytest.mark.parametrize(("line", "values"), [LINES[0], LINES[3], LINES[5]])
def test_every_shell_is_answered(shell: Shell, line: str, values: list[str]) -> None:
    assert asked(shell, line) == (0, values)


@pytest.mark.parametrize(("line", "values"), LINES)
def test_what_can_come_next(line: str, values: list[str]) -> None:
    assert asked(Shell.bash, line) == (0, values)


def test_all_commands_and_their_parts() -> None:
    assert set(asked(Shell.bash, "ten18 ")[1]) == set(COMMANDS)


@pytest.mark.parametrize(("line", "code"), [("ten18 so", 0), ("ten18 nothing", 1)])
def test_fish_asks_whether_there_is_something_by_the_code(line: str, code: int) -> None:
    environment = {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "is-args", VARIABLE: "complete_fish"}
    done = finished((TEN18,), env=clean_environment(environment))
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")


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


@pytest.mark.parametrize("line", ["ten18 ", "ten18 advise --free "])
def test_completing_loads_nothing_heavy(line: str) -> None:
    environment = {"_TYPER_COMPLETE_ARGS": line, VARIABLE: "complete_zsh"}
    command = (sys.executable, "-X", "importtime", str(TEN18))
    told = finished(command, env=clean_environment(environment)).stderr.decode()
    imported = {name.split(".")[0] for name in re.findall(r"^import time:.*\|\s*([\w.]+)$", told, re.MULTILINE)}
    assert "tentimes18" in imported
    assert imported & HEAVY == set()


def test_only_the_command_of_the_line_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in LINE_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for line, command in {
        "": "",
        "ten18": "",
        "ten18 so": "",
        "ten18 solve ": "solve",
        "ten18 solve --d": "solve",
        "ten18\nsolve\n--d": "solve",
    }.items():
        monkeypatch.setenv(LINE_VARIABLES[0], line)
        assert asked_command() == command


def test_no_value_is_offered_that_is_refused() -> None:
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
        assert asked(Shell.bash, line)[1], line


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell(run_here: Run, shell: str) -> None:
    result = run_here("completion", shell)
    assert (result.code, result.err) == (0, "")
    assert f"_TEN18_COMPLETE=complete_{shell}" in result.out
    assert run_here("completion", SHELL=f"/usr/bin/{shell}") == result


@pytest.mark.parametrize(("arguments", "shell"), [(["tcsh"], "bash"), ([], "/bin/tcsh"), ([], ""), ([""], "bash")])
def test_another_shell_is_refused(run_here: Run, arguments: list[str], shell: str) -> None:
    assert problems(run_here("completion", *arguments, SHELL=shell), "accepted: bash, zsh, fish") == []
