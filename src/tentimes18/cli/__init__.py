"""The command `ten18`: one module per group of commands. Only this package prints."""

import os
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from tentimes18.cli.completion import VARIABLE, answer_shell
from tentimes18.cli.output import ClosedPipe, drop_output, tell, trimmed_output, write
from tentimes18.errors import CacheWarning, InvalidGame, Ten18Error
from tentimes18.game import read_score

__all__ = ["COMMANDS", "main", "make_command"]

BAD_INPUT = 2
FAILED = 1
MAX_LINE = 400
MAX_COLUMNS = 1000  # of a terminal: to lay out a help text for very wide ones takes minutes
LIBRARIES = ("numpy", "numba", "matplotlib")
CLOSED_PIPE = 141  # what a shell reports of a program ended by SIGPIPE


class Entry(NamedTuple):
    """A command in the list of all commands: its module here, its panel, and one sentence about it."""

    module: str
    panel: str
    summary: str


PANELS = {
    "Play": {
        "play": ("play_commands", "Play a game, with a coach and an opponent if you like."),
        "drill": ("play_commands", "Practise close calls and moves that you got wrong before."),
    },
    "Study": {
        "advise": ("solve_commands", "Find the best slot for a roll, what the other slots lose, and why."),
        "review": ("games_commands", "Show what each move of your games lost, and how much was luck."),
        "history": ("games_commands", "List the games you played, with your scores and your skill over time."),
    },
    "Compute": {
        "solve": ("solve_commands", "Compute the expected scores and the thresholds of optimal play."),
        "closest": ("solve_commands", "List the closest calls, where the runner-up loses least, and exact ties."),
        "gap": ("solve_commands", "Compute what hindsight is worth in large games: the gap to the best play."),
        "rules": ("solve_commands", "Find the best rules with one, two, three, ... numbers to remember."),
        "strategies": ("solve_commands", "List the strategies by name, with a sentence about each."),
        "distribution": ("solve_commands", "Compute the distribution of a strategy's final score."),
        "dice": ("solve_commands", "Compute the exact distribution of one roll; compare several kinds of dice."),
        "target": ("solve_commands", "Find the best chance of a score of T or more, and how to play for it."),
        "aim": ("solve_commands", "Compute the best play for an aim other than the mean, and what it costs."),
        "front": ("solve_commands", "Compare strategies by mean and standard deviation: what safety costs."),
        "simulate": ("simulate_commands", "Simulate many games and compare them with the computed distribution."),
        "rollout": ("simulate_commands", "Try every slot for a roll by simulating the rest of the game."),
        "assign": ("assign_commands", "Solve sequential assignment: place or reject each value as it arrives."),
        "paper": ("printed_commands", "Compare every number printed in the paper with ours."),
    },
    "Duels": {
        "duel": ("simulate_commands", "Analyse two players on the same rolls, where the higher score wins."),
        "tournament": ("simulate_commands", "Play every pair of strategies on the same rolls, for ratings and cycles."),
        "table": ("simulate_commands", "Compare several strategies in one game: who wins."),
    },
    "Draw": {
        "plot": ("plot_commands", "Draw a picture as .png, .svg or .pdf."),
        "card": ("printed_commands", "Write optimal play on one page, to play by without a computer."),
        "sheets": ("printed_commands", "Write boards and worksheets for a class as PDFs, with answers."),
        "export": ("printed_commands", "Write the game for a model checker, or the web pages as plain files."),
    },
    "Serve": {
        "serve": ("serve_commands", "Serve the game on the web: single games, the daily game and duels."),
        "verify": ("games_commands", "Check the rolls and scores of finished games from a server."),
        "backup": ("serve_commands", "Copy everything that a server stores into one file."),
        "restore": ("serve_commands", "Copy a backup into a database that has no games yet."),
        "admin": ("serve_commands", "Look after the players of a server: names, lists, devices, deletion."),
        "doctor": ("serve_commands", "Check everything a server depends on, and say what to do."),
    },
    "This program": {
        "cache": ("cache_command", "List or clear the files that are stored to save time."),
        "completion": ("completion", "Print the script that lets your shell complete commands with the Tab key."),
    },
}
"""The commands by panel: the module of each here, and one sentence about it."""

COMMANDS = {
    name: Entry(module, panel, summary)
    for panel, entries in PANELS.items()
    for name, (module, summary) in entries.items()
}

