"""`ten18 export`: the game in the languages of other programs, and as pages without a service."""

from pathlib import Path
from typing import Annotated, Final

import typer

from tentimes18.cli.options import DiceOption, JsonOption, SlotsOption, verify_output
from tentimes18.cli.output import print_json, trimmed_output, write
from tentimes18.cli.results import report_file, written
from tentimes18.game import Game

__all__ = ["register"]

PRISM_ENDINGS: Final = (".prism", ".nm")

export = typer.Typer()


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(export, name="export")


@export.callback(invoke_without_command=True)
def exports(context: typer.Context) -> None:
    """The game in the languages of other programs, and as pages without a service."""
    if context.invoked_subcommand is None:
        with trimmed_output():
            write(context.get_help() + "\n")


@export.command()
def prism(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to write: .prism or .nm.")
    ] = None,
    dice: DiceOption = "3d6",
    slots: SlotsOption = "1-10",
    as_json: JsonOption = False,
) -> None:
    """The game as a Markov decision process, for the model checkers PRISM and Storm."""
    from tentimes18.answers.prism import prism as prism_answer
    from tentimes18.files import write_whole

    if output is not None:
        verify_output(output, PRISM_ENDINGS)
    answer = prism_answer(Game.parse(dice, slots))
    if output is not None:
        write_whole(output, answer["model"].encode())
        report_file(output, as_json)
    elif as_json:
        print_json(answer)
    else:
        write(answer["model"])


@export.command()
def page(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Write them there.", show_default=False)],
    as_json: JsonOption = False,
) -> None:
    """The pages as plain files, for any static host: play alone, drill, review, lab, about.

    The folder is new or empty, or holds what was written so before, which is replaced.
    """
    from tentimes18.app.site import write_site

    answer = write_site(folder)
    if as_json:
        print_json(answer)
    else:
        write(f"{written(folder)}: {answer['files']} files, {answer['bytes'] / 1e6:.1f} MB\n")
