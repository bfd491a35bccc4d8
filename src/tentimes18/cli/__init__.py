"""The command `ten18`: one file a group of commands, and the only room that prints."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from tentimes18.cli.output import ClosedPipe, drop_output, write
from tentimes18.errors import Ten18Error

__all__ = ["main", "make_app"]

BAD_INPUT: Final = 2
FAILED: Final = 1
LONGEST_LINE: Final = 400
CLOSED_PIPE: Final = 141  # what a shell reports of a program ended by SIGPIPE
COMMANDS: Final = {
    "play": ("play",),
    "drill": ("drill",),
    "history": ("history",),
    "solve": ("solve", "closest"),
    "advise": ("advise",),
    "review": ("review", "plot"),
    "scores": ("distribution", "target", "aim", "front"),
    "simulate": ("simulate", "tournament"),
    "duel": ("duel",),
    "paper": ("paper",),
    "pictures": ("plot", "card"),
    "export": ("export",),
}
"""The files of this room, and the commands that each has a part in."""


def make_app(command: str | None = None) -> typer.Typer:
    """All commands; or, so that a short one starts fast, no more than this one needs."""
    app = typer.Typer(name="ten18", add_completion=False, context_settings={"help_option_names": ["-h", "--help"]})
    app.callback(invoke_without_command=True)(common)
    needed = [file for file, names in COMMANDS.items() if command in names]
    for file in needed or COMMANDS:
        import_module(f"tentimes18.cli.commands.{file}").register(app)
    return app


def common(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Ten times eighteen: the best play, computed exactly, for any dice and any slots."""
    if version:
        from importlib.metadata import version as installed

        write(f"ten18 {installed('tentimes18')}\n")
    elif context.invoked_subcommand is None:
        write(context.get_help() + "\n")


def main() -> None:
    """Run the command; whatever goes wrong is one line on standard error."""
    sys.set_int_max_str_digits(0)  # exact fractions have as many digits as they need
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 (open until the end)
    try:
        code = make_app(sys.argv[1] if len(sys.argv) > 1 else None)(standalone_mode=False, prog_name="ten18")
        sys.stdout.flush()
    except Ten18Error as error:
        code = _complain(error.told(_name_of(error.field, sys.argv[1:])), BAD_INPUT)
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


def _leave(code: int) -> int:
    drop_output(sys.stdout)
    return code


def _name_of(field: str | None, words: Sequence[str]) -> str | None:
    """The name of a field in the command that these words start: its option, where it has one."""
    if field is None:
        return None
    command: Any = typer.main.get_command(make_app(words[0] if words else None))
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
