"""What a shell is told when the user presses Tab: commands and options by typer, values by name from here.

A shell runs the command with the line so far in the environment. Nothing is added to a command for that: the values
belong to its parameters by their names, and are looked up only then. They are examples where anything is accepted.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import PurePath
from typing import Annotated, Any, Final, TypeAlias

import typer

from tentimes18.cli.output import write
from tentimes18.errors import Ten18Error

__all__ = ["LINE_VARIABLES", "VALUES", "VARIABLE", "Shell", "answer_shell", "asked_command", "register", "script"]

VARIABLE: Final = "_TEN18_COMPLETE"
"""Set by a shell that asks; it says which shell it is."""
LINE_VARIABLES: Final = ("_TYPER_COMPLETE_ARGS", "COMP_WORDS")
"""Where shells put the line so far."""

Values: TypeAlias = Mapping[str, str]
"""Values with a word about each."""

DICE: Final[Values] = {
    "3d6": "three dice",
    "1d6": "one die",
    "2d6": "two dice",
    "1d20": "one die of twenty faces",
    "2d12:12=2": "two loaded dice",
    "d{1,1,2,3,5,8}": "any faces",
    "2d6+1d8+3": "a sum",
}
SLOTS: Final[Values] = {"1-10": "the classic game", "1-5": "a short one", "1,3,5,7,9": "any multipliers"}
STRATEGIES: Final[Values] = {
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
DUEL_STRATEGIES: Final[Values] = {"hunter": "the best response to optimal", "equilibrium": "unexploitable"}
DUELISTS: Final[Values] = {**DUEL_STRATEGIES, **STRATEGIES}
OPPONENTS: Final[Values] = {name: told for name, told in DUELISTS.items() if name != "hindsight"}
RULES: Final[Values] = {name: DUELISTS[name] for name in ("optimal", "nearest", "bands", "greedy", "equilibrium")}
AIMS: Final[Values] = {
    "mean": "the highest mean",
    "target:700": "the chance of a score",
    "duel": "to win against the best play",
    "duel:optimal": "to win against a rule",
    "duel:nearest": "to win against a rule",
}
OBJECTIVES: Final[Values] = {name: told for name, told in STRATEGIES.items() if ":" in name}
KINDS: Final[Values] = {"equilibrium": "of duels", "response": "of duels", "compiled": "code"}

VALUES: Final[Mapping[str, Values]] = {
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
LISTS: Final = {"strategies"}
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
    write(f"{script(Shell(name))}\n")


def script(shell: Shell) -> str:
    """What a shell has to run once to know how to ask."""
    from typer._completion_shared import get_completion_script

    return get_completion_script(prog_name="ten18", complete_var=VARIABLE, shell=shell)


def asked_command() -> str:
    """The command of the line so far, where it stands there with something after it."""
    line = next((os.environ[name] for name in LINE_VARIABLES if name in os.environ), "")
    words = line.split()
    return words[1] if len(words) > 2 or (len(words) == 2 and line != line.rstrip()) else ""


def answer_shell(app: typer.Typer) -> int:
    """Print what can come next in the line of the shell that asks; the exit code is for it as well."""
    from typer._completion_classes import completion_init
    from typer.completion import shell_complete

    command = typer.main.get_command(app)
    _add_values(command)
    completion_init()
    try:
        return shell_complete(command, {}, "ten18", VARIABLE, os.environ[VARIABLE])
    except SystemExit as end:  # one shell is answered by a code alone
        return end.code if isinstance(end.code, int) else 0


def _add_values(command: Any) -> None:
    for inner in getattr(command, "commands", {}).values():
        _add_values(inner)
    for parameter in command.params:
        if values := VALUES.get(f"{command.name} {parameter.name}") or VALUES.get(parameter.name):
            parameter._custom_shell_complete = _completer(values, is_list=parameter.name in LISTS)


def _completer(values: Values, *, is_list: bool) -> Callable[[Any, Any, str], Sequence[Any]]:
    def complete(_context: Any, _parameter: Any, word: str) -> Sequence[Any]:
        from typer._click.shell_completion import CompletionItem

        done, comma, rest = word.rpartition(",") if is_list else ("", "", word)
        taken = done.split(",")
        return [
            CompletionItem(f"{done}{comma}{value}", help=told)
            for value, told in values.items()
            if value.startswith(rest) and value not in taken
        ]

    return complete