EXAMPLES = {
    "play": "--coach warn --against optimal",
    "drill": "--count 5 --from history",
    "advise": "--roll 9 --free 1,4,7",
    "review": "--last",
    "history": "--last 20",
    "solve": "--dice 2d6 --slots 1-6",
    "closest": "--dice 2d6 --slots 1-6",
    "gap": "'uniform(0, 1)'",
    "rules": "--dice 1d20 --numbers 3",
    "strategies": "",
    "distribution": "--strategy optimal --moves '8@5 4@1'",
    "dice": "3d6 4d6kh3",
    "target": "700",
    "aim": "quantile:0.1",
    "front": "--dice 2d6 --slots 1-6",
    "simulate": "--strategy nearest --games 1000000",
    "rollout": "--roll 9 --strategy nearest",
    "assign": "'gamma(2, 50)' --slots 3 --arrivals 40 --value 130 --left 12",
    "paper": "--json",
    "duel response": "--to optimal",
    "duel equilibrium": "--slots 1-6 --free 1,2,3 --opponent-free 1,2,4 --lead 5",
    "duel guarantee": "--slots 1-5",
    "duel export": "equilibrium.npy --slots 1-6",
    "duel check": "equilibrium.npy --keep",
    "duel cycle": "--dice 1d6 --slots 1-4",
    "duel play": "hunter optimal --games 100000",
    "tournament": "--strategies optimal,nearest,random",
    "table": "optimal nearest hunter",
    "plot thresholds": "-o thresholds.png",
    "plot first-move": "-o first-move.png",
    "plot scores": "--strategies optimal,nearest -o scores.png",
    "plot assign": "'gamma(2, 50)' --slots 3 --arrivals 40 -o thresholds.png",
    "plot dice": "3d6 4d6kh3 -o dice.png",
    "plot target": "-o target.png",
    "plot front": "-o front.png",
    "plot slots": "-o slots.png",
    "plot game": "--moves '8@5 4@1' -o game.png",
    "plot review": "--last -o review.png",
    "card": "-o card.pdf",
    "sheets": "sheets --language de",
    "export prism": "--slots 1-4 -o game.prism",
    "export page": "site",
    "serve": "--open",
    "verify": "games.json --start starts.json",
    "backup": "backup.sqlite",
    "restore": "backup.sqlite",
    "admin players": "--search anna",
    "admin sizes": "",
    "admin rename": "PLAYER anna",
    "admin clear-name": "PLAYER",
    "admin hide": "PLAYER",
    "admin show": "PLAYER",
    "admin sign-out": "PLAYER",
    "admin delete-player": "PLAYER",
    "admin delete-group": "CODE",
    "admin end-duel": "GAME",
    "doctor": "--data /srv/ten18",
    "cache list": "--json",
    "cache clear": "--kind response --older-than 30",
    "completion": "zsh",
}
"""Arguments to try each command with, shown by its help."""

_SHOW_WARNING = warnings.showwarning


class Commands(TyperGroup):
    """All commands. The module of a command is imported when the command is called, not when it is listed."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {
            name: TyperCommand(name, help=entry.summary, rich_help_panel=entry.panel)
            for name, entry in COMMANDS.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, None if name is None or command is None else load(name), rest


def load(name: str) -> Any:
    """The command of this name with its options."""
    entry = COMMANDS[name]
    app = typer.Typer()
    app.callback()(lambda: None)  # so that it is a group, also of one command
    import_module(f"tentimes18.cli.{entry.module}").register(app)
    group: Any = typer.main.get_command(app)
    command = group.commands[name]
    command.help = "\n\n".join([entry.summary, *command.help.split("\n\n")[1:]])
    leaves = {name: command, **{f"{name} {inner}": leaf for inner, leaf in getattr(command, "commands", {}).items()}}
    for path, leaf in leaves.items():
        if path in EXAMPLES:
            leaf.epilog = f"Example: ten18 {path} {EXAMPLES[path]}".rstrip()
        for parameter in leaf.params:
            parameter.type_cast_value = partial(_read_word, parameter, parameter.type_cast_value)
    return command


def _read_word(parameter: Any, read: Callable[[Any, Any], Any], context: Any, word: Any) -> Any:
    """Read a word as typer does; a whole number may also be written as 1e6, and the name of a file is not empty."""
    if word == "" and parameter.metavar in ("FILE", "[FILE]", "FOLDER"):
        raise typer.BadParameter("the name is empty", context, parameter)
    if isinstance(word, str) and "e" in word.lower() and parameter.type.name in ("int", "int range"):
        with suppress(InvalidGame):
            number = read_score(word, parameter.name)
            word = str(number) if isinstance(number, int) else word
    return read(context, word)


def make_command(*, is_whole: bool = False) -> Any:
    """``ten18`` with its commands; the modules of all of them are imported if ``is_whole``."""
    app = typer.Typer(
        cls=Commands, name="ten18", add_completion=False, context_settings={"help_option_names": ["-h", "--help"]}
    )
    app.callback(invoke_without_command=True)(common)
    command: Any = typer.main.get_command(app)
    if is_whole:
        command.commands = {name: load(name) for name in COMMANDS}
    return command


def common(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Ten times eighteen: play it, study it, and compute it, for any dice and any slots."""
    if version:
        write(f"{_versions()}\n")
    elif context.invoked_subcommand is None:
        with trimmed_output():
            write(context.get_help() + "\n")


