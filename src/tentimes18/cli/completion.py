"""What a shell is told when the user presses Tab: commands and options by typer, values by name from here.

A shell runs the command with the line so far in the environment. The values belong to parameters by their names. They
are examples where anything is accepted.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from enum import StrEnum
from inspect import signature
from io import StringIO
from pathlib import PurePath
from typing import Annotated, TypeAlias

import typer
from typer.models import ParameterInfo

from tentimes18.cli.output import write
from tentimes18.errors import Ten18Error

VARIABLE = "_TEN18_COMPLETE"
"""Set by a shell that asks; it says which shell it is."""
LINE_VARIABLES = ("_TYPER_COMPLETE_ARGS", "COMP_WORDS")
"""Where shells put the line so far."""

Values: TypeAlias = Mapping[str, str]
"""Values with a word about each."""

DICE: Values = {
    "3d6": "three dice",
    "1d6": "one die",
    "2d6": "two dice",
    "1d20": "one die of twenty faces",
    "2d12:12=2": "two loaded dice",
    "d{1,1,2,3,5,8}": "any faces",
    "2d6+1d8+3": "a sum",
}
SLOTS: Values = {"1-10": "the classic game", "1-5": "a short one", "1,3,5,7,9": "any multipliers"}
STRATEGIES: Values = {
    "optimal": "the highest mean",
    "random": "any free slot",
    "hindsight": "knows all rolls",
    "nearest": "a simple rule",
    "bands": "a simple rule",
    "greedy": "a simple rule",
    "target:700": "the chance of a score",
    "quantile:0.1": "a quantile",
    "cvar:0.1": "the worst games",
    "utility:exp:0.01": "a utility",
    "utility:power:0.5": "a utility",
}
DUEL_STRATEGIES: Values = {"hunter": "the best response to optimal", "equilibrium": "unexploitable"}
DUELISTS: Values = {**DUEL_STRATEGIES, **STRATEGIES}
OPPONENTS: Values = {name: told for name, told in DUELISTS.items() if name != "hindsight"}
RULES: Values = {name: DUELISTS[name] for name in ("optimal", "nearest", "bands", "greedy", "equilibrium")}
AIMS: Values = {
    "mean": "the highest mean",
    "target:700": "the chance of a score",
    "duel": "to win against the best play",
    "duel:optimal": "to win against a rule",
    "duel:nearest": "to win against a rule",
}
OBJECTIVES: Values = {name: told for name, told in STRATEGIES.items() if ":" in name}
KINDS: Values = {"equilibrium": "of duels", "response": "of duels", "compiled": "code"}

VALUES: Mapping[str, Values] = {
    "dice": DICE,
    "slots": SLOTS,
    "strategy": STRATEGIES,
    "strategies": DUELISTS,
    "scores strategies": STRATEGIES,
    "to": RULES,
    "with_": {**RULES, **{name: DUELISTS[name] for name in ("random", "hunter")}},
    "against": OPPONENTS,
    "first": DUELISTS,
    "second": DUELISTS,
    "aim": AIMS,
    "aim aim": OBJECTIVES,
    "kind": KINDS,
}
"""The values of parameters by their names; a command comes before the name where it is its own."""
LISTS = {"strategies"}
"""Those that take several values, with commas between them."""


class Shell(StrEnum):
    """The shells that can ask."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


def register(app: typer.Typer) -> None:
    """Add the command that prints the script."""
    app.command()(completion)


def completion(
    shell: Annotated[
        str | None,
        typer.Argument(metavar="SHELL", help="bash, zsh or fish.", show_default="that of the SHELL variable"),
    ] = None,
) -> None:
    """Complete commands, options and their values with the Tab key: the script for a shell.

    bash, in ~/.bashrc: eval "$(ten18 completion bash)"

    zsh, in ~/.zshrc after compinit: eval "$(ten18 completion zsh)"

    fish: ten18 completion fish > ~/.config/fish/completions/ten18.fish
    """
    name = PurePath(os.environ.get("SHELL", "")).name if shell is None else shell
    if name not in set(Shell):
        raise Ten18Error(f"not known; accepted: {', '.join(Shell)}", field="shell", given=name)
    app = typer.Typer()
    register(app)
    with redirect_stdout(StringIO()) as script:
        answer_shell(app, f"source_{name}")
    write(f"{script.getvalue().strip()}\n")


def asked_command() -> str:
    """The command of the line so far, where something follows it."""
    line = next((os.environ[name] for name in LINE_VARIABLES if name in os.environ), "")
    words = line.split()
    return words[1] if len(words) > 2 or (len(words) == 2 and line != line.rstrip()) else ""


def answer_shell(app: typer.Typer, instruction: str) -> int:
    """Print what can come next in the line of a shell, or its script; the exit code is for the shell as well."""
    from typer.completion import get_completion_inspect_parameters, shell_complete

    get_completion_inspect_parameters()  # it makes typer's shells known
    _add_values(app)
    try:
        return shell_complete(typer.main.get_command(app), {}, "ten18", VARIABLE, instruction)
    except SystemExit as end:  # one shell is answered by a code alone
        return end.code if isinstance(end.code, int) else 0


def _add_values(app: typer.Typer) -> None:
    for group in app.registered_groups:
        if group.typer_instance is not None:
            _add_values(group.typer_instance)
    for command in app.registered_commands:
        if command.callback is None:
            continue
        for parameter in signature(command.callback).parameters.values():
            values = VALUES.get(f"{command.name or command.callback.__name__} {parameter.name}")
            values = values or VALUES.get(parameter.name)
            for info in getattr(parameter.annotation, "__metadata__", ()):
                if values and isinstance(info, ParameterInfo):
                    info.autocompletion = _completer(values, is_list=parameter.name in LISTS)


def _completer(values: Values, *, is_list: bool) -> Callable[[str], list[tuple[str, str]]]:
    def complete(incomplete: str) -> list[tuple[str, str]]:
        done, comma, rest = incomplete.rpartition(",") if is_list else ("", "", incomplete)
        taken = done.split(",")
        return [
            (f"{done}{comma}{value}", meaning)
            for value, meaning in values.items()
            if value.startswith(rest) and value not in taken
        ]

    return complete
