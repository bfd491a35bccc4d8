"""Completion with the Tab key: typer completes commands and options, this module their values.

A shell runs `ten18` with the line so far in the environment. Values belong to parameters by name; where any text is
accepted they are examples.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import PurePath
from typing import Annotated, Any, TypeAlias

import typer
from typer.completion import get_completion_inspect_parameters, shell_complete

from tentimes18.cli.output import write
from tentimes18.errors import Ten18Error
from tentimes18.strategies import named

VARIABLE = "_TEN18_COMPLETE"
"""Set by a shell that asks for completion; its value names the shell."""

SHELLS = ("bash", "zsh", "fish")

Values: TypeAlias = Mapping[str, str]
"""Values, each with its meaning."""

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
DUELISTS: Values = {name: does.partition(".")[0] for name, does in named.STRATEGIES.items()}
STRATEGIES: Values = {name: does for name, does in DUELISTS.items() if name not in named.DUEL_STRATEGIES}
OPPONENTS: Values = {name: meaning for name, meaning in DUELISTS.items() if name != "hindsight"}
RULES: Values = {name: DUELISTS[name] for name in ("optimal", "nearest", "bands", "greedy", "equilibrium")}
AIMS: Values = {
    "mean": "the highest mean",
    "target:700": "the chance of a score",
    "duel": "to win against the best play",
    "duel:optimal": "to win against a rule",
    "duel:nearest": "to win against a rule",
}
OBJECTIVES: Values = {name: meaning for name, meaning in STRATEGIES.items() if ":" in name}
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
"""The values of parameters by name; a command comes first where the values are its own."""
LISTS = {"strategies"}
"""Parameters that take several values, with commas between them."""


def register(app: typer.Typer) -> None:
    app.command()(completion)


def completion(
    shell: Annotated[
        str | None,
        typer.Argument(
            metavar="SHELL", help="The shell: bash, zsh or fish.", show_default="that of the SHELL variable"
        ),
    ] = None,
) -> None:
    """Print the script.

    It completes commands, options and their values.

    bash, in ~/.bashrc: eval "$(ten18 completion bash)"

    zsh, in ~/.zshrc after compinit: eval "$(ten18 completion zsh)"

    fish: ten18 completion fish > ~/.config/fish/completions/ten18.fish
    """
    name = PurePath(os.environ.get("SHELL", "")).name if shell is None else shell
    if name not in SHELLS:
        raise Ten18Error(f"not known; accepted: {', '.join(SHELLS)}", field="shell", value=name)
    with redirect_stdout(StringIO()) as script:
        answer_shell(None, f"source_{name}")
    write(f"{script.getvalue().strip()}\n")


def answer_shell(command: Any, instruction: str) -> int:
    """Print what can come next in the line of a shell, or its script; the exit code is for the shell as well."""
    get_completion_inspect_parameters()  # registers typer's shells
    try:
        return shell_complete(command, {}, "ten18", VARIABLE, instruction)
    except SystemExit as end:  # some shells are answered by a code alone
        return end.code if isinstance(end.code, int) else 0


def completer_of(command: str, parameter: str) -> Callable[[str], list[tuple[str, str]]] | None:
    """A function that completes the values of a parameter; none where only the user knows them."""
    values = VALUES.get(f"{command} {parameter}") or VALUES.get(parameter)
    if values is None:
        return None

    def complete(incomplete: str) -> list[tuple[str, str]]:
        start, comma, rest = incomplete.rpartition(",") if parameter in LISTS else ("", "", incomplete)
        used = start.split(",")
        return [
            (f"{start}{comma}{value}", meaning)
            for value, meaning in values.items()
            if value.startswith(rest) and value not in used
        ]

    return complete