def _versions() -> str:
    """The version, and those of the main libraries, none of which is loaded for that."""
    from importlib.metadata import PackageNotFoundError, version

    from tentimes18 import __version__

    libraries = []
    for name in LIBRARIES:
        try:
            libraries.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            libraries.append(f"no {name}")
    return f"ten18 {__version__} (Python {sys.version.split()[0]}, {', '.join(libraries)})"


def main() -> None:
    """Run the command; whatever goes wrong is one line on standard error."""
    sys.set_int_max_str_digits(0)  # exact fractions have as many digits as they need
    if (columns := os.environ.get("COLUMNS", "")).isdecimal() and int(columns) > MAX_COLUMNS:
        os.environ["COLUMNS"] = str(MAX_COLUMNS)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 (open until the end)
    try:
        code = _run()
        sys.stdout.flush()
    except Ten18Error as error:
        words = sys.argv[1:]
        line = error.message(_name_of(error.field, words))
        code = _complain(re.sub(r"`([a-z_]+)`", lambda match: _name_of(match[1], words) or "", line), BAD_INPUT)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        path = (
            context.command_path
            if context
            else " ".join(["ten18", *(word for word in sys.argv[1:2] if word in COMMANDS)])
        )
        whole = "is not a whole number; accepted: numbers like 1000 or 1e6"
        text = re.sub(r"is not a valid int( range)?", whole, error.format_message()).rstrip(".")
        code = _complain(f"{text}{'' if text.endswith('?') else '.'} See {path} --help.", error.exit_code)
    except typer.Abort:
        code = _complain("stopped", FAILED)
    except (ClosedPipe, BrokenPipeError, SystemExit):  # the last from a help text whose reader is gone
        drop_output(sys.stdout)
        code = CLOSED_PIPE
    except MemoryError:
        code = _complain("not enough memory for this", FAILED)
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        code = _complain(f"{error.strerror or error}{where}", FAILED)
        drop_output(sys.stdout)
    sys.exit(code if isinstance(code, int) else 0)


def _run() -> object:
    if VARIABLE in os.environ:
        return answer_shell(make_command(), os.environ[VARIABLE])
    asks_for_help = not {"-h", "--help"}.isdisjoint(sys.argv)
    with warnings.catch_warnings(), trimmed_output() if asks_for_help else nullcontext():
        warnings.showwarning = _show_warning
        return make_command()(standalone_mode=False, prog_name="ten18")


def _show_warning(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
    """A warning of ours is one line, without the place in the source that it comes from."""
    if issubclass(category, CacheWarning):
        tell(str(message))
    else:
        _SHOW_WARNING(message, category, *where, **more)


def _name_of(field: str | None, words: Sequence[str]) -> str | None:
    """The name of a field in the command that these words start: its option, where it has one."""
    if field is None:
        return None
    command = load(words[0]) if words and words[0] in COMMANDS else make_command()
    for word in words[1:]:
        command = getattr(command, "commands", {}).get(word, command)
    option = f"--{field.replace('_', '-')}"
    return option if any(option in parameter.opts for parameter in command.params) else field


def _complain(text: str, code: int) -> int:
    line = " ".join(text.split())
    sys.stderr.write(f"ten18: {line if len(line) <= MAX_LINE else line[:MAX_LINE] + '...'}\n")
    return code
