"""The command `ten18`: one file a group of commands, and the only room that prints."""

import os
import re
import sys
import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import Annotated, Any

import typer

from tentimes18.cli.completion import VARIABLE, answer_shell, asked_command
from tentimes18.cli.output import ClosedPipe, drop_output, tell, trimmed_output, write
from tentimes18.errors import NotKept, Ten18Error

__all__ = ["main", "make_app"]

BAD_INPUT = 2
FAILED = 1
LONGEST_LINE = 400
LIBRARIES = ("numpy", "numba", "matplotlib")
CLOSED_PIPE = 141  # what a shell reports of a program ended by SIGPIPE
COMMANDS = {
    "play": ("play_command", "Play a game, with a coach and an opponent if you like."),
    "drill": ("drill_command", "Practise on close calls, and on the moves that you got wrong before."),
    "history": ("games_commands", "The games you played, and how you get on."),
    "review": ("games_commands", "What the moves of played games gave up, and what was luck."),
    "verify": (
        "games_commands",
        "Check finished games of the service: the rolls against what was published before the first move, "
        "and the scores.",
    ),
    "advise": ("advise_command", "Where to place a roll, what every other slot gives up, and why."),
    "solve": ("solve_commands", "Expected scores, and the thresholds that play the game."),
    "closest": ("solve_commands", "The closest calls: the moves whose runner-up loses least, and exact ties."),
    "distribution": (
        "distribution_commands",
        "The exact law of a strategy's final score, from the start or from a game in play.",
    ),
    "dice": (
        "distribution_commands",
        "The law of one roll: the chance of each, of that much or less, and or more; several dice side by side.",
    ),
    "target": ("target_commands", "The best chance of a score of T or more, and how to play for it."),
    "aim": ("target_commands", "Best play for an aim: what it reaches, and what it gives up in the mean."),
    "front": (
        "target_commands",
        "What a point of safety costs: mean and standard deviation of strategies with other aims.",
    ),
    "simulate": ("simulate_commands", "Play many games, and compare them with the exact law."),
    "tournament": (
        "simulate_commands",
        "Every pair of strategies on the same rolls, ratings, and who beats whom in a circle.",
    ),
    "rollout": ("simulate_commands", "Try every place for a roll by playing on, many times and with any strategy."),
    "duel": ("duel_commands", "Two players on the same rolls; the higher score wins."),
    "table": (
        "simulate_commands",
        "Several strategies at one table: whose the wins are, and who gains from whose company.",
    ),
    "assign": (
        "assign_commands",
        "Sequential assignment: values arrive one by one, and each goes at once to a free slot or is refused.",
    ),
    "paper": (
        "printed_commands",
        "Every number of the paper beside ours; exit code 1 if one differs without an explanation.",
    ),
    "plot": ("plot_commands", "Pictures, as .png, .svg or .pdf."),
    "card": ("printed_commands", "The whole best play on one page, to play by without a computer."),
    "export": ("printed_commands", "The game in the languages of other programs, and as pages without a service."),
    "cache": ("cache_command", "What is kept on disk to save time: solved tables of duels, and compiled code."),
    "completion": (
        "completion",
        "Complete commands, options and their values with the Tab key: the script for a shell.",
    ),
    "serve": ("serve_commands", "The game on the web: play alone, the daily game, and duels; Ctrl-C stops it."),
    "backup": ("serve_commands", "Copy all that a service keeps into one file, while it runs or not."),
    "restore": (
        "serve_commands",
        "Copy all that a backup holds into a database that has no games yet, all of it or nothing.",
    ),
}
"""The module of this folder with each command, and what the list of all commands says about it."""

_SHOW_WARNING = warnings.showwarning


def make_app(command: str | None = None) -> typer.Typer:
    """All commands; for a name, the command of that name, and of the others only what a list of them says."""
    app = typer.Typer(name="ten18", add_completion=False, context_settings={"help_option_names": ["-h", "--help"]})
    app.callback(invoke_without_command=True)(common)
    chosen = {module for name, (module, _) in COMMANDS.items() if command in (None, name)}
    for name, (module, summary) in COMMANDS.items():
        if module not in chosen:
            app.command(name, help=summary)(lambda: None)
        elif name == next(first for first, (other, _) in COMMANDS.items() if other == module):
            import_module(f"tentimes18.cli.{module}").register(app)
    _set_help(app)
    return app


