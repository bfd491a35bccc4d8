"""`ten18 completion`: what a shell needs to complete the words of this command."""

import os
from pathlib import PurePath
from typing import Annotated

import typer

from tentimes18.cli.completion import Shell, script
from tentimes18.cli.output import write
from tentimes18.errors import Ten18Error

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add this command."""
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