def _set_help(app: typer.Typer) -> None:
    """Help in paragraphs that fill the lines of a terminal, wherever the lines of the source end."""
    for info in (app.registered_callback, *app.registered_commands):
        if info is not None and info.callback is not None and not info.help:
            info.help = "\n\n".join(" ".join(part.split()) for part in (getdoc(info.callback) or "").split("\n\n"))
    for group in app.registered_groups:
        if group.typer_instance is not None:
            _set_help(group.typer_instance)


def common(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Ten times eighteen: the best play, computed exactly, for any dice and any slots."""
    if version:
        write(f"{_versions()}\n")
    elif context.invoked_subcommand is None:
        with trimmed_output():
            write(context.get_help() + "\n")


def _versions() -> str:
    """The version, and those of what it computes and draws with, none of which is loaded for that."""
    from importlib.metadata import PackageNotFoundError, version
    from platform import python_version

    libraries = []
    for name in LIBRARIES:
        try:
            libraries.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            libraries.append(f"no {name}")
    return f"ten18 {version('tentimes18')} (Python {python_version()}, {', '.join(libraries)})"


def main() -> None:
    """Run the command; whatever goes wrong is one line on standard error."""
    sys.set_int_max_str_digits(0)  # exact fractions have as many digits as they need
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 (open until the end)
    try:
        code = _run()
        sys.stdout.flush()
    except Ten18Error as error:
        words = sys.argv[1:]
        line = error.told(_name_of(error.field, words))
        code = _complain(re.sub(r"`([a-z_]+)`", lambda match: _name_of(match[1], words) or "", line), BAD_INPUT)
    except typer.TyperException as error:
        code = _complain(f"{error.format_message().rstrip('.')}. See {_path_of(error)} --help.", error.exit_code)
    except typer.Abort:
        code = _complain("stopped", FAILED)
    except (ClosedPipe, BrokenPipeError, SystemExit):  # the last from a help text that nobody reads
        code = _leave(CLOSED_PIPE)
    except MemoryError:
        code = _complain("not enough memory for this", FAILED)
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        code = _leave(_complain(f"{error.strerror or error}{where}", FAILED))
    sys.exit(code if isinstance(code, int) else 0)


def _run() -> object:
    if VARIABLE in os.environ:
        return answer_shell(make_app(asked_command()), os.environ[VARIABLE])
    asks_for_help = not {"-h", "--help"}.isdisjoint(sys.argv)
    with warnings.catch_warnings(), trimmed_output() if asks_for_help else nullcontext():
        warnings.showwarning = _show_warning
        app = make_app(sys.argv[1] if len(sys.argv) > 1 else "")  # its imports may warn
        return app(standalone_mode=False, prog_name="ten18")


def _show_warning(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
    """A warning of ours is one line, without the place in the source that it comes from."""
    if issubclass(category, NotKept):
        tell(str(message))
    else:
        _SHOW_WARNING(message, category, *where, **more)


def _leave(code: int) -> int:
    drop_output(sys.stdout)
    return code


def _name_of(field: str | None, words: Sequence[str]) -> str | None:
    """The name of a field in the command that these words start: its option, where it has one."""
    if field is None:
        return None
    command: Any = typer.main.get_command(make_app(words[0] if words else ""))
    for word in words:
        command = getattr(command, "commands", {}).get(word, command)
    option = f"--{field.replace('_', '-')}"
    return option if any(option in parameter.opts for parameter in command.params) else field


def _path_of(error: typer.TyperException) -> str:
    """The command that a mistake in its words is about."""
    context = getattr(error, "ctx", None)
    return context.command_path if context else "ten18"


def _complain(text: str, code: int) -> int:
    line = " ".join(text.split())
    sys.stderr.write(f"ten18: {line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + '...'}\n")
    return code
